"""Calendar feed keys: one per person at a time; only its SHA-256 digest is stored.

Not for making keys (usecases/account/calendar_feed.py).
"""

from sqlalchemy import delete, insert, select

from server.store.account.ways_in import digest
from server.store.engine.connection import AsyncConnection
from server.store.tables.cases import calendar_keys


async def replace(conn: AsyncConnection, person_id: int, key: str, now_us: int) -> None:
    """Store a new key; the previous one stops working."""
    await revoke(conn, person_id)
    row = {"digest": digest(key), "person_id": person_id, "created_us": now_us}
    await conn.execute(insert(calendar_keys).values(row))


async def revoke(conn: AsyncConnection, person_id: int) -> None:
    """Revoke a person's key."""
    await conn.execute(delete(calendar_keys).where(calendar_keys.c.person_id == person_id))


async def person_of(conn: AsyncConnection, key: str) -> int | None:
    """Whose calendar a key opens; None when unknown."""
    query = select(calendar_keys.c.person_id).where(calendar_keys.c.digest == digest(key))
    value = (await conn.execute(query)).scalar_one_or_none()
    return None if value is None else int(value)


async def has_key(conn: AsyncConnection, person_id: int) -> bool:
    """Whether a person has a calendar feed."""
    query = select(calendar_keys.c.digest).where(calendar_keys.c.person_id == person_id)
    return (await conn.execute(query.limit(1))).first() is not None
