"""The file of a SQLite database: held by one process at a time, and still the one of its name.

Not for PostgreSQL, whose servers are rows of a table (mail/processes.py).
"""

import fcntl
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from server.store.engine.errors import StoreError, StoreUnavailable

log = logging.getLogger(__name__)

_LONGEST_NAME = 200
_LOG_PATIENCE_S = 0.2
"""How long emptying the log waits for readers; nobody can write meanwhile."""


@contextmanager
def held(path: Path, who: str) -> Iterator[None]:
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
    """Which file, and which write-ahead log, a database's name stood for when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names = (path, path.with_name(f"{path.name}-wal"))
        self._first: list[tuple[int, int] | None] | None = None

    def note(self) -> None:
        """Remember them; both are open by now."""
        self._first = self._found()

    def prove(self) -> None:
        """StoreUnavailable when another file has their name: what is written would be lost."""
        if self._first is not None and self._found() != self._first:
            raise StoreUnavailable(
                f"{self._path} was replaced or deleted while it was open: restart the server"
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
