"""§ 6.3.4, § 6.8.3: what a silence costs.

Not for moves that are none (test_6_3_5_illegal_moves.py).
"""

import pytest

from kskak.game import game_commands as cmd
from kskak.game.game_events import LeaderTold, LongThinkNotified, OpponentReminded
from kskak.play.decide_command import decide
from kskak.reflection import leader_due, reminder_due
from kskak.regulation.editions import EMAIL, POSTAL, Channel
from tests.regulation.record import BLACK, QUIET_DAY, WHITE, Record, after
from tests.regulation.record import EMAIL as EMAIL_RECORD
from tests.regulation.record import POSTAL as POSTAL_RECORD

DAY_14, DAY_15 = 14, 15


def silent(days: int, *said, regulation=POSTAL_RECORD) -> Record:
    """White has moved at once; Black answers after these days, this having been said."""
    return Record(regulation).think(0).add(*said).think(days)


def extra(record: Record) -> list[tuple[int, str, str]]:
    return [(c.days, c.paragraph, c.reason) for c in record.account().charges]


REMINDED = (3, "6.3.4", "over_14_days_reminded")
TOLD = (6, "6.3.4", "over_14_days_tl")


def test_6_3_4_fourteen_days_are_free_the_fifteenth_costs_three():
    """§ 6.3.4: more than 14 days without notice, reminded. Verdict: 14 free, 15 costs 3."""
    reminder = OpponentReminded(WHITE, after(QUIET_DAY, 14))
    assert extra(silent(DAY_14, reminder)) == []
    late = silent(DAY_15, reminder)
    assert extra(late) == [REMINDED]
    assert late.used(BLACK) == 18
    assert late.account().charges[0].on == after(QUIET_DAY, 15), "the sending day"


def test_6_3_4_the_leader_told_costs_six_more_but_only_on_top():
    """§ 6.3.4: +6 when the TL had to be told. Verdict: 9; without a reminder nothing."""
    reminder, told = (
        OpponentReminded(WHITE, after(QUIET_DAY, 14)),
        LeaderTold(WHITE, after(QUIET_DAY, 21)),
    )
    assert extra(silent(22, reminder, told)) == [REMINDED, TOLD]
    assert silent(22, reminder, told).used(BLACK) == 31
    assert extra(silent(22, told)) == []
    assert extra(silent(22)) == []


def test_6_3_4_notice_before_the_answer_frees_him():
    """§ 6.3.4: he has given notice. Verdict: nothing, whoever reminded; from the other nothing."""
    reminder = OpponentReminded(WHITE, after(QUIET_DAY, 14))
    assert extra(silent(20, LongThinkNotified(BLACK, after(QUIET_DAY, 20)), reminder)) == []
    assert extra(silent(20, LongThinkNotified(WHITE, after(QUIET_DAY, 3)), reminder)) == [REMINDED]
    assert extra(silent(20, OpponentReminded(BLACK, after(QUIET_DAY, 14)))) == []


@pytest.mark.parametrize(("on", "counts"), [(-1, False), (0, True), (16, True), (17, False)])
def test_6_3_4_what_is_said_counts_from_receipt_to_sending(on, counts):
    """§ 6.3.4: both days included. Verdict: the day before and the day after do not count."""
    charged = extra(silent(16, OpponentReminded(WHITE, after(QUIET_DAY, on))))
    assert charged == ([REMINDED] if counts else [])
    notice = LongThinkNotified(BLACK, after(QUIET_DAY, on))
    charged = extra(silent(16, OpponentReminded(WHITE, after(QUIET_DAY, 14)), notice))
    assert charged == ([] if counts else [REMINDED])


def test_6_3_4_what_was_said_about_an_earlier_move_is_forgotten():
    """§ 6.3.4: a reminder belongs to its move. Verdict: the next long think is free."""
    record = silent(15, OpponentReminded(WHITE, after(QUIET_DAY, 14)))
    assert extra(record.think(0).think(15)) == [REMINDED]


def test_6_3_4_the_days_can_overstep():
    """§ 6.3.4: 28 days and 3 more is 31. Verdict: overstep on the sending day."""
    record = silent(28, OpponentReminded(WHITE, after(QUIET_DAY, 14)))
    late = record.state.overstep
    assert late is not None
    assert (late.used, late.on) == (31, after(QUIET_DAY, 28))
    assert silent(27, OpponentReminded(WHITE, after(QUIET_DAY, 14))).state.overstep is None


def test_6_3_4_is_not_charged_in_email_games():
    """§ 6.3.4 against § 6.8.6, which lists its penalties (reading). Verdict: nothing."""
    said = OpponentReminded(WHITE, after(QUIET_DAY, 14)), LeaderTold(WHITE, after(QUIET_DAY, 21))
    assert extra(silent(30, *said, regulation=EMAIL_RECORD)) == []


def test_6_3_4_notice_is_given_by_him_whose_turn_it_is():
    """§ 6.3.4: who is to move gives notice. Verdict: the other is refused."""
    state = Record(POSTAL_RECORD).think(0).state
    given = decide(state, cmd.NotifyLongThink(BLACK), QUIET_DAY)
    assert given == (LongThinkNotified(BLACK, QUIET_DAY),)
    assert decide(state, cmd.NotifyLongThink(WHITE), QUIET_DAY).paragraph == "6.2.1"


def test_6_3_4_and_6_8_3_when_to_remind_and_when_to_tell_the_leader():
    """§ 6.3.4, § 6.8.3: 14 days and the post both ways, then 7. Verdict: leave stops them too."""
    state = Record(EMAIL_RECORD).think(0).state
    assert reminder_due(state.calendar, QUIET_DAY, EMAIL) == after(QUIET_DAY, 14)
    assert reminder_due(state.calendar, QUIET_DAY, POSTAL, post_days=2) == after(QUIET_DAY, 18)
    assert leader_due(state.calendar, QUIET_DAY, EMAIL) == after(QUIET_DAY, 7)
    assert leader_due(state.calendar, QUIET_DAY, POSTAL) == after(QUIET_DAY, 7)


def test_6_3_4_the_window_holds_for_cards_too():
    """§ 6.3.4: a card answered after 15 days of a reminded silence. Verdict: 3 more."""
    record = Record(POSTAL_RECORD).dispatch(None, QUIET_DAY, Channel.POST)
    record.add(OpponentReminded(WHITE, after(QUIET_DAY, 15)))
    record.dispatch(after(QUIET_DAY, 2), after(QUIET_DAY, 17), Channel.POST)
    assert record.used(BLACK) == 18
