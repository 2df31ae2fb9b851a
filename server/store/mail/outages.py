"""When the server was down: the basis for crediting days to players.

Not for the pauses that follow from an outage: those are events of the games.
"""

from dataclasses import dataclass

from sqlalchemy import or_, select, update

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import all_as, columns_of, quiet_insert
from server.store.tables.base import outages


@dataclass(frozen=True, slots=True)
class OutageRow:
    """An outage; ``to_us`` None while it lasts."""

    id: int
    from_us: int
    to_us: int | None
    reason: str


_SELECT = select(*columns_of(OutageRow, outages))


async def add(conn: AsyncConnection, from_us: int, to_us: int | None, reason: str) -> None:
    """Store an outage; one that began at the same instant is left alone."""
    row = {"from_us": from_us, "to_us": to_us, "reason": reason}
    await conn.execute(quiet_insert(conn.dialect.name, outages).values(row))


async def end(conn: AsyncConnection, to_us: int) -> int:
    """End the open outages; return how many."""
    change = update(outages).where(outages.c.to_us.is_(None), outages.c.from_us <= to_us)
    return (await conn.execute(change.values(to_us=to_us))).rowcount


async def between(conn: AsyncConnection, from_us: int, to_us: int) -> tuple[OutageRow, ...]:
    """Outages that overlap a period, in order."""
    query = _SELECT.where(
        outages.c.from_us < to_us, or_(outages.c.to_us.is_(None), outages.c.to_us > from_us)
    )
    rows = await conn.execute(query.order_by(outages.c.from_us))
    return all_as(OutageRow, rows)


async def is_open(conn: AsyncConnection) -> bool:
    """Whether an outage is open now."""
    query = select(outages.c.id).where(outages.c.to_us.is_(None)).limit(1)
    return (await conn.execute(query)).first() is not None
