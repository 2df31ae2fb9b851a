"""§ 6.3.4, § 6.3.3.1, § 6.8.1, § 6.8.3: the days on which the server reminds, reports and warns."""

from datetime import date

import pytest

from kskak.game import game_commands as cmd
from kskak.game.game_events import (
    GamePaused,
    GameResumed,
    LeaderTold,
    LeaveBooked,
    LongThinkNotified,
    MoveReceived,
    OpponentReminded,
)
from kskak.play.decide_command import decide
from kskak.play.due_days import (
    control_warning_on,
    days_left,
    last_free_day,
    leader_on,
    offline_on,
    reminder_on,
    warning_on,
)
from kskak.regulation.editions import Channel, PauseReason
from tests.regulation.record import BLACK, EMAIL, POSTAL, QUIET_DAY, WHITE, Record, after

LONG_AGO = date(2010, 1, 1)
BOTH = pytest.mark.parametrize("regulation", [POSTAL, EMAIL])


def waiting(regulation=EMAIL, *said) -> Record:
    """White has moved on the quiet day; Black has not answered, this having been said."""
    return Record(regulation).think(0).add(*said)


def asked(record: Record, command: cmd.Command, day: date):
    state = record.state
    return decide(state, command, day)


@BOTH
def test_6_3_4_and_6_8_3_the_reminder_is_sent_on_the_fourteenth_day_by_who_waits(regulation):
    """§ 6.3.4, § 6.8.3: 13 days are too few, 14 enough. Verdict: once, by White."""
    record = waiting(regulation)
    assert asked(record, cmd.Remind(), after(QUIET_DAY, 13)) == ()
    due = after(QUIET_DAY, 14)
    assert asked(record, cmd.Remind(), due) == (OpponentReminded(WHITE, due),)
    assert asked(record.add(OpponentReminded(WHITE, due)), cmd.Remind(), after(due, 30)) == ()


@pytest.mark.parametrize(("regulation", "days"), [(POSTAL, 14 + 2 * 3), (EMAIL, 14)])
def test_6_3_4_the_post_both_ways_is_added_in_a_postal_game(regulation, days):
    """§ 6.3.4: "plus post both ways". Verdict: 20 days by post, 14 by e-mail (§ 6.8.3)."""
    assert reminder_on(waiting(regulation).state, 3) == after(QUIET_DAY, days)


@BOTH
def test_6_3_4_and_6_8_3_the_leader_is_told_seven_days_after_the_reminder(regulation):
    """§ 6.3.4, § 6.8.3: 6 days are too few, 7 enough. Verdict: once, and only after a reminder."""
    reminded = after(QUIET_DAY, 14)
    assert asked(waiting(regulation), cmd.TellLeader(), after(QUIET_DAY, 99)) == ()
    record = waiting(regulation, OpponentReminded(WHITE, reminded))
    assert asked(record, cmd.TellLeader(), after(reminded, 6)) == ()
    due = after(reminded, 7)
    assert asked(record, cmd.TellLeader(), due) == (LeaderTold(WHITE, due),)
    assert asked(record.add(LeaderTold(WHITE, due)), cmd.TellLeader(), after(due, 30)) == ()


def test_6_3_4_notice_stops_warning_reminder_and_report():
    """§ 6.3.4: he has given notice. Verdict: none of the three, whenever it was given."""
    early = waiting(POSTAL, LongThinkNotified(BLACK, QUIET_DAY)).state
    assert (warning_on(early), reminder_on(early, 0), leader_on(early)) == (None, None, None)
    said = (
        OpponentReminded(WHITE, after(QUIET_DAY, 14)),
        LongThinkNotified(BLACK, after(QUIET_DAY, 15)),
    )
    assert leader_on(waiting(POSTAL, *said).state) is None


def test_6_3_4_notice_is_given_once_and_counts_from_the_receipt():
    """§ 6.3.4: notice on the day of sending, received the day after. Verdict: it counts."""
    record = waiting(EMAIL)
    given = asked(record, cmd.NotifyLongThink(BLACK), QUIET_DAY)
    assert given == (LongThinkNotified(BLACK, after(QUIET_DAY, 1)),)
    assert asked(record.add(*given), cmd.NotifyLongThink(BLACK), after(QUIET_DAY, 9)) == ()


def test_6_3_4_the_player_is_warned_before_anything_can_be_charged():
    """§ 6.3.4: 14 days are free, the 15th may cost. Verdict: warned with 12 used, 2 left."""
    state = waiting(EMAIL).state
    received = after(QUIET_DAY, 1)
    assert warning_on(state) == after(received, 12)
    assert last_free_day(state) == after(received, 14)
    assert warning_on(waiting(EMAIL, OpponentReminded(WHITE, after(QUIET_DAY, 9))).state) is None


@pytest.mark.parametrize(("first", "last", "shift"), [(3, 5, 3), (14, 20, 7), (13, 13, 1)])
def test_6_3_6_3_no_reminder_on_a_day_on_which_time_stands_still(first, last, shift):
    """§ 6.3.4 with § 6.3.6.3: leave on these days. Verdict: put off to a day that counts."""
    leave = LeaveBooked(BLACK, after(QUIET_DAY, first), after(QUIET_DAY, last), LONG_AGO)
    due = reminder_on(waiting(EMAIL, leave).state, 0)
    assert due == after(QUIET_DAY, 14 + shift)


def test_6_3_6_2_the_obligatory_holidays_put_it_off_too():
    """§ 6.3.6.2: sent 10/12, 10 steps to the 20th and 4 in January. Verdict: due 5 January."""
    record = Record(EMAIL, start=date(2010, 12, 10)).dispatch(None, date(2010, 12, 10))
    assert reminder_on(record.state, 0) == date(2011, 1, 5)


def test_6_3_4_a_resumed_game_asks_anew():
    """§ 6.3.4, Kendelse 59: resumed on a day. Verdict: the silence counts from it."""
    resumed = after(QUIET_DAY, 60)
    record = waiting(POSTAL, OpponentReminded(WHITE, after(QUIET_DAY, 14)), GameResumed(resumed))
    assert reminder_on(record.state, 0) == after(resumed, 14)


def test_6_3_4_before_the_first_move_the_start_counts():
    """§ 6.3.4 (reading): White never begins. Verdict: reminded 14 days after the start."""
    record = Record(EMAIL)
    assert reminder_on(record.state, 0) == after(record.state.terms.start, 14)


def test_6_3_3_1_a_player_is_warned_when_three_days_are_left():
    """§ 6.3.3.1, § 6.8.6: 40 days to 10 moves. Verdict: with 37 used; with 41 he is over."""
    state = waiting(EMAIL).state
    running = state.running()
    assert running is not None and running.flag_on is not None
    received = after(QUIET_DAY, 1)
    assert control_warning_on(state) == after(received, 37)
    assert running.flag_on == after(received, 41)


def test_6_3_3_1_a_card_whose_receipt_is_not_told_may_have_come_the_day_after_its_posting():
    """§ 6.3.3.1, § 6.3.1: 30 days to 10 moves. Verdict: as if received the next day; told later,
    later."""
    record = Record(POSTAL).dispatch(None, QUIET_DAY, Channel.POST)
    assert record.state.receipt is None
    assert days_left(record.state) == 30
    next_day = after(QUIET_DAY, 1)
    assert control_warning_on(record.state) == after(next_day, 27)
    told = Record(POSTAL).dispatch(None, QUIET_DAY, Channel.POST)
    assert control_warning_on(told.add(MoveReceived(BLACK, next_day)).state) == after(next_day, 27)
    late = Record(POSTAL).dispatch(None, QUIET_DAY, Channel.POST)
    came = after(QUIET_DAY, 5)
    assert control_warning_on(late.add(MoveReceived(BLACK, came)).state) == after(came, 27)


def test_6_8_1_thirty_days_are_not_more_than_thirty():
    """§ 6.8.1: offline more than 30 days. Verdict: due 31 days after the first."""
    record = waiting(EMAIL, GamePaused(QUIET_DAY, None, PauseReason.BOUNCE))
    assert offline_on(record.state) == after(QUIET_DAY, 31)
    assert reminder_on(record.state, 0) is None, "time stands still: nobody is silent"
    assert offline_on(waiting(EMAIL).state) is None


def test_6_3_4_nothing_is_due_in_a_finished_game():
    """§ 6.2.6: given up. Verdict: no reminder, no report, no warning."""
    record = waiting(EMAIL, *decide_resign())
    state = record.state
    due = (reminder_on(state, 0), leader_on(state), warning_on(state), control_warning_on(state))
    assert due == (None,) * 4
    assert asked(record, cmd.Remind(), after(QUIET_DAY, 99)) == ()


def decide_resign():
    state = waiting(EMAIL).state
    given_up = decide(state, cmd.Resign(BLACK), QUIET_DAY)
    assert isinstance(given_up, tuple)
    return given_up
