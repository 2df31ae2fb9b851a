"""Who may decide a case, and whether a decision is complete and fits it (§ 6.4.1-6.4.3).

Not for what a decision does to games (decisions.py) nor for appeals (appeals.py).
"""

from datetime import date

from kskak.cases import commands as cc
from kskak.cases import events as ce
from kskak.cases.aftermath import clash
from kskak.cases.appeals import CaseDecision, deposits_settled
from kskak.cases.decisions import AppealEnd, Decision, Instance, SanctionKind, effects
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import ENDS, CaseStage, CaseState
from kskak.cases.suspension import rest_after
from kskak.cases.votes import board_fault

_RANK = {instance: rank for rank, instance in enumerate(Instance)}


def may_act(state: CaseState, actor: cc.Actor) -> CaseRefusal | None:
    """Why this person may not lead or decide the case now; None if they may. The server may.

    Readings of § 6.1.1 and § 6.4.3: nobody acts in a group they play in or a case they are a
    party to, nor on an appeal against their own decision.
    """
    if actor.person is None:
        return None
    if state.instance not in actor.offices:
        return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    if actor.is_barred or actor.person in state.may_appeal:
        return CaseRefusal(CaseReason.OWN_GROUP)
    below = [row for row in state.decided if row.decision.instance is not state.instance]
    if any(row.by == actor.person for row in below):
        return CaseRefusal(CaseReason.OWN_DECISION)
    return None


def is_over(state: CaseState) -> CaseReason | None:
    """Why nothing more can be decided in the case, whoever asks; None if something can (§ 6.4.3).

    Asked before a decision is drafted as well: what a case can't take is not tried on it.
    """
    return CaseReason.NOT_OPEN if state.stage in ENDS else None


def decide_on(state: CaseState, decision: Decision, now: date, actor: cc.Actor) -> CaseDecision:
    """The decision with what follows from it, or why not (§ 6.4.1, § 6.4.3).

    The instance that decided may decide again until someone appeals, annulling what it decided.
    The suspension of a case ends with its decision; an appeal has no suspensive effect. A hearing
    in which all have spoken, or whose term is over, needs nobody to close it.
    """
    refused = may_act(state, actor)
    if refused is not None:
        return refused
    if actor.person is None:
        return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    wrong = (
        _stage(state, decision)
        or _form(state, decision, now)
        or _reach(state, decision)
        or _appeal_ends(state, decision)
        or board_fault(state, decision)
        or clash(decision, state)
    )
    if wrong is not None:
        return CaseRefusal(wrong)
    settled = deposits_settled(state, decision)
    is_open = state.hearing is not None and not state.hearing.is_closed
    heard = (ce.HearingClosed(now, actor.person),) if is_open else ()
    rest = rest_after(decision, state)
    return (*heard, ce.Decided(actor.person, decision), *settled, *rest)


def _stage(state: CaseState, decision: Decision) -> CaseReason | None:
    """Whether the case is ready to decide: heard, and before this instance (§ 6.4.1)."""
    over = is_over(state)
    if over is not None:
        return over
    if decision.instance is not state.instance:
        return CaseReason.WRONG_INSTANCE
    if not state.is_heard(decision.on):
        return CaseReason.NOT_HEARD
    latest = state.latest
    if state.stage is CaseStage.DECIDED and latest is not None:
        return None if latest.ref in decision.annuls else CaseReason.ALREADY_DECIDED
    return None


def _form(state: CaseState, decision: Decision, now: date) -> CaseReason | None:
    """Whether the decision is dated today, named, reasoned, and names what it annuls."""
    if decision.on != now:
        return CaseReason.DATES
    if not decision.reasons.strip() or not decision.paragraphs:
        return CaseReason.NO_REASONS
    known = state.known
    if not decision.ref or decision.ref in known:
        return CaseReason.UNKNOWN_DECISION
    gone = {*state.annulled, *decision.annuls}
    if not set(decision.annuls) <= known.keys() or not set(decision.restores) <= gone:
        return CaseReason.UNKNOWN_DECISION
    return None


def _reach(state: CaseState, decision: Decision) -> CaseReason | None:
    """Whether the decision keeps to the case's games and persons, and its terms are complete."""
    if not {order.game for order in decision.games} <= set(state.opened.games):
        return CaseReason.OTHER_GAME
    persons = {order.person for order in decision.sanctions} | set(decision.prizes_lost)
    if not persons <= {*state.opened.parties, *state.opened.concerned}:
        return CaseReason.OTHER_PERSON
    if not set(decision.grants) <= {lodged.by for lodged in state.appeals}:
        return CaseReason.OTHER_PERSON
    for ref in decision.annuls:
        wrong = None if ref in state.decisions else _fits_here(state, decision, state.known[ref])
        if wrong is not None:
            return wrong
    for order in decision.sanctions:
        has_term = order.months is not None and order.months > 0
        if has_term is not (order.kind is SanctionKind.QUARANTINE):
            return CaseReason.BAD_TERM
    return None


def _appeal_ends(state: CaseState, decision: Decision) -> CaseReason | None:
    """Whether it does that alone: sending a case back, or dismissing an appeal (Kendelse 133)."""
    if decision.appeal is None:
        return None
    if state.stage is not CaseStage.APPEALED:
        return CaseReason.NOT_APPEALED
    gone = state.in_question if decision.appeal is AppealEnd.SENT_BACK else ()
    orders = (*decision.games, *decision.sanctions, *decision.restores, *decision.prizes_lost)
    is_alone = not orders and set(decision.annuls) == set(gone)
    return None if is_alone else CaseReason.APPEAL_ALONE


def _fits_here(state: CaseState, decision: Decision, cited: Decision) -> CaseReason | None:
    """Whether a decision may annul one of another case; None when it may (§ 6.4.3, reading)."""
    if _RANK[cited.instance] > _RANK[decision.instance]:
        return CaseReason.WRONG_INSTANCE
    if not effects(cited, state.known).keys() <= set(state.opened.games):
        return CaseReason.OTHER_GAME
    named = {order.person for order in cited.sanctions}
    return None if named <= state.may_appeal else CaseReason.OTHER_PERSON
