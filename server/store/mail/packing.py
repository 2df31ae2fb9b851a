"""Handled mails that are kept unpacked still. Not for letters, which are packed as they go out."""

from collections.abc import Collection, Mapping

from sqlalchemy import (
    Connection,
    LargeBinary,
    bindparam,
    delete,
    func,
    insert,
    select,
    type_coerce,
    update,
)

from server.store.engine.connection import AsyncConnection
from server.store.engine.packed import MARK, Packed
from server.store.mail.inbox import InboxState
from server.store.tables.base import inbox

_STORED = type_coerce(inbox.c.raw, LargeBinary)
_ONE = (
    update(inbox)
    # Raw mail may have been removed since it was read, and is not to come back.
    .where(inbox.c.id == bindparam("row_id"), func.length(_STORED) == bindparam("octets"))
    .values(raw=bindparam("packed", type_=Packed()))
)
_IDS = inbox.c.id.in_(bindparam("ids", expanding=True))
_WHOLE = (
    select(*(one for one in inbox.c if one is not inbox.c.raw), _STORED.label("stored"))
    .where(_IDS)
    .order_by(inbox.c.id)
)
_OUT = delete(inbox).where(_IDS)
_AGAIN = insert(inbox).values(raw=bindparam("stored", type_=LargeBinary))


async def unpacked(conn: AsyncConnection, since_us: int) -> tuple[int, ...]:
    """Mails handled since an instant (µs) that are not packed, by id."""
    query = (
        select(inbox.c.id)
        .where(inbox.c.state == InboxState.DONE.value, inbox.c.due_us >= since_us)
        .where(func.length(_STORED) > 0)
        .where(func.substr(_STORED, 1, len(MARK), type_=LargeBinary) != MARK)
        .order_by(inbox.c.id)
    )
    return tuple((await conn.execute(query)).scalars())


async def raw_of(conn: AsyncConnection, ids: Collection[int]) -> dict[int, bytes]:
    """Whole mails by id."""
    rows = await conn.execute(select(inbox.c.id, inbox.c.raw).where(inbox.c.id.in_(sorted(ids))))
    return {int(row.id): bytes(row.raw) for row in rows}


async def pack(conn: AsyncConnection, mails: Mapping[int, bytes]) -> None:
    """Keep mails packed, each unless it is no longer what was read."""
    rows = [
        {"row_id": mail, "octets": len(raw), "packed": raw} for mail, raw in mails.items() if raw
    ]
    if rows:
        await conn.execute(_ONE, rows)
        if conn.dialect.name == "sqlite":
            await conn.run_sync(_laid_densely, [mail for mail, raw in mails.items() if raw])


def _laid_densely(conn: Connection, ids: Collection[int]) -> None:
    """Take the rows out and put them in again as they are, one after the other.

    SQLite leaves a row that became small where it was, and of a page that held two such mails, 4
    kB, 2.6 were free for good. On PostgreSQL a row that is changed is a new one anyway.
    """
    rows = [dict(row) for row in conn.execute(_WHOLE, {"ids": ids}).mappings()]
    conn.execute(_OUT, {"ids": ids})
    conn.execute(_AGAIN, rows)
