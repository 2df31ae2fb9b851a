"""A whole piece of reading in one transaction and, on SQLite, in one hop to a thread.

A page asks a dozen small questions one after another, and going to a database's thread and back
costs more than most of them. Here the asking itself is carried to the thread, as it is written:
a coroutine that awaits nothing but the store's reads never has to be suspended there. Besides, a
page then shows one moment. Not for what writes, and not for what awaits anything else.
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
    """What should only read awaits something else: a mistake of ours, never a visitor's."""


class At:
    """A connection in its own thread, asked as the asyncio one is: the answer is at once there."""

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
        """Ask now."""
        return self.sync_connection.execute(statement, parameters)

    async def run_sync(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do now."""
        return work(self.sync_connection, *args, **kwargs)


def driven(
    store: object,
    connection: Connection,
    work: Callable[[], Coroutine[Any, Any, T]],
    later: list[Callable[[Connection], object]],
) -> T:
    """``work`` to its end here and now, with the store's reads on ``connection``.

    Raises what the work raises, and NotReading when it awaits anything else. ``later`` takes
    what is to be written afterwards.
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
