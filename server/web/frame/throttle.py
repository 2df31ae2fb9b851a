"""Limits how often one network address may request something. In memory, for one window.

Each process counts separately: this limits nuisance, it does not protect secrets.
"""

from collections import deque
from datetime import datetime, timedelta

WINDOW = timedelta(minutes=15)
MOST = 60
"""A club evening on one Wi-Fi fits in; each person's own letters are limited beside this."""
MOST_CLIENTS = 10_000


class Throttle:
    """Counts each client's requests within the window."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._asked: dict[str, deque[datetime]] = {}

    def allows(self, client: str, now: datetime) -> bool:
        """Whether one more request is allowed; counts it if so."""
        if len(self._asked) > MOST_CLIENTS:
            self._forget(now)
        times = self._asked.setdefault(client, deque())
        while times and now - times[0] > WINDOW:
            times.popleft()
        if len(times) >= self._most:
            return False
        times.append(now)
        return True

    def _forget(self, now: datetime) -> None:
        self._asked = {
            client: times
            for client, times in self._asked.items()
            if times and now - times[-1] <= WINDOW
        }
