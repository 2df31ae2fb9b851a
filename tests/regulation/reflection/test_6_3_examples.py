"""The regulation's own examples come out as it says (§ 6.2.5, § 6.3): the help pages' numbers."""

from datetime import date

from kskak.regulation.days import CAUSE_PARAGRAPH
from kskak.regulation.editions import POSTAL, Side
from kskak.statement import worked_examples as examples
from kskak.statement.account import timeline


def test_days_of_a_card_are_0_3_0_and_2_as_the_text_has_them():
    """§ 6.3.1, § 6.3.2: answered the same day, three days later, on Sunday, on Monday."""
    assert [one.days for one in examples.by_post()] == [0, 3, 0, 2]
    sunday = examples.by_post()[2]
    assert [CAUSE_PARAGRAPH[span.cause] for span in sunday.exempt] == ["6.3.2"]


def test_days_of_a_mail_run_from_the_day_after_it_was_sent():
    """§ 6.8.6: the same day, the next, and the third day after the receipt."""
    assert [one.days for one in examples.by_email()] == [0, 0, 3, 7]


def test_days_over_leave_are_1_0_and_5():
    """§ 6.3.6.3: leave from 8/6 to 22/6, both days included."""
    assert [one.days for one in examples.over_leave()] == [1, 0, 5]


def test_leave_told_on_the_5th_begins_on_the_11th_at_the_earliest():
    """§ 6.3.6.1."""
    assert examples.notice() == (date(2026, 6, 5), date(2026, 6, 11))


def test_a_series_of_moves_10_to_12_allows_36_days_and_33_up_to_11():
    """§ 6.3.3.2."""
    assert examples.series_limits(POSTAL) == (36, 33)


def test_a_silent_opponent_is_reminded_after_14_days_and_the_leader_told_after_7_more():
    """§ 6.3.4, § 6.8.3."""
    sent, reminded, reported = examples.silence()
    assert ((reminded - sent).days, (reported - reminded).days) == (14, 7)


def test_the_series_is_the_one_of_the_text():
    """§ 6.2.5: 12. b4-b5 with 12.-, a6xb5 13. Talxa8, Lb7xa8 14. d2-d4."""
    state = examples.with_series().state
    assert [move.uci() for move in state.proposal] == ["a6b5", "a1a8", "b7a8", "d2d4"]
    assert state.to_move is Side.BLACK


def test_the_game_day_by_day_adds_up_to_the_totals_it_states():
    """§ 6.3.6, § 6.8.6: days in the picture and the charge make the clock."""
    game = examples.one_game()
    line = timeline(game)
    added = sum(charge.days for charge in game.charges if charge.by is Side.BLACK)
    assert line.used(Side.WHITE) == game.state.clock(Side.WHITE).total == 14
    assert line.used(Side.BLACK) + added == game.state.clock(Side.BLACK).total
