"""Pictures of cards that wait for their card to be entered: each seen by who put it in, alone.

Not for the pictures of cards that were entered (cards.py).
"""

from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.engine.types import DAY_US
from server.store.tables.cases import waiting_scans

KEPT_US = 14 * DAY_US
"""How long a picture waits."""
PUT_IN = waiting_scans.c.at_us
"""Since when."""
MOST = 12
"""Pictures that wait for one person."""


@dataclass(frozen=True, slots=True)
class NewScan:
    """A picture to keep."""

    person_id: int
    scan: bytes
    scan_type: str
    at_us: int


@dataclass(frozen=True, slots=True)
class WaitingScan:
    """A kept picture."""

    id: int
    person_id: int
    scan: bytes
    scan_type: str


async def add(conn: AsyncConnection, new: NewScan) -> int | None:
    """Keep a picture; its number, None when as many wait as may."""
    count = select(func.count()).where(waiting_scans.c.person_id == new.person_id)
    if (await conn.execute(count)).scalar_one() >= MOST:
        return None
    kept = insert(waiting_scans).values(values_of(new)).returning(waiting_scans.c.id)
    return int((await conn.execute(kept)).scalar_one())


async def of_person(conn: AsyncConnection, person_id: int) -> tuple[tuple[int, str], ...]:
    """Number and type of each of a person's pictures, as they were put in."""
    query = select(waiting_scans.c.id, waiting_scans.c.scan_type)
    rows = await conn.execute(
        query.where(waiting_scans.c.person_id == person_id).order_by(waiting_scans.c.id)
    )
    return tuple((row[0], row[1]) for row in rows)


async def find(conn: AsyncConnection, person_id: int, number: int) -> WaitingScan | None:
    """One of a person's pictures."""
    query = select(*columns_of(WaitingScan, waiting_scans))
    is_his = (waiting_scans.c.person_id == person_id, waiting_scans.c.id == number)
    row = (await conn.execute(query.where(*is_his))).one_or_none()
    return None if row is None else WaitingScan(*row)


async def remove(conn: AsyncConnection, person_id: int, number: int) -> None:
    """Its card is entered, or it is not wanted."""
    is_his = (waiting_scans.c.person_id == person_id, waiting_scans.c.id == number)
    await conn.execute(delete(waiting_scans).where(*is_his))
