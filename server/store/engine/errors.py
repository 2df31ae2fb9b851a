"""What can go wrong in the store. One base class; details are in the attributes.

Not for a person's mistakes (a ``Refusal``), nor for HTTP statuses.
"""

import sqlite3
from types import TracebackType

from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
    StatementError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

AGAIN_S = 5
"""Seconds after which a retry makes sense when the database is unavailable."""


class StoreError(Exception):
    """The base class. Its text is one sentence for an operator."""


class StoreUnavailable(StoreError):
    """The database is unreachable, locked, full or broken: retrying later may help."""


class StoreConflict(StoreError):
    """A row violates a database constraint: retrying unchanged does not help."""


class UnknownGame(StoreError):
    """No game has this id."""

    def __init__(self, game_id: int) -> None:
        super().__init__(f"there is no game {game_id}")
        self.game_id = game_id


_PASSING = ("08", "40", "53", "57", "58")
"""PostgreSQL's transient SQLSTATE classes: no connection, rolled back by a deadlock, out of
resources, stopping or starting, a system error. asyncpg has one kind of error for them."""


DATABASE_ERRORS = (sqlite3.Error, SQLAlchemyError, OSError)
"""What ``translated`` looks at."""


def _state_of(error: DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")


class translated:  # noqa: N801
    """Turn SQLAlchemy's errors, and SQLite's where it is used directly, into ours.

    A class, for it stands around every transaction; a generator takes several times as long.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        return

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        if isinstance(error, DATABASE_ERRORS):
            translate(error)


def translate(error: BaseException) -> None:
    """Raise ours for one of ``DATABASE_ERRORS``."""
    match error:
        case sqlite3.IntegrityError():
            raise StoreConflict(f"the database refused a row: {error}") from error
        case sqlite3.OperationalError():
            raise StoreUnavailable(f"the database does not answer: {error}") from error
        case sqlite3.Error():
            raise StoreError(f"the database refused a statement: {error}") from error
        case IntegrityError():
            raise StoreConflict(f"the database refused a row: {error.orig}") from error
        case OperationalError() | InterfaceError() | PoolTimeout() | OSError():
            raise StoreUnavailable(f"the database does not answer: {error}") from error
        case StatementError() if isinstance(error.orig, OSError):
            raise StoreUnavailable(f"the database does not answer: {error}") from error
        case DBAPIError() if error.connection_invalidated or _state_of(error)[:2] in _PASSING:
            raise StoreUnavailable(f"the database does not answer: {error}") from error
        case DBAPIError() | SQLAlchemyError():
            raise StoreError(f"the database refused a statement: {error}") from error
