"""A person's cases, and the silences reported of him, by a fixed number of queries.

Not for his sanctions (sanctions.py), nor for who may see any of it
(usecases/cases/person_record.py).
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, not_, or_, select

from kskak.ledger.stored_events import RULING_ANNULLED, SWAPS
from server.store.cases.cases_and_events import SELECT_CASE, CaseEventRow, CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.tables.base import events, games, groups, seats
from server.store.tables.cases import case_events, cases

_SILENCE = '"kind":"tl_notified"'
"""What an event's body contains when a leader is told of a silence (kskak.ledger.ledger_out)."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event that told the leader of a silence, in which game (§ 6.3.4, § 6.8.3)."""

    game_id: int
    group_id: int
    game: str
    white_id: int
    regulation: str
    body: str


def _plays(person_id: int) -> ColumnElement[bool]:
    return or_(games.c.white_id == person_id, games.c.black_id == person_id)


async def groups_of(conn: AsyncConnection, person_id: int) -> frozenset[int]:
    """The groups in which a person has a seat or a game."""
    seated = select(seats.c.group_id).where(seats.c.person_id == person_id)
    played = select(games.c.group_id).where(_plays(person_id))
    return frozenset((await conn.execute(seated.union(played))).scalars())


async def cases_near(conn: AsyncConnection, person_id: int) -> tuple[CaseRow, ...]:
    """The cases about a person, and those of his groups, in which he may be a party."""
    seated = select(seats.c.group_id).where(seats.c.person_id == person_id)
    played = select(games.c.group_id).where(_plays(person_id))
    among = cases.c.group_id.in_(seated.union(played))
    query = SELECT_CASE.where(or_(cases.c.person_id == person_id, among)).order_by(cases.c.id)
    return tuple(CaseRow(*row) for row in await conn.execute(query))


async def with_ids(conn: AsyncConnection, ids: Collection[int]) -> tuple[CaseRow, ...]:
    """Cases by id."""
    rows = await conn.execute(SELECT_CASE.where(cases.c.id.in_(list(ids))))
    return tuple(CaseRow(*row) for row in rows)


async def events_of_all(
    conn: AsyncConnection, ids: Collection[int]
) -> dict[int, tuple[CaseEventRow, ...]]:
    """The events of several cases, each case's in order."""
    found: dict[int, list[CaseEventRow]] = {case_id: [] for case_id in ids}
    query = select(*columns_of(CaseEventRow, case_events)).order_by(case_events.c.seq)
    for row in await conn.execute(query.where(case_events.c.case_id.in_(list(ids)))):
        event = CaseEventRow(*row)
        found[event.case_id].append(event)
    return {case_id: tuple(rows) for case_id, rows in found.items()}


async def silences(conn: AsyncConnection, person_id: int) -> tuple[Told, ...]:
    """Reports of silence in a person's games, by either player.

    Not one of before a change of colours or its annulment: it is void, and told of the other side.
    """
    other = events.alias()
    in_game = other.c.game_id == events.c.game_id
    turns = or_(*(other.c.body.contains(one, autoescape=True) for one in (SWAPS, RULING_ANNULLED)))
    swapped = exists().where(in_game, other.c.body.contains(SWAPS, autoescape=True))
    turned = exists().where(in_game, other.c.seq > events.c.seq, turns)
    told = (games.c.id, games.c.group_id, games.c.name, games.c.white_id, groups.c.regulation)
    query = (
        select(*told, events.c.body)
        .join(events, events.c.game_id == games.c.id)
        .join(groups, groups.c.id == games.c.group_id)
        .where(_plays(person_id), events.c.body.contains(_SILENCE, autoescape=True))
        .where(not_(and_(swapped, turned)))
        .order_by(games.c.id, events.c.seq)
    )
    return tuple(Told(*row) for row in await conn.execute(query))
