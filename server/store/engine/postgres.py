"""How PostgreSQL is opened: commits are flushed before they are acknowledged, silence has an end.

Writers run READ COMMITTED with row locks, readers see one snapshot (REPEATABLE READ, read only).
A server or a proxy that swallows what it is sent, and closes nothing, is given up after a few
seconds, whether it is connecting, answering or has been idle. Not for SQLite.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Engine, event, text
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from server.store.engine.connection import AsyncConnection
from server.store.engine.connection_thread import to_the_end
from server.store.engine.errors import StoreError

log = logging.getLogger(__name__)

DURABLE = ("on", "remote_apply")
"""The values of ``synchronous_commit`` that flush before acknowledging."""

CONNECT_S = 3.0
"""Seconds for a connection to be made: thousands of times what it takes, and short enough that who
asks is answered."""
PROOF_S = 2.0
"""Seconds in which a connection that was idle must answer before it is used again."""
IDLE_S = 1.0
"""Seconds after which it is asked: in use all the time, it proves itself."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a process waits for PostgreSQL, in seconds, and PostgreSQL for it."""

    statement: float
    """For a statement; PostgreSQL breaks it off then too, so that nothing holds locks unheard."""
    idle: float
    """Between two statements of a transaction: who vanished in one holds its locks no longer."""
    pool: float
    """For a connection while all are in use."""


SERVING = Patience(statement=6, idle=8, pool=5)
"""A server: nobody waits longer for a page, and after any silence it writes again within 10 s."""
ALONE = Patience(statement=3600, idle=3600, pool=60)
"""A command, a migration or the archive's index anew: its statements may take minutes."""


def arguments(patience: Patience, name: str = "kskak") -> dict[str, object]:
    """What a connection is opened with. PostgreSQL's kernel finds a peer that is gone in 45 s."""
    session = {
        "synchronous_commit": "on",
        "application_name": name,
        "statement_timeout": f"{patience.statement * 1000:.0f}",
        "idle_in_transaction_session_timeout": f"{patience.idle * 1000:.0f}",
        "tcp_keepalives_idle": "30",
        "tcp_keepalives_interval": "5",
        "tcp_keepalives_count": "3",
        "tcp_user_timeout": "15000",
    }
    return {
        "timeout": CONNECT_S,
        "command_timeout": patience.statement,
        "server_settings": session,
    }


def _opened(url: URL, isolation: str, pool: int, patience: Patience) -> AsyncEngine:
    engine = create_async_engine(
        url,
        pool_size=pool,
        max_overflow=0,
        pool_timeout=patience.pool,
        isolation_level=isolation,
        connect_args=arguments(patience),
    )
    event.listen(engine.sync_engine, "checkin", _note_use)
    event.listen(engine.sync_engine, "checkout", _prove)
    event.listen(engine.sync_engine, "handle_error", drop_silent)
    return engine


def _note_use(_connection: DBAPIConnection | None, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _prove(connection: Any, record: Any, _proxy: object) -> None:
    """Have a connection that was idle answer; another is made in place of one that does not."""
    if time.monotonic() - record.info.get("used", time.monotonic()) < IDLE_S:
        return
    try:
        connection.run_async(lambda driver: driver.execute("SELECT 1", timeout=PROOF_S))
    except Exception as error:
        connection.driver_connection.terminate()
        raise DisconnectionError("an idle connection does not answer") from error


def drop_silent(context: ExceptionContext) -> None:
    """A connection whose statement was not answered in time is not used again, nor closed politely.

    The others prove themselves.
    """
    if isinstance(context.original_exception, TimeoutError):
        context.is_disconnect = True
        context.invalidate_pool_on_disconnect = False
        if context.connection is not None:
            cast(Any, context.connection.connection.driver_connection).terminate()


def reader(url: URL, pool: int, patience: Patience) -> AsyncEngine:
    """Connections that can't write and see one snapshot per transaction."""
    engine = _opened(url, "REPEATABLE READ", pool, patience)

    @event.listens_for(engine.sync_engine, "connect")
    def _connected(connection: DBAPIConnection, _record: object) -> None:
        connection.readonly = True

    return engine


def writer(url: URL, pool: int, patience: Patience) -> AsyncEngine:
    """Connections that write."""
    return _opened(url, "READ COMMITTED", pool, patience)


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
        """Close every connection; one whose end is not answered is left to the process's own."""
        for engine in (self.reader, self.writer):
            with suppress(TimeoutError):
                await asyncio.wait_for(engine.dispose(), CONNECT_S)


async def _or_dropped(connection: AsyncConnection, step: Callable[[], Awaitable[object]]) -> None:
    try:
        await step()
    except BaseException:
        await connection.invalidate()
        raise
