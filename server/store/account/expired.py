"""What nothing needs any more after an instant: removed by its date, some rows at a time.

Not for personal data nor for what is kept for a tournament (retention.py).
"""

from functools import cache

from sqlalchemy import Column, Select, bindparam, delete, select, tuple_

from server.store.engine.connection import AsyncConnection
from server.store.tables.account import passkey_challenges
from server.store.tables.answered_pages import answered_pages
from server.store.tables.base import confirmations, idempotency, login_links, sessions

AT_ITS_DATE: tuple[Column[int], ...] = (
    login_links.c.expires_us,
    sessions.c.expires_us,
    passkey_challenges.c.expires_us,
    answered_pages.c.expires_us,
)
"""Removed once this instant is past."""
ANSWERS: tuple[Column[int], ...] = (confirmations.c.expires_us, idempotency.c.created_us)
"""Questions and answers, which a repeated request may ask for long after."""


async def found(conn: AsyncConnection, date: Column[int], before_us: int) -> bool:
    """Whether there is anything of that kind to remove."""
    return (await conn.execute(_first(date), {"before_us": before_us})).first() is not None


@cache
def _first(date: Column[int]) -> Select[int]:
    return select(date).where(date <= bindparam("before_us")).limit(1)


async def forget(conn: AsyncConnection, date: Column[int], before_us: int, most: int) -> int:
    """Remove at most so many rows whose date is not after an instant; how many there were."""
    table = date.table
    key = tuple(table.primary_key.columns)
    some = select(*key).where(date <= before_us).limit(most)
    return (await conn.execute(delete(table).where(tuple_(*key).in_(some)))).rowcount
