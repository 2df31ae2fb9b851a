"""§ 6.4.3: an appeal that is sent back, or dismissed, instead of being decided in the matter."""

import pytest

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.case import CaseReason, CaseStage
from kskak.cases.case_events import AppealEnd, Instance, game_events
from kskak.cases.decide_case import apply_case_events
from kskak.cases.evolve_case import dump_case_event, load_case_event
from kskak.game import game_events as ev
from kskak.regulation.editions import Side
from tests.regulation.dispute import (
    ANNA,
    BENT,
    CLAIMANT,
    CONTROLLER,
    GAME,
    LEADER,
    LOST,
    OPPONENT,
    OTHER_GAME,
    WARNING,
    Case,
)

SENT_BACK = {"appeal": AppealEnd.SENT_BACK}
DISMISSED = {"appeal": AppealEnd.DISMISSED}


def _appealed() -> Case:
    return Case().heard().decide(LOST).deliver().appeal()


def test_6_4_3_a_case_sent_back_is_decided_anew_by_whom_the_appeal_was_against():
    """Verdict: the ruling lapses, its game rests, the leader decides, and that may be appealed."""
    case = _appealed().decide(annuls=("E-7/1",), grants=(BENT,), **SENT_BACK)
    assert (case.now.stage, case.now.instance) == (CaseStage.HEARD, Instance.LEADER)
    assert game_events(case.now.latest, case.now.decisions) == {GAME: (ev.RulingAnnulled("E-7/1"),)}
    assert case.now.suspended == (GAME,)
    assert case.refused(case_commands.Appeal("d"), CLAIMANT) is CaseReason.NOT_DECIDED
    assert (
        case.refused(case_commands.Decide(case.decision(LOST)), CONTROLLER)
        is CaseReason.NOT_YOUR_OFFICE
    )
    case.decide(LOST)
    assert (case.now.stage, case.now.suspended) == (CaseStage.DECIDED, ())
    assert case.deliver().appeal(CLAIMANT).now.instance is Instance.CONTROLLER


def test_6_4_3_the_board_sends_back_to_the_controller_and_all_that_was_found_lapses():
    case = Case().to_board()
    case.decide(annuls=("E-7/1", "E-7/2"), grants=(BENT,), **SENT_BACK)
    assert (case.now.stage, case.now.instance) == (CaseStage.HEARD, Instance.CONTROLLER)
    assert case_events.DepositSettled(case.day, BENT, True) in case.events
    assert case.deliver().now.delivered[-1].ref == "E-7/3", "its letter comes while it is heard"
    assert case.decide(LOST).now.stage is CaseStage.DECIDED


def test_6_3_3_5_a_claim_is_undecided_again_in_a_case_sent_back():
    claim = case_events.GameClaimed(Case().day, GAME, Side.BLACK, ANNA)
    case = Case()
    case.state = apply_case_events(case.state, (claim,))
    case.heard().decide(LOST).deliver().appeal()
    case.decide(annuls=("E-7/1",), grants=(BENT,), **SENT_BACK)
    assert case.now.claims == (claim,)
    assert case.refused(case_commands.LiftSuspension(), LEADER) is CaseReason.CLAIM_UNDECIDED


def test_6_4_3_an_appeal_dismissed_leaves_the_decision_and_goes_on_to_the_instance_above():
    """Verdict: it stands; from the controller one may appeal, the Board's word is the last."""
    case = _appealed().decide(**DISMISSED)
    assert (case.now.stage, case.now.instance) == (CaseStage.DECIDED, Instance.CONTROLLER)
    assert game_events(case.now.latest, case.now.decisions) == {}
    board = Case().to_board().decide(**DISMISSED)
    assert board.now.stage is CaseStage.FINAL
    assert board.events[-1] == case_events.DepositSettled(board.day, BENT, False)
    assert board.refused(case_commands.Appeal("d"), OPPONENT) is CaseReason.LAST_WORD


@pytest.mark.parametrize(
    "wrong",
    [
        SENT_BACK,
        SENT_BACK | {"annuls": ("E-7/1",), "games": (LOST,)},
        SENT_BACK | {"annuls": ("E-7/1",), "sanctions": (WARNING,)},
        DISMISSED | {"annuls": ("E-7/1",)},
        DISMISSED | {"prizes_lost": (BENT,)},
    ],
)
def test_6_4_3_either_word_stands_alone(wrong):
    case = _appealed()
    refused = case.refused(case_commands.Decide(case.decision(**wrong)), CONTROLLER)
    assert refused is CaseReason.APPEAL_ALONE


def test_6_4_3_only_an_appeal_is_sent_back_or_dismissed():
    case = Case().heard()
    for word in (SENT_BACK, DISMISSED):
        refused = case.refused(case_commands.Decide(case.decision(**word)), LEADER)
        assert refused is CaseReason.NOT_APPEALED


def test_6_4_1_games_that_rest_already_rest_on_when_a_case_is_sent_back():
    case = Case().heard()
    case.do(case_commands.SuspendGames((GAME, OTHER_GAME)), LEADER).decide(LOST).deliver().appeal()
    case.decide(annuls=("E-7/1",), grants=(BENT,), **SENT_BACK)
    assert case.now.suspended == (GAME,), "the leader's suspension ended with his decision"


def test_a_decision_that_sends_back_is_kept_and_read():
    """§ 6.4.3."""
    case = _appealed().decide(annuls=("E-7/1",), grants=(BENT,), **SENT_BACK)
    for event in case.events:
        assert load_case_event(dump_case_event(event)) == event
