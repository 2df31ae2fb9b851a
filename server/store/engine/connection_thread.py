"""A connection that stays open and the one thread that uses it: one transaction, one hop.

SQLite only. Taking a connection from a pool and giving it back costs as much as two statements,
and an executor's future costs as much again as the hop. Not for PostgreSQL (store.py).
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Literal, TypeVar, cast

from sqlalchemy import Connection, Engine

from server.store.engine.errors import translated

T = TypeVar("T")
_Work = Callable[[Connection], Any]
_Job = tuple[_Work, asyncio.AbstractEventLoop, asyncio.Future[Any]]


class Hand:
    """Runs jobs in the order they are given, each in a transaction of its own."""

    def __init__(
        self, engine: Engine, name: str, begin: str, prove: Callable[[], None] = lambda: None
    ) -> None:
        """``name``: the thread's, started with the first job; ``begin``: opens a transaction.

        ``prove`` raises when no job may be done.
        """
        self.engine = engine
        self._prove = prove
        self._begin = begin
        self._name = name
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._connection: Connection | None = None
        self.waiting = 0
        """Jobs given and not yet done; counted in the event loop."""

    def give(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """A future for the job's result, or what it or its commit raised; needs an event loop.

        The job is carried out whatever becomes of the future.
        """
        if self._thread is None:
            self._thread = Thread(target=self._serve, name=self._name, daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        self.waiting += 1
        self._jobs.put((work, loop, answer))
        return answer

    async def carry(self, work: Callable[[Connection], T]) -> T:
        """Await a job that must not be left half done; a cancellation is raised after it."""
        try:
            return await self.give(work)
        except asyncio.CancelledError:
            later = self.give(lambda _: None)  # jobs run in order: when this is done, so is that
            while not later.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait({later})
            raise

    async def close(self) -> None:
        """Finish the jobs given and close the connection."""
        if self._thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, loop, answer = job
            try:
                value = self._run(work)
            except BaseException as error:
                tell(loop, self._failed, answer, error)
            else:
                tell(loop, self._done, answer, value)
            del job, work, answer
        if self._connection is not None:
            if not self._connection.closed and not self._connection.invalidated:
                self._connection.detach()  # else the pool would keep it, and the file, open
            self._connection.close()

    def _done(self, answer: asyncio.Future[Any], value: object) -> None:
        self.waiting -= 1
        settle(answer, value)

    def _failed(self, answer: asyncio.Future[Any], error: BaseException) -> None:
        self.waiting -= 1
        fail(answer, error)

    def _run(self, work: Callable[[Connection], T]) -> T:
        with translated():
            self._prove()
            connection = self._connection
            if connection is None or connection.closed or connection.invalidated:
                connection = self._connection = self.engine.connect()
            self._or_dropped(connection, _begin, self._begin)
            try:
                value = work(connection)
            except BaseException:
                self._or_dropped(connection, _end, "rollback")
                raise
            self._or_dropped(connection, _end, "commit")
            return value

    def _or_dropped(
        self, connection: Connection, step: Callable[[Connection, Any], None], how: str
    ) -> None:
        """Drop a connection that can't begin or end a transaction; the next job gets another.

        It would hold the transaction for good, and with it SQLite's only write lock.
        """
        try:
            step(connection, how)
        except BaseException:
            self._connection = None
            connection.invalidate()
            connection.close()
            raise


def driver_of(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection."""
    return cast(sqlite3.Connection, connection.connection.driver_connection)


def _begin(connection: Connection, how: str) -> None:
    driver_of(connection).execute(how)


def _end(connection: Connection, how: Literal["commit", "rollback"]) -> None:
    """End the driver's transaction, or SQLAlchemy's when the job has used one."""
    ends = connection if connection.in_transaction() else driver_of(connection)
    getattr(ends, how)()


def tell(
    loop: asyncio.AbstractEventLoop,
    how: Callable[[asyncio.Future[Any], Any], None],
    answer: asyncio.Future[Any],
    what: object,
) -> None:
    """From the thread: answer in the loop with ``settle`` or ``fail``."""
    try:
        loop.call_soon_threadsafe(how, answer, what)
    except RuntimeError:  # the loop is closed: nobody is waiting
        return


def settle(answer: asyncio.Future[Any], value: object) -> None:
    """Answer with a value, if somebody still waits."""
    if not answer.done():
        answer.set_result(value)


def fail(answer: asyncio.Future[Any], error: BaseException) -> None:
    """Answer with an error, if somebody still waits."""
    if not answer.done():
        answer.set_exception(error)


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
