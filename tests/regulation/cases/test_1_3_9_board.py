"""§ 1.3.9, § 6.4.3: the Board decides as three, by majority; its deposits are seen to arrive."""

from datetime import date, timedelta

import pytest

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.board import DECIDED, PARTY, PLAYS, VACANT, list_absences, seat_board
from kskak.cases.case import BoardSeat, CaseReason
from kskak.cases.case_events import AppealEnd, CaseKind, Instance, Vote
from kskak.cases.decide_case import decide_case
from kskak.office.books import AdultFee, change_fee, fee_on
from tests.fakes.machinery.each import each
from tests.regulation.dispute import (
    ANNA,
    BENT,
    BOARD,
    CLAIMANT,
    CONTROLLER,
    FEE,
    KARL,
    LEADER,
    LIS,
    LOST,
    MEMBERS,
    NILS,
    NINA,
    NORA,
    OPPONENT,
    PAID,
    PANEL,
    STRANGER,
    WARNING,
    Case,
)


@pytest.mark.parametrize(("voters", "is_enough"), [(1, False), (2, False), (3, True)])
def test_1_3_9_three_members_decide_and_no_fewer(voters, is_enough):
    """§ 1.3.9, Kendelse 135: what one or two decided, the Board of three has not decided."""
    case = Case().to_board().paid()
    case.vote(*[()] * voters)
    answer = case.ask(case_commands.Decide(case.decision()), BOARD)
    if is_enough:
        assert isinstance(answer, tuple)
    else:
        assert answer.reason is CaseReason.NO_QUORUM
        assert answer.paragraph == "1.3.9"


def test_1_3_9_a_vote_counts_once_and_the_last_word_of_it():
    """§ 1.3.9: one member voting three times is one vote; a fourth member has none."""
    case = Case().to_board()
    for upholds in ((), (BENT,), ()):
        case.do(case_commands.CastVote(upholds), BOARD)
    assert case.now.votes == (Vote(NINA),)
    assert case.ask(case_commands.CastVote(), BOARD) == ()
    case.vote((), (BENT,), (BENT,))
    fourth = case_commands.Actor(16, frozenset({Instance.BOARD}), panel=PANEL)
    assert case.refused(case_commands.CastVote(), fourth) is CaseReason.NOT_SEATED


def test_kendelse_107_the_majority_decides_and_who_was_outvoted_is_named():
    """Kendelse 107: two to one for the complainant; the third would have upheld the decision."""
    case = Case().to_board().paid()
    case.vote((), (BENT,), (BENT,))
    case.do(case_commands.CastVote((), "Stemplet er ulæseligt."), BOARD)
    against = case_commands.Decide(case.decision())
    assert case.refused(against, BOARD) is CaseReason.AGAINST_VOTES
    case.do(case_commands.Decide(case.decision(grants=(BENT,))), MEMBERS[1])
    decided = case.now.latest
    assert {vote.member for vote in decided.votes} == {NINA, NILS, NORA}
    assert decided.dissents == (Vote(NINA, (), "Stemplet er ulæseligt."),)


def test_1_3_9_nobody_votes_but_the_board_on_an_appeal_to_it():
    """§ 1.3.9, § 6.4.3: not below, not others, not who decided it below, not for a stranger."""
    below = Case().heard()
    assert below.refused(case_commands.CastVote(), LEADER) is CaseReason.WRONG_INSTANCE
    case = Case().to_board()
    assert case.refused(case_commands.CastVote(), CONTROLLER) is CaseReason.NOT_YOUR_OFFICE
    both = case_commands.Actor(LIS, frozenset({Instance.LEADER, Instance.BOARD}))
    assert case.refused(case_commands.CastVote(), both) is CaseReason.OWN_DECISION
    assert case.refused(case_commands.CastVote((99,)), BOARD) is CaseReason.OTHER_PERSON


def test_6_4_3_the_deposit_is_received_and_paid_back_by_officials():
    """§ 6.4.3: the appellant's word is no receipt; back only what came and is owed."""
    case = Case().to_board()
    (held,) = case.now.deposits
    assert (held.stated, held.received) == (PAID, None)
    came, back = (
        case_commands.ReceiveDeposit(BENT, PAID, FEE),
        case_commands.PayDepositBack(BENT, case.day, "Giro"),
    )
    for who in (OPPONENT, STRANGER, LEADER):
        assert case.refused(came, who) is CaseReason.NOT_YOUR_OFFICE
    short = case_commands.ReceiveDeposit(BENT, case_events.Deposit(FEE - 1, PAID.on, ""), FEE)
    assert case.refused(short, CONTROLLER) is CaseReason.DEPOSIT_SHORT
    late = case_commands.ReceiveDeposit(
        BENT, case_events.Deposit(FEE, case.day + timedelta(1), ""), FEE
    )
    assert case.refused(late, CONTROLLER) is CaseReason.DATES
    case.do(came, CONTROLLER)
    assert case.ask(came, CONTROLLER) == (), "said twice, booked once"
    assert case.refused(back, CONTROLLER) is CaseReason.NOT_OWED
    case.decide(grants=(BENT,))
    assert case.now.deposits[0].is_owed
    case.do(back, CONTROLLER)
    assert not case.now.deposits[0].is_owed
    assert case.ask(back, CONTROLLER) == ()


def test_6_4_3_without_its_deposit_an_appeal_is_dismissed_and_never_upheld():
    """§ 6.4.3: no deposit, no decision; «tilbagebetales» only of what came."""
    case = Case().to_board().vote((BENT,), (BENT,), (BENT,))
    for ends in (None, AppealEnd.SENT_BACK, AppealEnd.DISMISSED):
        gone = case.now.in_question if ends is AppealEnd.SENT_BACK else ()
        upheld = case.decision(grants=(BENT,), appeal=ends, annuls=gone)
        assert case.refused(case_commands.Decide(upheld), BOARD) is CaseReason.DEPOSIT_MISSING
    case.vote((), (), ())
    refused = case_commands.Decide(case.decision())
    assert case.refused(refused, BOARD) is CaseReason.DEPOSIT_MISSING
    case.do(case_commands.Decide(case.decision(appeal=AppealEnd.DISMISSED)), BOARD)
    held = case.now.deposits[0]
    assert (held.is_owed, held.received) == (False, None)
    back = case_commands.PayDepositBack(BENT, case.day, "")
    assert case.refused(back, CONTROLLER) is CaseReason.NOT_OWED


@pytest.mark.parametrize(
    ("ends", "is_returned"), [(AppealEnd.DISMISSED, False), (AppealEnd.INCOMPETENT, True)]
)
def test_kendelse_116_what_is_not_the_boards_matter_gives_the_deposit_back(ends, is_returned):
    """Kendelse 116 («afvises. Depositum findes at burde tilbagebetales»), 133 («er tabt»)."""
    case = Case().to_board().decide(appeal=ends)
    assert (case.now.deposits[0].is_returned, case.now.deposits[0].is_owed) == (
        is_returned,
        is_returned,
    )


def test_6_4_3_of_two_appellants_the_one_who_paid_is_heard():
    """§ 6.4.3: the other's appeal hinders nothing, and he is not upheld."""
    case = Case().to_board().appeal(CLAIMANT, deposit=PAID, fee=FEE).paid(ANNA)
    case.vote((ANNA, BENT), (ANNA, BENT), (ANNA, BENT))
    both = case_commands.Decide(case.decision(grants=(ANNA, BENT)))
    assert case.refused(both, BOARD) is CaseReason.DEPOSIT_MISSING
    case.vote((ANNA,), (ANNA,), (ANNA,))
    case.do(case_commands.Decide(case.decision(grants=(ANNA,))), BOARD)
    assert {held.person: held.is_owed for held in case.now.deposits} == {ANNA: True, BENT: False}


def test_6_4_3_while_the_fee_is_unknown_the_appeal_waits_and_one_ore_is_not_enough():
    """§ 6.4.3: nobody can pay a sum he isn't told; the term is kept, the decision waits."""
    case = Case().heard().decide(LOST).deliver().appeal().decide().deliver().appeal(fee=None)
    (held,) = case.now.deposits
    assert (held.stated, held.fee, held.is_awaited) == (None, None, True)
    ore = case_events.Deposit(1, case.day, "")
    assert (
        case.refused(case_commands.ReceiveDeposit(BENT, ore), CONTROLLER)
        is CaseReason.DEPOSIT_UNKNOWN
    )
    short = case_commands.ReceiveDeposit(BENT, ore, FEE)
    assert case.refused(short, CONTROLLER) is CaseReason.DEPOSIT_SHORT
    case.do(case_commands.ReceiveDeposit(BENT, PAID, FEE), CONTROLLER)
    assert not case.now.deposits[0].is_awaited


@pytest.mark.parametrize(
    ("on", "kroner"),
    [(date(2026, 6, 30), 540), (date(2026, 7, 1), 560), (date(2027, 6, 30), 560)],
)
def test_6_4_3_the_deposit_is_the_fee_of_the_day_of_the_appeal(on, kroner):
    """§ 1.3.6: the delegates fix it from 1 July. § 6.4.3, § 1.3.9: «til enhver tid gældende»."""
    fees = change_fee((AdultFee(date(2025, 7, 1), 540),), AdultFee(date(2026, 7, 1), 560))
    assert fee_on(fees, on) == next(one for one in fees if one.kroner == kroner)
    assert fee_on(fees, date(2025, 6, 30)) is None


def test_1_3_9_where_the_controller_decided_first_no_deposit_is_asked():
    """§ 1.3.9: «såfremt Skaknævnet fungerer som tredjeinstans», and not as second (reading)."""
    case = Case(by=CONTROLLER, instance=Instance.CONTROLLER).heard().decide(sanctions=(WARNING,))
    case.deliver().appeal(fee=FEE)
    assert (case.now.instance, case.now.deposits) == (Instance.BOARD, ())
    case.decide()
    assert not any(isinstance(event, case_events.DepositSettled) for event in case.events)
    third = Case().heard().decide(LOST).deliver().appeal().decide().deliver()
    assert third.refused(case_commands.Appeal("d", fee=FEE), OPPONENT) is CaseReason.NO_DEPOSIT


def test_6_4_3_the_controllers_stage_knows_no_deposit():
    """§ 6.4.3: the deposit belongs to the appeal to the Board."""
    case = Case().heard().decide().deliver().appeal(deposit=PAID, fee=FEE)
    assert case.now.deposits == ()
    case.decide(grants=(BENT,))
    assert not any(isinstance(event, case_events.DepositSettled) for event in case.events)


SUBSTITUTES = (21, 22, 23)


@each(
    ("absences", "seats"),
    [
        ({}, PANEL),
        ({NILS: "syg"}, (PANEL[0], PANEL[2], BoardSeat(21, NILS, "syg"))),
        ({NILS: "syg", 21: PLAYS}, (PANEL[0], PANEL[2], BoardSeat(22, NILS, "syg"))),
        (
            {NINA: PARTY, NORA: DECIDED},
            (PANEL[1], BoardSeat(21, NINA, PARTY), BoardSeat(22, NORA, DECIDED)),
        ),
        ({NINA: "a", NILS: "b", 21: "c", 22: "d"}, (PANEL[2], BoardSeat(23, NINA, "a"))),
        (dict.fromkeys((NINA, NILS, NORA, *SUBSTITUTES), "x"), ()),
    ],
)
def test_1_3_9_a_substitute_sits_in_order_where_a_member_can_not(absences, seats):
    """§ 1.3.9: three members, three substitutes; never somebody because he voted first."""
    assert seat_board((NINA, NILS, NORA), SUBSTITUTES, absences) == seats


def test_1_3_9_a_vacant_seat_is_a_substitutes():
    assert seat_board((NINA, NILS), SUBSTITUTES, {})[2] == BoardSeat(21, None, VACANT)
    assert seat_board((NINA, NILS), (NINA,), {}) == PANEL[:2], "nobody sits twice"


def test_1_3_9_who_is_a_party_decided_below_or_plays_is_recused_and_who_says_so_is_excused():
    case = Case().to_board()
    assert list_absences(case.now, {NORA}) == {
        NORA: PLAYS, ANNA: PARTY, BENT: PARTY, LIS: DECIDED, KARL: DECIDED,
    }  # fmt: skip
    case.do(case_commands.CastVote((), ""), MEMBERS[1])
    assert case.refused(case_commands.ExcuseMember(NILS, "  "), BOARD) is CaseReason.NO_REASONS
    assert case.refused(case_commands.ExcuseMember(21, "syg"), BOARD) is CaseReason.NOT_SEATED
    assert case.refused(case_commands.ExcuseMember(NILS, "syg"), LEADER) is not None
    case.do(case_commands.ExcuseMember(NILS, "Bortrejst."), BOARD)
    assert list_absences(case.now, ())[NILS] == "Bortrejst."
    assert case.now.votes == (), "his vote went with him"


def test_1_3_9_the_substitute_votes_with_whose_seat_it_is_and_why():
    """§ 1.3.9, § 6.1.1: in the order of appointment."""
    case = Case().to_board().paid().do(case_commands.ExcuseMember(NILS, "Bortrejst."), BOARD)
    panel = seat_board((NINA, NILS, NORA), SUBSTITUTES, list_absences(case.now, ()))
    seated = [
        case_commands.Actor(s.member, frozenset({Instance.BOARD}), panel=panel) for s in panel
    ]
    gone = case_commands.Actor(NILS, frozenset({Instance.BOARD}), panel=panel)
    assert case.refused(case_commands.CastVote(), gone) is CaseReason.NOT_SEATED
    second = case_commands.Actor(22, frozenset({Instance.BOARD}), panel=panel)
    assert case.refused(case_commands.CastVote(), second) is CaseReason.NOT_SEATED
    for actor in seated:
        case.do(case_commands.CastVote(), actor)
    case.do(case_commands.Decide(case.decision()), seated[0])
    assert case.now.latest.votes[-1] == Vote(21, (), "", NILS, "Bortrejst.")


def test_1_3_9_a_general_question_is_answered_by_three_and_published_once():
    """§ 1.3.9: «kan besvare forespørgsler … udformet generelt»; no games, no instance below."""
    asked = (CaseKind.QUESTION, (ANNA,), "Må man bruge bøger?", ("1.3.9",))
    case = Case.opened(case_commands.OpenCase(*asked, instance=Instance.BOARD), CLAIMANT)
    below = case_commands.OpenCase(*asked)
    about = case_commands.OpenCase(*asked, games=(501,), instance=Instance.BOARD)
    for wrong in (below, about):
        answer = decide_case(None, wrong, case.day, CLAIMANT)
        assert answer.reason is CaseReason.WRONG_INSTANCE
    publish = case_commands.PublishDecision("Bøger.", "Ja.")
    assert case.refused(publish, BOARD) is CaseReason.NOT_DECIDED
    case.vote((), ())
    assert case.refused(case_commands.Decide(case.decision()), BOARD) is CaseReason.NO_QUORUM
    case.vote((), (), ()).do(case_commands.Decide(case.decision()), BOARD)
    assert case.now.stage.value == "final"
    assert case.refused(publish, CLAIMANT) is CaseReason.NOT_SEATED
    case.do(publish, BOARD)
    assert case.refused(publish, BOARD) is CaseReason.ALREADY_DECIDED
