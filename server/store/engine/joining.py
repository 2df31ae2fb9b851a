"""One transaction around several: what a task reads and writes meanwhile joins it.

A deed made of several transactions, and the answer that is kept for it, become one this way,
and no use case knows of it. Each transaction inside is a savepoint: what one of them undoes,
the others keep, as before; what is raised through to the outermost undoes all. Not for what
is done in parallel: writers inside wait for each other.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.engine.errors import translated

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """The transaction that others join; ``of`` is the store that it belongs to.

    ``is_reading``: nothing may be written in it (transaction.py); ``later`` is, when it is over.
    """

    of: object
    connection: AsyncConnection
    is_reading: bool = False
    later: list[Callable[[Connection], object]] = field(default_factory=list)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A part of it that is done whole or not at all."""
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


_joint: ContextVar[Joint | None] = ContextVar("joint", default=None)


def joint_of(store: object) -> Joint | None:
    """The transaction of this store that the running task is in, if it is in one."""
    found = _joint.get()
    return found if found is not None and found.of is store else None


@contextmanager
def entered(joint: Joint) -> Iterator[None]:
    """What this task asks the store until the end of the block joins that transaction."""
    token = _joint.set(joint)
    try:
        yield
    finally:
        _joint.reset(token)
