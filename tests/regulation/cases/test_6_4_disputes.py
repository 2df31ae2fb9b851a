"""§ 6.1.1, 6.1.2, 6.4.1-6.4.3 and 6.8.10: who decides, who may appeal, until when."""

from dataclasses import replace
from datetime import timedelta

import pytest

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.aftermath import suspension_effects
from kskak.cases.case import CaseReason, CaseRefusal, CaseStage, last_day_of_appeal, next_ref
from kskak.cases.case_events import GameOrder, Instance, game_events
from kskak.game import game_events as ev
from kskak.regulation.editions import DISPUTES, PauseReason
from tests.regulation.dispute import (
    ANNA,
    BENT,
    BOARD,
    CLAIMANT,
    CONTROLLER,
    DAY,
    EXPULSION,
    FEE,
    GAME,
    KARL,
    LEADER,
    LIS,
    LOST,
    OPPONENT,
    OTHER_GAME,
    PAID,
    QUARANTINE,
    STRANGE_GAME,
    STRANGER,
    WARNING,
    Case,
)


def test_6_1_1_only_the_leader_of_the_group_decides_and_never_in_a_group_he_plays_in():
    """§ 6.1.1: one TL a group. Verdict: the stranger, the party and the playing TL are refused."""
    case = Case().heard()
    decide = case_commands.Decide(case.decision(LOST))
    for stranger in (STRANGER, OPPONENT, BOARD, case_commands.SERVER):
        assert case.refused(decide, stranger) is CaseReason.NOT_YOUR_OFFICE
    leads = frozenset({Instance.LEADER})
    assert (
        case.refused(decide, case_commands.Actor(LIS, leads, is_barred=True))
        is CaseReason.OWN_GROUP
    )
    assert case.refused(decide, case_commands.Actor(BENT, leads)) is CaseReason.OWN_GROUP
    assert case.do(decide, LEADER).now.stage is CaseStage.DECIDED


def test_6_1_2_the_controller_hears_appeals_from_the_leaders_and_not_from_himself():
    """§ 6.1.2: the KC is the TLs' superior. Verdict: he decides the appeal, unless it is his."""
    case = Case().heard().decide(LOST).deliver()
    assert (
        case.refused(case_commands.Decide(case.decision()), CONTROLLER)
        is CaseReason.NOT_YOUR_OFFICE
    )
    case.appeal()
    assert case.now.instance is Instance.CONTROLLER
    assert case.refused(case_commands.Decide(case.decision()), LEADER) is CaseReason.NOT_YOUR_OFFICE
    deputy = case_commands.Actor(LIS, frozenset({Instance.LEADER, Instance.CONTROLLER}))
    assert case.refused(case_commands.Decide(case.decision()), deputy) is CaseReason.OWN_DECISION
    assert case.decide().now.latest.instance is Instance.CONTROLLER


def test_6_4_1_a_claim_is_heard_before_it_is_decided():
    """§ 6.4.1: the TL decides disputes. Verdict: not before both were heard or had their time."""
    case = Case()
    assert case.now.opened.claimant == ANNA
    assert case.refused(case_commands.Decide(case.decision()), LEADER) is CaseReason.NOT_HEARD
    case.do(case_commands.AskParties(DAY + timedelta(14)), LEADER)
    assert (case.now.hearing.asked, case.now.due) == ((ANNA, BENT), DAY + timedelta(14))
    assert case.refused(case_commands.CloseHearing(), LEADER, days=14) is CaseReason.NOT_HEARD
    case.do(case_commands.FilePaper(case_events.PaperKind.STATEMENT, "a1"), CLAIMANT)
    assert case.refused(case_commands.CloseHearing(), LEADER, days=14) is CaseReason.NOT_HEARD
    silent = Case().do(case_commands.AskParties(DAY + timedelta(14)), LEADER)
    assert silent.do(case_commands.CloseHearing(), LEADER, days=15).now.stage is CaseStage.HEARD
    case.do(case_commands.FilePaper(case_events.PaperKind.MAIL, "b2", speaker=BENT), LEADER)
    assert case.do(case_commands.CloseHearing(), LEADER).now.stage is CaseStage.HEARD
    assert case.refused(
        case_commands.FilePaper(case_events.PaperKind.STATEMENT, "x"), STRANGER
    ) is (CaseReason.NOT_A_PARTY)


def test_6_4_1_the_leader_says_whether_the_game_is_suspended_until_he_has_decided():
    """§ 6.4.1: in abeyance while the case is treated. Verdict: time stands still, then runs."""
    case = Case()
    assert (
        case.refused(case_commands.SuspendGames((STRANGE_GAME,)), LEADER) is CaseReason.OTHER_GAME
    )
    assert case.refused(case_commands.SuspendGames((GAME,)), CLAIMANT) is CaseReason.NOT_YOUR_OFFICE
    case.do(case_commands.SuspendGames((GAME,)), LEADER)
    paused = {GAME: ev.GamePaused(DAY, None, PauseReason.DISPUTE)}
    assert suspension_effects(case.events[-1]) == paused
    case.heard(days=10).decide()
    assert case.now.suspended == ()
    ended = {GAME: ev.PauseEnded(PauseReason.DISPUTE, DAY + timedelta(9))}
    assert suspension_effects(case.events[-1]) == ended


def test_6_4_1_a_decision_has_reasons_a_paragraph_and_keeps_to_the_case():
    """§ 6.4.1: what a decision needs. Verdict: each want is refused by its name."""
    case = Case().heard()

    def why(**others) -> CaseReason:
        orders = others.pop("orders", ())
        return case.refused(case_commands.Decide(case.decision(*orders, **others)), LEADER)

    assert why(reasons=" ") is CaseReason.NO_REASONS
    assert why(paragraphs=()) is CaseReason.NO_REASONS
    assert why(ref="") is CaseReason.UNKNOWN_DECISION
    assert why(annuls=("E-9/1",)) is CaseReason.UNKNOWN_DECISION
    assert why(orders=(GameOrder(STRANGE_GAME, LOST.effect),)) is CaseReason.OTHER_GAME
    assert why(prizes_lost=(LIS,)) is CaseReason.OTHER_PERSON
    assert why(grants=(BENT,)) is CaseReason.OTHER_PERSON
    assert case.refused(case_commands.Decide(case.decision()), LEADER, days=1) is CaseReason.DATES


def test_6_4_1_decisions_bind_at_once_and_the_leader_may_correct_himself_until_the_appeal():
    """§ 6.4.1: the parties comply at once. Verdict: ledger gets it; a second word annuls it."""
    case = Case().heard().decide(LOST)
    first = case.now.latest
    ruled = ev.ResultRuled(LOST.effect.result, DAY, "TL", first.ref)
    assert game_events(first) == {GAME: (ev.RulingApplied(first.ref, ruled),)}
    assert case.refused(case_commands.Decide(case.decision()), LEADER) is CaseReason.ALREADY_DECIDED
    case.decide(annuls=(first.ref,))
    annulled = {GAME: (ev.RulingAnnulled(first.ref),)}
    assert game_events(case.now.latest, case.now.decisions) == annulled
    case.deliver().appeal()
    again = case.decision(annuls=(case.now.latest.ref,))
    assert case.refused(case_commands.Decide(again), LEADER) is CaseReason.NOT_YOUR_OFFICE


def test_6_4_2_leader_and_controller_may_warn_expel_and_quarantine():
    """§ 6.4.2: both TL and KC. Verdict: by either, on persons of the case, with a term."""
    case = Case(case_events.CaseKind.CONDUCT, LEADER).heard()
    shortest = replace(QUARANTINE, months=1)
    for order in (WARNING, EXPULSION, QUARANTINE, shortest):
        decision = case.decision(sanctions=(order,))
        assert not isinstance(case.ask(case_commands.Decide(decision), LEADER), CaseRefusal)
    for wrong in ({"person": KARL}, {"months": None}, {"months": 0}):
        fields = {"person": BENT, "kind": QUARANTINE.kind, "months": 3} | wrong
        decision = case.decision(sanctions=(type(QUARANTINE)(**fields),))
        assert case.refused(case_commands.Decide(decision), LEADER) in (
            CaseReason.OTHER_PERSON,
            CaseReason.BAD_TERM,
        )
    begun = case_commands.OpenCase(
        case_events.CaseKind.CONDUCT, (BENT,), "?", ("6.4.2",), instance=Instance.CONTROLLER
    )
    case.state = None
    assert case.refused(begun, LEADER) is CaseReason.NOT_YOUR_OFFICE
    assert case.refused(begun, OPPONENT) is CaseReason.WRONG_INSTANCE
    case.do(begun, CONTROLLER).heard().decide(sanctions=(WARNING,))
    assert case.now.standing_sanctions() == (WARNING,)


@pytest.mark.parametrize(("days", "in_time"), [(0, True), (21, True), (22, False)])
@pytest.mark.parametrize("instance", [Instance.LEADER, Instance.CONTROLLER])
def test_6_4_3_an_appeal_comes_within_three_weeks_of_the_delivery_at_each_step(
    days, in_time, instance
):
    """§ 6.4.3: 3 weeks from when it was told to him. Verdict: day 21 is in time, day 22 late."""
    case = Case().heard().decide(LOST).deliver(days=4)
    if instance is Instance.CONTROLLER:
        case.appeal().decide().deliver(days=5)
    appeal = case_commands.Appeal("digest", PAID, FEE)
    assert case.now.appeal_until(BENT) == case.day + timedelta(21)
    if in_time:
        assert case.do(appeal, OPPONENT, days).now.stage is CaseStage.APPEALED
        assert case.now.instance is instance.above
    else:
        assert case.refused(appeal, OPPONENT, days) is CaseReason.LATE
        assert (
            case.do(case_commands.LetStand(), case_commands.SERVER, days).now.stage
            is CaseStage.FINAL
        )
        assert case.refused(appeal, OPPONENT) is CaseReason.LATE


def test_6_4_3_each_ones_term_runs_from_his_own_delivery():
    """§ 6.4.3: told to the complainant. Verdict: Anna is late, Bent, told 5 days later, is not."""
    case = Case().heard().decide(LOST)
    ref = case.now.latest.ref
    assert case.now.appeal_until(ANNA) is None, "not told yet: the term has not begun"
    case.do(case_commands.RecordDelivery(ref, ANNA, DAY), case_commands.SERVER)
    assert (case.now.due, case.ask(case_commands.LetStand(), case_commands.SERVER, days=99)) == (
        None,
        (),
    )
    assert case.ask(case_commands.RecordDelivery(ref, LIS, DAY), case_commands.SERVER) == (), (
        "no term of hers"
    )
    case.do(
        case_commands.RecordDelivery(ref, BENT, DAY + timedelta(5)), case_commands.SERVER, days=5
    )
    case.do(
        case_commands.RecordDelivery(ref, BENT, DAY + timedelta(9)), case_commands.SERVER, days=4
    )
    assert case.now.due == last_day_of_appeal(DAY + timedelta(5)), "told twice is told once"
    assert case.refused(case_commands.Appeal("d"), CLAIMANT, days=13) is CaseReason.LATE
    assert case.ask(case_commands.LetStand(), case_commands.SERVER, days=17) == ()
    assert case.do(case_commands.Appeal("d"), OPPONENT, days=13).now.stage is CaseStage.APPEALED


def test_6_4_3_only_the_parties_and_those_concerned_may_appeal_and_only_once():
    """§ 6.4.3: the complainant. Verdict: a stranger is refused; a second appeal changes nothing."""
    case = Case()
    assert case.refused(case_commands.Appeal("d"), OPPONENT) is CaseReason.NOT_DECIDED
    case.heard().decide(LOST).deliver()
    for stranger in (STRANGER, LEADER, case_commands.SERVER):
        assert case.refused(case_commands.Appeal("d"), stranger) is CaseReason.NOT_A_PARTY
    case.appeal()
    assert case.ask(case_commands.Appeal("d"), OPPONENT) == ()
    assert case.appeal(CLAIMANT).now.stage is CaseStage.APPEALED
    assert [lodged.by for lodged in case.now.appeals] == [BENT, ANNA]


def test_6_4_3_the_board_asks_for_a_deposit_kept_if_the_appeal_fails():
    """§ 6.4.3: the year's adult fee. Verdict: none or too little refused; back if upheld."""
    case = Case().heard().decide(LOST).deliver().appeal().decide().deliver()
    short = case_events.Deposit(FEE - 1, DAY, "bilag")
    unpaid = case_events.Deposit(FEE, DAY + timedelta(1), "bilag")
    for deposit in (None, short, unpaid):
        why = case.refused(case_commands.Appeal("d", deposit, FEE), OPPONENT)
        assert why is CaseReason.NO_DEPOSIT
    for person, grants in ((BENT, (BENT,)), (BENT, ())):
        board = Case().to_board().decide(grants=grants)
        assert board.events[-1] == case_events.DepositSettled(board.day, person, bool(grants))
        assert board.now.stage is CaseStage.FINAL
        assert board.refused(case_commands.Appeal("d", PAID, FEE), CLAIMANT) is CaseReason.LAST_WORD
    back = Case().to_board().do(case_commands.WithdrawAppeal(), OPPONENT)
    assert case_events.DepositSettled(back.day, BENT, True) in back.events
    assert (back.now.stage, back.now.instance) == (CaseStage.DECIDED, Instance.CONTROLLER)


@pytest.mark.parametrize(
    ("sanction", "stands_still"), [(QUARANTINE, True), (EXPULSION, True), (WARNING, False)]
)
def test_6_4_3_no_suspensive_effect_but_before_the_board_against_quarantine_or_expulsion(
    sanction, stands_still
):
    """§ 6.4.3: games stand still on that appeal alone. Verdict: until the Board has decided."""
    case = (
        Case(case_events.CaseKind.CONDUCT, LEADER).heard().decide(sanctions=(sanction,)).deliver()
    )
    case.appeal(running_games=(GAME, OTHER_GAME))
    assert case.now.suspended == (), "to the controller: no suspensive effect"
    case.decide().deliver().appeal(deposit=PAID, fee=FEE, running_games=(GAME, OTHER_GAME))
    assert case.now.suspended == ((GAME, OTHER_GAME) if stands_still else ())
    assert case.decide().now.suspended == ()


def test_6_4_3_what_the_controller_annulled_suspends_nothing_before_the_board():
    """§ 6.4.3: against quarantine or expulsion imposed. Verdict: annulled, it is none."""
    case = (
        Case(case_events.CaseKind.CONDUCT, LEADER).heard().decide(sanctions=(EXPULSION,)).deliver()
    )
    case.appeal().decide(annuls=("E-7/1",), grants=(BENT,)).deliver()
    case.appeal(CLAIMANT, deposit=PAID, fee=FEE, running_games=(GAME,))
    assert case.now.suspended == ()
    case.decide(annuls=("E-7/2",), restores=("E-7/1",), grants=(ANNA,))
    assert case.now.standing_sanctions() == (EXPULSION,)


def test_6_4_3_a_later_instance_overturns_what_was_found_two_instances_below():
    """§ 6.4.3, § 1.3.9: the Board has the last word. Verdict: both earlier rulings go."""
    case = Case().to_board()
    other = GameOrder(OTHER_GAME, ev.GameResumed(case.day))
    case.decide(other, annuls=("E-7/1", "E-7/2"), grants=(BENT,))
    assert game_events(case.now.latest, case.now.decisions) == {
        GAME: (ev.RulingAnnulled("E-7/1"),),
        OTHER_GAME: (ev.RulingApplied("E-7/3", other.effect),),
    }
    assert [row.decision.ref for row in case.now.decided] == ["E-7/1", "E-7/2", "E-7/3"]
    assert next_ref("E-7", case.now) == "E-7/4"


def test_kendelse_120_a_sanction_is_annulled_and_several_games_resume_in_one_decision():
    """Kendelse 120: expulsion annulled, the games go on. Verdict: each from the TL's date."""
    case = (
        Case(case_events.CaseKind.CONDUCT, LEADER)
        .heard()
        .decide(LOST, sanctions=(EXPULSION,))
        .deliver()
    )
    case.appeal().decide().deliver().appeal(deposit=PAID, fee=FEE, running_games=(OTHER_GAME,))
    resumed = ev.GameResumed(case.day + timedelta(14))
    orders = [GameOrder(game, resumed) for game in (GAME, OTHER_GAME)]
    case.decide(*orders, annuls=("E-7/1", "E-7/2"), grants=(BENT,))
    assert case.now.standing_sanctions() == ()
    assert game_events(case.now.latest, case.now.decisions) == {
        GAME: (ev.RulingAnnulled("E-7/1"), ev.RulingApplied("E-7/3", resumed)),
        OTHER_GAME: (ev.RulingApplied("E-7/3", resumed),),
    }
    lifted, paid_back = case.events[-1], case.events[-2]
    assert lifted == case_events.SuspensionLifted(case.day, (OTHER_GAME,))
    assert paid_back == case_events.DepositSettled(case.day, BENT, True)


def test_6_4_3_a_claim_may_be_taken_back_or_fall_away_before_it_is_decided():
    """§ 6.4.3 has no word on it (reading). Verdict: by the claimant; later only the appeal."""
    case = Case().do(case_commands.SuspendGames((GAME,)), LEADER)
    assert case.refused(case_commands.WithdrawCase(), OPPONENT) is CaseReason.NOT_A_PARTY
    case.do(case_commands.WithdrawCase(), CLAIMANT)
    assert (case.now.stage, case.now.suspended) == (CaseStage.WITHDRAWN, ())
    assert case.refused(case_commands.CloseHearing("x"), LEADER) is CaseReason.NOT_OPEN
    settled = Case(case_events.CaseKind.SILENCE, case_commands.SERVER).do(
        case_commands.SettleCase("Han svarede."), case_commands.SERVER
    )
    assert settled.now.stage is CaseStage.SETTLED
    late = Case().heard().decide(LOST)
    assert late.refused(case_commands.WithdrawCase(), CLAIMANT) is CaseReason.ALREADY_DECIDED
    assert late.refused(case_commands.SettleCase("x"), LEADER) is CaseReason.ALREADY_DECIDED


def test_6_8_10_in_email_games_the_term_is_that_of_6_4_3():
    """§ 6.8.10, § 6.4.3: "senest 3 uger", said in both. Verdict: 21 days, at both steps."""
    assert last_day_of_appeal(DAY) == DAY + timedelta(days=21)
    assert DISPUTES.appeal_days == 3 * 7
