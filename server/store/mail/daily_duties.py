"""Recurring duties: the day each was last done for, so that a restart repeats none.

Not for due work of games (due_work.py).
"""

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.engine.rows import quiet_insert
from server.store.tables.base import duties


async def take(conn: AsyncConnection, name: str, done_for: str, now_us: int) -> bool:
    """Claim a duty for this day (ISO), marking it done; False when it already was.

    Only one of several processes gets it. Do the duty in the same transaction.
    """
    row = {"name": name, "done_for": done_for, "done_us": now_us}
    late = update(duties).where(duties.c.name == name, duties.c.done_for < done_for)
    if (await conn.execute(late.values(done_for=done_for, done_us=now_us))).rowcount == 1:
        return True
    fresh = await conn.execute(quiet_insert(conn.dialect.name, duties).values(row))
    return fresh.rowcount == 1


async def done(conn: AsyncConnection) -> dict[str, str]:
    """The day each duty was last done for, by name."""
    found = await conn.execute(select(duties.c.name, duties.c.done_for))
    return {str(name): str(day) for name, day in found}


async def last(conn: AsyncConnection, name: str) -> str | None:
    """The day a duty was last done for."""
    query = select(duties.c.done_for).where(duties.c.name == name)
    value = (await conn.execute(query)).scalar_one_or_none()
    return None if value is None else str(value)
