"""§ 6.3.6, § 6.8.8: which days of a leave use up the quota, told before it is booked.

Not for what is granted in the end (test_6_3_6_leave.py).
"""

from datetime import date

import pytest

from kskak.game.game_events import LeaveBooked
from kskak.reflection import Booking, list_counted_days
from kskak.regulation.days import is_holiday
from kskak.regulation.editions import EMAIL, LeaveType, Side

START = date(2026, 9, 1)


def leave(first: date, last: date, notified: date | None = None) -> LeaveBooked:
    return LeaveBooked(Side.WHITE, first, last, notified or date(2026, 9, 1))


def counted(wanted: LeaveBooked, *before: LeaveBooked) -> tuple[date, ...]:
    bookings = [Booking(entry, one) for entry, one in enumerate(before)]
    return list_counted_days(bookings, START, EMAIL, wanted)


@pytest.mark.parametrize(("told", "first"), [(4, 10), (5, 11), (3, 10)])
def test_6_3_6_1_days_cut_off_by_a_late_notice_use_none(told: int, first: int):
    """§ 6.3.6.1: leave begins on the sixth day after its notice. Verdict: earlier days are free."""
    wanted = leave(date(2026, 10, 10), date(2026, 10, 14), date(2026, 10, told))
    assert counted(wanted) == tuple(date(2026, 10, day) for day in range(first, 15))


def test_6_3_6_2_days_of_an_obligatory_holiday_use_none():
    """§ 6.3.6.2. Verdict: 18 to 22 December counts only to the 19th."""
    days = counted(leave(date(2026, 12, 18), date(2026, 12, 22)))
    assert days == (date(2026, 12, 18), date(2026, 12, 19))
    assert not is_holiday(days[-1]) and is_holiday(date(2026, 12, 20))


def test_6_3_6_a_day_booked_twice_counts_once():
    """§ 6.3.6: the second leave uses only what it adds; the opponent's is his own."""
    first = leave(date(2026, 10, 10), date(2026, 10, 14))
    over = leave(date(2026, 10, 13), date(2026, 10, 16))
    assert counted(over, first) == (date(2026, 10, 15), date(2026, 10, 16))
    black = LeaveBooked(Side.BLACK, first.first, first.last, first.notified)
    assert len(counted(over, black)) == 4


def test_6_8_8_no_day_beyond_the_35_is_counted():
    """§ 6.8.8: 35 days a year. Verdict: the 35th is the last, special leave has a quota beside."""
    assert len(counted(leave(date(2026, 10, 1), date(2026, 11, 4)))) == 35
    assert len(counted(leave(date(2026, 10, 1), date(2026, 11, 5)))) == 35
    spent = leave(date(2026, 10, 1), date(2026, 11, 4))
    one_more = leave(date(2026, 11, 5), date(2026, 11, 5))
    assert counted(one_more, spent) == ()
    special = LeaveBooked(
        Side.WHITE, one_more.first, one_more.last, None, leave_type=LeaveType.SPECIAL
    )
    assert counted(special, spent) == (one_more.first,)
