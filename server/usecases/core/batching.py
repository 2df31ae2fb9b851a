"""Group commit: what is waiting is taken together, processed once, and answered one by one.

A disk flush costs more than the rest of a move; sharing it is what makes many moves cheap.
Not for what the work is.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from server.store.engine.errors import StoreUnavailable

PAUSE_S = 0.001
"""Seconds without a new item after which no more are waited for."""
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Failed:
    """One item's own failure; the rest of its batch is done."""

    error: Exception


def _settle(future: asyncio.Future[None] | None) -> None:
    if future is not None and not future.done():
        future.set_result(None)


class Closed(RuntimeError):
    """The server is stopping: nothing new is accepted."""


class Batcher(Generic[T, R]):
    """Runs ``work`` on waiting items, at most ``limit`` at a time, one batch after the other.

    If a whole batch fails, each item is tried alone, so that a bad one affects no others;
    not if the database is unavailable. A cancelled submitter's item is still carried out.
    """

    def __init__(
        self,
        work: Callable[[Sequence[T]], Awaitable[Sequence[R | Failed]]],
        limit: int,
        *,
        gathers: bool = False,
    ) -> None:
        """``gathers``: who was answered together is waited for, in case they ask again.

        Else those just answered and those who came meanwhile take turns in batches half as large,
        and a flush is shared by half as many. Who is alone waits for nobody.
        """
        self._work = work
        self._limit = limit
        self._gathers = gathers
        self._wanted = 0
        self._enough: asyncio.Future[None] | None = None
        self._waiting: deque[tuple[T, asyncio.Future[R]]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    async def submit(self, item: T) -> R:
        """The item's answer, once its batch is durable. Raises Closed if the server is stopping."""
        if self._is_closed:
            raise Closed("the server is stopping")
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, answer))
        if len(self._waiting) == self._wanted:
            _settle(self._enough)
        if self._task is None:
            # Starts after this turn of the event loop: what arrived together is taken together.
            self._task = asyncio.create_task(self._drain())
        return await answer

    async def close(self) -> None:
        """Finish what was submitted and accept nothing new."""
        self._is_closed = True
        if self._task is not None:
            await self._task

    async def _drain(self) -> None:
        clock = asyncio.get_running_loop().time
        try:
            while self._waiting:
                begun, count = clock(), min(self._limit, len(self._waiting))
                await self._finish([self._waiting.popleft() for _ in range(count)])
                together, until = count + len(self._waiting), 2 * clock() - begun
                # Those just answered may submit again in this turn: one more batch, not two.
                await asyncio.sleep(0)
                if count > 1 and self._gathers:
                    await self._gathered(min(self._limit, together), until)
        finally:
            self._task = None

    async def _gathered(self, wanted: int, until: float) -> None:
        """Return when so many wait, when none has come for ``PAUSE_S``, or at that time.

        That is after as long as the last batch took: those who come one by one, and are not those
        who were answered, would else be kept waiting for each other.
        """
        loop, seen = asyncio.get_running_loop(), -1
        self._wanted = wanted
        while seen < len(self._waiting) < wanted and loop.time() < until:
            seen = len(self._waiting)
            self._enough = loop.create_future()
            ends = min(loop.time() + PAUSE_S, until)
            timer = loop.call_at(ends, _settle, self._enough)
            await self._enough
            timer.cancel()
        self._wanted = 0

    async def _finish(self, batch: list[tuple[T, asyncio.Future[R]]]) -> None:
        try:
            answers = await self._tried([item for item, _ in batch])
        except BaseException:
            for _, future in batch:
                future.cancel()
            raise
        for (_, future), answer in zip(batch, answers, strict=True):
            if future.done():
                continue
            if isinstance(answer, Failed):
                future.set_exception(answer.error)
            else:
                future.set_result(answer)

    async def _tried(self, items: Sequence[T]) -> Sequence[R | Failed]:
        try:
            return await self._work(items)
        except StoreUnavailable as error:
            return [Failed(error) for _ in items]
        except Exception as error:
            if len(items) == 1:
                return [Failed(error)]
        alone: list[R | Failed] = []
        for item in items:
            alone.extend(await self._tried([item]))
        return alone
