"""Letters that hang at their receiver, left to finish alone so that they hold nobody's up.

A letter is never cut off: at the end of its data that would send it twice. It keeps its
connection, the others get a new one, and for a while nobody waits for letters to its domain.
Not for recording what became of a letter (jobs/letter_fates.py).
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from server.store.engine.types import MINUTE_US

QUICK_S = 15.0
"""Seconds that a letter may take while others wait behind it."""
SLOW_US = 15 * MINUTE_US
"""How long nobody waits for letters to a domain where one hung."""
MOST = 20
"""Letters that may be left behind at a time, each with a connection of its own."""
STOP_S = 10.0
"""Seconds that they get to end when the server stops."""


def domain_of(address: str) -> str:
    """The domain of an address, in small letters."""
    return address.rpartition("@")[2].lower()


class HangingLetters:
    """The letters that nobody waits for, and the domains that made them so."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._until: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_full(self) -> bool:
        """Whether no further letter may be left behind."""
        return len(self._tasks) >= MOST

    def is_slow(self, recipient: str) -> bool:
        """Whether nobody should wait for a letter to that address."""
        now = self._now_us()
        self._until = {domain: until for domain, until in self._until.items() if until > now}
        return domain_of(recipient) in self._until

    def leave(self, recipient: str, rest: Coroutine[Any, Any, None]) -> None:
        """Let a letter finish alone; ``rest`` awaits it and records what became of it."""
        self._until[domain_of(recipient)] = self._now_us() + SLOW_US
        task = asyncio.create_task(rest, name="left-behind")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Give them a moment to end, then give them up; each cleans up after itself."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=STOP_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
