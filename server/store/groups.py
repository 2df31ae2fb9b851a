"""Groups and their seats, and who may follow them.

Not for the games (play/game_lists.py) nor for standings, which are computed.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, exists, insert, or_, select, union, update

from kskak.game.game_events import Event
from kskak.ledger.stored_events import proven_text
from kskak.play.game_state import GameState
from server.store.engine.chain import about, link
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import (
    AnyRow,
    columns_of,
    one_of,
    portions,
    row_insert,
    rows_of,
    values_of,
)
from server.store.play.games import NewGame, build_game_row, first_heads
from server.store.tables.base import IS_HELD, events, games, groups, people, seats
from server.store.tables.tournaments import cup_groups, league_divisions, live_groups, title_ties


@dataclass(frozen=True, slots=True)
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
    override: str | None
    override_reason: str | None


@dataclass(frozen=True, slots=True)
class GroupRow(NewGroup):
    """A stored group. ``claims``: who claims an overstep, ``player`` or ``server``."""

    id: int


def find_seated(
    conn: Connection, people_ids: Collection[int], classes: Collection[str]
) -> frozenset[int]:
    """Those of some people who have or had a seat in a group of these classes."""
    query = select(seats.c.person_id).join(groups, groups.c.id == seats.c.group_id)
    of = seats.c.person_id.in_(people_ids), groups.c["class"].in_(classes)
    return frozenset(conn.execute(query.where(*of)).scalars())


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A player's number in a group (§ 4.9.11)."""

    number: int
    person_id: int
    name: str
    club: str | None
    rating: int | None
    k_rating: int | None


_SELECT = select(*columns_of(GroupRow, groups))


async def add(conn: AsyncConnection, group: NewGroup, people_ids: Sequence[int]) -> int:
    """Store a group and its players in number order; the id. StoreConflict: the name is taken."""
    group_id = (await conn.execute(row_insert(groups, values_of(group)))).scalar_one()
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
    return one_of(GroupRow, await conn.execute(_SELECT.where(groups.c.id == group_id)))


async def the_group(conn: AsyncConnection, group_id: int) -> GroupRow:
    """A group that is there."""
    (group,) = await with_ids(conn, [group_id])
    return group


async def with_ids(conn: AsyncConnection, ids: Iterable[int]) -> tuple[GroupRow, ...]:
    """Those groups that exist, in the order of the ids."""
    order = {group_id: place for place, group_id in enumerate(ids)}
    return tuple(sorted((await by_ids(conn, order)).values(), key=lambda one: order[one.id]))


async def by_name(conn: AsyncConnection, name: str) -> GroupRow | None:
    """One group by name, as written."""
    return one_of(GroupRow, await conn.execute(_SELECT.where(groups.c.name == name)))


async def by_ids(conn: AsyncConnection, ids: Iterable[int]) -> dict[int, GroupRow]:
    """Those groups that exist, by id."""
    rows = await conn.execute(_SELECT.where(groups.c.id.in_(list(ids))))
    return {group.id: group for group in rows_of(GroupRow, rows)}


async def everything(conn: AsyncConnection) -> tuple[GroupRow, ...]:
    """All groups, newest first."""
    return rows_of(GroupRow, await conn.execute(_EVERYTHING))


async def list_groups_with_leaders(conn: AsyncConnection) -> dict[int, AnyRow]:
    """All groups by id, with ``name``, ``tl_id`` and whether they are held by the Union."""
    query = select(*groups.c["id", "name", "tl_id"], IS_HELD.label("is_held"))
    rows: Iterable[AnyRow] = await conn.execute(query)
    return {row.id: row for row in rows}


async def list_tournament_groups(conn: AsyncConnection, tournament: str) -> tuple[GroupRow, ...]:
    """The groups of a tournament, in the order they began."""
    query = _SELECT.where(groups.c.tournament == tournament)
    return rows_of(GroupRow, await conn.execute(query.order_by(groups.c.start, groups.c.name)))


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


async def list_person_groups(conn: AsyncConnection, person_id: int) -> tuple[GroupRow, ...]:
    """The groups a person has a seat in, newest first."""
    return (await groups_of_people(conn, [person_id]))[person_id]


async def groups_of_people(
    conn: AsyncConnection, people: Collection[int]
) -> dict[int, tuple[GroupRow, ...]]:
    """The groups that some people have a seat in, each one's newest first, in one query."""
    found: dict[int, list[GroupRow]] = {one: [] for one in people}
    query = _EVERYTHING.join(seats, seats.c.group_id == groups.c.id)
    query = query.add_columns(seats.c.person_id).where(seats.c.person_id.in_(people))
    for *row, person_id in await conn.execute(query):
        found[person_id].append(GroupRow(*row))
    return {person_id: tuple(rows) for person_id, rows in found.items()}


_OF_PERSON = {name: people.c[name] for name in ("name", "club", "rating", "k_rating")}
_SEATS = (
    select(*columns_of(SeatRow, seats, **_OF_PERSON))
    .join(people, people.c.id == seats.c.person_id)
    .order_by(seats.c.number)
)


async def seats_of(conn: AsyncConnection, group_id: int) -> tuple[SeatRow, ...]:
    """The group's players by number."""
    return (await seats_of_all(conn, [group_id]))[group_id]


async def seats_of_all(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> dict[int, tuple[SeatRow, ...]]:
    """The players of several groups, by group, in one query."""
    found: dict[int, list[SeatRow]] = {group_id: [] for group_id in group_ids}
    query = _SEATS.add_columns(seats.c.group_id).where(seats.c.group_id.in_(list(group_ids)))
    for *row, group_id in await conn.execute(query):
        found[group_id].append(SeatRow(*row))
    return {group_id: tuple(rows) for group_id, rows in found.items()}


async def still_playing(conn: AsyncConnection, group_ids: Sequence[int]) -> tuple[AnyRow, ...]:
    """Players with a running game in some groups, once per tournament, by name.

    ``person_id``, ``name`` and ``tournament``.
    """
    plays = or_(games.c.white_id == people.c.id, games.c.black_id == people.c.id)
    query = (
        select(people.c.id.label("person_id"), people.c.name, groups.c.tournament)
        .join(games, plays)
        .join(groups, groups.c.id == games.c.group_id)
        .where(groups.c.id.in_(group_ids), games.c.result.is_(None))
        .distinct()
        .order_by(people.c.name, people.c.id, groups.c.tournament)
    )
    return tuple(await conn.execute(query))


# Which groups are open for everybody to follow, since when, and who switched this on and off.

PUBLIC_GROUPS = select(live_groups.c.group_id).where(live_groups.c.until_us.is_(None))
"""The groups everybody may follow now."""
NONE: frozenset[int] = frozenset()


async def find_public_groups(conn: AsyncConnection, group_ids: Collection[int]) -> frozenset[int]:
    """Those of some groups that everybody may follow: one query, or none for no groups."""
    if not group_ids:
        return NONE
    return await conn.run_sync(find_public_groups_sync, group_ids)


_RUNNING = PUBLIC_GROUPS.where(
    exists().where(games.c.group_id == live_groups.c.group_id, games.c.result.is_(None))
)


async def all_of(conn: AsyncConnection, *, running: bool = False) -> frozenset[int]:
    """All groups everybody may follow; ``running``: only those with a running game."""
    return frozenset(row[0] for row in await conn.execute(_RUNNING if running else PUBLIC_GROUPS))


def find_public_groups_sync(conn: Connection, group_ids: Collection[int]) -> frozenset[int]:
    """Those of some groups that everybody may follow, on a synchronous connection."""
    query = PUBLIC_GROUPS.where(live_groups.c.group_id.in_(group_ids))
    return frozenset(conn.execute(query).scalars())


_on, _off = people.alias("switched_on"), people.alias("switched_off")


async def spells_of(conn: AsyncConnection, group_id: int) -> tuple[AnyRow, ...]:
    """The periods in which a group was open to everybody, latest first.

    ``from_us`` and ``from_by`` (None: since its start), ``until_us`` (None: still open) and
    ``until_by``; those who switched it by name.
    """
    by = (_on.c.name.label("from_by"), _off.c.name.label("until_by"))
    query = (
        select(live_groups.c.from_us, live_groups.c.until_us, *by)
        .outerjoin(_on, _on.c.id == live_groups.c.from_by)
        .outerjoin(_off, _off.c.id == live_groups.c.until_by)
        .where(live_groups.c.group_id == group_id)
        .order_by(live_groups.c.id.desc())
    )
    return tuple(await conn.execute(query))


def begin(conn: Connection, group_ids: Collection[int], now_us: int, by: int | None) -> None:
    """Let everybody follow these groups from now on; those already open are left as they are."""
    held = find_public_groups_sync(conn, group_ids)
    new = [
        {"group_id": group_id, "from_us": now_us, "from_by": by}
        for group_id in sorted(group_ids)
        if group_id not in held
    ]
    if new:
        conn.execute(insert(live_groups), new)


def end(conn: Connection, group_ids: Collection[int], now_us: int, by: int) -> None:
    """From now on, show these groups' running games only to those playing or involved in them."""
    still_open = live_groups.c.group_id.in_(sorted(group_ids)) & live_groups.c.until_us.is_(None)
    conn.execute(update(live_groups).where(still_open).values(until_us=now_us, until_by=by))


def shut_to_programs(conn: Connection, group_ids: Collection[int], since_us: int | None) -> None:
    """From now on no program moves in these groups; None: programs may."""
    these = update(groups).where(groups.c.id.in_(sorted(group_ids)))
    conn.execute(these.values(no_programs_us=since_us))


_NO_PROGRAMS = groups.c.no_programs_us.is_not(None)


def is_shut_to_programs(conn: Connection, group_id: int) -> bool:
    """Whether no program may move in a group."""
    query = select(groups.c.id).where(groups.c.id == group_id, _NO_PROGRAMS)
    return conn.execute(query).first() is not None


def games_without_programs(conn: Connection) -> frozenset[int]:
    """The running games in which no program may move."""
    query = select(games.c.id).join(groups, groups.c.id == games.c.group_id)
    shut = query.where(_NO_PROGRAMS, games.c.result.is_(None))
    return frozenset(conn.execute(shut).scalars())


def together_with(conn: Connection, group_id: int) -> dict[int, str]:
    """The groups of a group's tournament, itself included: names by id.

    All rounds of a cup (§ 6.6.1), all divisions of a season (§ 6.7.1), a DM with its play-off
    (§ 6.5.2); any other group stands alone. Empty when there is no such group.
    """
    cup = select(cup_groups.c.cup_id).where(cup_groups.c.group_id == group_id)
    season = select(league_divisions.c.season).where(league_divisions.c.group_id == group_id)
    tied = title_ties.c.playoff_id
    others = union(
        select(cup_groups.c.group_id).where(cup_groups.c.cup_id.in_(cup)),
        select(league_divisions.c.group_id).where(league_divisions.c.season.in_(season)),
        select(title_ties.c.group_id).where(tied == group_id),
        select(tied).where(title_ties.c.group_id == group_id, tied.is_not(None)),
    ).subquery()
    query = select(groups.c.id, groups.c.name).where(
        or_(groups.c.id == group_id, groups.c.id.in_(select(others.c.group_id)))
    )
    return {row[0]: row[1] for row in conn.execute(query.order_by(groups.c.name))}


async def list_season_divisions(conn: AsyncConnection, season: int) -> tuple[int, ...]:
    """The league divisions of a season that have started."""
    query = select(league_divisions.c.group_id).where(league_divisions.c.season == season)
    return tuple((await conn.execute(query)).scalars())


# Games that come with their history: stored whole, events included, in a few statements.

CHANNEL = "import"
_AT_ONCE = 1000
"""Event rows per statement."""


@dataclass(frozen=True, slots=True)
class TakeoverEvent:
    """An event and the instant it is stored under, which is on the event's own day."""

    event: Event
    at_us: int


@dataclass(frozen=True, slots=True)
class TakeoverGame:
    """A game with its history and the ``state`` after it. ``ended_us``: when it ended, if over."""

    new: NewGame
    events: tuple[TakeoverEvent, ...]
    state: GameState
    ended_us: int | None


async def keep(conn: AsyncConnection, past: Iterable[TakeoverGame]) -> None:
    """Store games with their events. StoreConflict when an id or name is taken."""
    kept = list(past)
    if not kept:
        return
    heads = await first_heads(conn, [game.new for game in kept])
    chains = [_chain(game, head) for game, head in zip(kept, heads, strict=True)]
    await conn.execute(
        insert(games),
        [_row(game, rows, head) for game, rows, head in zip(kept, chains, heads, strict=True)],
    )
    everything = [row for rows in chains for row in rows]
    for some in portions(everything, _AT_ONCE):
        await conn.execute(insert(events), some)


def _row(game: TakeoverGame, rows: Sequence[dict[str, object]], head: bytes) -> dict[str, object]:
    last = rows[-1]["hash"] if rows else head
    row = build_game_row(game.new, last, game.state, seq=len(rows))
    last_us = max((event.at_us for event in game.events), default=None)
    return row | {"ended_us": game.ended_us, "last_us": last_us}


def _chain(game: TakeoverGame, head: bytes) -> list[dict[str, object]]:
    """The chained rows of a game's events, from its first head on."""
    rows: list[dict[str, object]] = []
    origin = about(None, CHANNEL, None)
    for seq, past in enumerate(game.events, 1):
        body = proven_text(past.event)
        head = link(head, game.new.id, seq, past.at_us, body, origin)
        rows.append(
            {
                "game_id": game.new.id,
                "seq": seq,
                "at_us": past.at_us,
                "actor_id": None,
                "channel": CHANNEL,
                "inbox_id": None,
                "body": body,
                "hash": head,
            }
        )
    return rows
