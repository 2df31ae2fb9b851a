"""The wall clock: the only module of the project that reads it.

Everything else is handed a `Clock`, or just `now`, so a whole season can run in virtual time.
Not for: days of the regulation, holidays or reflection time (`kskak`).
"""

from datetime import UTC, date, datetime
from typing import Protocol
from zoneinfo import ZoneInfo


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


def today(clock: TimeSource, zone: ZoneInfo) -> date:
    """The calendar day that `clock` shows in `zone`; a tournament's days are local (§ 6.8.6)."""
    return clock.now().astimezone(zone).date()
