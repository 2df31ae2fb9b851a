"""Widening a case, and reaching from one into another: games, parties, decisions (§ 6.4.1).

Readings: whoever leads a case may add further games and persons of the group until it is decided;
a new party is heard first. An expulsion brings in the expelled player's games, whenever it is
decided: the others in them are notified and may appeal (§ 6.4.2). A decision may annul one of
another case that was made at its own instance or below, if that one's games and persons are part
of this case: the other case keeps its history and records it. Not for whether a decision
fits its case (verdicts.py).
"""

from datetime import date
from typing import assert_never

from kskak.cases import commands as cc
from kskak.cases import events as ce
from kskak.cases.appeals import CaseDecision
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import ENDS, CaseStage, CaseState
from kskak.cases.verdicts import may_act


def reach(
    state: CaseState,
    command: cc.WidenCase | cc.CiteDecision | cc.NoteAnnulled,
    now: date,
    actor: cc.Actor,
) -> CaseDecision:
    """What such a command leads to, or why not."""
    match command:
        case cc.NoteAnnulled():
            return _note_annulled(state, command, now, actor)
        case _ if state.stage in ENDS:
            return CaseRefusal(CaseReason.NOT_OPEN)
        case cc.WidenCase():
            return _widen(state, command, now, actor)
        case cc.CiteDecision():
            return _cite(state, command, now, actor)
        case _:
            assert_never(command)


def _widen(state: CaseState, command: cc.WidenCase, now: date, actor: cc.Actor) -> CaseDecision:
    """Add the games and parties not in the case yet; no event if there are none (§ 6.4.1)."""
    refused = may_act(state, actor)
    if refused is not None:
        return refused
    if state.stage is CaseStage.DECIDED and actor.person is not None:
        return CaseRefusal(CaseReason.ALREADY_DECIDED)
    if actor.person is not None and actor.person in command.parties:
        return CaseRefusal(CaseReason.OWN_GROUP)
    opened = state.opened
    games = tuple(game for game in dict.fromkeys(command.games) if game not in opened.games)
    parties = tuple(p for p in dict.fromkeys(command.parties) if p not in opened.parties)
    concerned = tuple(p for p in dict.fromkeys(command.concerned) if p not in state.may_appeal)
    new = ce.CaseWidened(now, actor.person, games, parties, concerned)
    return (new,) if games or parties or concerned else ()


def _cite(state: CaseState, command: cc.CiteDecision, now: date, actor: cc.Actor) -> CaseDecision:
    """Bring in a decision of another case, to be annulled or restored by the next one."""
    refused = may_act(state, actor)
    if refused is not None:
        return refused
    if command.decision.ref in state.known:
        return ()
    if not set(command.decision.restores) <= state.known.keys():
        return CaseRefusal(CaseReason.UNKNOWN_DECISION)
    return (ce.DecisionCited(now, command.decision),)


def _note_annulled(
    state: CaseState, command: cc.NoteAnnulled, now: date, actor: cc.Actor
) -> CaseDecision:
    """Record that a decision of this case was annulled by one of another; for the server only."""
    if actor.person is not None:
        return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    if command.ref not in state.decisions or command.ref in state.annulled:
        return CaseRefusal(CaseReason.UNKNOWN_DECISION)
    return (ce.AnnulledElsewhere(now, command.ref, command.by),)
