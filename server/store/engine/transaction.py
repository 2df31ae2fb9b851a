"""A whole sequence of reads in one transaction and, on SQLite, in one hop to a thread.

A page makes a dozen small queries one after another, and going to the database's thread and back
costs more than most of them. Here the querying code itself runs in the thread, unchanged: a
coroutine that awaits nothing but the store's reads is never suspended there. A page then also
shows one snapshot. Not for code that writes or awaits anything else.
"""

from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, CursorResult, Executable
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.engine.joining import Joint, entered
from server.store.engine.sqlite_direct import quick

T = TypeVar("T")
P = ParamSpec("P")


class NotReading(RuntimeError):
    """Code that should only read awaits something else: a bug of ours, never a visitor's error."""


class At:
    """A connection in its own thread with the asyncio interface; results are there at once."""

    def __init__(self, connection: Connection) -> None:
        self.sync_connection = quick(connection)

    @property
    def dialect(self) -> Dialect:
        """As SQLAlchemy names it."""
        return self.sync_connection.dialect

    def in_transaction(self) -> bool:
        """As SQLAlchemy names it."""
        return self.sync_connection.in_transaction()

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """Run the statement now."""
        return self.sync_connection.execute(statement, parameters)

    async def run_sync(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run ``work`` now."""
        return work(self.sync_connection, *args, **kwargs)


def driven(
    store: object,
    connection: Connection,
    work: Callable[[], Coroutine[Any, Any, T]],
    later: list[Callable[[Connection], object]],
) -> T:
    """Run ``work`` to its end here and now, with the store's reads on ``connection``.

    Raises what ``work`` raises, and NotReading when it awaits anything else. ``later`` collects
    what to write afterwards.
    """
    joint = Joint(store, cast(AsyncConnection, At(connection)), is_reading=True, later=later)
    return copy_context().run(_run, joint, work)


def _run(joint: Joint, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    with entered(joint):
        running = work()
        try:
            running.send(None)
        except StopIteration as done:
            return cast(T, done.value)
        running.close()
        raise NotReading("a piece of reading awaits something that is no read of the store")
