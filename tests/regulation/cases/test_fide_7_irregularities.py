"""FIDE 7: what each edition asks when the start, the colours or a move was wrong; the ruling."""

from dataclasses import replace
from datetime import date

import pytest

from kskak.cases.aftermath import Irregularity, Remedy, aftermath, clash, laws_remedy
from kskak.cases.case import CaseReason, CaseRefusal
from kskak.cases.case_events import Decision, GameOrder, Instance, game_events
from kskak.cases.what_if import GameOutcome
from kskak.game import game_events as ev
from kskak.play.evolve_game import replay
from kskak.regulation.editions import Result, Side
from tests.fakes.machinery.each import each
from tests.kskak.play.test_set_back import E4, E5, LATER, TERMS, WRONG, on
from tests.regulation.dispute import Case

COLOURS = Irregularity.WRONG_COLOURS
TODAY = on(28)


@each(
    ("year", "plies", "article", "remedy"),
    [
        (2018, 18, "7.3", Remedy.ANEW),
        (2018, 19, "7.3", Remedy.ANEW),
        (2018, 20, "7.3", Remedy.GO_ON),
        (2018, 0, "7.3", Remedy.ANEW),
        (2014, 0, "7.3", Remedy.GO_ON),
        (2014, 18, "7.3", Remedy.GO_ON),
        (2009, 18, "7.2", Remedy.GO_ON),
        (2009, 20, "7.2", Remedy.GO_ON),
    ],
)
def test_fide_7_3_reversed_colours_stay_from_the_tenth_move_of_both(year, plies, article, remedy):
    """2018 only, at 9 and 10 moves; before, the game goes on (FIDE 7.2 in 2009)."""
    found = laws_remedy(COLOURS, year, plies)
    assert (found.article, found.remedy) == (article, remedy)


@pytest.mark.parametrize(("year", "articles"), [(2009, "134"), (2014, "245"), (2018, "245")])
def test_fide_7_5_an_illegal_move_and_displaced_men_are_set_back_a_wrong_start_is_anew(
    year, articles
):
    """Kendelse 47.

    FIDE 7.1, FIDE 7.2, FIDE 7.4, FIDE 7.5: the edition's own numbers, whatever was played.
    """
    kinds = (Irregularity.WRONG_START, Irregularity.DISPLACED, Irregularity.ILLEGAL)
    for plies in (1, 60):
        found = [laws_remedy(kind, year, plies) for kind in kinds]
        assert [one.article for one in found] == [f"7.{number}" for number in articles]
        assert [one.remedy for one in found] == [Remedy.ANEW, Remedy.SET_BACK, Remedy.SET_BACK]


def decision(*ordered: ev.RulingEffect) -> Decision:
    orders = tuple(GameOrder(1, one) for one in ordered)
    return Decision("E-1/1", Instance.LEADER, TODAY, ("6.4.1",), "…", games=orders)


def test_6_4_1_a_ruling_sets_back_first_whatever_the_order_and_says_from_when_time_counts():
    made = decision(ev.GameResumed(TODAY), ev.TotalsSet(5, 7), ev.GameSetBack(2))
    new = game_events(made)[1]
    events = (E4, E5, WRONG, *LATER, ev.PlayerResigned(Side.BLACK, on(25)))
    found = aftermath(TERMS, events, new, TODAY)
    assert not isinstance(found, CaseRefusal)
    assert found.outcome is GameOutcome.RUNS
    state = replay(TERMS, (*events, *new))
    assert (state.position.ply, state.white.total, state.black.total) == (2, 5, 7)
    assert state.receipt == TODAY and state.mover is Side.WHITE


@pytest.mark.parametrize(
    ("ordered", "why"),
    [
        ((ev.GameSetBack(2),), CaseReason.SET_BACK_UNDATED),
        (
            (ev.GameSetBack(2), ev.ResultRuled(Result.DRAW, TODAY, "TL", "")),
            CaseReason.RESULT_AND_RESUME,
        ),
        (
            (ev.GameSetBack(2), ev.GameSetBack(1), ev.GameResumed(TODAY)),
            CaseReason.TWO_ANSWERS,
        ),
    ],
)
def test_6_4_1_a_ruling_that_sets_back_is_whole_and_says_one_thing(ordered, why):
    assert clash(decision(*ordered), Case().state) is why


def test_6_4_1_a_position_inside_a_dispatch_or_never_reached_is_none():
    for ply in (9, 4):
        new = game_events(decision(ev.GameSetBack(ply), ev.GameResumed(TODAY)))[1]
        found = aftermath(TERMS, (E4, E5, WRONG), new, TODAY)
        assert isinstance(found, CaseRefusal) and found.reason is CaseReason.IMPOSSIBLE


def test_fide_7_5_time_is_as_it_was_at_the_position_unless_the_ruling_sets_it():
    new = game_events(decision(ev.GameSetBack(1), ev.GameResumed(TODAY)))[1]
    was, state = replay(TERMS, (E4,)), replay(TERMS, (E4, E5, WRONG, *LATER, *new))
    assert (state.white, state.black) == (was.white, was.black)
    assert replace(state.turn, fixed=None) == replace(was.turn, fixed=None)
    assert state.receipt == date(2026, 11, 28)
