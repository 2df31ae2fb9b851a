"""§ 6.2.7 games over 18 months, § 6.2.8 a player who leaves."""

from datetime import date

import pytest

from kskak.cases.aftermath import GroupGame, withdraw, withdrawal_orders
from kskak.game.game_events import MoveSent, PlayerResigned, RulingApplied
from kskak.play.due_days import call_in_from, long_games, may_call_in
from kskak.regulation.editions import Result
from tests.regulation.record import BLACK, EMAIL, QUIET_DAY, Record

HE, OTHERS = 7, (1, 2, 3, 4, 5, 6)
WON, LOST, DRAWN = Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW


def group(*results: Result | None) -> list[GroupGame]:
    """His six games, white and black in turn, with these results and the rest running."""
    rows = []
    for number, other in enumerate(OTHERS):
        result = results[number] if number < len(results) else None
        white, black = (HE, other) if number % 2 == 0 else (other, HE)
        rows.append(GroupGame(500 + number, white, black, result))
    return [*rows, GroupGame(600, 1, 2, DRAWN)]


def test_6_2_7_an_unfinished_game_may_be_called_in_when_18_months_have_passed():
    """§ 6.2.7, from the group's start (reading). Verdict: on 1 September, not the day before."""
    start = date(2025, 3, 1)
    assert call_in_from(start) == date(2026, 9, 1)
    assert not may_call_in(start, False, date(2026, 8, 31))
    assert may_call_in(start, False, date(2026, 9, 1))
    assert not may_call_in(start, True, date(2027, 1, 1)), "finished"
    assert call_in_from(date(2024, 8, 31)) == date(2026, 3, 1), "no 31 February"


def test_6_2_7_the_list_has_the_longest_first_and_no_young_game():
    """§ 6.2.7: the TL's list of unfinished games. Verdict: those over 18 months, oldest first."""
    running = [
        (date(2024, 1, 1), "old"),
        (date(2023, 1, 1), "older"),
        (date(2025, 12, 1), "young"),
        (date(2024, 7, 1), "just"),
        (date(2024, 7, 2), "not yet"),
    ]
    assert long_games(running, date(2026, 1, 1)) == ["older", "old", "just"]


@pytest.mark.parametrize(
    ("finished", "loses_all"), [(0, True), (2, True), (3, True), (4, False), (6, False)]
)
def test_6_2_8_with_at_most_half_of_his_games_finished_he_loses_them_all(finished, loses_all):
    """§ 6.2.8: at most half. Verdict: 3 of 6 finished loses all six, 4 of 6 does not."""
    left = withdraw(HE, group(*[DRAWN] * finished), has_reason=True)
    assert (left.finished, left.games, left.loses_all) == (finished, 6, loses_all)
    assert len(withdrawal_orders(left, QUIET_DAY)) == (6 if loses_all else 0)
    assert sum(fate.is_adjudicated for fate in left.fates) == (0 if loses_all else 6 - finished)


def test_6_2_8_finished_games_are_lost_too_whatever_their_results():
    """§ 6.2.8: regardless of results. Verdict: won are lost; lost by both stays (reading)."""
    left = withdraw(HE, group(WON, WON, Result.BOTH_LOSE), has_reason=True)
    results = [fate.result for fate in left.fates]
    assert results == [LOST, WON, Result.BOTH_LOSE, WON, LOST, WON]
    changed = [order.game for order in withdrawal_orders(left, QUIET_DAY)]
    assert changed == [500, 503, 504, 505], "only what is new goes into the ledgers"
    assert 600 not in [fate.game for fate in left.fates], "the others' game is not his"


def test_6_2_8_the_orders_change_a_finished_game_and_can_be_annulled():
    """§ 6.2.8 in the ledger. Verdict: a game he had won is lost, and won again if annulled."""
    record = Record(EMAIL).think(0).add(PlayerResigned(BLACK, QUIET_DAY))
    order = withdrawal_orders(withdraw(HE, group(WON), has_reason=True), QUIET_DAY)[0]
    assert record.state.result is WON
    assert record.add(RulingApplied("E-7/1", order.effect)).state.result is LOST
    assert not any(isinstance(event, MoveSent) for event in record.events[-1:])


@pytest.mark.parametrize(
    ("has_reason", "is_silent", "loses_prize"),
    [(True, False, False), (False, False, True), (True, True, True), (False, True, True)],
)
def test_6_2_8_without_valid_reason_the_prize_is_lost_and_silence_is_no_reason(
    has_reason, is_silent, loses_prize
):
    """§ 6.2.8: prize and quarantine. Verdict: a silent player counts as without valid reason."""
    left = withdraw(HE, group(DRAWN), has_reason=has_reason, is_silent=is_silent)
    assert (left.loses_prize, left.may_be_quarantined) == (loses_prize, loses_prize)


def test_6_2_8_who_says_that_he_leaves_and_why_is_not_silent():
    """§ 6.2.8. Verdict: his prize is his, when nothing else is told."""
    assert not withdraw(HE, group(DRAWN), has_reason=True).loses_prize


def test_6_2_8_who_is_not_in_the_group_can_not_leave_it():
    """§ 6.2.8 is about his games. Verdict: an error, not an empty withdrawal."""
    with pytest.raises(ValueError, match="no game"):
        withdraw(99, group(), has_reason=True)
