"""§ 6.3.6, § 6.3.6.4, § 6.8.8: leave that ends earlier, and special leave with its limits."""

from datetime import date

import pytest

from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import LeaveBooked, LeaveShortened
from kskak.ledger.ledger_files import clock_json, ledger_json, read_ledger
from kskak.play.decide_command import decide
from kskak.regulation.editions import LeaveType
from kskak.statement.account import account
from tests.fakes.machinery.each import each
from tests.regulation.record import BLACK, EMAIL, POSTAL, WHITE, Record, after

START = date(2010, 5, 1)
FIRST, LAST, UNTIL = date(2010, 6, 8), date(2010, 6, 22), date(2010, 6, 12)
BOTH = pytest.mark.parametrize("regulation", [POSTAL, EMAIL])
LEAVE = LeaveBooked(BLACK, FIRST, LAST, date(2010, 5, 20))
SHORTER = LeaveShortened(BLACK, FIRST, LAST, UNTIL)


def played(regulation, *booked) -> Record:
    """White moves on 5/6, Black answers on 15/6, White on 25/6."""
    record = Record(regulation, start=START).add(*booked)
    record.dispatch(None, date(2010, 6, 5))
    record.dispatch(date(2010, 6, 6), date(2010, 6, 15))
    return record.dispatch(date(2010, 6, 16), date(2010, 6, 25))


@BOTH
def test_6_3_6_who_shortens_his_leave_uses_time_again_and_the_opponent_does_not(regulation):
    """§ 6.3.6 (reading): leave 8-22/6 ends with 12/6. Verdict: Black 2+2 days, White 3 of 9."""
    record = played(regulation, LEAVE, SHORTER)
    white, black = record.used(WHITE), record.used(BLACK)
    assert black == 2 + 2, "6 and 7, 13 and 14 June"
    assert white == played(regulation, LEAVE).used(WHITE), "he keeps the announced stop"
    assert played(regulation, LEAVE).used(BLACK) == 2


@BOTH
def test_6_3_6_the_days_given_back_can_be_booked_again(regulation):
    """§ 6.3.6: 35 days a year; 15 booked, 10 given back. Verdict: 30 more, not 31."""
    record = Record(regulation, start=START).add(LEAVE, SHORTER)
    state, now = record.state, date(2010, 6, 12)

    def ask(last: date):
        return decide(state, cmd.BookLeave(BLACK, date(2010, 7, 1), last), now)

    assert isinstance(ask(date(2010, 7, 30)), tuple)
    assert ask(date(2010, 7, 31)) == Refusal(Reason.LEAVE_QUOTA, days=30)


@each(
    ("now", "until", "earliest"),
    [
        (date(2010, 6, 1), date(2010, 6, 6), date(2010, 6, 7)),
        (date(2010, 6, 1), date(2010, 6, 7), None),
        (date(2010, 6, 8), date(2010, 6, 7), date(2010, 6, 8)),
        (date(2010, 6, 10), date(2010, 6, 9), date(2010, 6, 10)),
        (date(2010, 6, 10), date(2010, 6, 10), None),
        (date(2010, 6, 10), date(2010, 6, 21), None),
        (date(2010, 6, 10), date(2010, 6, 22), date(2010, 6, 10)),
    ],
)
def test_6_3_6_leave_is_shortened_to_today_at_the_earliest(now, until, earliest):
    """§ 6.3.6 (reading): what has gone has been used. Verdict: table; before it begins, whole."""
    state = Record(EMAIL, start=START).add(LEAVE).state
    command = cmd.ShortenLeave(BLACK, FIRST, LAST, until)
    expected = (
        (LeaveShortened(BLACK, FIRST, LAST, until),)
        if earliest is None
        else Refusal(Reason.LEAVE_NOT_SHORTER, earliest=earliest)
    )
    assert decide(state, command, now) == expected
    strange = cmd.ShortenLeave(WHITE, FIRST, LAST, until)
    assert decide(state, strange, now) == Refusal(Reason.LEAVE_UNKNOWN)


def test_6_3_6_a_shortened_leave_is_in_the_ledger_and_read_back():
    """§ 6.3.6: the account of the ledger is the account of the game. Verdict: equal."""
    record = played(EMAIL, LEAVE, SHORTER)
    written = ledger_json(record.terms, record.events)
    assert [e["shortened"] for e in written["entries"] if e["kind"] == "leave"] == ["2010-06-12"]
    read = read_ledger(written)
    assert clock_json(account(read.terms, read.events)) == clock_json(record.account())


def grant(regulation, first: date, last: date, *booked):
    state = Record(regulation, start=START).add(*booked).state
    command = cmd.GrantLeave(BLACK, first, last)
    return decide(state, command, date(2010, 8, 1))


def test_6_8_8_special_leave_is_thirty_days_a_tournament_year():
    """§ 6.8.8: 30 days in e-mail games. Verdict: 30 granted, 31 refused; the next year anew."""
    thirty = grant(EMAIL, date(2010, 9, 1), date(2010, 9, 30))
    special = LeaveType.SPECIAL
    august = date(2010, 8, 1)
    leave = LeaveBooked(BLACK, date(2010, 9, 1), date(2010, 9, 30), august, special)
    assert thirty == (leave,)
    refused = grant(EMAIL, date(2010, 9, 1), date(2010, 10, 1))
    assert refused == Refusal(Reason.SPECIAL_QUOTA, days=30)
    one_more = grant(EMAIL, date(2010, 11, 1), date(2010, 11, 1), leave)
    assert one_more == Refusal(Reason.SPECIAL_QUOTA, days=0)
    assert isinstance(grant(EMAIL, date(2011, 5, 1), date(2011, 5, 9), leave), tuple)
    assert grant(EMAIL, date(2010, 9, 1), date(2010, 9, 30), leave) == (), "asked twice"


def test_6_3_6_4_by_post_no_number_is_named_and_days_gone_may_be_granted():
    """§ 6.3.6.4: the TL grants it. Verdict: 60 days by post; in July for June; no notice."""
    assert isinstance(grant(POSTAL, date(2010, 9, 1), date(2010, 10, 30)), tuple)
    assert isinstance(grant(EMAIL, date(2010, 6, 1), date(2010, 6, 9)), tuple)
    assert isinstance(grant(EMAIL, START, after(START, 3)), tuple), "from the start on"
    early = grant(EMAIL, date(2010, 4, 1), date(2010, 5, 9))
    assert early == Refusal(Reason.LEAVE_TOO_SOON, earliest=START)


@pytest.mark.parametrize(("regulation", "longest"), [(EMAIL, 30), (POSTAL, 366)])
def test_6_8_8_special_leave_of_more_than_a_year_is_a_slip_of_the_pen(regulation, longest):
    """§ 6.8.8, § 6.3.6.4: 367 days. Verdict: the year is wrong; of 468 days, how many there are."""
    first = date(2010, 9, 1)
    refused = grant(regulation, first, after(first, 366))
    assert refused == Refusal(Reason.LEAVE_YEAR, given=after(first, 366))
    refused = grant(regulation, first, after(first, 467))
    assert refused == Refusal(Reason.LEAVE_TOO_LONG, days=longest)


@pytest.mark.parametrize(
    ("first", "is_year"), [(date(2009, 9, 1), True), (date(2010, 4, 1), False)]
)
def test_6_3_6_4_a_day_long_before_the_start_has_a_wrong_year(first, is_year):
    """§ 6.3.6.4: 2009 for 2010. Verdict: the year is named; a month before, the first day is."""
    refused = grant(EMAIL, first, after(first, 9))
    named = Refusal(Reason.LEAVE_YEAR, given=after(first, 9))
    assert refused == (named if is_year else Refusal(Reason.LEAVE_TOO_SOON, earliest=START))


def test_6_8_8_a_leave_that_was_over_the_quota_lets_no_other_follow():
    """§ 6.8.8: 31 days stand by a ruling. Verdict: not one day more, whatever was remarked then."""
    special, august = LeaveType.SPECIAL, date(2010, 8, 1)
    over = LeaveBooked(BLACK, date(2010, 9, 1), date(2010, 10, 1), august, special)
    one_more = grant(EMAIL, date(2010, 11, 1), date(2010, 11, 1), over)
    assert one_more == Refusal(Reason.SPECIAL_QUOTA, days=0)
