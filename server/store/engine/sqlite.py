"""How a SQLite file is opened so that an answered move is never lost: one writer, a few readers.

Every connection gets the pragmas below and reads them back. Writers begin IMMEDIATE: a
transaction that reads first and writes later can't be overtaken. Not for PostgreSQL.
"""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import NullPool

from server.store.engine.connection import AsyncConnection
from server.store.engine.connection_thread import ConnectionThread, Transaction, to_the_end, writing
from server.store.engine.errors import StoreError, StoreUnavailable
from server.store.engine.named_file import NamedFile

log = logging.getLogger(__name__)

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
SMALL_CACHE = ("cache_size", "-1024", "-1024")
"""KiB of pages that a reader keeps: the system keeps the file's too."""
UNCHECKED = ("foreign_keys", "OFF", "0")
"""For a migration, which may rebuild a table that others refer to."""

APPLICATION_ID = 0x6B736B6B
"""Marks a file as ours ("kskk")."""

_FIXED = (3, 51, 3)
_WITHDRAWN = ((3, 52, 0), (3, 53, 0))


def path_of(url: URL) -> Path:
    """The file of a SQLite URL. StoreError for an in-memory database: it would not last."""
    if not url.database or url.database == ":memory:" or url.query.get("mode") == "memory":
        raise StoreError("database.url: SQLite needs a file, as in sqlite:///kskak.db")
    return Path(url.database)


def fault_of_library() -> str | None:
    """What is wrong with the linked SQLite and what to do; None when it lacks the WAL bug.

    All versions before 3.51.3 have it, and so do the withdrawn ones.
    """
    version = sqlite3.sqlite_version_info
    if version >= _FIXED and not _WITHDRAWN[0] <= version < _WITHDRAWN[1]:
        return None
    return (
        f"SQLite {sqlite3.sqlite_version} has a fault that 3.51.3 mended: in rare cases, when two "
        "connections write and tidy up at the same instant, the file is damaged. What to do: run "
        "kskak with a Python that brings SQLite 3.51.3 or newer, or use PostgreSQL; until then "
        "run `kskak backup` every day and `kskak verify` every week."
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
COMPILED = 100
"""Statements whose SQL an engine keeps, of some 600 there are; each takes 23 kB, and readers and
the writer have an engine each."""
PREPARED = 64
"""Statements that a connection keeps prepared; Python's default is 128."""
PATIENCE_S = 30.0
"""How long who reads waits for a connection while all are in use."""


def engine_of(url: URL, *extra: tuple[str, str, str]) -> Engine:
    """Connections for threads (connection_thread.py), which begin their own transactions.

    ``extra``: pragmas beside the others or in their place, such as ``READ_ONLY``.
    """
    engine = create_engine(
        url.set(drivername="sqlite"),
        poolclass=NullPool,
        query_cache_size=COMPILED,
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
        path = path_of(url)
        if not path.parent.is_dir():
            raise StoreError(f"database.url: there is no folder {path.parent}")
        self._file = NamedFile(path)
        self._writer = ConnectionThread(engine_of(url), "store-write", WRITES, self._file.prove)
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
