"""Results from before the server or from elsewhere, entered by officials with their source.

§ 6.5.3.2, § 6.6.2. A wrong one is removed but stays on record. Not for what a result is
worth (kskak.entries.access) nor for the server's own groups (usecases/entries/player.py).
"""

from dataclasses import dataclass

from sqlalchemy import insert, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.tables.entries import past_results


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPastResult:
    """A result to store; ``finished`` is an ISO day, None while still being played elsewhere."""

    person_id: int
    event: str
    wish: str
    name: str
    finished: str | None
    halves: int
    games: int
    unfinished: int
    place: int | None
    entries: int
    semi_held: bool
    source: str
    entered_by: int | None
    at_us: int


@dataclass(frozen=True, slots=True)
class PastResultRow:
    """A stored result. ``halves`` are half points; ``entries``: entries to a cup's first round."""

    id: int
    person_id: int
    event: str
    wish: str
    name: str
    finished: str | None
    halves: int
    games: int
    unfinished: int
    place: int | None
    entries: int
    semi_held: bool
    source: str
    entered_by: int | None
    at_us: int


_SELECT = select(*columns_of(PastResultRow, past_results))


async def add(conn: AsyncConnection, new: NewPastResult) -> int:
    """Store a result and return its id."""
    query = insert(past_results).values(values_of(new)).returning(past_results.c.id)
    return int((await conn.execute(query)).scalar_one())


async def of_person(conn: AsyncConnection, person_id: int) -> tuple[PastResultRow, ...]:
    """A player's valid results, in the order they were entered."""
    query = _SELECT.where(
        past_results.c.person_id == person_id, past_results.c.removed_us.is_(None)
    ).order_by("id")
    return tuple(PastResultRow(*row) for row in await conn.execute(query))


async def remove(conn: AsyncConnection, result_id: int, by: int, now_us: int) -> bool:
    """Remove a result; False when there is none or it is already removed."""
    query = update(past_results).where(
        past_results.c.id == result_id, past_results.c.removed_us.is_(None)
    )
    done = await conn.execute(query.values(removed_by=by, removed_us=now_us))
    return done.rowcount == 1
