"""How a SQLite file is opened so that an answered move is never lost: one writer, a few readers.

Every connection gets the pragmas below and reads them back. Writers begin IMMEDIATE: a
transaction that reads first and writes later can't be overtaken. Not for PostgreSQL.
"""

import asyncio
import fcntl
import logging
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from contextvars import copy_context
from pathlib import Path
from platform import machine
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, CursorResult, Engine, Executable, create_engine, event
from sqlalchemy.engine import URL, Dialect
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import NullPool

from server.store.engine.connection import AsyncConnection, StoreError, StoreUnavailable
from server.store.engine.sqlite_library import sqlite3

log = logging.getLogger(__name__)

# A SQLite connection and the one thread that uses it; a transaction on it, as a task sees it.

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
        return await self.run_sync(_fetch_result, statement, parameters)

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


def _fetch_result(
    connection: Connection, statement: Executable, parameters: Any
) -> CursorResult[Any]:
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


def _begin(connection: Connection, how: str) -> None:
    connection.begin()
    cast(sqlite3.Connection, connection.connection.driver_connection).execute(how)


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


# The file of a SQLite database: held by one process at a time, and still the one of its name.

_LONGEST_NAME = 200
_LOG_PATIENCE_S = 0.2
"""How long emptying the log waits for readers; nobody can write meanwhile."""


@contextmanager
def hold_database_file(path: Path, who: str) -> Iterator[None]:
    """Nobody else holds the database until the block ends. StoreError that names who does.

    The lock falls with its process, however that ends. It is on a file beside the database, as
    closing any handle of the database itself would drop the locks of SQLite.
    """
    real = path.resolve()
    try:
        handle = os.open(real.with_name(f"{real.name}-lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError(f"{path} can't be locked: {error.strerror or error}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = os.pread(handle, _LONGEST_NAME, 0).decode(errors="replace").strip()
            raise StoreError(
                f"{path} is in use by {other or 'another process'}: stop that first"
            ) from None
        with suppress(OSError):  # a full disk: the lock holds without the name
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"{who} (process {os.getpid()})".encode(), 0)
        yield
    finally:
        os.close(handle)


class NamedFile:
    """Which file, write-ahead log and lock a database's name stood for when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names = [path.with_name(path.name + end) for end in ("", "-wal", "-lock")]
        self._first: list[tuple[int, int] | None] | None = None

    def note(self) -> None:
        """Remember them; both are open by now."""
        self._first = self._found()

    def prove(self) -> None:
        """StoreUnavailable when another file has their name: what is written would be lost."""
        if self._first is None:
            return
        found = self._found()  # a lock may be made later
        self._first = [was or now for was, now in zip(self._first, found, strict=True)]
        if self._first != found:
            raise StoreUnavailable(
                f"{self._path} or its lock was replaced or deleted meanwhile: restart the server"
            )

    def log_octets(self) -> int:
        """How long the write-ahead log is."""
        try:
            return self._names[1].stat().st_size
        except FileNotFoundError:
            return 0

    def empty_log(self) -> bool:
        """Bring all of the log into the database and empty it; False when a reader needs it."""
        self.prove()
        uri = f"{self._path.absolute().as_uri()}?mode=rw"
        try:
            with closing(sqlite3.connect(uri, _LOG_PATIENCE_S, uri=True)) as connection:
                is_busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.Error as error:
            log.warning("the write-ahead log can't be emptied: %s", error)
            return False
        return not is_busy

    def _found(self) -> list[tuple[int, int] | None]:
        return [_identity(name) for name in self._names]


def _identity(name: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(name)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


# How a SQLite file is opened so that an answered move is never lost: one writer, a few readers.

PRAGMAS: tuple[tuple[str, str, str], ...] = (
    ("busy_timeout", "10000", "10000"),
    ("journal_mode", "WAL", "wal"),
    ("synchronous", "FULL", "2"),
    ("foreign_keys", "ON", "1"),
    ("trusted_schema", "OFF", "0"),
    ("secure_delete", "ON", "1"),
)
"""Name, value to set, value to read back. ``busy_timeout`` in milliseconds."""

READ_ONLY = ("query_only", "ON", "1")
SMALL_CACHE = ("cache_size", "-256", "-256")
"""KiB of pages that a reader keeps: the system keeps the file's too. The writer keeps more."""
WRITER_CACHE = ("cache_size", "-1024", "-1024")
UNCHECKED = ("foreign_keys", "OFF", "0")
"""For a migration, which may rebuild a table that others refer to."""

APPLICATION_ID = 0x6B736B6B
"""Marks a file as ours ("kskk")."""

_FIXED = (3, 51, 3)
_WITHDRAWN = ((3, 52, 0), (3, 53, 0))
_MENDED_LATER = ((3, 44, 6), (3, 50, 7))
"""Older lines that got the mending too."""


def read_sqlite_path(url: URL) -> Path:
    """The file of a SQLite URL. StoreError for an in-memory database: it would not last."""
    if not url.database or url.database == ":memory:" or url.query.get("mode") == "memory":
        raise StoreError("database.url: SQLite needs a file, as in sqlite:///kskak.db")
    return Path(url.database)


def fault_of_library() -> str | None:
    """What is wrong with the linked SQLite and what to do; None when it lacks the WAL bug.

    All versions before 3.51.3 have it but for two lines, and so do the withdrawn ones. Built here,
    the wheel's package would link the system's library: there it is no remedy.
    """
    version = sqlite3.sqlite_version_info
    if version >= _FIXED and not _WITHDRAWN[0] <= version < _WITHDRAWN[1]:
        return None
    if any(version[:2] == one[:2] and version >= one for one in _MENDED_LATER):
        return None
    has_wheel = sys.platform == "darwin" or (sys.platform, machine()) == ("linux", "x86_64")
    wheel = "run `pip install pysqlite3`, whose library kskak uses, or " if has_wheel else ""
    return (
        f"SQLite {sqlite3.sqlite_version} has a fault that 3.51.3 mended: in rare cases, when two "
        "connections write and tidy up at the same instant, the file is damaged. What to do: "
        f"{wheel}use a Python with SQLite 3.51.3 or newer, or PostgreSQL (`kskak copy`); until "
        "then run `kskak backup` every day and `kskak verify` every week."
    )


def _pragma(connection: DBAPIConnection, text: str) -> str:
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA {text}")
        row = cursor.fetchone()
        return "" if row is None else str(row[0])
    finally:
        cursor.close()


def _prepare(connection: DBAPIConnection, extra: Sequence[tuple[str, str, str]]) -> None:
    """Set and read back the pragmas; the driver must not begin transactions on its own."""
    connection.isolation_level = None
    own = {one[0] for one in extra}
    wanted = [*(one for one in PRAGMAS if one[0] not in own), *extra]
    for name, value, _ in wanted:
        _pragma(connection, f"{name}={value}")
    for name, value, expected in wanted:
        found = _pragma(connection, name)
        if found != expected:
            raise StoreError(f"SQLite: {name} should be {value} but is {found or 'unknown'}")
    application = int(_pragma(connection, "application_id"))
    if application not in (0, APPLICATION_ID):
        raise StoreError("database.url: this file belongs to another program")


READS, WRITES = "BEGIN", "BEGIN IMMEDIATE"
MOST_LOG = 16 << 20
"""Octets of the write-ahead log after which it is emptied. SQLite does it by itself from 4 MB on,
but only at an instant without readers, and never makes the file smaller."""
COMPILED = 12
"""Statements whose SQL an engine keeps, of some 600 there are; each takes 23 kB and more, and
readers and the writer have an engine each. 1,250 pages take the CPU that they take with 40."""
PREPARED = 24
"""Statements that a connection keeps prepared; Python's default is 128. With the two above it is
2 MB less than with 512, 64 and 64, under mixed load."""
PATIENCE_S = 30.0
"""How long who reads waits for a connection while all are in use."""


def engine_of(url: URL, *extra: tuple[str, str, str]) -> Engine:
    """Connections for threads (below), which begin their own transactions.

    ``extra``: pragmas beside the others or in their place, such as ``READ_ONLY``.
    """
    engine = create_engine(
        url.set(drivername="sqlite"),
        module=sqlite3,
        poolclass=NullPool,
        query_cache_size=COMPILED,
        hide_parameters=True,
        connect_args={"cached_statements": PREPARED},
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: DBAPIConnection, _record: object) -> None:
        _prepare(connection, extra)

    return engine


class Connections:
    """A SQLite store's connections, each in its thread; each reader serves one task at a time."""

    def __init__(self, url: URL, count: int) -> None:
        """``count``: of the readers. StoreError when the file can't be there."""
        path = read_sqlite_path(url)
        if not path.parent.is_dir():
            raise StoreError(f"database.url: there is no folder {path.parent}")
        self._file = NamedFile(path)
        self._writer = ConnectionThread(
            engine_of(url, WRITER_CACHE), "store-write", WRITES, self._file.prove
        )
        engine = engine_of(url, READ_ONLY, SMALL_CACHE)
        self._readers = [
            ConnectionThread(engine, f"store-read-{number}", READS, self._file.prove)
            for number in range(count)
        ]
        self._most_log = MOST_LOG
        self._free: asyncio.LifoQueue[ConnectionThread] = asyncio.LifoQueue()
        for reader in self._readers:
            self._free.put_nowait(reader)

    @property
    def engines(self) -> tuple[Engine, Engine]:
        """What reads and what writes."""
        return self._readers[0].engine, self._writer.engine

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that can't write and sees one snapshot. StoreUnavailable if none is free.

        Its connection is free for others once what was asked of it is done.
        """
        try:
            async with asyncio.timeout(PATIENCE_S):
                reader = await self._free.get()
        except TimeoutError:
            raise StoreUnavailable("the database does not answer: all readers are busy") from None
        transaction = Transaction(reader)
        try:
            yield cast(AsyncConnection, transaction)
        finally:
            transaction.end("rollback").add_done_callback(lambda over: self._release(reader, over))

    def _release(self, reader: ConnectionThread, over: asyncio.Future[None]) -> None:
        if not over.cancelled() and (error := over.exception()) is not None:
            log.warning("a reader's connection was dropped: %s", error)
        self._free.put_nowait(reader)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that is kept whole or not at all; nobody else may write meanwhile."""
        async with writing(self._writer) as connection:
            yield connection
        if self._file.log_octets() > self._most_log:
            await self._empty_log()

    async def _empty_log(self) -> None:
        """Empty the write-ahead log, or try again when it has grown by as much once more."""
        is_empty = await to_the_end(asyncio.to_thread(self._file.empty_log))
        self._most_log = MOST_LOG + (0 if is_empty else self._file.log_octets())

    async def check(self) -> None:
        """Note which file is open; each connection's pragmas are checked as it is opened."""
        async with self.write() as connection:
            await connection.run_sync(lambda _: self._file.note())

    async def close(self) -> None:
        """Let each finish what it was given."""
        for thread in (*self._readers, self._writer):
            await thread.close()
