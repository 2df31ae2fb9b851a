"""The connection as queries name it: SQLAlchemy's for asyncio, without what that loads.

Its package brings an ORM that nobody here uses, 6 MB of memory and a fifteenth of a start, and only
PostgreSQL needs it; SQLite's have the same interface (sqlite.py).
Not for opening one (store.py).
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
    StatementError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.util import await_

from server.store.engine.sqlite_library import sqlite3

# What can go wrong in the store. One base class; details are in the attributes.

AGAIN_S = 5
"""Seconds after which a retry makes sense when the database is unavailable."""


class StoreError(Exception):
    """The base class. Its text is one sentence for an operator."""


class StoreUnavailable(StoreError):
    """The database is unreachable, locked, full or broken: retrying later may help."""


class StoreOvertaken(StoreUnavailable):
    """Another transaction was in the way (SQLSTATE 40001, 40P01): the same again may succeed."""


class StoreConflict(StoreError):
    """A row violates a database constraint: retrying unchanged does not help."""


class UnknownGame(StoreError):
    """No game has this id."""

    def __init__(self, game_id: int) -> None:
        super().__init__(f"there is no game {game_id}")
        self.game_id = game_id


_OVERTAKEN = ("40001", "40P01")
_PASSING = ("08", "40", "53", "57", "58")
"""PostgreSQL's transient SQLSTATE classes: no connection, rolled back by a deadlock, out of
resources, stopping or starting, a system error. asyncpg has one kind of error for them."""


DATABASE_ERRORS = (sqlite3.Error, SQLAlchemyError, OSError)
"""What the libraries raise."""


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn SQLAlchemy's errors, and SQLite's where it is used directly, into ours."""
    try:
        yield
    except (IntegrityError, sqlite3.IntegrityError) as error:
        why = error.orig if isinstance(error, IntegrityError) else error
        raise StoreConflict(f"the database refused a row: {why}") from error
    except DATABASE_ERRORS as error:
        if getattr(getattr(error, "orig", None), "sqlstate", None) in _OVERTAKEN:
            raise StoreOvertaken(f"the database put another first: {_say(error)}") from error
        if _may_pass(error):
            raise StoreUnavailable(f"the database does not answer: {_say(error)}") from error
        raise StoreError(f"the database refused a statement: {_say(error)}") from error


_ANOTHERS = "it, or its folder, is another user's: run this as the server's own user"
_HELP = {
    "unable to open database file": _ANOTHERS,
    "attempt to write a readonly database": _ANOTHERS,
    "file is not a database": "move that file away and put a copy back with `kskak restore`",
    "database disk image is malformed": "put the last copy back with `kskak restore --force`",
    "database or disk is full": "make room on its disk; what was answered is kept",
}
"""What SQLite says, and what helps."""


def _say(error: BaseException) -> str:
    """The library's own sentence, without the statement and its values, and what helps."""
    why = str(getattr(error, "orig", None) or error)
    return f"{why}: {_HELP[why]}" if why in _HELP else why


def _may_pass(error: BaseException) -> bool:
    match error:
        case sqlite3.OperationalError() | OperationalError() | InterfaceError() | PoolTimeout():
            return True
        case DBAPIError() if error.connection_invalidated:
            return True
        case StatementError():
            state = str(getattr(error.orig, "sqlstate", None) or "")
            return isinstance(error.orig, OSError) or state[:2] in _PASSING
    return isinstance(error, OSError)


# The connection as queries name it: SQLAlchemy's for asyncio, without what that loads.

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection as AsyncConnection  # noqa: TID251
else:

    class AsyncConnection:
        """The name alone, for annotations."""


T = TypeVar("T")
P = ParamSpec("P")
_AGAIN_AT_MOST = 3


async def insist(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """``work``, a whole transaction: again where another was put before it."""
    for _ in range(_AGAIN_AT_MOST):
        with suppress(StoreOvertaken):
            return await work()
    return await work()


def awaitable(
    work: Callable[Concatenate[Connection, P], T],
) -> Callable[Concatenate[AsyncConnection, P], Coroutine[Any, Any, T]]:
    """A query that is asked both in work of a transaction and by tasks, as tasks ask it."""

    async def run(conn: AsyncConnection, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await conn.run_sync(work, *args, **kwargs)

    return run


# Letting the event loop turn amid long work in a transaction.

LONGEST_S = 0.002
"""Seconds of work after which the loop turns: some six moves."""


def iterate_with_pauses(conn: Connection, items: Sequence[T]) -> Iterable[T]:
    """The same items, to be gone through in that connection's transaction."""
    return _pause_between(items) if conn.dialect.is_async else items


def _pause_between(items: Iterable[T]) -> Iterator[T]:
    begun = perf_counter()
    for item in items:
        if perf_counter() - begun > LONGEST_S:
            await_(asyncio.sleep(0))
            begun = perf_counter()
        yield item


# One transaction around several: whatever a task reads and writes meanwhile joins it.


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """The transaction that others join; ``of`` is the store it belongs to.

    ``is_reading``: nothing may be written in it; ``later`` is written afterwards.
    """

    of: object
    connection: AsyncConnection
    is_reading: bool = False
    later: list[Callable[[Connection], object]] = field(default_factory=list)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A part of it that is done completely or not at all."""
        if self.is_reading:
            raise RuntimeError("a piece of reading can't write")
        async with self._turn:
            with translate_errors():
                async with self.connection.begin_nested():
                    yield self.connection

    async def transact(self, work: Callable[[Connection], T]) -> T:
        """``work`` as such a part."""
        async with self.write() as connection:
            return await connection.run_sync(work)


_current_transaction: ContextVar[Joint | None] = ContextVar("joint", default=None)


def find_current_transaction(store: object) -> Joint | None:
    """The transaction of this store that the running task is in, if any."""
    found = _current_transaction.get()
    return found if found is not None and found.of is store else None


@contextmanager
def hold_transaction(joint: Joint) -> Iterator[None]:
    """Until the block ends, whatever this task asks of the store joins that transaction."""
    token = _current_transaction.set(joint)
    try:
        yield
    finally:
        _current_transaction.reset(token)


# Deciding one at a time across processes: locks held until the transaction ends.

FEDERATION: Final = "federation"
"""Entries, groups, cups, the league, books, offices and titles: rarely changed, interrelated."""

SIGNING_IN: Final = "signing in"
"""How many links and requests an address has that are not used yet."""

CASES: Final = "cases"
"""The numbers of cases, which have no gaps."""

_HOLD = text("SELECT pg_advisory_xact_lock(k) FROM unnest(CAST(:keys AS bigint[])) k")


def leave_of(person_id: int) -> str:
    """The lock on a person's leave, in any tournament (§ 6.3.6, § 6.8.8)."""
    return f"leave {person_id}"


def hold(conn: Connection, *names: str) -> None:
    """Wait for these locks; several at once are taken in the same order everywhere."""
    if conn.dialect.name == "postgresql" and names:
        conn.execute(_HOLD, {"keys": sorted({_key(name) for name in names})})


def _key(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
