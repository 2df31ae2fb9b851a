"""One transaction around several: whatever a task reads and writes meanwhile joins it.

This makes an operation of several transactions and its stored answer a single one, without use
cases knowing. Each inner transaction is a savepoint: rolling one back leaves the others, as
before; an exception that reaches the outermost rolls back everything. Not for parallel work:
inner writers wait for each other.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import TracebackType
from typing import TypeVar

from sqlalchemy import Connection

from server.store.engine.connection import AsyncConnection
from server.store.engine.errors import DATABASE_ERRORS, translate, translated

T = TypeVar("T")


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
            with translated():
                async with self.connection.begin_nested():
                    yield self.connection

    async def transact(self, work: Callable[[Connection], T]) -> T:
        """``work`` as such a part."""
        async with self.write() as connection:
            return await connection.run_sync(work)


class Joined:
    """Such a transaction for ``async with``, which does not end it; for reading, many times a page.

    The database's errors are turned into ours.
    """

    __slots__ = ("_connection",)

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def __aenter__(self) -> AsyncConnection:
        return self._connection

    async def __aexit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        if isinstance(error, DATABASE_ERRORS):
            translate(error)


_joint: ContextVar[Joint | None] = ContextVar("joint", default=None)


def joint_of(store: object) -> Joint | None:
    """The transaction of this store that the running task is in, if any."""
    found = _joint.get()
    return found if found is not None and found.of is store else None


def enter(joint: Joint) -> None:
    """From now on, to the end of the running context, whatever is asked of the store joins it."""
    _joint.set(joint)


@contextmanager
def entered(joint: Joint) -> Iterator[None]:
    """Until the block ends, whatever this task asks of the store joins that transaction."""
    token = _joint.set(joint)
    try:
        yield
    finally:
        _joint.reset(token)
