"""A connection in its own thread, lent to a task for one transaction: each statement is one hop.

SQLite only. What is asked is run in the thread and answered whole, so nothing of the driver is
touched elsewhere; SQLAlchemy's own bridge to asyncio takes five times as long. Work that awaits
nothing but the store needs a single hop (transaction.py). Not for PostgreSQL (store.py).
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, CursorResult, Engine, Executable
from sqlalchemy.engine import URL, Dialect

from server.store.engine import sqlite
from server.store.engine.connection import AsyncConnection
from server.store.engine.connection_thread import Hand, fail, settle, tell, to_the_end
from server.store.engine.errors import StoreError, StoreUnavailable
from server.store.engine.named_file import NamedFile
from server.store.engine.sqlite_direct import quick

T = TypeVar("T")
P = ParamSpec("P")
_Asked = tuple[Callable[[Connection], Any], asyncio.Future[Any]]

PATIENCE_S = 30.0
"""How long a reader waits for a connection while all are lent."""


class _Undone(Exception):
    """The task wants nothing of its transaction kept."""


class Lent:
    """The connection as a task sees it, with the interface of SQLAlchemy's for asyncio."""

    def __init__(self, hand: Hand) -> None:
        self._loop = asyncio.get_running_loop()
        self._asked: SimpleQueue[_Asked | bool] = SimpleQueue()
        self._dialect = hand.engine.dialect
        self.over = hand.give(self._serve)
        """Done when the transaction has ended."""
        self.over.add_done_callback(self._fail_the_rest)

    @property
    def dialect(self) -> Dialect:
        """As SQLAlchemy names it."""
        return self._dialect

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """Run the statement and fetch all its rows."""
        return await self._run(lambda connection: _whole(connection, statement, parameters))

    async def run_sync(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run ``work`` in the thread, in the task's context."""
        context = copy_context()
        return await self._run(lambda connection: context.run(work, connection, *args, **kwargs))

    @asynccontextmanager
    async def begin_nested(self) -> AsyncIterator[None]:
        """A savepoint, as SQLAlchemy names it."""
        savepoint = await self._run(lambda connection: connection.begin_nested())
        try:
            yield
        except BaseException:
            await self._ended(savepoint.rollback)
            raise
        await self._ended(savepoint.commit)

    def end(self, *, keeps: bool) -> None:
        """Let the transaction end once all that was asked is done; ``over`` tells how it went."""
        self._asked.put(keeps)

    async def _ended(self, how: Callable[[], None]) -> None:
        await self._run(lambda _: how())

    def _run(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        answer: asyncio.Future[T] = self._loop.create_future()
        if self.over.done():
            answer.set_exception(self._why())
        else:
            self._asked.put((work, answer))
        return answer

    def _serve(self, connection: Connection) -> None:
        """Do in the thread what the task asks, until it ends."""
        quickly = quick(connection)
        while not isinstance(asked := self._asked.get(), bool):
            work, answer = asked
            try:
                value = work(quickly)
            except BaseException as error:
                tell(self._loop, fail, answer, error)
            else:
                tell(self._loop, settle, answer, value)
            del work, answer
        if not asked:
            raise _Undone

    def _why(self) -> BaseException:
        error = None if self.over.cancelled() else self.over.exception()
        return error or StoreError("the transaction is over")

    def _fail_the_rest(self, _: object) -> None:
        """Where it could not begin, nobody in the thread answers."""
        why = self._why()
        with suppress(Empty):
            while True:
                asked = self._asked.get_nowait()
                if not isinstance(asked, bool):
                    fail(asked[1], why)


def _whole(connection: Connection, statement: Executable, parameters: Any) -> CursorResult[Any]:
    """A result that needs the driver no more."""
    result = connection.execute(statement, parameters)
    if isinstance(result, CursorResult) and result.returns_rows:
        return cast(CursorResult[Any], result.freeze()())
    return result


class Lender:
    """Connections of which each is lent to one task at a time."""

    def __init__(self, hands: tuple[Hand, ...]) -> None:
        self.hands = hands
        self._free: asyncio.LifoQueue[Hand] = asyncio.LifoQueue()
        for hand in hands:
            self._free.put_nowait(hand)

    async def lend(self) -> Lent:
        """One for a transaction, which its user ends. StoreUnavailable if none comes free."""
        try:
            hand = self._free.get_nowait()
        except asyncio.QueueEmpty:
            hand = await self._next()
        lent = Lent(hand)
        lent.over.add_done_callback(lambda _: self._free.put_nowait(hand))
        return lent

    async def _next(self) -> Hand:
        try:
            return await asyncio.wait_for(self._free.get(), PATIENCE_S)
        except TimeoutError:
            raise StoreUnavailable("the database does not answer: all readers are busy") from None


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """A SQLite store's connections, each in its thread.

    ``looker`` is for short reads that come often, ``readers`` for whole pieces of reading.
    """

    writer: Hand
    looker: Hand
    readers: tuple[Hand, ...]
    lender: Lender
    file: NamedFile

    @property
    def engines(self) -> tuple[Engine, Engine]:
        """What reads and what writes."""
        return self.looker.engine, self.writer.engine

    @property
    def next_reader(self) -> Hand:
        """The one with least to do."""
        return min(self.readers, key=lambda one: one.waiting)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that can't write and sees one snapshot."""
        lent = await self.lender.lend()
        try:
            yield cast(AsyncConnection, lent)
        finally:
            lent.end(keeps=True)

    def write(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that is kept whole or not at all; nobody else may write meanwhile."""
        return writing(self.writer)

    async def check(self) -> None:
        """Note which file is open; each connection's pragmas are checked as it is opened."""
        await self.writer.give(lambda _: self.file.note())

    async def close(self) -> None:
        """Let each finish what it was given."""
        for hand in (*self.lender.hands, *self.readers, self.looker, self.writer):
            await hand.close()


def opened(url: URL, path: Path, count: int) -> Hands:
    """Hands for a file; ``count``: of the readers, and of those that are lent."""
    looking = sqlite.direct(url, sqlite.READ_ONLY, sqlite.SMALL_CACHE, hands=2 * count + 1)
    file = NamedFile(path)

    def reader(name: str) -> Hand:
        return Hand(looking, f"store-{name}", sqlite.READS, file.prove)

    def some(name: str) -> tuple[Hand, ...]:
        return tuple(reader(f"{name}-{n}") for n in range(count))

    writer = Hand(sqlite.direct(url), "store-writer", sqlite.WRITES, file.prove)
    return Hands(writer, reader("look"), some("read"), Lender(some("lent")), file)


@asynccontextmanager
async def writing(hand: Hand) -> AsyncIterator[AsyncConnection]:
    """A transaction that is kept whole or, on an exception, not at all; begun before the block.

    A cancelled task waits for its end.
    """
    lent = Lent(hand)
    try:
        await lent.run_sync(lambda _: None)
        yield cast(AsyncConnection, lent)
    except BaseException:
        lent.end(keeps=False)
        with suppress(_Undone):
            await to_the_end(lent.over)
        raise
    lent.end(keeps=True)
    await to_the_end(lent.over)
