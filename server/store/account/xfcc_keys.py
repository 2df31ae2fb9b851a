"""Keys for chess programs (Xfcc): one per person; only its SHA-256 digest is stored.

Not for making keys (usecases/account/own_keys.py).
"""

from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from server.store.account.ways_in import digest
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.play.people import PersonRow
from server.store.tables.account import xfcc_keys
from server.store.tables.base import people


@dataclass(frozen=True, slots=True)
class XfccKeyRow:
    """A key as listed; ``used_day`` ISO, None: never used."""

    created_us: int
    used_day: str | None


async def replace(conn: AsyncConnection, person_id: int, key: str, now_us: int) -> None:
    """Store a new key; the previous one stops working."""
    await revoke(conn, person_id)
    row = {"digest": digest(key), "person_id": person_id, "created_us": now_us}
    await conn.execute(insert(xfcc_keys).values(row))


async def revoke(conn: AsyncConnection, person_id: int) -> bool:
    """Revoke a person's key; False when there is none."""
    gone = delete(xfcc_keys).where(xfcc_keys.c.person_id == person_id)
    return (await conn.execute(gone)).rowcount == 1


async def of_person(conn: AsyncConnection, person_id: int) -> XfccKeyRow | None:
    """What is known of a person's key, without the key itself."""
    query = select(*columns_of(XfccKeyRow, xfcc_keys)).where(xfcc_keys.c.person_id == person_id)
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else XfccKeyRow(*row)


_OWNER = (
    select(xfcc_keys.c.used_day, *columns_of(PersonRow, people))
    .join(xfcc_keys, xfcc_keys.c.person_id == people.c.id)
    .where(xfcc_keys.c.digest == bindparam("digest"))
)


def owner(conn: Connection, key: str) -> tuple[PersonRow, str | None] | None:
    """Whose key this is, and the day it was last used: one statement, for ``Store.look``."""
    row = conn.execute(_OWNER, {"digest": digest(key)}).one_or_none()
    return None if row is None else (PersonRow(*row[1:]), row[0])


async def use(conn: AsyncConnection, person_id: int, day: str) -> None:
    """Record the day of use (ISO)."""
    own = update(xfcc_keys).where(xfcc_keys.c.person_id == person_id)
    await conn.execute(own.values(used_day=day))
