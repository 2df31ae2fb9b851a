"""A case that takes further games and parties in, and a decision that annuls another case's."""

from dataclasses import replace

import pytest

from kskak.cases import case as case_commands
from kskak.cases.case import CaseReason, CaseStage
from kskak.cases.case_events import Decision, GameOrder, Instance, game_events
from kskak.game.game_events import RulingAnnulled, RulingApplied
from tests.regulation.dispute import (
    ANNA,
    BENT,
    BOARD,
    CLAIMANT,
    CONTROLLER,
    DAY,
    GAME,
    LEADER,
    LIS,
    LOST,
    OLE,
    QUARANTINE,
    STRANGE_GAME,
    STRANGER,
    Case,
)

ALSO = case_commands.WidenCase((STRANGE_GAME,), (OLE,))
STRANGE = replace(LOST, game=STRANGE_GAME)


def test_the_leader_takes_a_game_and_a_party_in_and_they_are_ruled_on():
    """§ 6.4.1 (reading): the new game may be ruled on, the new party is heard and appeals."""
    case = Case()
    assert case.do(ALSO, LEADER).now.opened.games[-1] == STRANGE_GAME
    assert OLE in case.now.opened.parties and OLE in case.now.may_appeal
    case.do(case_commands.AskParties(case.day, (OLE,)), LEADER)
    case.heard().decide(STRANGE)


def test_a_new_party_is_heard_before_a_case_that_was_ready_is_decided():
    """§ 6.4.1: a game alone leaves the hearing closed."""
    case = Case().heard().do(case_commands.WidenCase((STRANGE_GAME,)), LEADER)
    assert case.now.stage is CaseStage.HEARD
    case.do(case_commands.WidenCase((), (OLE,)), LEADER)
    assert case.now.stage is CaseStage.OPENED
    assert case.refused(case_commands.Decide(case.decision(LOST)), LEADER) is CaseReason.NOT_HEARD


def test_what_is_in_the_case_already_is_no_event():
    """§ 6.4.1."""
    assert Case().ask(case_commands.WidenCase((GAME, GAME), (ANNA, BENT)), LEADER) == ()


@pytest.mark.parametrize(
    ("actor", "reason"),
    [
        (CLAIMANT, CaseReason.NOT_YOUR_OFFICE),
        (STRANGER, CaseReason.NOT_YOUR_OFFICE),
        (CONTROLLER, CaseReason.NOT_YOUR_OFFICE),
        (BOARD, CaseReason.NOT_YOUR_OFFICE),
        (replace(LEADER, is_barred=True), CaseReason.OWN_GROUP),
    ],
)
def test_only_who_leads_the_case_widens_it(actor: case_commands.Actor, reason: CaseReason):
    """§ 6.1.1, § 6.4.1."""
    assert Case().refused(ALSO, actor) is reason


def test_nobody_makes_himself_a_party_of_the_case_he_leads():
    """§ 6.1.1."""
    assert Case().refused(case_commands.WidenCase((), (LIS,)), LEADER) is CaseReason.OWN_GROUP


def test_a_decided_or_closed_case_takes_nothing_in_but_an_appeal_does():
    """§ 6.4.3."""
    case = Case().heard().decide(LOST)
    assert case.refused(ALSO, LEADER) is CaseReason.ALREADY_DECIDED
    case.deliver().appeal().do(ALSO, CONTROLLER)
    assert case.now.stage is CaseStage.APPEALED and OLE in case.now.opened.parties
    settled = Case().do(case_commands.SettleCase("Enige."), LEADER)
    assert settled.refused(ALSO, LEADER) is CaseReason.NOT_OPEN


def elsewhere(instance: Instance = Instance.LEADER, *orders: GameOrder, **more) -> Decision:
    """A decision of an earlier case."""
    return Decision("E-1/1", instance, DAY, ("6.4.1",), "Fordi.", games=orders or (LOST,), **more)


def test_an_earlier_cases_decision_is_annulled_and_its_games_know_it():
    """§ 6.4.1-6.4.3: at the same instance; what it did to the games goes."""
    case = Case().heard().do(case_commands.CiteDecision(elsewhere()), LEADER)
    case.decide(annuls=("E-1/1",))
    latest = case.now.latest
    assert latest is not None
    assert game_events(latest, case.now.known) == {GAME: (RulingAnnulled("E-1/1"),)}


def test_it_stands_again_when_a_higher_instance_says_so():
    """§ 6.4.3: under the new decision's name, in this case."""
    case = (
        Case().heard().do(case_commands.CiteDecision(elsewhere()), LEADER).decide(annuls=("E-1/1",))
    )
    case.deliver().appeal().decide(annuls=("E-7/1",), restores=("E-1/1",), grants=(BENT,))
    latest = case.now.latest
    assert latest is not None
    (ruled,) = game_events(latest, case.now.known)[GAME]
    assert isinstance(ruled, RulingApplied) and ruled.ruling == "E-7/2"


@pytest.mark.parametrize(
    ("cited", "reason"),
    [
        (elsewhere(Instance.CONTROLLER), CaseReason.WRONG_INSTANCE),
        (elsewhere(Instance.BOARD), CaseReason.WRONG_INSTANCE),
        (elsewhere(Instance.LEADER, STRANGE), CaseReason.OTHER_GAME),
        (
            elsewhere(sanctions=(replace(QUARANTINE, person=OLE),)),
            CaseReason.OTHER_PERSON,
        ),
    ],
)
def test_a_higher_word_and_what_is_not_before_the_case_stay(cited: Decision, reason: CaseReason):
    """§ 6.4.3: the leader does not annul the controller; games and persons are before the case."""
    case = Case().heard().do(case_commands.CiteDecision(cited), LEADER)
    assert case.refused(case_commands.Decide(case.decision(annuls=("E-1/1",))), LEADER) is reason


def test_a_word_on_all_that_is_before_the_case_is_annulled_too():
    """§ 6.4.3: all its games, and every person who may appeal. Verdict: it is the case's to say."""
    case = Case().do(ALSO, LEADER).heard()
    everybody = tuple(replace(QUARANTINE, person=one) for one in sorted(case.now.may_appeal))
    orders = (replace(LOST, game=game) for game in case.now.opened.games)
    cited = elsewhere(Instance.LEADER, *orders, sanctions=everybody)
    case.do(case_commands.CiteDecision(cited), LEADER).decide(annuls=("E-1/1",))
    latest = case.now.latest
    assert latest is not None
    assert set(game_events(latest, case.now.known)) == set(case.now.opened.games)


def test_what_was_not_brought_in_is_unknown():
    """§ 6.4.3: nor one that rests on another which is not there."""
    case = Case().heard()
    decision = case_commands.Decide(case.decision(annuls=("E-1/1",)))
    assert case.refused(decision, LEADER) is CaseReason.UNKNOWN_DECISION
    rests = case_commands.CiteDecision(elsewhere(restores=("E-0/1",)))
    assert case.refused(rests, LEADER) is CaseReason.UNKNOWN_DECISION
    assert (
        case.refused(case_commands.CiteDecision(elsewhere()), CLAIMANT)
        is CaseReason.NOT_YOUR_OFFICE
    )


def test_the_other_case_keeps_its_history_and_says_what_became_of_it():
    """§ 6.4.3: written by the server alone, once."""
    other = Case().heard().decide(LOST, sanctions=(QUARANTINE,))
    note = case_commands.NoteAnnulled("E-7/1", "E-9/1")
    assert other.refused(note, LEADER) is CaseReason.NOT_YOUR_OFFICE
    other.do(note, case_commands.SERVER)
    assert other.now.annulled == {"E-7/1"} and len(other.now.decided) == 1
    assert other.now.standing_sanctions() == ()
    assert other.refused(note, case_commands.SERVER) is CaseReason.UNKNOWN_DECISION
    unknown = case_commands.NoteAnnulled("E-7/9", "E-9/1")
    assert other.refused(unknown, case_commands.SERVER) is CaseReason.UNKNOWN_DECISION
