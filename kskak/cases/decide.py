"""``decide_case``: a command in a case becomes events, or a refusal with its paragraph (§ 6.4).

Who may ask what, in which stage, and until when; appeals are in appeals.py. Never raises for
what a person did. Readings: no official acts in a group they play in, nor hears an appeal
against their own decision. Not for what events do (evolve.py) nor for games (decisions.py).
"""

from datetime import date
from typing import assert_never

from kskak.cases import commands as cc
from kskak.cases import events as ce
from kskak.cases.appeals import CaseDecision, appeal, take_back_appeal
from kskak.cases.decisions import Instance
from kskak.cases.deposits import note_deposit
from kskak.cases.evolve import evolve_case
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import ENDS, CaseStage, CaseState
from kskak.cases.suspension import lifted
from kskak.cases.verdicts import decide_on, may_act
from kskak.cases.votes import cast_vote
from kskak.cases.widening import reach
from kskak.game.lawful_days import is_near

_ENCLOSED = frozenset({ce.PaperKind.EVIDENCE, ce.PaperKind.SCAN})
"""What people may add only while a case is open; other papers are accepted afterwards too."""


def decide_case(
    state: CaseState | None, command: cc.CaseCommand, now: date, actor: cc.Actor
) -> CaseDecision:
    """The events that a command leads to, in order, or why not.

    ``now`` is the tournament's local day. ``state`` None: the case is not open yet.
    """
    if isinstance(command, cc.OpenCase):
        return CaseRefusal(CaseReason.NOT_OPEN) if state is not None else _open(command, now, actor)
    if state is None:
        return CaseRefusal(CaseReason.NOT_OPEN)
    match command:
        case cc.Decide(decision):
            return decide_on(state, decision, now, actor)
        case cc.WidenCase() | cc.CiteDecision() | cc.NoteAnnulled():
            return reach(state, command, now, actor)
        case _ if isinstance(command, _OfAppeal):
            return _appealed(state, command, now, actor)
        case cc.RecordDelivery() | cc.LetStand() | cc.FilePaper():
            return _record(state, command, now, actor)
        case _ if state.stage in ENDS:
            return CaseRefusal(CaseReason.NOT_OPEN)
        case cc.WithdrawCase():
            return _withdraw(state, now, actor)
        case _:
            return _lead(state, command, now, actor)


def after(state: CaseState | None, events: tuple[ce.CaseEvent, ...]) -> CaseState:
    """The case after some events. Raises CaseFault for one that can't have happened."""
    for event in events:
        state = evolve_case(state, event)
    if state is None:
        raise ValueError("no events")
    return state


def _open(command: cc.OpenCase, now: date, actor: cc.Actor) -> CaseDecision:
    """A claim goes to the leader (§ 6.3.3.5); the controller may act unasked (§ 6.4.2)."""
    if not command.question.strip() or not command.paragraphs:
        return CaseRefusal(CaseReason.NO_REASONS)
    if command.instance is Instance.BOARD:
        return CaseRefusal(CaseReason.WRONG_INSTANCE)
    if actor.person is not None:
        to_controller = command.instance is Instance.CONTROLLER
        if not actor.offices and actor.person not in command.parties:
            return CaseRefusal(CaseReason.NOT_A_PARTY)
        if to_controller and not actor.offices:
            return CaseRefusal(CaseReason.WRONG_INSTANCE)
        if to_controller and Instance.CONTROLLER not in actor.offices:
            return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    claimant = actor.person if actor.person in command.parties else None
    opened = ce.CaseOpened(
        command.kind,
        now,
        command.instance,
        command.parties,
        command.question,
        command.paragraphs,
        claimant,
        command.concerned,
        command.games,
    )
    return (opened,)


_OfAppeal = cc.Appeal | cc.WithdrawAppeal | cc.CastVote | cc.ReceiveDeposit | cc.PayDepositBack


def _appealed(state: CaseState, command: _OfAppeal, now: date, actor: cc.Actor) -> CaseDecision:
    """Appeals, the Board's votes and the deposits (§ 6.4.3, § 1.3.9)."""
    match command:
        case cc.Appeal():
            return appeal(state, command, now, actor)
        case cc.WithdrawAppeal():
            return take_back_appeal(state, now, actor)
        case cc.CastVote():
            refused = may_act(state, actor)
            if refused is not None or actor.person is None:
                return refused or CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
            return cast_vote(state, command, now, actor.person)
        case _:
            return note_deposit(state, command, now, actor)


def _record(
    state: CaseState,
    command: cc.RecordDelivery | cc.LetStand | cc.FilePaper,
    now: date,
    actor: cc.Actor,
) -> CaseDecision:
    """What may be recorded at every stage."""
    is_official = actor.person is None or bool(actor.offices)
    if isinstance(command, cc.FilePaper):
        if not is_official and not {actor.person, *actor.team} & state.may_appeal:
            return CaseRefusal(CaseReason.NOT_A_PARTY)
        if actor.person is not None and state.stage in ENDS and command.kind in _ENCLOSED:
            return CaseRefusal(CaseReason.NOT_OPEN)
        speaker = command.speaker if is_official and command.speaker else actor.person
        return (ce.PaperFiled(now, speaker, command.kind, command.digest),)
    if not is_official:
        return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    if isinstance(command, cc.LetStand):
        is_over = state.stage is CaseStage.DECIDED and state.due is not None and now > state.due
        return (ce.BecameFinal(now),) if is_over else ()
    decision = state.decisions.get(command.ref)
    if decision is None:
        return CaseRefusal(CaseReason.UNKNOWN_DECISION)
    if not decision.on <= command.on <= now:
        return CaseRefusal(CaseReason.DATES)
    told = (command.ref, command.person) in [(row.ref, row.person) for row in state.delivered]
    if told or command.person not in state.may_appeal:
        return ()
    return (ce.DecisionDelivered(command.ref, command.person, command.on),)


def _withdraw(state: CaseState, now: date, actor: cc.Actor) -> CaseDecision:
    """Withdrawal by the claimant; by whoever leads the case if it has none."""
    claimant = state.opened.claimant
    if actor.person is not None and actor.person in {claim.by for claim in state.claims}:
        claimant = actor.person
    if claimant is None:
        refused = may_act(state, actor)
        if refused is not None:
            return refused
    elif actor.person != claimant:
        return CaseRefusal(CaseReason.NOT_A_PARTY)
    if state.stage not in (CaseStage.OPENED, CaseStage.HEARD):
        return CaseRefusal(CaseReason.ALREADY_DECIDED)
    return (*lifted(state, now), ce.CaseWithdrawn(now, actor.person))


_Hearing = cc.AskParties | cc.CloseHearing | cc.SettleCase


def _lead(
    state: CaseState,
    command: _Hearing | cc.SuspendGames | cc.LiftSuspension,
    now: date,
    actor: cc.Actor,
) -> CaseDecision:
    """What whoever leads the case may do before it is decided (§ 6.4.1)."""
    refused = may_act(state, actor)
    if refused is not None:
        return refused
    match command:
        case cc.SuspendGames(games):
            if not set(games) <= set(state.opened.games):
                return CaseRefusal(CaseReason.OTHER_GAME)
            new = tuple(game for game in games if game not in state.suspended)
            return (ce.GamesSuspended(now, new, "6.4.1"),) if new else ()
        case cc.LiftSuspension():
            is_claimed = bool({claim.game for claim in state.claims} & set(state.suspended))
            return CaseRefusal(CaseReason.CLAIM_UNDECIDED) if is_claimed else lifted(state, now)
        case _:
            return _hear(state, command, now, actor)


def _hear(state: CaseState, command: _Hearing, now: date, actor: cc.Actor) -> CaseDecision:
    """Hear the parties, or close a case that has become moot, before it is decided."""
    is_decided = state.stage is CaseStage.DECIDED
    match command:
        case cc.SettleCase(note):
            if is_decided or state.stage is CaseStage.APPEALED:
                return CaseRefusal(CaseReason.ALREADY_DECIDED)
            return (*lifted(state, now), ce.CaseSettled(now, actor.person, note))
        case _ if is_decided:
            return CaseRefusal(CaseReason.ALREADY_DECIDED)
        case cc.AskParties(until, asked):
            if until < now or not is_near(until, now):
                return CaseRefusal(CaseReason.DATES)
            if not set(asked) <= state.may_appeal:
                return CaseRefusal(CaseReason.OTHER_PERSON)
            return (ce.PartiesAsked(now, until, asked or state.opened.parties),)
        case cc.CloseHearing(reason):
            return _close_hearing(state, reason, now, actor)
        case _:
            assert_never(command)


def _close_hearing(state: CaseState, reason: str, now: date, actor: cc.Actor) -> CaseDecision:
    """Closed once all asked have answered or had their time; before that only with a reason."""
    hearing = state.hearing
    if state.stage is CaseStage.HEARD or (hearing is not None and hearing.is_closed):
        return ()
    is_over = hearing is not None and hearing.is_over(now)
    if not is_over and not reason.strip():
        until = None if hearing is None else hearing.until
        return CaseRefusal(CaseReason.NOT_HEARD, until=until)
    return (ce.HearingClosed(now, actor.person, reason),)
