"""§ 6.3.6, § 6.7.4.3, § 6.8.8: leave, holidays, pauses, and the steps they exempt."""

from datetime import date

import pytest

from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import GamePaused, LeaveBooked, LeaveShortened
from kskak.play.decide_command import decide
from kskak.reflection import AccountRemark, anniversary, earliest_leave, tournament_year
from kskak.regulation.days import is_holiday
from kskak.regulation.editions import LeaveType, PauseReason
from tests.regulation.record import BLACK, EMAIL, POSTAL, QUIET_DAY, WHITE, Record, after

BOTH = pytest.mark.parametrize("regulation", [POSTAL, EMAIL])
LONG_AGO = date(2010, 1, 1)


def leave(first: date, last: date, by=WHITE, notified=LONG_AGO, kind=LeaveType.PERSONAL):
    return LeaveBooked(by, first, last, notified, kind)


def cost(regulation, received: date, sent: date, *booked) -> int:
    """Days of an answer in a game that began 1 May 2010, with these leaves and pauses."""
    record = Record(regulation, start=date(2010, 5, 1)).add(*booked)
    return record.dispatch(None, received).dispatch(received, sent).days()


def warnings(regulation, *booked) -> list[AccountRemark]:
    record = Record(regulation, start=date(2010, 5, 1)).add(*booked)
    return [warning.code for warning in record.account().warnings]


@BOTH
@pytest.mark.parametrize(("received", "sent", "days"), [(7, 10, 1), (9, 23, 0), (5, 25, 5)])
@pytest.mark.parametrize("by", [WHITE, BLACK])
def test_6_3_6_3_steps_that_begin_on_a_day_of_leave_are_exempt(
    regulation, received, sent, days, by
):
    """§ 6.3.6.3: leave 8-22/6. Verdict: 1, 0, 5 as printed, whosever leave."""
    booked = leave(date(2010, 6, 8), date(2010, 6, 22), by)
    assert cost(regulation, date(2010, 6, received), date(2010, 6, sent), booked) == days


@BOTH
def test_6_3_6_35_days_a_year_and_the_36th_is_charged(regulation):
    """§ 6.3.6, § 6.8.8: 35 days. Verdict: 35 cost nothing and no remark, the 36th costs 1."""
    first = date(2010, 6, 1)
    whole, over = leave(first, after(first, 34)), leave(first, after(first, 35))
    assert cost(regulation, first, after(first, 36), whole) == 1
    assert cost(regulation, first, after(first, 36), over) == 1
    assert cost(regulation, first, after(first, 35), over) == 0
    assert (warnings(regulation, whole), warnings(regulation, over)) == (
        [],
        [AccountRemark.QUOTA_EXCEEDED],
    )


@BOTH
def test_6_3_6_leave_may_be_divided_and_the_other_player_has_his_own(regulation):
    """§ 6.3.6: in parts. Verdict: 20 and 15 are within, one more is not; each has 35."""
    parts = [leave(date(2010, 6, 1), date(2010, 6, 20)), leave(date(2010, 7, 1), date(2010, 7, 15))]
    assert warnings(regulation, *parts) == []
    more = leave(date(2010, 8, 1), date(2010, 8, 1))
    assert warnings(regulation, *parts, more) == [AccountRemark.QUOTA_EXCEEDED]
    others = leave(date(2010, 8, 1), date(2010, 9, 4), BLACK)
    assert warnings(regulation, *parts, others) == []


@BOTH
def test_6_3_6_the_year_counts_from_the_tournaments_start(regulation):
    """§ 6.3.6: a year ends on the anniversary. Verdict: 30/4 the old year's, 1/5 the new one's."""
    old = leave(date(2010, 6, 1), date(2010, 7, 5))
    assert warnings(regulation, old, leave(date(2011, 5, 1), date(2011, 6, 4))) == []
    assert warnings(regulation, old, leave(date(2011, 4, 30), date(2011, 5, 1))) == [
        AccountRemark.QUOTA_EXCEEDED
    ]
    leap = date(2012, 2, 29)
    assert [anniversary(leap, year) for year in (2013, 2016)] == [
        date(2013, 3, 1),
        date(2016, 2, 29),
    ]
    days = (date(2013, 2, 28), date(2013, 3, 1), date(2016, 2, 28), date(2016, 2, 29))
    assert [tournament_year(leap, day) for day in days] == [2012, 2013, 2015, 2016]


@BOTH
def test_6_3_6_a_day_in_a_holiday_uses_no_leave(regulation):
    """§ 6.3.6, § 6.3.6.2 (reading). Verdict: 47 days over Christmas are 35, 48 are 36."""
    first = date(2010, 12, 1)
    assert warnings(regulation, leave(first, after(first, 46))) == []
    assert warnings(regulation, leave(first, after(first, 47))) == [AccountRemark.QUOTA_EXCEEDED]


@BOTH
@pytest.mark.parametrize(("first", "is_late"), [(10, True), (11, False)])
def test_6_3_6_1_notice_on_the_5th_gives_leave_from_the_11th(regulation, first, is_late):
    """§ 6.3.6.1: notice 5/6, first day 11/6. Verdict: 10/6 is not exempt and remarked on."""
    assert earliest_leave(date(2010, 6, 5), Record(regulation).terms.rules) == date(2010, 6, 11)
    booked = leave(date(2010, 6, first), date(2010, 6, 20), notified=date(2010, 6, 5))
    assert warnings(regulation, booked) == ([AccountRemark.LATE_NOTICE] if is_late else [])
    assert cost(regulation, date(2010, 6, 10), date(2010, 6, 21), booked) == 1


@BOTH
def test_6_3_6_1_the_web_refuses_leave_too_soon_and_beyond_the_quota(regulation):
    """§ 6.3.6.1, § 6.3.6: refused with the first day, with the days left. Verdict: 6 days on."""
    state, now = Record(regulation).state, QUIET_DAY

    def ask(days: int, length: int):
        first = after(now, days)
        return decide(state, cmd.BookLeave(WHITE, first, after(first, length - 1)), now)

    assert ask(5, 3) == Refusal(Reason.LEAVE_TOO_SOON, earliest=after(now, 6))
    assert ask(6, 35) == (leave(after(now, 6), after(now, 40), notified=now),)
    assert ask(6, 36) == Refusal(Reason.LEAVE_QUOTA, days=35)
    assert ask(6, 0) == Refusal(Reason.LEAVE_ORDER)
    assert ask(6, 361) == Refusal(Reason.LEAVE_QUOTA, days=35)
    assert ask(6, 362) == Refusal(Reason.LEAVE_TOO_FAR)
    assert ask(6, 367) == Refusal(Reason.LEAVE_YEAR, given=after(now, 372))
    assert ask(6, 520) == Refusal(Reason.LEAVE_TOO_LONG, days=35)
    assert ask(365, 2) != Refusal(Reason.LEAVE_TOO_FAR)
    assert ask(366, 2) == Refusal(Reason.LEAVE_TOO_FAR)
    far = 36 * 365 + 9
    assert ask(far, 7) == Refusal(Reason.LEAVE_YEAR, given=after(now, far + 6)), "both days"


@BOTH
def test_6_3_6_what_was_beyond_the_quota_before_stands_in_no_later_years_way(regulation):
    """§ 6.3.6: an earlier leave was too long. Verdict: each year by itself."""
    spent = leave(date(2010, 6, 1), date(2010, 7, 20))
    state = Record(regulation, start=date(2010, 5, 1)).add(spent).state

    def ask(first: date, last: date):
        return decide(state, cmd.BookLeave(WHITE, first, last), date(2010, 7, 25))

    assert ask(date(2010, 9, 1), date(2010, 9, 1)) == Refusal(Reason.LEAVE_QUOTA, days=0)
    assert not isinstance(ask(date(2011, 6, 1), date(2011, 6, 2)), Refusal)
    assert ask(date(2011, 6, 1), date(2011, 7, 20)) == Refusal(Reason.LEAVE_QUOTA, days=35)


@BOTH
@pytest.mark.parametrize("until", [date(2010, 6, 3), date(2010, 6, 5)])
def test_6_3_6_of_leave_shortened_and_booked_anew_the_newer_one_is_shortened(regulation, until):
    """§ 6.3.6 (reading): given back, then wanted after all. Verdict: the new one's days count."""
    first, last = date(2010, 6, 1), date(2010, 6, 10)
    gave_back = LeaveShortened(WHITE, first, last, date(2010, 6, 3))
    again = leave(first, last, notified=date(2010, 5, 4))
    record = Record(regulation, start=date(2010, 5, 1)).add(leave(first, last), gave_back, again)
    state = record.state
    wished = cmd.ShortenLeave(WHITE, first, last, until)
    events = decide(state, wished, date(2010, 5, 5))
    assert events == (LeaveShortened(WHITE, first, last, until),)


HOLIDAYS = [
    (date(2010, 12, 19), False),
    (date(2010, 12, 20), True),
    (date(2010, 12, 31), True),
    (date(2011, 1, 1), False),
    (date(2010, 3, 29), False),
    (date(2010, 3, 30), True),
    (date(2010, 4, 4), True),
    (date(2010, 4, 6), True),
    (date(2010, 4, 7), False),
]


@pytest.mark.parametrize(("day", "is_free"), HOLIDAYS)
@BOTH
def test_6_3_6_2_christmas_and_easter_are_free_with_both_ends(regulation, day, is_free):
    """§ 6.3.6.2: 20-31/12; Tuesday to Tuesday about Easter (4/4/2010). Verdict: table."""
    assert is_holiday(day) is is_free
    record = Record(regulation, start=date(2010, 1, 4)).dispatch(None, day)
    assert record.dispatch(day, after(day, 1)).days() == (0 if is_free else 1)


@BOTH
def test_6_3_6_2_two_who_agree_may_play_on_at_no_cost(regulation):
    """§ 6.3.6.2: play goes on in the holidays. Verdict: moves are taken, 0 days."""
    record = Record(regulation, start=date(2010, 12, 20)).think(0).think(3).think(5)
    assert (record.used(WHITE), record.used(BLACK)) == (0, 0)


def test_6_3_6_4_special_leave_needs_no_notice_and_has_no_limit_by_post():
    """§ 6.3.6.4: granted by the TL. Verdict: 100 days exempt, without notice."""
    first = date(2010, 6, 1)
    booked = leave(first, after(first, 99), notified=None, kind=LeaveType.SPECIAL)
    assert cost(POSTAL, first, after(first, 100), booked) == 0
    assert warnings(POSTAL, booked) == []


@pytest.mark.parametrize(("days", "over"), [(30, False), (31, True)])
def test_6_8_8_special_leave_is_thirty_days_a_year_by_email(days, over):
    """§ 6.8.8: up to 30 days a year, beside the 35. Verdict: 30 in, 31 out."""
    first = date(2010, 6, 1)
    special = leave(first, after(first, days - 1), notified=None, kind=LeaveType.SPECIAL)
    own = leave(date(2010, 9, 1), date(2010, 10, 5))
    assert warnings(EMAIL, special, own) == ([AccountRemark.QUOTA_EXCEEDED] if over else [])
    assert cost(EMAIL, first, after(first, days), special) == int(over)


@pytest.mark.parametrize(("days", "charged"), [(14, 0), (15, 1)])
def test_6_7_4_3_a_reserve_stops_time_for_fourteen_days(days, charged):
    """§ 6.7.4.3: 14 days for a reserve. Verdict: the 15th is cut and remarked on."""
    first = date(2010, 6, 1)
    pause = GamePaused(first, after(first, days - 1), PauseReason.RESERVE)
    assert cost(POSTAL, first, after(first, days), pause) == charged
    assert warnings(POSTAL, pause) == ([AccountRemark.PAUSE_TOO_LONG] if charged else [])
    assert cost(POSTAL, first, after(first, 20), GamePaused(first, None, PauseReason.RESERVE)) == 6


def test_6_4_1_a_game_in_suspense_uses_no_time():
    """§ 6.4.1: suspended while the TL decides. Verdict: no day, no flag, until it ends."""
    open_end = GamePaused(date(2010, 6, 1), None, PauseReason.DISPUTE)
    assert cost(EMAIL, date(2010, 6, 1), date(2012, 6, 1), open_end) == 0
    record = Record(EMAIL).add(open_end).dispatch(None, date(2010, 6, 1))
    running = record.state.running()
    assert running is not None and running.flag_on is None
