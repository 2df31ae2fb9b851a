"""A lane apart for letters to domains whose letters hung, so that they hold nobody's up.

Every letter has a short time at first. If it hangs, its domain is slow for a while: letters to
it then go one at a time over a connection of their own, with all the time SMTP allows, and
nobody waits for them. Not for recording what became of a letter (jobs/outbox.py).
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from mail.outgoing.smtp_out import Outcome, Sender, TryLater
from server.store.engine.types import MINUTE_US

QUICK_S = 15.0
"""Seconds that a letter may take while others wait behind it."""
SLOW_US = 15 * MINUTE_US
"""How long a domain is slow after a letter to it hung."""


def domain_of(address: str) -> str:
    """The domain of an address, in small letters."""
    return address.rpartition("@")[2].lower()


class SlowLane:
    """Which domains are slow, and the one letter to such a domain that is on its way."""

    def __init__(self, now_us: Callable[[], int], quick_s: float = QUICK_S) -> None:
        self._now_us = now_us
        self._quick_s = quick_s
        self._until: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a letter is on its way."""
        return self._task is not None and not self._task.done()

    def is_slow(self, recipient: str) -> bool:
        """Whether a letter to that address may not hold others up."""
        now = self._now_us()
        self._until = {domain: until for domain, until in self._until.items() if until > now}
        return domain_of(recipient) in self._until

    async def quickly(self, sender: Sender, raw: bytes, path: str, recipient: str) -> Outcome:
        """Send, but not for long; a letter that hangs makes its domain slow."""
        try:
            async with asyncio.timeout(self._quick_s):
                return await sender.send(raw, path, recipient)
        except TimeoutError:
            self._until[domain_of(recipient)] = self._now_us() + SLOW_US
            return TryLater(f"no answer within {self._quick_s:g} s")

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Send a letter with nobody waiting for it. Only when not busy."""
        self._task = asyncio.create_task(work, name="slow-letter")

    async def close(self) -> None:
        """Give up the letter that is on its way; it cleans up after itself."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
