"""Stored cups: their rounds' draws, groups and places (§ 6.6.1).

Not for who advances, which is computed (kskak.cup), nor for titles (store/group_results.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, case, delete, exists, func, insert, select, update

from server.store.cases.publications import PublicationKind
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, one_of, row_insert, rows_of, values_of
from server.store.tables.base import games, groups, people
from server.store.tables.cases import publications
from server.store.tables.tournaments import cup_draws, cup_groups, cup_places, cups, entry_lists

ORDER = PRELIMINARY, SEMIFINAL, FINAL = "preliminary", "semi", "final"


@dataclass(frozen=True, slots=True)
class CupRow:
    """A stored cup, with facts from its list: name, leader, regulation, prefix of the groups.

    ``edition`` is the year it begins.
    """

    edition: int
    list_id: int
    semi_list_id: int | None
    opened_by: int
    created_us: int
    id: int
    name: str
    leader_id: int
    regulation: str
    prefix: str


@dataclass(frozen=True, slots=True)
class DrawRow:
    """A round as drawn; the first ``places`` of each group in the previous round advanced."""

    cup_id: int
    stage: str
    seed: str
    start: str
    places: int
    reason: str
    by_id: int
    at_us: int


@dataclass(frozen=True, slots=True)
class NewPlace:
    """A place in a round; ``group_id`` None: the player did not advance."""

    cup_id: int
    stage: str
    number: int
    person_id: int
    way: str
    group_id: int | None
    from_group_id: int | None
    from_place: int | None
    strength: int | None
    entry_id: int | None


@dataclass(frozen=True, slots=True)
class PlaceRow(NewPlace):
    """A stored place, with the names of the player and of the group they come from."""

    player: str
    from_group: str | None


@dataclass(frozen=True, slots=True)
class CupGroup:
    """A group of a round and its progress."""

    group_id: int
    stage: str
    number: int
    name: str
    games: int
    finished: int

    @property
    def is_over(self) -> bool:
        """Whether all its games are finished."""
        return self.games == self.finished


@dataclass(frozen=True, slots=True)
class GroupRound:
    """Which round of which cup a group belongs to, and what its rights depend on (§ 6.6.2)."""

    group_id: int
    cup_id: int
    edition: int
    name: str
    stage: str
    number: int
    entries: int
    is_semi_held: bool


_LIST = {name: entry_lists.c[name] for name in ("leader_id", "regulation", "prefix")}
_LIST["name"] = entry_lists.c.tournament
_CUP = select(*columns_of(CupRow, cups, **_LIST)).join(
    entry_lists, entry_lists.c.id == cups.c.list_id
)


async def add(conn: AsyncConnection, **values: object) -> int:
    """Open a cup, its table's row, and return its id. StoreConflict: the year or list is taken."""
    return (await conn.execute(row_insert(cups, values))).scalar_one()


async def everything(conn: AsyncConnection) -> tuple[CupRow, ...]:
    """All cups, newest first."""
    return rows_of(CupRow, await conn.execute(_CUP.order_by(cups.c.edition.desc())))


async def find(
    conn: AsyncConnection, cup_id: int | None = None, *, edition: int | None = None
) -> CupRow | None:
    """One cup by its id, or by its year."""
    which = cups.c.id == cup_id if edition is None else cups.c.edition == edition
    return one_of(CupRow, await conn.execute(_CUP.where(which)))


async def lock(conn: AsyncConnection, cup_id: int) -> CupRow | None:
    """One cup, locked until the transaction ends: its rounds are drawn one at a time."""
    await conn.execute(select(cups.c.id).where(cups.c.id == cup_id).with_for_update())
    return await find(conn, cup_id)


async def draws(conn: AsyncConnection, cup_id: int | None = None) -> tuple[DrawRow, ...]:
    """The rounds drawn so far in a cup, or in all of them, in the order of the rounds."""
    query = select(*columns_of(DrawRow, cup_draws))
    if cup_id is not None:
        query = query.where(cup_draws.c.cup_id == cup_id)
    found = rows_of(DrawRow, await conn.execute(query))
    return tuple(sorted(found, key=lambda one: ORDER.index(one.stage)))


async def groups_of(conn: AsyncConnection, cup_id: int) -> tuple[CupGroup, ...]:
    """A cup's groups by stage and number, with how many games are over, in one query."""
    over = func.sum(case((games.c.result.is_(None), 0), else_=1))
    own = (cup_groups.c.group_id, cup_groups.c.stage, cup_groups.c.number, groups.c.name)
    query = (
        select(*own, func.count(games.c.id), over)
        .join(groups, groups.c.id == cup_groups.c.group_id)
        .join(games, games.c.group_id == cup_groups.c.group_id)
        .where(cup_groups.c.cup_id == cup_id)
        .group_by(*own)
        .order_by(cup_groups.c.stage, cup_groups.c.number)
    )
    return rows_of(CupGroup, await conn.execute(query))


async def places_of(conn: AsyncConnection, cup_id: int) -> tuple[PlaceRow, ...]:
    """All players' places in all rounds."""
    own = columns_of(PlaceRow, cup_places, player=people.c.name, from_group=groups.c.name)
    query: Select[*tuple[Any, ...]] = (
        select(*own)
        .join(people, people.c.id == cup_places.c.person_id)
        .outerjoin(groups, groups.c.id == cup_places.c.from_group_id)
        .where(cup_places.c.cup_id == cup_id)
        .order_by(cup_places.c.stage, cup_places.c.number)
    )
    return rows_of(PlaceRow, await conn.execute(query))


async def keep_round(
    conn: AsyncConnection, draw: DrawRow, group_ids: Sequence[int], places: Sequence[NewPlace]
) -> None:
    """Store a drawn round: its draw, its groups by number, everybody's place."""
    await conn.execute(insert(cup_draws).values(values_of(draw)))
    rows = [
        {"group_id": group_id, "cup_id": draw.cup_id, "stage": draw.stage, "number": number}
        for number, group_id in enumerate(group_ids, 1)
    ]
    await conn.execute(insert(cup_groups), rows)
    await conn.execute(insert(cup_places), [values_of(place) for place in places])


async def objections_until(conn: AsyncConnection, group_ids: Sequence[int]) -> dict[int, str]:
    """Until which day (ISO) a group's published result may be objected to, by group (§ 6.4.5)."""
    query = (
        select(publications.c.group_id, func.max(publications.c.objections_until))
        .where(publications.c.kind == PublicationKind.STANDING.value)
        .where(publications.c.group_id.in_(group_ids))
        .group_by(publications.c.group_id)
    )
    return {row[0]: row[1] for row in await conn.execute(query)}


async def rounds_of(conn: AsyncConnection, group_ids: Sequence[int]) -> dict[int, GroupRound]:
    """The rounds of those of the groups that are in a cup run by the server, by group, with how
    many entered the cup and whether it has a semi-final."""
    entries = (
        select(func.count(cup_places.c.person_id.distinct()))
        .where(cup_places.c.cup_id == cups.c.id, cup_places.c.stage == PRELIMINARY)
        .correlate(cups)
        .scalar_subquery()
    )
    held = exists().where(cup_draws.c.cup_id == cups.c.id, cup_draws.c.stage == SEMIFINAL)
    query = (
        select(
            cup_groups.c.group_id, cups.c.id, cups.c.edition, entry_lists.c.tournament,
            cup_groups.c.stage, cup_groups.c.number, entries, held,
        )
        .join(cups, cups.c.id == cup_groups.c.cup_id)
        .join(entry_lists, entry_lists.c.id == cups.c.list_id)
        .where(cup_groups.c.group_id.in_(group_ids))
    )  # fmt: skip
    return {one.group_id: one for one in rows_of(GroupRound, await conn.execute(query))}


def swap_place(conn: Connection, come: NewPlace, declined: int | None) -> None:
    """Give a place, by its number in the round, to another; ``declined``: the number under which
    it is kept that who had it did not advance, None where the results no longer say he does."""
    own = cup_places.c
    which = (own.cup_id == come.cup_id) & (own.stage == come.stage) & (own.number == come.number)
    if declined is not None:
        old = conn.execute(select(cup_places).where(which)).one()._asdict()
        gone = {"number": declined, "group_id": None, "entry_id": None}
        conn.execute(insert(cup_places).values(old | gone))
    conn.execute(update(cup_places).where(which).values(values_of(come)))


def groups_drawn_with(conn: Connection, group_id: int) -> tuple[int, ...]:
    """All groups of the round a group belongs to, itself included; none outside a cup."""
    own = cup_groups.alias()
    query = (
        select(cup_groups.c.group_id)
        .join(own, (own.c.cup_id == cup_groups.c.cup_id) & (own.c.stage == cup_groups.c.stage))
        .where(own.c.group_id == group_id)
        .order_by(cup_groups.c.number)
    )
    return tuple(conn.execute(query).scalars())


def forget(conn: Connection, group_id: int) -> None:
    """Remove the round a group was drawn in, with draw and places: its start is undone."""
    own = select(cup_groups.c.cup_id, cup_groups.c.stage).where(cup_groups.c.group_id == group_id)
    found = conn.execute(own).one_or_none()
    if found is not None:
        for table in (cup_places, cup_groups, cup_draws):
            same = (table.c.cup_id == found[0]) & (table.c.stage == found[1])
            conn.execute(delete(table).where(same))
