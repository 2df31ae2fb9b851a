"""The Appeals Board's rulings 133 and 135, on other play, as correspondence cases (§ 6.4.2-3)."""

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.case import CaseReason, CaseStage
from kskak.cases.case_events import AppealEnd, game_events
from tests.regulation.dispute import BENT, BOARD, FEE, GAME, LEADER, PAID, QUARANTINE, WARNING, Case


def test_kendelse_133_an_appeal_that_came_too_late_is_dismissed_and_the_result_stands():
    """Kendelse 133: protested the day after it was confirmed. Verdict: too late, deposit lost."""
    case = Case().to_board()
    case.decide(appeal=AppealEnd.DISMISSED, paragraphs=("6.4.3",), reasons="Kom for sent.")
    assert case.events[-1] == case_events.DepositSettled(case.day, BENT, is_returned=False)
    assert game_events(case.now.latest, case.now.decisions) == {}
    assert case.now.annulled == frozenset(), "the leader's result stands"
    assert case.now.stage is CaseStage.FINAL


def test_kendelse_135_a_quarantine_of_one_mans_making_becomes_a_warning():
    """Kendelse 135: decided by one member, with no warning first. Verdict: a warning instead."""
    case = (
        Case(case_events.CaseKind.CONDUCT, LEADER).heard().decide(sanctions=(QUARANTINE,)).deliver()
    )
    case.appeal().decide().deliver().appeal(deposit=PAID, fee=FEE, running_games=(GAME,))
    case.vote((BENT,))
    alone = case.decision(sanctions=(WARNING,), annuls=("E-7/1",), grants=(BENT,))
    assert case.refused(case_commands.Decide(alone), BOARD) is CaseReason.NO_QUORUM, (
        "one is no committee"
    )
    case.decide(sanctions=(WARNING,), annuls=("E-7/1", "E-7/2"), grants=(BENT,))
    assert case.now.standing_sanctions() == (WARNING,)
    assert case_events.DepositSettled(case.day, BENT, is_returned=True) in case.events
    assert case.now.suspended == (), "he plays on"
