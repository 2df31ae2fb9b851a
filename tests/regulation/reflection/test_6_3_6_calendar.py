"""§ 6.3.6.2, § 6.3.6.3: Easter in any year, and the first day that counts among others."""

from datetime import date

import pytest

from kskak.regulation.days import Calendar, Cause, Span, easter, holidays
from tests.regulation.record import QUIET_DAY, after


def by_the_moon(year: int) -> date:
    """Easter Sunday counted otherwise: golden number, epact, the full moon and its Sunday."""
    golden, century = year % 19 + 1, year // 100 + 1
    dropped, moon = 3 * century // 4 - 12, (8 * century + 5) // 25 - 5
    epact = (11 * golden + 20 + moon - dropped) % 30
    if epact == 24 or (epact == 25 and golden > 11):
        epact += 1
    full = 44 - epact + (30 if epact > 23 else 0)
    sunday = full + 7 - (5 * year // 4 - dropped - 10 + full) % 7
    return date(year, 3, sunday) if sunday <= 31 else date(year, 4, sunday - 31)


def test_6_3_6_2_easter_is_the_calendars_in_every_year():
    """§ 6.3.6.2: Easter moves the holiday. Verdict: as by full moon and Sunday, 1583 to 4099."""
    for year in range(1583, 4100):
        assert easter(year) == by_the_moon(year), year


@pytest.mark.parametrize("year", [2010, 2024, 2027])
def test_6_3_6_3_the_first_day_that_counts_is_the_day_after_a_holiday(year):
    """§ 6.3.6.3: both ends are free. Verdict: the day before counts itself, then the day after."""
    for span in holidays(year):
        following = after(span.last, 1)
        if (following.month, following.day) != (1, 1):
            assert Calendar().next_charged(span.first) == following
            assert Calendar().next_charged(span.last) == following
            assert Calendar().next_charged(following) == following
        before = after(span.first, -1)
        if before.year == year:
            assert Calendar().next_charged(before) == before


def test_6_8_2_nothing_is_over_once_time_stands_still_for_good():
    """§ 6.8.2: a pause without an end after another. Verdict: only what was reached before it."""
    ended = Span(QUIET_DAY, after(QUIET_DAY, 4), Cause.DISPUTE)
    standing = Span(after(QUIET_DAY, 10), date.max, Cause.DISPUTE)
    calendar = Calendar.of((ended, standing))
    assert calendar.first_over(QUIET_DAY, 4) == after(QUIET_DAY, 10)
    assert calendar.first_over(QUIET_DAY, 5) is None
    assert calendar.next_charged(after(QUIET_DAY, 10)) is None


@pytest.mark.parametrize(
    ("received", "sent", "days"), [(4, 6, 1), (5, 7, 0), (-3, 0, 0), (-3, 1, 1)]
)
def test_6_3_6_3_a_day_of_leave_counts_where_a_step_begins_on_it(received, sent, days):
    """§ 6.3.6.3: leave on five days. Verdict: its last day on receipt, not its first on sending."""
    calendar = Calendar.of((Span(QUIET_DAY, after(QUIET_DAY, 4), Cause.LEAVE),))
    told = calendar.explain(after(QUIET_DAY, received), after(QUIET_DAY, sent))
    assert sum((span.last - span.first).days + 1 for span in told) == days
    steps = sent - received
    assert calendar.charged(after(QUIET_DAY, received), after(QUIET_DAY, sent)) == steps - days
