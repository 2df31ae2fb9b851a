"""The wall clock: the only module of the project that reads it.

Everything else is handed a `Clock`, or just `now`, so a whole season can run in virtual time.
Not for: days of the regulation, holidays or reflection time (`kskak`).
"""

from datetime import UTC, datetime
from typing import Protocol


class TimeSource(Protocol):
    """Where the time comes from."""

    def now(self) -> datetime:
        """This instant, aware, in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """This instant, aware, in UTC."""
        return datetime.now(UTC)
