"""§ 6.3.6, § 6.7.4.3, § 6.8.2: what booked leave and pauses make of a game's days.

Not for the days that are charged in the end (test_6_3_6_leave.py).
"""

from datetime import date

import pytest

from kskak.game.game_events import GamePaused, LeaveBooked
from kskak.reflection import (
    Booking,
    calendar_of,
    end_pause,
    find_first_granted_day,
    has_bounced,
    lasts_beyond,
    list_granted_spans,
    open_pause,
)
from kskak.regulation.days import Cause, Span
from kskak.regulation.editions import EMAIL, LeaveType, PauseReason
from tests.fakes.machinery.each import each
from tests.regulation.record import BLACK, QUIET_DAY, WHITE, after

LONG_BEFORE = after(QUIET_DAY, -100)
START = LONG_BEFORE
DISPUTE, OUTAGE, BOUNCE = PauseReason.DISPUTE, PauseReason.OUTAGE, PauseReason.BOUNCE
SPECIAL = LeaveType.SPECIAL


def day(number: int) -> date:
    return after(QUIET_DAY, number)


def leave(first: int, last: int, by=WHITE, kind=LeaveType.PERSONAL) -> LeaveBooked:
    return LeaveBooked(by, day(first), day(last), LONG_BEFORE, kind)


def pause(first: int, last: int | None, reason: PauseReason = DISPUTE) -> GamePaused:
    return GamePaused(day(first), None if last is None else day(last), reason)


def booked(*ones: LeaveBooked | GamePaused) -> list[Booking]:
    return [Booking(entry, one) for entry, one in enumerate(ones)]


def test_6_3_6_a_leave_is_one_span_from_its_first_day_to_its_last():
    """§ 6.3.6: both ends included. Verdict: one span each, special leave under its own name."""
    spans = list_granted_spans(booked(leave(0, 4), leave(10, 10, BLACK, SPECIAL)), START, EMAIL)
    assert spans == {
        0: (Span(day(0), day(4), Cause.LEAVE),),
        1: (Span(day(10), day(10), Cause.SPECIAL_LEAVE),),
    }


def test_6_3_6_two_who_are_on_leave_from_one_day_each_have_theirs():
    """§ 6.3.6. Verdict: in the order in which they were entered."""
    spans = list_granted_spans(booked(leave(0, 6, BLACK), leave(0, 4)), START, EMAIL)
    assert [(span.first, span.last) for (span,) in spans.values()] == [
        (day(0), day(6)),
        (day(0), day(4)),
    ]


def test_6_3_6_the_earlier_leave_has_the_days_whichever_was_entered_first():
    """§ 6.8.8: 35 days a year. Verdict: of 20 and 20 days the later leave gets 15."""
    bookings = booked(leave(40, 59), leave(0, 19))
    spans = list_granted_spans(bookings, START, EMAIL)
    assert spans[0] == (Span(day(40), day(54), Cause.LEAVE),)
    assert spans[1] == (Span(day(0), day(19), Cause.LEAVE),)
    calendar, (warned,) = calendar_of(bookings, START, EMAIL)
    assert warned.entry == 0, "the leave that is cut is warned of"
    assert calendar.charged(day(0), day(60)) == 60 - 35


def test_6_3_6_a_new_tournament_year_has_days_again_in_the_middle_of_a_leave():
    """§ 6.3.6: 35 days a year, from the 50th day anew. Verdict: two spans of one leave."""
    start = day(50).replace(year=QUIET_DAY.year - 1)
    ((first, second),) = list_granted_spans(booked(leave(0, 59)), start, EMAIL).values()
    assert (first, second) == (
        Span(day(0), day(34), Cause.LEAVE),
        Span(day(50), day(59), Cause.LEAVE),
    )


@pytest.mark.parametrize(("kind", "first"), [(LeaveType.PERSONAL, 6), (SPECIAL, 2)])
def test_6_3_6_1_only_personal_leave_waits_for_its_notice(kind, first):
    """§ 6.3.6.1: six days after its notice. Verdict: special leave counts from its own first."""
    told = LeaveBooked(WHITE, day(2), day(9), day(0), kind)
    assert find_first_granted_day(told, EMAIL) == day(first)


def test_6_4_1_a_pause_is_cut_only_where_the_regulation_bounds_it():
    """§ 6.7.4.3: 14 days for a reserve. Verdict: a dispute may last, without a remark."""
    calendar, warnings = calendar_of(booked(pause(0, 99)), START, EMAIL)
    assert (calendar.charged(day(0), day(101)), warnings) == (1, ())


def test_6_8_2_the_open_pause_of_a_reason_is_the_last_that_has_no_end():
    """§ 6.8.2. Verdict: neither one with its last day nor another reason's."""
    ended, other, standing = pause(0, 5, BOUNCE), pause(6, None, OUTAGE), pause(8, None, BOUNCE)
    assert open_pause(booked(ended, other, leave(1, 2)), BOUNCE) is None
    found = open_pause(booked(standing, other, leave(1, 2), ended), BOUNCE)
    assert found == Booking(0, standing)


def test_6_8_2_who_was_out_of_reach_once_is_known_to_have_been():
    """§ 6.8.2. Verdict: one bounce among other bookings is enough, and only a bounce."""
    others = (leave(0, 5), pause(6, 9), pause(10, None, OUTAGE))
    assert not has_bounced(booked(*others))
    assert has_bounced(booked(*others, pause(20, 22, BOUNCE)))


@each(
    ("last", "reason", "lasts"),
    [
        (None, DISPUTE, True),
        (11, DISPUTE, True),
        (10, DISPUTE, False),
        (9, DISPUTE, False),
        (None, OUTAGE, False),
        (11, OUTAGE, False),
    ],
)
def test_6_7_4_3_a_pause_lasts_beyond_a_day_when_open_or_longer(last, reason, lasts):
    """§ 6.7.4.3: it may end sooner than announced. Verdict: not on its own last day."""
    assert lasts_beyond(pause(0, last, reason), DISPUTE, day(10)) is lasts


def test_6_7_4_3_ending_a_pause_leaves_all_else_as_it_was():
    """§ 6.7.4.3. Verdict: the last one that lasts; its first day stays, a pause before it goes."""
    before, standing, other = pause(0, 3), pause(10, 30), pause(12, None, OUTAGE)
    bookings = booked(leave(1, 2), before, standing, other)
    cut = Booking(2, pause(10, 15))
    assert end_pause(bookings, DISPUTE, day(15)) == (*bookings[:2], cut, bookings[3])
    one_day = Booking(2, pause(10, 10))
    assert end_pause(bookings, DISPUTE, day(10)) == (*bookings[:2], one_day, bookings[3])
    assert end_pause(bookings, DISPUTE, day(9)) == (*bookings[:2], bookings[3])
    for same in (end_pause(bookings, DISPUTE, day(30)), end_pause(bookings, BOUNCE, day(5))):
        assert same == tuple(bookings)
