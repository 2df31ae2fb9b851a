"""A whole sequence of statements in one transaction and, on SQLite, in one hop to a thread.

A page makes a dozen small queries one after another, and going to the database's thread and back
costs more than most of them. Here the querying code itself runs in the thread, unchanged: a
coroutine that awaits nothing but the store is never suspended there. A page then also shows one
snapshot, and a daily duty is done whole or not at all. Not for code that awaits anything else.
"""

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from contextvars import copy_context
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, CursorResult, Executable
from sqlalchemy.engine import Dialect

from server.store.engine.connection import AsyncConnection
from server.store.engine.joining import Joint, enter
from server.store.engine.sqlite_direct import quick

T = TypeVar("T")
P = ParamSpec("P")


class AwaitsElse(RuntimeError):
    """Code for one hop awaits what is not the store: a bug of ours, never a visitor's error."""


class At:
    """A connection in its own thread with the asyncio interface; results are there at once."""

    def __init__(self, connection: Connection) -> None:
        self.sync_connection = quick(connection)

    @property
    def dialect(self) -> Dialect:
        """As SQLAlchemy names it."""
        return self.sync_connection.dialect

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """Run the statement now."""
        return self.sync_connection.execute(statement, parameters)

    async def run_sync(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run ``work`` now."""
        return work(self.sync_connection, *args, **kwargs)

    @asynccontextmanager
    async def begin_nested(self) -> AsyncIterator[None]:
        """A savepoint, as SQLAlchemy names it."""
        with self.sync_connection.begin_nested():
            yield


def driven(
    store: object,
    connection: Connection,
    work: Callable[[], Coroutine[Any, Any, T]],
    later: list[Callable[[Connection], object]] | None = None,
) -> T:
    """Run ``work`` to its end here and now, with all it asks of the store on ``connection``.

    Raises what ``work`` raises, and AwaitsElse when it awaits anything else. ``later``: it only
    reads, and this collects what to write afterwards.
    """
    at = cast(AsyncConnection, At(connection))
    joint = Joint(store, at) if later is None else Joint(store, at, is_reading=True, later=later)
    return copy_context().run(_run, joint, work)


def _run(joint: Joint, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    enter(joint)
    running = work()
    try:
        running.send(None)
    except StopIteration as done:
        return cast(T, done.value)
    running.close()
    raise AwaitsElse("work in one hop awaits something that is not the store")
