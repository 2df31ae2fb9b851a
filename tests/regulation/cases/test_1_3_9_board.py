"""§ 1.3.9, § 6.4.3: the Board decides as three, by majority; its deposits are seen to arrive."""

from datetime import timedelta

import pytest

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.case import CaseReason
from kskak.cases.case_events import Instance, Vote
from tests.regulation.dispute import (
    BENT,
    BOARD,
    CONTROLLER,
    FEE,
    LEADER,
    LIS,
    MEMBERS,
    NILS,
    NINA,
    NORA,
    OPPONENT,
    PAID,
    STRANGER,
    Case,
)


@pytest.mark.parametrize(("voters", "is_enough"), [(1, False), (2, False), (3, True)])
def test_1_3_9_three_members_decide_and_no_fewer(voters, is_enough):
    """§ 1.3.9, Kendelse 135: what one or two decided, the Board of three has not decided."""
    case = Case().to_board()
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
    fourth = case_commands.Actor(16, frozenset({Instance.BOARD}))
    assert case.refused(case_commands.CastVote(), fourth) is CaseReason.BOARD_FULL


def test_kendelse_107_the_majority_decides_and_who_was_outvoted_is_named():
    """Kendelse 107: two to one for the complainant; the third would have upheld the decision."""
    case = Case().to_board()
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


def test_6_4_3_a_deposit_that_never_came_is_not_paid_back():
    """§ 6.4.3: upheld, but nothing was received."""
    case = Case().to_board().decide(grants=(BENT,))
    assert not case.now.deposits[0].is_owed
    back = case_commands.PayDepositBack(BENT, case.day, "")
    assert case.refused(back, CONTROLLER) is CaseReason.NOT_OWED


def test_6_4_3_the_controllers_stage_knows_no_deposit():
    """§ 6.4.3: the deposit belongs to the appeal to the Board."""
    case = Case().heard().decide().deliver().appeal(deposit=PAID, fee=FEE)
    assert case.now.deposits == ()
    case.decide(grants=(BENT,))
    assert not any(isinstance(event, case_events.DepositSettled) for event in case.events)
