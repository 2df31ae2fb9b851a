"""SQLite's asyncio driver with one hop to its thread per statement instead of four.

aiosqlite goes to the connection's thread and back to make a cursor, to execute, to fetch and to
close; each trip costs more than most of our queries. Here a statement is executed and its rows
are fetched in one trip, and ending a transaction that never began takes none. Not for results
too large for memory (nothing is read in portions), nor for PostgreSQL.
"""

import sqlite3
from collections.abc import Iterable
from functools import partial
from types import TracebackType
from typing import Any

import aiosqlite

_Row = tuple[Any, ...]
_Done = tuple[Any, list[_Row], int, int | None]


class OneHopCursor:
    """What SQLAlchemy needs of a driver's cursor; execute has already fetched all rows."""

    def __init__(self, connection: "OneHopConnection") -> None:
        self._of = connection
        self._rows: list[_Row] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def __aenter__(self) -> "OneHopCursor":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> "OneHopCursor":
        """Run one statement and fetch all its rows. Raises what the driver raises."""
        if sql == "BEGIN":
            self._of.begin_later()
            return self
        done = await self._of.run(partial(_execute, sql=sql, parameters=parameters))
        self.description, self._rows, self.rowcount, self.lastrowid = done
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> "OneHopCursor":
        """Run one statement with many sets of values."""
        done = await self._of.run(partial(_executemany, sql=sql, parameters=parameters))
        self.description, self._rows, self.rowcount, self.lastrowid = done
        return self

    async def fetchall(self) -> list[_Row]:
        """The remaining rows."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Drop the rows; the thread holds nothing."""
        self._rows = []


class OneHopConnection(aiosqlite.Connection):
    """A connection with our cursors. ``BEGIN`` is sent with the first statement: SQLite's
    deferred transaction starts there anyway."""

    _begins = False

    def cursor(self) -> OneHopCursor:  # type: ignore[override]
        """A cursor, created without a trip to the thread."""
        return OneHopCursor(self)

    def begin_later(self) -> None:
        """Let the next statement begin a transaction."""
        self._begins = True

    async def run(self, work: partial[_Done]) -> _Done:
        """Run ``work`` in the thread, first beginning the transaction if that is pending."""
        begins, self._begins = self._begins, False
        function = partial(_begun, work) if begins else work
        done: _Done = await self._execute(function, self._conn)  # type: ignore[no-untyped-call]
        return done

    async def commit(self) -> None:
        """Commit; a trip to the thread only when a transaction has begun."""
        self._begins = False
        if self._conn.in_transaction:
            await super().commit()

    async def rollback(self) -> None:
        """Roll back; a trip to the thread only when a transaction has begun."""
        self._begins = False
        if self._conn.in_transaction:
            await super().rollback()


def connect(database: str, **options: Any) -> OneHopConnection:
    """A connection that opens when awaited, like ``aiosqlite.connect``."""
    made = OneHopConnection(partial(sqlite3.connect, database, **options), iter_chunk_size=64)
    made._thread.daemon = True
    return made


def _execute(connection: sqlite3.Connection, *, sql: str, parameters: Iterable[Any]) -> _Done:
    cursor = connection.execute(sql, tuple(parameters))
    rows = cursor.fetchall() if cursor.description else []
    done = (cursor.description, rows, cursor.rowcount, cursor.lastrowid)
    cursor.close()
    return done


def _executemany(connection: sqlite3.Connection, *, sql: str, parameters: Iterable[Any]) -> _Done:
    cursor = connection.executemany(sql, [tuple(row) for row in parameters])
    done: _Done = (cursor.description, [], cursor.rowcount, cursor.lastrowid)
    cursor.close()
    return done


def _begun(work: partial[_Done], connection: sqlite3.Connection) -> _Done:
    connection.execute("BEGIN").close()
    return work(connection)
