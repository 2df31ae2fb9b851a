"""A poller: does its work, sleeps until woken or due, and survives what goes wrong.

Not for what the work is.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

_log = logging.getLogger(__name__)

AFTER_FAILURE_S = 5.0
"""Seconds before another try when the work itself failed."""
GRACE_S = 15.0
"""Seconds that work may go on once it is told to stop: well within a service manager's 90."""


class Poller:
    """Runs ``work`` again and again. ``work`` returns whether there may be more to do at once."""

    def __init__(self, name: str, work: Callable[[], Awaitable[bool]], every_s: float) -> None:
        self.name = name
        self._work = work
        self._every_s = every_s
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_stopping = False

    def start(self) -> None:
        """Begin polling in this loop."""
        self._task = asyncio.create_task(self._run(), name=f"job-{self.name}")

    def wake(self) -> None:
        """There is something to do now."""
        self._wake.set()

    async def stop(self) -> None:
        """Finish what is under way and stop; what takes longer than ``GRACE_S`` is broken off.

        Its transaction is rolled back then, as when the process is killed.
        """
        self._is_stopping = True
        self._wake.set()
        if self._task is None:
            return
        _, late = await asyncio.wait({self._task}, timeout=GRACE_S)
        if late:
            _log.warning("job %s is broken off: it did not end in %s s", self.name, GRACE_S)
            self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        while not self._is_stopping:
            self._wake.clear()
            pause = self._every_s
            try:
                if await self._work():
                    continue
            except Exception:
                _log.exception("job %s failed", self.name)
                pause = AFTER_FAILURE_S
            await self._sleep(pause)

    async def _sleep(self, seconds: float) -> None:
        """Until woken or the time has passed."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), seconds)
