"""Stored cups: their rounds' draws, groups and places (§ 6.6.1).

Not for who advances, which is computed (kskak.cup), nor for titles (store/group_results.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
)

from server.store.cases.publications import PublicationKind
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, one_of, rows_of, values_of
from server.store.tables.base import games, groups, people, seats
from server.store.tables.cases import publications
from server.store.tables.tournaments import cup_draws, cup_groups, cup_places, cups, entry_lists

SEMIFINAL, PRELIMINARY = "semi", "preliminary"


@dataclass(frozen=True, slots=True)
class NewCup:
    """A cup to open; ``edition`` is the year it begins."""

    edition: int
    list_id: int
    semi_list_id: int | None
    opened_by: int
    created_us: int


@dataclass(frozen=True, slots=True)
class CupRow(NewCup):
    """A stored cup, with facts from its list: name, leader, regulation, prefix of the groups."""

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
_CUPS = _CUP.order_by(cups.c.edition.desc())


async def add(conn: AsyncConnection, new: NewCup) -> int:
    """Open a cup and return its id. StoreConflict when the year or list is taken."""
    query = insert(cups).values(values_of(new)).returning(cups.c.id)
    return int((await conn.execute(query)).scalar_one())


async def find(conn: AsyncConnection, cup_id: int) -> CupRow | None:
    """One cup."""
    return one_of(CupRow, await conn.execute(_CUP.where(cups.c.id == cup_id)))


async def by_edition(conn: AsyncConnection, edition: int) -> CupRow | None:
    """The cup of a year."""
    return one_of(CupRow, await conn.execute(_CUP.where(cups.c.edition == edition)))


async def lock(conn: AsyncConnection, cup_id: int) -> CupRow | None:
    """One cup, locked until the transaction ends: its rounds are drawn one at a time."""
    await conn.execute(select(cups.c.id).where(cups.c.id == cup_id).with_for_update())
    return await find(conn, cup_id)


async def everything(conn: AsyncConnection) -> tuple[CupRow, ...]:
    """All cups, newest first."""
    return rows_of(CupRow, await conn.execute(_CUPS))


async def draws(conn: AsyncConnection, cup_id: int) -> tuple[DrawRow, ...]:
    """The rounds drawn so far, in order."""
    query = select(*columns_of(DrawRow, cup_draws)).where(cup_draws.c.cup_id == cup_id)
    return rows_of(DrawRow, await conn.execute(query.order_by(cup_draws.c.at_us)))


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
    return tuple(
        CupGroup(group, stage, number, name, int(count), int(finished))
        for group, stage, number, name, count, finished in await conn.execute(query)
    )


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
    conn: AsyncConnection,
    draw: DrawRow,
    group_ids: Sequence[int],
    places: Sequence[NewPlace],
) -> None:
    """Store a drawn round: its draw, its groups by number, everybody's place."""
    await conn.execute(insert(cup_draws).values(values_of(draw)))
    rows = [
        {"group_id": group_id, "cup_id": draw.cup_id, "stage": draw.stage, "number": number}
        for number, group_id in enumerate(group_ids, 1)
    ]
    await conn.execute(insert(cup_groups), rows)
    await conn.execute(insert(cup_places), [values_of(place) for place in places])


_ENTRIES = (
    select(func.count())
    .select_from(cup_places)
    .where(cup_places.c.cup_id == cups.c.id, cup_places.c.stage == PRELIMINARY)
    .correlate(cups)
    .scalar_subquery()
)
_HELD = exists(
    select(cup_draws.c.stage).where(
        and_(cup_draws.c.cup_id == cups.c.id, cup_draws.c.stage == SEMIFINAL)
    )
).correlate(cups)
_ROUND = (
    select(
        cup_groups.c.group_id, cups.c.id, cups.c.edition, entry_lists.c.tournament,
        cup_groups.c.stage, cup_groups.c.number, _ENTRIES, _HELD,
    )
    .join(cups, cups.c.id == cup_groups.c.cup_id)
    .join(entry_lists, entry_lists.c.id == cups.c.list_id)
)  # fmt: skip


async def round_of(conn: AsyncConnection, group_id: int) -> GroupRound | None:
    """Which round a group belongs to; None unless it is in a cup run by the server."""
    return one_of(GroupRound, await conn.execute(_ROUND.where(cup_groups.c.group_id == group_id)))


_SEATED = select(seats.c.group_id).where(seats.c.person_id == bindparam("person"))
_ROUNDS_OF_PERSON = _ROUND.where(cup_groups.c.group_id.in_(_SEATED))


async def rounds_of(conn: AsyncConnection, group_ids: Sequence[int]) -> dict[int, GroupRound]:
    """The rounds of several groups, by group; no query when there are none."""
    query = _ROUND.where(cup_groups.c.group_id.in_(list(group_ids)))
    rows = await conn.execute(query) if group_ids else ()
    return {row[0]: GroupRound(*row) for row in rows}


async def rounds_of_person(conn: AsyncConnection, person_id: int) -> dict[int, GroupRound]:
    """The rounds of all cup groups a player has a seat in, by group, in one query."""
    rows = await conn.execute(_ROUNDS_OF_PERSON, {"person": person_id})
    return {row[0]: GroupRound(*row) for row in rows}


def groups_drawn_with(conn: Connection, group_id: int) -> tuple[int, ...]:
    """All groups of the round a group belongs to, itself included; none outside a cup."""
    own = select(cup_groups.c.cup_id, cup_groups.c.stage).where(cup_groups.c.group_id == group_id)
    if (found := conn.execute(own).one_or_none()) is None:
        return ()
    same = (cup_groups.c.cup_id == found[0], cup_groups.c.stage == found[1])
    query = select(cup_groups.c.group_id).where(*same)
    return tuple(conn.execute(query.order_by(cup_groups.c.number)).scalars())


def forget(conn: Connection, group_id: int) -> None:
    """Remove the round a group was drawn in, with draw and places: its start is undone."""
    own = select(cup_groups.c.cup_id, cup_groups.c.stage).where(cup_groups.c.group_id == group_id)
    found = conn.execute(own).one_or_none()
    if found is not None:
        for table in (cup_places, cup_groups, cup_draws):
            same = (table.c.cup_id == found[0]) & (table.c.stage == found[1])
            conn.execute(delete(table).where(same))


# Cups whose newest round is played out and published, while the next has not been drawn (§ 6.6.3).

FINAL = "final"
_AFTER = {PRELIMINARY: (SEMIFINAL, FINAL), SEMIFINAL: (FINAL,)}
"""The rounds that may follow a round; times would not do, as two may be equal."""


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A cup's newest round, with all its groups published; objections until a day (ISO)."""

    cup_id: int
    edition: int
    stage: str
    list_id: int
    leader_id: int
    objections_until: str


def _is_newest() -> ColumnElement[bool]:
    """Whether a round has no later one drawn; False for a final, which has none to come."""
    later = cup_draws.alias("later")
    return or_(
        *(
            and_(
                cup_draws.c.stage == stage,
                ~exists().where(later.c.cup_id == cup_draws.c.cup_id, later.c.stage.in_(after)),
            )
            for stage, after in _AFTER.items()
        )
    )


def _is_played_out() -> ColumnElement[bool]:
    """Whether every game of the round is over and every group's result is published."""
    of_round, its_own = cup_groups.alias("of_round"), publications.alias("its_own")
    in_round = and_(of_round.c.cup_id == cup_draws.c.cup_id, of_round.c.stage == cup_draws.c.stage)
    is_published = exists().where(
        its_own.c.group_id == of_round.c.group_id, its_own.c.kind == PublicationKind.STANDING.value
    )
    is_running = exists().where(
        in_round, games.c.group_id == of_round.c.group_id, games.c.result.is_(None)
    )
    is_unpublished = exists(select(of_round.c.group_id).where(in_round, ~is_published))
    return and_(~is_running, ~is_unpublished)


def _over() -> Select[Any]:
    of_round = and_(cup_groups.c.cup_id == cups.c.id, cup_groups.c.stage == cup_draws.c.stage)
    until = (
        select(func.max(publications.c.objections_until))
        .where(publications.c.group_id == cup_groups.c.group_id)
        .where(publications.c.kind == PublicationKind.STANDING.value)
        .correlate(cup_groups)
        .scalar_subquery()
    )
    facts = (
        cups.c.id,
        cups.c.edition,
        cup_draws.c.stage,
        cups.c.list_id,
        entry_lists.c.leader_id,
    )
    return (
        select(*facts, func.max(until))
        .join(cup_draws, cup_draws.c.cup_id == cups.c.id)
        .join(entry_lists, entry_lists.c.id == cups.c.list_id)
        .join(cup_groups, of_round)
        .where(_is_newest(), _is_played_out())
        .group_by(*facts)
        .order_by(cups.c.id)
    )


_OVER = _over()
"""Asked at every look at what is due."""


async def rounds_over(conn: AsyncConnection) -> tuple[RoundOver, ...]:
    """Every cup awaiting its next round, or the end of the objection period."""
    return rows_of(RoundOver, await conn.execute(_OVER))
