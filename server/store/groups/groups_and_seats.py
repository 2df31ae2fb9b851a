"""Groups, their seats, and what a crosstable needs.

Not for the games' ledgers (play/games.py) nor for standings, which are computed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import insert, or_, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.tables.base import games, groups, people, seats
from server.store.tables.cup import cup_groups


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGroup:
    """A group to store: the columns of ``groups``. ``start`` is an ISO day."""

    name: str
    tournament: str
    class_: str
    regulation: str
    edition: str
    laws: int
    start: str
    zone: str
    claims: str
    is_double: bool
    is_drawn: bool
    seed: str | None
    fen: str | None
    post_days: int
    regulation_url: str | None
    tl_id: int
    created_us: int
    override: str | None = None
    override_reason: str | None = None


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A stored group. ``claims``: who claims an overstep, ``player`` or ``server``."""

    id: int
    name: str
    tournament: str
    class_: str
    regulation: str
    edition: str
    laws: int
    start: str
    zone: str
    claims: str
    is_double: bool
    is_drawn: bool
    seed: str | None
    fen: str | None
    post_days: int
    regulation_url: str | None
    tl_id: int
    created_us: int
    override: str | None = None
    override_reason: str | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A player's number in a group (§ 4.9.11)."""

    number: int
    person_id: int
    name: str
    club: str | None
    rating: int | None
    k_rating: int | None


@dataclass(frozen=True, slots=True)
class CrossRow:
    """One game in a crosstable. ``result`` None while it runs."""

    game_id: int
    name: str
    round: int
    white_id: int
    black_id: int
    ply: int
    to_move_id: int | None
    result: str | None
    ended_us: int | None


_SELECT = select(*columns_of(GroupRow, groups))
_CROSS = select(
    games.c.id,
    games.c.name,
    games.c.round,
    games.c.white_id,
    games.c.black_id,
    games.c.ply,
    games.c.to_move_id,
    games.c.result,
    games.c.ended_us,
).order_by(games.c.round, games.c.id)


async def add(conn: AsyncConnection, group: NewGroup, people_ids: Sequence[int]) -> int:
    """Store a group and its players in number order; the id. StoreConflict: the name is taken."""
    result = await conn.execute(insert(groups).values(values_of(group)).returning(groups.c.id))
    group_id = int(result.scalar_one())
    rows = [
        {"group_id": group_id, "number": number, "person_id": person_id}
        for number, person_id in enumerate(people_ids, 1)
    ]
    if rows:
        await conn.execute(insert(seats), rows)
    return group_id


_EVERYTHING = _SELECT.order_by(groups.c.start.desc(), groups.c.name)


async def find(conn: AsyncConnection, group_id: int) -> GroupRow | None:
    """One group by id."""
    query = _SELECT.where(groups.c.id == group_id)
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else GroupRow(*row)


async def with_ids(conn: AsyncConnection, ids: Iterable[int]) -> tuple[GroupRow, ...]:
    """Those groups that exist, in the order of the ids."""
    order = {group_id: place for place, group_id in enumerate(ids)}
    query = _SELECT.where(groups.c.id.in_(list(order)))
    found = [GroupRow(*row) for row in await conn.execute(query)]
    return tuple(sorted(found, key=lambda group: order[group.id]))


async def by_name(conn: AsyncConnection, name: str) -> GroupRow | None:
    """One group by name, as written."""
    query = _SELECT.where(groups.c.name == name)
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else GroupRow(*row)


async def by_ids(conn: AsyncConnection, ids: Iterable[int]) -> dict[int, GroupRow]:
    """Those groups that exist, by id."""
    rows = await conn.execute(_SELECT.where(groups.c.id.in_(list(ids))))
    return {group.id: group for group in (GroupRow(*row) for row in rows)}


async def everything(conn: AsyncConnection) -> tuple[GroupRow, ...]:
    """All groups, newest first."""
    return tuple(GroupRow(*row) for row in await conn.execute(_EVERYTHING))


@dataclass(frozen=True, slots=True)
class Led:
    """A group's name and leader."""

    id: int
    name: str
    tl_id: int


_LED = select(groups.c.id, groups.c.name, groups.c.tl_id)


async def led(conn: AsyncConnection) -> dict[int, Led]:
    """All groups with their leaders, by id."""
    return {row[0]: Led(*row) for row in await conn.execute(_LED)}


async def of_tournament(conn: AsyncConnection, tournament: str) -> tuple[GroupRow, ...]:
    """The groups of a tournament, in the order they began."""
    query = _SELECT.where(groups.c.tournament == tournament)
    return tuple(
        GroupRow(*row) for row in await conn.execute(query.order_by(groups.c.start, groups.c.name))
    )


async def newest(conn: AsyncConnection, most: int) -> tuple[str, ...]:
    """The names of the groups made last."""
    rows = await conn.execute(select(groups.c.name).order_by(groups.c.id.desc()).limit(most))
    return tuple(rows.scalars())


async def is_any_but(conn: AsyncConnection, ids: Iterable[int]) -> bool:
    """Whether there is another group than these."""
    query = select(groups.c.id).where(groups.c.id.not_in(list(ids))).limit(1)
    return (await conn.execute(query)).first() is not None


async def undrawn_cups(conn: AsyncConnection, edition: int) -> tuple[str, ...]:
    """Names of a year's cup groups not created by a draw: they came from a file (§ 6.6)."""
    drawn = select(cup_groups.c.group_id)
    asked = groups.c.start.startswith(f"{edition}-") & groups.c.id.not_in(drawn)
    found = select(groups.c.name).where(groups.c["class"] == "cup", asked).order_by(groups.c.name)
    return tuple((await conn.execute(found)).scalars())


async def of_person(conn: AsyncConnection, person_id: int) -> tuple[GroupRow, ...]:
    """The groups a person has a seat in, newest first."""
    query = _EVERYTHING.where(
        groups.c.id.in_(select(seats.c.group_id).where(seats.c.person_id == person_id))
    )
    return tuple(GroupRow(*row) for row in await conn.execute(query))


_SEATS = (
    select(
        seats.c.number,
        seats.c.person_id,
        people.c.name,
        people.c.club,
        people.c.rating,
        people.c.k_rating,
    )
    .join(people, people.c.id == seats.c.person_id)
    .order_by(seats.c.number)
)


async def seats_of(conn: AsyncConnection, group_id: int) -> tuple[SeatRow, ...]:
    """The group's players by number."""
    query = _SEATS.where(seats.c.group_id == group_id)
    return tuple(SeatRow(*row) for row in await conn.execute(query))


async def seats_of_all(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> dict[int, tuple[SeatRow, ...]]:
    """The players of several groups, by group, in one query."""
    found: dict[int, list[SeatRow]] = {group_id: [] for group_id in group_ids}
    query = _SEATS.add_columns(seats.c.group_id).where(seats.c.group_id.in_(list(group_ids)))
    for *row, group_id in await conn.execute(query):
        found[group_id].append(SeatRow(*row))
    return {group_id: tuple(rows) for group_id, rows in found.items()}


async def crosstable(conn: AsyncConnection, group_id: int) -> tuple[CrossRow, ...]:
    """Every game of the group, by round."""
    return tuple(
        CrossRow(*row) for row in await conn.execute(_CROSS.where(games.c.group_id == group_id))
    )


async def crosstables(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> dict[int, tuple[CrossRow, ...]]:
    """The games of several groups, by group, in one query."""
    found: dict[int, list[CrossRow]] = {group_id: [] for group_id in group_ids}
    query = _CROSS.add_columns(games.c.group_id).where(games.c.group_id.in_(list(group_ids)))
    for *row, group_id in await conn.execute(query):
        found[group_id].append(CrossRow(*row))
    return {group_id: tuple(rows) for group_id, rows in found.items()}


@dataclass(frozen=True, slots=True)
class Ward:
    """A player in a tournament that somebody leads."""

    person_id: int
    name: str
    tournament: str


async def still_playing(conn: AsyncConnection, group_ids: Sequence[int]) -> tuple[Ward, ...]:
    """Players with a running game in some groups, once per tournament, by name."""
    plays = or_(games.c.white_id == people.c.id, games.c.black_id == people.c.id)
    query = (
        select(people.c.id, people.c.name, groups.c.tournament)
        .join(games, plays)
        .join(groups, groups.c.id == games.c.group_id)
        .where(groups.c.id.in_(group_ids), games.c.result.is_(None))
        .distinct()
        .order_by(people.c.name, people.c.id, groups.c.tournament)
    )
    return tuple(Ward(*row) for row in await conn.execute(query))
