"""The port of time: aware UTC."""

from datetime import timedelta

from server.clock import SystemClock


def test_the_system_clock_is_aware_utc():
    assert SystemClock().now().utcoffset() == timedelta(0)
