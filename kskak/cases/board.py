"""The Appeals Board: who sits in a case, and that it decides by a majority of three (§ 1.3.9).

Three members and three substitutes, in the order of their election; a substitute sits where a
member is prevented or recused, and why is kept with the vote. Not for who is elected, nor for what
an appeal leads to (evolve_case.py).
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.case import ENDS, Actor, BoardSeat, CaseReason, CaseRefusal, CaseStage, CaseState
from kskak.cases.case_events import AppealEnd, CaseKind, Decision, Instance, Vote
from kskak.regulation.editions import DISPUTES

VACANT, PARTY, DECIDED, PLAYS = "@vacant", "@party", "@decided", "@plays"
"""Why a substitute sits, as keys of the catalogues."""


def list_absences(state: CaseState, barred: Collection[int]) -> dict[int, str]:
    """Who can't sit in the case, and why: by what they said, or recused (readings of § 6.1.1).

    ``barred``: those who play in its group, or whose opponents do.
    """
    found = dict.fromkeys(barred, PLAYS) | dict.fromkeys(state.deciders, DECIDED)
    found |= dict.fromkeys(state.may_appeal, PARTY)
    return found | {one.member: one.reason for one in state.excused}


def seat_board(
    members: Sequence[int], substitutes: Sequence[int], absences: Mapping[int, str]
) -> tuple[BoardSeat, ...]:
    """Who sits: the members, and for each who can't the next substitute who can (§ 1.3.9).

    Both in the order of their election. Fewer than three where there are no more.
    """
    seated = list(members[: DISPUTES.board_members])
    empty: list[tuple[int | None, str]] = [(m, absences[m]) for m in seated if m in absences]
    empty += [(None, VACANT)] * (DISPUTES.board_members - len(seated))
    free = [one for one in substitutes if one not in absences and one not in seated]
    own = tuple(BoardSeat(one) for one in seated if one not in absences)
    return own + tuple(
        BoardSeat(one, instead_of, why) for one, (instead_of, why) in zip(free, empty, strict=False)
    )


def excuse_member(
    state: CaseState, command: case_commands.ExcuseMember, now: date, actor: Actor
) -> tuple[case_events.CaseEvent, ...] | CaseRefusal:
    """A member is prevented or recused, by his own word or another member's; or why not."""
    if state.instance is not Instance.BOARD:
        return CaseRefusal(CaseReason.WRONG_INSTANCE)
    if state.stage in ENDS:
        return CaseRefusal(CaseReason.NOT_OPEN)
    if not command.reason.strip():
        return CaseRefusal(CaseReason.NO_REASONS)
    if command.member not in {seat.member for seat in actor.panel}:
        return CaseRefusal(CaseReason.NOT_SEATED)
    reason = command.reason.strip().lstrip("@")
    return (case_events.MemberExcused(now, actor.person, command.member, reason),)


def cast_vote(
    state: CaseState, command: case_commands.CastVote, now: date, seat: BoardSeat
) -> tuple[case_events.CaseEvent, ...] | CaseRefusal:
    """The member's vote, or why not; whether they may act is checked beforehand (§ 1.3.9)."""
    is_asked = state.opened.kind is CaseKind.QUESTION
    if state.instance is not Instance.BOARD or not (is_asked or state.stage is CaseStage.APPEALED):
        return CaseRefusal(CaseReason.WRONG_INSTANCE)
    if not state.is_heard(now):
        return CaseRefusal(CaseReason.NOT_HEARD)
    if not set(command.upholds) <= {lodged.by for lodged in state.appeals}:
        return CaseRefusal(CaseReason.OTHER_PERSON)
    others = [vote for vote in state.votes if vote.member != seat.member]
    if len(others) >= DISPUTES.board_members:
        return CaseRefusal(CaseReason.BOARD_FULL)
    upholds, text = tuple(sorted(set(command.upholds))), command.text.strip()
    vote = Vote(seat.member, upholds, text, seat.instead_of, seat.reason)
    return () if vote in state.votes else (case_events.BoardVoted(now, vote),)


def lacks_votes(state: CaseState) -> bool:
    """Whether the Board can't decide yet, as not all three have voted (§ 1.3.9, Kendelse 135)."""
    return state.instance is Instance.BOARD and len(state.votes) < DISPUTES.board_members


def upheld(state: CaseState) -> frozenset[int]:
    """The appellants whom a majority of those who voted would uphold (Kendelse 107)."""
    return frozenset(
        lodged.by
        for lodged in state.appeals
        if 2 * sum(lodged.by in vote.upholds for vote in state.votes) > len(state.votes)
    )


def list_unpaid(state: CaseState) -> frozenset[int]:
    """The appellants whose deposit is due and has not been received (§ 6.4.3)."""
    return frozenset(
        held.person for held in state.deposits if held.received is None and held.is_returned is None
    ) & {lodged.by for lodged in state.appeals if lodged.deposit is None}


def board_fault(state: CaseState, decision: Decision) -> CaseReason | None:
    """Why the Board can't decide this: votes lack or disagree, or a deposit lacks (§ 1.3.9).

    Without its deposit an appeal is dismissed, and upheld it is nobody's.
    """
    if decision.instance is not Instance.BOARD:
        return None
    if lacks_votes(state) or decision.votes != state.votes:
        return CaseReason.NO_QUORUM
    if set(decision.grants) != upheld(state):
        return CaseReason.AGAINST_VOTES
    unpaid = list_unpaid(state)
    is_heard = decision.appeal in (None, AppealEnd.SENT_BACK)
    all_unpaid = bool(unpaid) and unpaid == {lodged.by for lodged in state.appeals}
    if unpaid & set(decision.grants) or (is_heard and all_unpaid):
        return CaseReason.DEPOSIT_MISSING
    return None


def publish_decision(
    state: CaseState, command: case_commands.PublishDecision, now: date, actor: Actor
) -> tuple[case_events.CaseEvent, ...] | CaseRefusal:
    """The Board's last decision published, without names; or why not (§ 1.3.9).

    By whoever sits, once: the handbook's rulings are not rewritten either.
    """
    latest = state.latest
    if actor.person is None or actor.seat is None:
        return CaseRefusal(CaseReason.NOT_SEATED)
    if (
        latest is None
        or latest.instance is not Instance.BOARD
        or state.stage is not CaseStage.FINAL
    ):
        return CaseRefusal(CaseReason.NOT_DECIDED)
    facts, decided = command.facts.strip(), command.decided.strip()
    if not (facts and decided):
        return CaseRefusal(CaseReason.NO_REASONS)
    if state.published is not None:
        return CaseRefusal(CaseReason.ALREADY_DECIDED)
    told = case_events.DecisionPublished(now, actor.person, latest.ref, facts, decided)
    return (told,)
