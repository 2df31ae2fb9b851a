"""How PostgreSQL is opened: commits are flushed before they are acknowledged.

Writers run READ COMMITTED with row locks, readers see one snapshot (REPEATABLE READ, read only).
Not for SQLite.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import Engine, event, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from server.store.engine.connection import AsyncConnection
from server.store.engine.connection_thread import to_the_end
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


@dataclass(frozen=True, slots=True, eq=False)
class Pools:
    """A PostgreSQL store's connections."""

    reader: AsyncEngine
    writer: AsyncEngine

    @property
    def engines(self) -> tuple[Engine, Engine]:
        """What reads and what writes."""
        return self.reader.sync_engine, self.writer.sync_engine

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that can't write and sees one snapshot."""
        async with self.reader.connect() as connection, connection.begin():
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction; its connection is dropped when it can't begin or end one."""
        async with self.writer.connect() as connection:
            await _or_dropped(connection, connection.begin)
            try:
                yield connection
            except BaseException:
                await to_the_end(_or_dropped(connection, connection.rollback))
                raise
            await to_the_end(_or_dropped(connection, connection.commit))

    async def check(self) -> None:
        """StoreError unless commits are durable; a warning when the server never flushes."""
        async with self.writer.connect() as connection:
            durable = str((await connection.execute(text("SHOW synchronous_commit"))).scalar_one())
            flushes = str((await connection.execute(text("SHOW fsync"))).scalar_one())
        if durable not in DURABLE:
            raise StoreError(f"PostgreSQL: synchronous_commit should be on but is {durable}")
        if flushes != "on":
            log.warning("PostgreSQL runs with fsync=%s: a power cut may lose moves", flushes)

    async def close(self) -> None:
        """Close every connection."""
        await self.reader.dispose()
        await self.writer.dispose()


async def _or_dropped(connection: AsyncConnection, step: Callable[[], Awaitable[object]]) -> None:
    try:
        await step()
    except BaseException:
        await connection.invalidate()
        raise
