"""How a SQLite file is opened so that an answered move is never lost.

Every connection gets the pragmas below and reads them back. Writers begin IMMEDIATE: a
transaction that reads first and writes later can't be overtaken. Not for PostgreSQL.
"""

import logging
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import QueuePool

from server.store.engine.errors import StoreError

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
"""KiB of pages that a reader keeps: there are nine, and the system keeps the file's too."""
UNCHECKED = ("foreign_keys", "OFF", "0")
"""For a migration, which may rebuild a table that others refer to."""

APPLICATION_ID = 0x6B736B6B
"""Marks a file as ours ("kskk")."""

_FIXED = (3, 51, 3)
_WITHDRAWN = ((3, 52, 0), (3, 53, 0))


def path_of(url: URL) -> Path:
    """The file of a SQLite URL. StoreError for an in-memory database: it would not last."""
    if not url.database or url.database == ":memory:" or url.query.get("mode") == "memory":
        raise StoreError("database.url: SQLite needs a file, as in sqlite+aiosqlite:///kskak.db")
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
KEPT_STATEMENTS = 512
"""Compiled by SQLite, a connection. The driver would keep 128, fewer than our pages ask."""


def direct(url: URL, *extra: tuple[str, str, str], hands: int = 1) -> Engine:
    """Connections without asyncio, one per ``Hand``, which begins its own transactions.

    ``extra``: pragmas beside the others or in their place, such as ``READ_ONLY``. Hands that share
    an engine compile each statement once.
    """
    engine = create_engine(
        url.set(drivername="sqlite"),
        poolclass=QueuePool,
        pool_size=hands,
        max_overflow=0,
        connect_args={"cached_statements": KEPT_STATEMENTS},
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: DBAPIConnection, _record: object) -> None:
        _prepare(connection, extra)

    return engine
