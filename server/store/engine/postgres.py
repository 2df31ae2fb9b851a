"""How PostgreSQL is opened: commits are flushed before they are acknowledged, silence has an end.

Writers run READ COMMITTED with row locks, readers see one snapshot (REPEATABLE READ, read only).
A server or a proxy that swallows what it is sent, and closes nothing, is given up after a few
seconds, whether it is connecting, answering or has been idle. Not for SQLite.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Engine, event, text
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from server.store.engine.connection import AsyncConnection, StoreError
from server.store.engine.sqlite import to_the_end

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


SERVING = Patience(statement=5, idle=4, pool=5)
"""A server: nobody waits longer for a page, and after any silence it writes again within 10 s: what
vanished in the midst of a transaction has left its locks when its statement is given up."""
ALONE = Patience(statement=3600, idle=3600, pool=60)
"""A command, a migration or the archive's index anew: its statements may take minutes."""


POOLED = "pooled"
"""In the address's query: PgBouncer is in between, and lends a connection for a transaction."""


def is_pooled(url: URL) -> bool:
    """Whether each transaction may have another session of PostgreSQL (PgBouncer)."""
    return url.query.get(POOLED) == "yes"


def limits(patience: Patience) -> dict[str, str]:
    """What a session, or each transaction through PgBouncer, is told of durability and time."""
    return {
        "synchronous_commit": "on",
        "statement_timeout": f"{patience.statement * 1000:.0f}",
        "idle_in_transaction_session_timeout": f"{patience.idle * 1000:.0f}",
    }


def arguments(url: URL, patience: Patience, name: str = "kskak") -> dict[str, object]:
    """What a connection is opened with. PostgreSQL's kernel finds a peer that is gone in 45 s.

    Through PgBouncer nothing is said of the session, and no statement has a name that another
    transaction's session would not know.
    """
    if is_pooled(url):
        return {
            "timeout": CONNECT_S,
            "command_timeout": patience.statement,
            "server_settings": {"application_name": name},
            "statement_cache_size": 0,
            "prepared_statement_cache_size": 0,
            "prepared_statement_name_func": str,
        }
    session = {
        **limits(patience),
        "application_name": name,
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


def _create_engine(url: URL, isolation: str, pool: int, patience: Patience) -> AsyncEngine:
    engine = create_async_engine(
        url.difference_update_query([POOLED]),
        pool_size=pool,
        max_overflow=0,
        hide_parameters=True,
        pool_timeout=patience.pool,
        isolation_level=isolation,
        connect_args=arguments(url, patience),
    )
    if is_pooled(url):
        told = ", ".join(f"set_config('{k}', '{v}', true)" for k, v in limits(patience).items())
        event.listen(engine.sync_engine, "begin", lambda conn: conn.exec_driver_sql(_SELECT + told))
    silence = PoolSilence()
    event.listen(engine.sync_engine, "checkin", silence.note_use)
    event.listen(engine.sync_engine, "checkout", silence.prove)
    event.listen(engine.sync_engine, "handle_error", silence.drop)
    return engine


_SELECT = "SELECT "


@dataclass(slots=True)
class PoolSilence:
    """Which connections of a pool may be dead without having been closed.

    ``found``: when one was last found so, by the monotonic clock; a silence seldom comes alone, so
    none that was last used before is asked, which would take ``PROOF_S`` for each.
    """

    found: float = -math.inf

    def note_use(self, _connection: DBAPIConnection | None, record: Any) -> None:
        """A connection came back to its pool."""
        record.info["used"] = time.monotonic()

    def prove(self, connection: Any, record: Any, _proxy: object) -> None:
        """Have a connection that was idle answer; another is made in place of one that does not."""
        now = time.monotonic()
        used = record.info.get("used", now)
        if used > self.found:
            if now - used < IDLE_S:
                return
            with suppress(Exception):
                connection.run_async(lambda driver: driver.execute("SELECT 1", timeout=PROOF_S))
                return
            self.found = now
        connection.driver_connection.terminate()
        raise DisconnectionError("an idle connection does not answer")

    def drop(self, context: ExceptionContext) -> None:
        """A connection that did not answer in time is not used again, nor closed politely."""
        if isinstance(context.original_exception, TimeoutError):
            self.found = time.monotonic()
            context.is_disconnect = True
            context.invalidate_pool_on_disconnect = False
            if context.connection is not None:
                cast(Any, context.connection.connection.driver_connection).terminate()


def reader(url: URL, pool: int, patience: Patience) -> AsyncEngine:
    """Connections that can't write and see one snapshot per transaction."""
    engine = _create_engine(url, "REPEATABLE READ", pool, patience)

    @event.listens_for(engine.sync_engine, "connect")
    def _connected(connection: DBAPIConnection, _record: object) -> None:
        connection.readonly = True

    return engine


def writer(url: URL, pool: int, patience: Patience) -> AsyncEngine:
    """Connections that write."""
    return _create_engine(url, "READ COMMITTED", pool, patience)


THROUGH_PGBOUNCER = f"if PgBouncer is in between, add ?{POOLED}=yes to the database's address"


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
            await _run_or_drop(connection, connection.begin)
            try:
                yield connection
            except BaseException:
                await to_the_end(_run_or_drop(connection, connection.rollback))
                raise
            await to_the_end(_run_or_drop(connection, connection.commit))

    async def check(self) -> None:
        """StoreError unless commits are durable; a warning when the server never flushes."""
        async with self.writer.connect() as connection:
            durable = str((await connection.execute(text("SHOW synchronous_commit"))).scalar_one())
            flushes = str((await connection.execute(text("SHOW fsync"))).scalar_one())
            limit = str((await connection.execute(text("SHOW statement_timeout"))).scalar_one())
        if limit == "0":
            raise StoreError(f"PostgreSQL was not told how long to wait; {THROUGH_PGBOUNCER}")
        if durable not in DURABLE:
            raise StoreError(f"PostgreSQL: synchronous_commit should be on but is {durable}")
        if flushes != "on":
            log.warning("PostgreSQL runs with fsync=%s: a power cut may lose moves", flushes)

    async def close(self) -> None:
        """Close every connection; one whose end is not answered is left to the process's own."""
        for engine in (self.reader, self.writer):
            with suppress(TimeoutError):
                await asyncio.wait_for(engine.dispose(), CONNECT_S)


async def _run_or_drop(connection: AsyncConnection, step: Callable[[], Awaitable[object]]) -> None:
    try:
        await step()
    except BaseException:
        await connection.invalidate()
        raise


# Listening to PostgreSQL for changed games, on a connection of its own.

CHANNEL = "kskak_games"
ALIVE_S = 5.0
"""Seconds between checks that the connection is still alive."""
AGAIN_S = (0.5, 2.0, 5.0)
"""Seconds before the first retry, the second, the third and every later one."""


class Listener:
    """Listens until it is stopped, reconnecting whenever the connection is lost."""

    def __init__(self, url: URL, heard: Callable[[int], None], missed: Callable[[], None]) -> None:
        """``heard`` takes a game's id; ``missed``: notifications may have been missed."""
        self._engine = create_async_engine(
            url,
            poolclass=NullPool,
            connect_args=arguments(url, ALONE, "kskak live"),
        )
        self._heard = heard
        self._missed = missed
        self._was_tried = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start, and wait until it listens or has found that it can't yet."""
        self._task = asyncio.create_task(self._run(), name="job-listening")
        await self._was_tried.wait()

    async def stop(self) -> None:
        """Stop and close the connection."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._engine.dispose()

    async def _run(self) -> None:
        failures = 0
        while True:
            try:
                async with self._engine.connect() as connection:
                    await self._listen(connection)
                    failures = 0
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                self._was_tried.set()
                log.warning("the database can't be listened to: %s", type(error).__name__)
            await asyncio.sleep(AGAIN_S[min(failures, len(AGAIN_S) - 1)])
            failures += 1

    async def _listen(self, connection: AsyncConnection) -> None:
        """Listen until the connection is lost."""
        driver: Any = (await connection.get_raw_connection()).driver_connection
        lost = asyncio.Event()
        driver.add_termination_listener(lambda _: lost.set())
        await driver.add_listener(CHANNEL, self._take)
        self._missed()
        self._was_tried.set()
        while not lost.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(lost.wait(), ALIVE_S)
                break
            if not await _lives(driver):
                break
        await connection.invalidate()

    def _take(self, _driver: object, _pid: int, _channel: str, payload: str) -> None:
        if payload.isascii() and payload.isdigit():
            self._heard(int(payload))


async def _lives(driver: Any) -> bool:
    """Whether the server still answers: a dead connection may look open for hours."""
    try:
        await driver.execute("SELECT 1", timeout=PROOF_S)
    except Exception:
        return False
    return True
