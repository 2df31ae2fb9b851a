"""A clock that stands until a test moves it: a whole season in a few seconds."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/Copenhagen")


class FakeClock:
    """The port of time, in a test's hand."""

    def __init__(self, day: date, hour: int = 10) -> None:
        self.at = datetime.combine(day, time(hour), ZONE).astimezone(UTC)

    def now(self) -> datetime:
        return self.at

    @property
    def today(self) -> date:
        """The day it is in Copenhagen."""
        return self.at.astimezone(ZONE).date()

    def go(self, day: date, hour: int = 10, minute: int = 0) -> None:
        """To an hour of a day in Copenhagen; never back."""
        then = datetime.combine(day, time(hour, minute), ZONE).astimezone(UTC)
        assert then >= self.at, f"time goes forward: {self.at} to {then}"
        self.at = then

    def wait(self, **more: float) -> None:
        """Let time pass: ``days=2``, ``minutes=5``. Whole days keep the local hour."""
        local = self.at.astimezone(ZONE) + timedelta(days=more.pop("days", 0))
        self.at = local.astimezone(UTC) + timedelta(**more)
