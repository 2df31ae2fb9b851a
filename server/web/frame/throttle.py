"""How often one address of the net may ask for a sign-in link. Held in memory, a window long.

Each process counts for itself: a bound on nuisance, not a secret's guard.
"""

from collections import deque
from datetime import datetime, timedelta

WINDOW = timedelta(minutes=15)
MOST = 20
MOST_CLIENTS = 10_000


class Throttle:
    """Counts what each client asked within the window."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._asked: dict[str, deque[datetime]] = {}

    def allows(self, client: str, now: datetime) -> bool:
        """Whether one more is allowed; counts it if so."""
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
