"""A clock that stands until a test moves it: a whole season in a few seconds."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from kskak.regulation.days import local_day
from server.clock import SystemClock

ZONE = ZoneInfo("Europe/Copenhagen")


def midday_zone() -> str:
    """A zone where it is midday by the machine's own clock.

    A story of a real process lasts a minute: no day must turn in the middle of it, and the day
    that the test counts from must be the day that the process reads, at whatever hour CI runs.
    """
    return f"Etc/GMT{SystemClock().now().hour - 12:+d}"


def real_day(zone: str) -> date:
    """The day that the machine's own clock shows in ``zone``."""
    return local_day(SystemClock().now(), zone)


class FakeClock:
    """The port of time, in a test's hand."""

    def __init__(self, day: date, hour: int = 10, zone: str = "Europe/Copenhagen") -> None:
        self.zone = ZoneInfo(zone)
        self.at = datetime.combine(day, time(hour), self.zone).astimezone(UTC)

    def now(self) -> datetime:
        return self.at

    @property
    def today(self) -> date:
        """The day it is where the players live."""
        return self.at.astimezone(self.zone).date()

    def go(self, day: date, hour: int = 10, minute: int = 0) -> None:
        """To an hour of a local day; never back."""
        then = datetime.combine(day, time(hour, minute), self.zone).astimezone(UTC)
        assert then >= self.at, f"time goes forward: {self.at} to {then}"
        self.at = then

    def wait(self, **more: float) -> None:
        """Let time pass: ``days=2``, ``minutes=5``. Whole days keep the local hour."""
        local = self.at.astimezone(self.zone) + timedelta(days=more.pop("days", 0))
        self.at = local.astimezone(UTC) + timedelta(**more)
