"""Recurring duties: the day each was last done for, so that a restart repeats none.

Not for due work of games (due_work.py).
"""

from functools import cache

from sqlalchemy import Insert, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import insert_of
from server.store.tables.base import duties


async def take(conn: AsyncConnection, name: str, done_for: str, now_us: int) -> bool:
    """Claim a duty for this day (ISO), marking it done; False when it already was.

    Only one of several processes gets it. Do the duty in the same transaction.
    """
    row = {"name": name, "done_for": done_for, "done_us": now_us}
    return (await conn.execute(_take(conn.dialect.name), row)).rowcount == 1


@cache
def _take(dialect: str) -> Insert:
    new = insert_of(dialect, duties)
    values = {"done_for": new.excluded.done_for, "done_us": new.excluded.done_us}
    is_late = duties.c.done_for < new.excluded.done_for
    return new.on_conflict_do_update(index_elements=["name"], set_=values, where=is_late)


_DONE = select(duties.c.name, duties.c.done_for)


async def done(conn: AsyncConnection) -> dict[str, str]:
    """The day each duty was last done for, by name."""
    found = await conn.execute(_DONE)
    return {str(name): str(day) for name, day in found}


async def last(conn: AsyncConnection, name: str) -> str | None:
    """The day a duty was last done for."""
    query = select(duties.c.done_for).where(duties.c.name == name)
    value = (await conn.execute(query)).scalar_one_or_none()
    return None if value is None else str(value)
