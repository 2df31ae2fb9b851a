"""SQLite's statements run in the event loop, each in a turn of its own, instead of in a thread.

A test's data lie in memory and nobody waits for a disk: two fifths of what a story took was
handing statements to threads and back. Whoever else is ready comes first, as he does with threads.
Not for tests of the engine, of two processes and of deaths (``WITH_THREADS``), nor for servers
that are processes of their own: those have the threads.
"""

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path
from typing import TypeVar

from server.store.engine.sqlite import ConnectionThread

T = TypeVar("T")
_TESTS = Path(__file__).parents[2]
SERVED = (
    "bad_disk",
    "crash",
    "crash_answers",
    "database_away",
    "kills",
    "letters_and_deaths",
    "served_database",
)
"""Of the scenarios of faults those of servers that are processes of their own, and of deaths."""
WITH_THREADS = tuple(
    _TESTS / name
    for name in (
        "server/store",
        "server/usecases/core",
        *(f"scenarios/faults/test_{name}.py" for name in SERVED),
        "migrations",
        "federation",
    )
)
"""Where a test's own threads are what it is about."""

_usual_run, _usual_close = ConnectionThread.run, ConnectionThread.close


def _run(self: ConnectionThread, work: Callable[[], T]) -> "asyncio.Future[T]":
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def do() -> None:
        try:
            value = context.run(work)
        except BaseException as error:
            if not done.cancelled():
                done.set_exception(error)
        else:
            if not done.cancelled():
                done.set_result(value)

    loop.call_soon(do)
    return done


async def _close(self: ConnectionThread) -> None:
    if not self._is_closed:
        self._is_closed = True
        await self.run(self._close)


def choose(test: Path) -> None:
    """For the test of a file: statements in the loop, or in threads."""
    has_threads = any(test.is_relative_to(folder) for folder in WITH_THREADS)
    ConnectionThread.run = _usual_run if has_threads else _run  # type: ignore[method-assign]
    ConnectionThread.close = _usual_close if has_threads else _close  # type: ignore[method-assign]
