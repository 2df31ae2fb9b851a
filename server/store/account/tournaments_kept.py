"""Tournaments as the rules of retention see them: what still goes on in each, and since when not.

Not for what is removed (retention.py).
"""

from dataclasses import dataclass

from sqlalchemy import func, select

from server.store.engine.connection import AsyncConnection
from server.store.tables.base import games, groups
from server.store.tables.cases import cases, publications


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as the retention rules see it; instants in microseconds."""

    name: str
    running: int
    open_cases: int
    last_us: int
    objections_until: str | None


_COUNTED = (
    select(
        groups.c.tournament,
        func.count() - func.count(games.c.result),
        func.max(func.coalesce(games.c.ended_us, groups.c.created_us)),
    )
    .join(games, games.c.group_id == groups.c.id)
    .group_by(groups.c.tournament)
    .order_by(groups.c.tournament)
)
_OBJECTIONS = (
    select(groups.c.tournament, func.max(publications.c.objections_until))
    .join(publications, publications.c.group_id == groups.c.id)
    .group_by(groups.c.tournament)
)
_DISPUTES = (
    select(
        groups.c.tournament,
        func.count() - func.count(cases.c.closed_us),
        func.coalesce(func.max(cases.c.closed_us), 0),
    )
    .join(cases, cases.c.group_id == groups.c.id)
    .group_by(groups.c.tournament)
)


async def tournaments(conn: AsyncConnection) -> tuple[Tournament, ...]:
    """All tournaments, with what is still going on in them."""
    objections = await _objections(conn)
    disputes = await _disputes(conn)
    return tuple(
        Tournament(
            name,
            running,
            disputes.get(name, (0, 0))[0],
            max(last_us, disputes.get(name, (0, 0))[1]),
            objections.get(name),
        )
        for name, running, last_us in await conn.execute(_COUNTED)
    )


async def held_back(conn: AsyncConnection, before_us: int) -> tuple[int, ...]:
    """Open cases of tournaments whose last game ended before an instant, by id."""
    last = func.max(func.coalesce(games.c.ended_us, groups.c.created_us))
    over = (
        select(groups.c.tournament)
        .join(games, games.c.group_id == groups.c.id)
        .group_by(groups.c.tournament)
        .having(func.count() == func.count(games.c.result), last < before_us)
    )
    query = (
        select(cases.c.id)
        .join(groups, groups.c.id == cases.c.group_id)
        .where(cases.c.closed_us.is_(None), groups.c.tournament.in_(over))
        .order_by(cases.c.id)
    )
    return tuple((await conn.execute(query)).scalars())


async def _objections(conn: AsyncConnection) -> dict[str, str]:
    return {name: str(day) for name, day in await conn.execute(_OBJECTIONS)}


async def _disputes(conn: AsyncConnection) -> dict[str, tuple[int, int]]:
    """Open cases and when the last closed one was closed, by tournament."""
    return {name: (count, last) for name, count, last in await conn.execute(_DISPUTES)}
