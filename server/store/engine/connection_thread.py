"""A SQLite connection and the one thread that uses it; a transaction on it, as a task sees it.

Whatever becomes of the task that asked, a statement runs to its end in the thread, and the end of
the transaction after it: aiosqlite leaves a cancelled writer with SQLite's only write lock. Not for
PostgreSQL, whose driver is made for asyncio (postgres.py).
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, CursorResult, Engine, Executable
from sqlalchemy.engine import Dialect

from server.store.engine.connection import AsyncConnection
from server.store.engine.errors import StoreError

T = TypeVar("T")
P = ParamSpec("P")
End = Literal["commit", "rollback"]


class ConnectionThread:
    """Runs what it is given one after the other. Its connection is opened when it is needed."""

    def __init__(
        self, engine: Engine, name: str, begin: str, prove: Callable[[], None] = lambda: None
    ) -> None:
        """``begin``: the statement that opens a transaction; ``prove`` raises when none may be."""
        self.engine = engine
        self._begin = begin
        self._prove = prove
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._connection: Connection | None = None
        self._is_closed = False

    def run(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """A future for what ``work`` returns or raises in the thread; needs an event loop."""
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._thread, copy_context().run, work)

    def begin(self) -> Connection:
        """In the thread: open a transaction."""
        self._prove()
        connection = self._connection
        if connection is None or connection.closed or connection.invalidated:
            connection = self._connection = self.engine.connect()
        self._or_dropped(connection, _begin, self._begin)
        return connection

    def end(self, connection: Connection, how: End) -> None:
        """In the thread: end it."""
        self._or_dropped(connection, _end, how)

    def _or_dropped(
        self, connection: Connection, step: Callable[[Connection, Any], None], how: str
    ) -> None:
        """Drop a connection that can't begin or end a transaction; the next one gets another.

        It would hold the transaction for good, and with it SQLite's only write lock.
        """
        try:
            step(connection, how)
        except BaseException:
            self._connection = None
            connection.invalidate()
            connection.close()
            raise

    async def close(self) -> None:
        """Finish what was given and close the connection; a second time nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        await self.run(self._close)
        await asyncio.to_thread(self._thread.shutdown)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


class Transaction:
    """A transaction on such a connection, with the interface of SQLAlchemy's for asyncio.

    It begins with the first statement, unless ``begin`` is awaited before.
    """

    def __init__(self, thread: ConnectionThread) -> None:
        self._thread = thread
        self._is_over = False
        self._connection: Connection | None = None
        """Once it has begun; the thread's alone."""

    @property
    def dialect(self) -> Dialect:
        """As SQLAlchemy names it."""
        return self._thread.engine.dialect

    async def begin(self) -> None:
        """Begin now."""
        await self.run_sync(lambda _: None)

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """Run the statement and fetch all its rows."""
        return await self.run_sync(_fetched, statement, parameters)

    async def run_sync(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run ``work`` in the thread. StoreError when the transaction is over."""
        if self._is_over:
            raise StoreError("the transaction is over")
        return await self._thread.run(lambda: work(self._begun(), *args, **kwargs))

    @asynccontextmanager
    async def begin_nested(self) -> AsyncIterator[None]:
        """A savepoint, as SQLAlchemy names it."""
        savepoint = await self.run_sync(lambda connection: connection.begin_nested())
        try:
            yield
        except BaseException:
            await to_the_end(self._thread.run(savepoint.rollback))
            raise
        await to_the_end(self._thread.run(savepoint.commit))

    def end(self, how: End) -> asyncio.Future[None]:
        """End it once all that was asked is done. The future must be seen to its end."""
        self._is_over = True
        return self._thread.run(lambda: self._end(how))

    def _begun(self) -> Connection:
        if self._connection is None:
            self._connection = self._thread.begin()
        return self._connection

    def _end(self, how: End) -> None:
        if self._connection is not None:
            self._thread.end(self._connection, how)


def _fetched(connection: Connection, statement: Executable, parameters: Any) -> CursorResult[Any]:
    """A result that needs the driver no more."""
    result = connection.execute(statement, parameters)
    return cast(CursorResult[Any], result.freeze()()) if result.returns_rows else result


@asynccontextmanager
async def writing(thread: ConnectionThread) -> AsyncIterator[AsyncConnection]:
    """A transaction that is kept whole or, on an exception, not at all; begun before the block.

    A cancelled task waits for its end.
    """
    transaction = Transaction(thread)
    try:
        await transaction.begin()
        yield cast(AsyncConnection, transaction)
    except BaseException:
        await to_the_end(transaction.end("rollback"))
        raise
    await to_the_end(transaction.end("commit"))


def _driver_of(connection: Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.driver_connection)


def _begin(connection: Connection, how: str) -> None:
    connection.begin()
    _driver_of(connection).execute(how)


def _end(connection: Connection, how: End) -> None:
    getattr(connection, how)()


async def to_the_end(work: Awaitable[T]) -> T:
    """Await work that must not be left half done; a cancellation is raised after it."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({task})
        if task.cancelled() or task.exception() is None:
            raise
        return task.result()
