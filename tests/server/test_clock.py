"""The port of time: aware UTC, and the local day of a tournament's zone."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from server.clock import SystemClock, today


class FixedClock:
    def __init__(self, instant: datetime) -> None:
        self.instant = instant

    def now(self) -> datetime:
        return self.instant


def test_the_system_clock_is_aware_utc():
    assert SystemClock().now().utcoffset() == timedelta(0)


def test_the_day_is_the_zones_also_just_after_its_midnight():
    clock = FixedClock(datetime(2026, 7, 8, 22, 30, tzinfo=UTC))
    assert today(clock, ZoneInfo("Europe/Copenhagen")) == date(2026, 7, 9)
    assert today(clock, ZoneInfo("America/New_York")) == date(2026, 7, 8)
