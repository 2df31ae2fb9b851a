"""§ 6.3.4, § 6.3.3.1, § 6.8.3: from which day a silence counts, and what asks anew.

Not for the days of reminder, report and warning themselves (test_6_3_4_duties.py).
"""

import pytest

from kskak.game.game_events import (
    GamePaused,
    GameResumed,
    LeaderTold,
    LongThinkNotified,
    OpponentReminded,
    PlayerResigned,
    TakenOver,
)
from kskak.play.due_days import (
    control_warning_on,
    control_warnings_on,
    find_awaiting_day,
    has_notice,
    last_reminder,
    leader_on,
    not_before,
    silent_since,
)
from kskak.regulation.editions import PauseReason
from tests.regulation.record import BLACK, EMAIL, QUIET_DAY, WHITE, Record, after

RESUMED = after(QUIET_DAY, 60)


def waiting(*said) -> Record:
    """White has moved on the quiet day; Black has not answered, this having been said."""
    return Record(EMAIL).think(0).add(*said)


def test_6_3_4_an_answer_is_waited_for_from_the_start_the_sending_or_the_resumption():
    """§ 6.8.3.

    § 6.3.4 (reading). Verdict: the latest of those there are; nobody is silent when over.
    """
    begun, sent = Record(EMAIL), waiting()
    assert (find_awaiting_day(begun.state), find_awaiting_day(sent.state)) == (QUIET_DAY, QUIET_DAY)
    assert find_awaiting_day(Record(EMAIL).add(GameResumed(RESUMED)).state) == RESUMED
    assert find_awaiting_day(waiting(GameResumed(RESUMED)).state) == RESUMED
    assert silent_since(sent.state) == QUIET_DAY
    assert silent_since(waiting(GameResumed(RESUMED)).state) == RESUMED
    assert silent_since(begun.state) == QUIET_DAY, "of whom nothing was ever heard: the start"
    assert silent_since(waiting(PlayerResigned(BLACK, QUIET_DAY)).state) is None


def test_6_3_4_notice_and_reminder_of_before_a_resumption_are_over():
    """§ 6.3.4, Kendelse 59: asked anew. Verdict: what was said from that day on counts."""
    noticed, reminded = LongThinkNotified(BLACK, after(QUIET_DAY, 2)), after(QUIET_DAY, 14)
    resumed = GameResumed(RESUMED)
    before = (noticed, OpponentReminded(WHITE, reminded), resumed)
    state = waiting(*before).state
    assert (has_notice(state), last_reminder(state)) == (False, None)
    again = waiting(
        *before, LongThinkNotified(BLACK, RESUMED), OpponentReminded(WHITE, RESUMED)
    ).state
    assert (has_notice(again), last_reminder(again)) == (True, RESUMED)


def test_6_3_4_the_leader_who_was_told_on_the_day_of_the_reminder_is_told():
    """§ 6.3.4: once after a reminder. Verdict: that day included, an earlier one not."""
    reminded = OpponentReminded(WHITE, after(QUIET_DAY, 14))
    assert leader_on(waiting(reminded, LeaderTold(WHITE, reminded.on)).state) is None
    early = waiting(LeaderTold(WHITE, after(QUIET_DAY, 13)), reminded).state
    assert leader_on(early) == after(QUIET_DAY, 21)


@pytest.mark.parametrize(("near", "days"), [(3, 38), (40, 1), (41, 1), (39, 2)])
def test_6_3_3_1_no_warning_comes_before_so_many_days_are_used(near, days):
    """§ 6.3.3.1: 40 days from the receipt of the day after. Verdict: at 40 left, at once."""
    assert not_before(waiting().state, "control_warning", near) == after(QUIET_DAY, days)


def test_6_3_4_no_reminder_comes_before_the_fourteenth_day():
    """§ 6.3.4. Verdict: 14 days; what is over and what is asked of nobody has no day."""
    assert not_before(waiting().state, "reminder") == after(QUIET_DAY, 14)
    assert not_before(waiting(PlayerResigned(BLACK, QUIET_DAY)).state, "control_warning") is None
    assert not_before(waiting().state, "leader_told") is None


def test_6_3_3_1_a_game_taken_over_is_warned_only_of_days_the_server_led():
    """§ 6.3.3.1: 3 left on the 38th day, 1 on the 40th. Verdict: not the day it came."""
    near_three, near_one = after(QUIET_DAY, 38), after(QUIET_DAY, 40)
    assert control_warnings_on(waiting().state, (1, 3)) == (near_three, near_one)
    assert control_warnings_on(waiting(TakenOver(near_three)).state, (3, 1)) == (near_one,)
    the_day_before = TakenOver(after(near_three, -1))
    assert control_warnings_on(waiting(the_day_before).state, (3,)) == (near_three,)


def test_6_8_2_no_control_is_near_while_time_stands_still():
    """§ 6.8.2. Verdict: no day, as long as nobody knows when it goes on."""
    standing = waiting(GamePaused(QUIET_DAY, None, PauseReason.OUTAGE))
    assert control_warning_on(standing.state) is None
