"""How PostgreSQL is opened: commits are flushed before they are acknowledged.

Writers run READ COMMITTED with row locks, readers see one snapshot (REPEATABLE READ, read only).
Not for SQLite.
"""

import logging

from sqlalchemy import event, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from server.store.engine.errors import StoreError

log = logging.getLogger(__name__)

DURABLE = ("on", "remote_apply")
"""The values of ``synchronous_commit`` that flush before acknowledging."""

_SESSION = {"synchronous_commit": "on", "application_name": "kskak"}


def reader(url: URL, pool: int) -> AsyncEngine:
    """Connections that can't write and see one snapshot per transaction."""
    engine = create_async_engine(
        url,
        pool_size=pool,
        max_overflow=0,
        isolation_level="REPEATABLE READ",
        connect_args={"server_settings": _SESSION},
    )

    @event.listens_for(engine.sync_engine, "connect")
    def _connected(connection: DBAPIConnection, _record: object) -> None:
        connection.readonly = True

    return engine


def writer(url: URL, pool: int) -> AsyncEngine:
    """Connections that write."""
    return create_async_engine(
        url,
        pool_size=pool,
        max_overflow=0,
        isolation_level="READ COMMITTED",
        connect_args={"server_settings": _SESSION},
    )


async def check(engine: AsyncEngine) -> None:
    """StoreError unless commits are durable; logs a warning when the server never flushes."""
    async with engine.connect() as connection:
        durable = str((await connection.execute(text("SHOW synchronous_commit"))).scalar_one())
        flushes = str((await connection.execute(text("SHOW fsync"))).scalar_one())
    if durable not in DURABLE:
        raise StoreError(f"PostgreSQL: synchronous_commit should be on but is {durable}")
    if flushes != "on":
        log.warning("PostgreSQL runs with fsync=%s: a power cut may lose moves", flushes)
