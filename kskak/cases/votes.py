"""The Appeals Board decides by a majority of its three members (§ 1.3.9).

Readings: the statutes give it three members and its own procedure. So three members, or their
substitutes, each vote separately before a decision is entered; what one member alone decides is
not a decision of a committee (Kendelse 135); an outvoted member may give reasons
(Kendelse 107). Not for who sits on it (the server's offices).
"""

from datetime import date

from kskak.cases import commands as cc
from kskak.cases import events as ce
from kskak.cases.decisions import Decision, Instance, Vote
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import CaseStage, CaseState
from kskak.regulation.editions import DISPUTES


def cast_vote(
    state: CaseState, command: cc.CastVote, now: date, member: int
) -> tuple[ce.CaseEvent, ...] | CaseRefusal:
    """The member's vote, or why not; whether they may act is checked beforehand (§ 1.3.9)."""
    if state.instance is not Instance.BOARD or state.stage is not CaseStage.APPEALED:
        return CaseRefusal(CaseReason.WRONG_INSTANCE)
    if not state.is_heard(now):
        return CaseRefusal(CaseReason.NOT_HEARD)
    if not set(command.upholds) <= {lodged.by for lodged in state.appeals}:
        return CaseRefusal(CaseReason.OTHER_PERSON)
    others = [vote for vote in state.votes if vote.member != member]
    if len(others) >= DISPUTES.board_members:
        return CaseRefusal(CaseReason.BOARD_FULL)
    vote = Vote(member, tuple(sorted(set(command.upholds))), command.text.strip())
    return () if vote in state.votes else (ce.BoardVoted(now, vote),)


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


def board_fault(state: CaseState, decision: Decision) -> CaseReason | None:
    """Why the Board can't decide this: too few have voted, or the majority disagrees (§ 1.3.9)."""
    if decision.instance is not Instance.BOARD:
        return None
    if lacks_votes(state) or decision.votes != state.votes:
        return CaseReason.NO_QUORUM
    return None if set(decision.grants) == upheld(state) else CaseReason.AGAINST_VOTES
