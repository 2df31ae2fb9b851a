"""``decide_case``: a command in a case becomes events, or a refusal with its paragraph (§ 6.4).

Who may ask what, in which stage, and until when; appeals are in evolve_case.py. Never raises for
what a person did. Readings: no official acts in a group they play in, nor hears an appeal
against their own decision. Not for what events do (evolve_case.py) nor for games (case_events.py).
"""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.aftermath import clash, lift_suspension, list_open_claims, rest_after
from kskak.cases.board import board_fault, cast_vote, excuse_member, publish_decision
from kskak.cases.case import ENDS, REPORTED, CaseReason, CaseRefusal, CaseStage, CaseState
from kskak.cases.case_events import (
    AppealEnd,
    CaseKind,
    ClaimEnd,
    Decision,
    Instance,
    SanctionKind,
    effects,
)
from kskak.cases.evolve_case import (
    CaseDecision,
    allot_deposits,
    appeal,
    evolve_case,
    note_deposit,
    take_back_appeal,
)
from kskak.game.game_commands import is_near
from kskak.regulation.editions import DISPUTES

# Who may decide a case, and whether a decision is complete and fits it (§ 6.4.1-6.4.3).

_RANK = {instance: rank for rank, instance in enumerate(Instance)}


def may_act(state: CaseState, actor: case_commands.Actor) -> CaseRefusal | None:
    """Why this person may not lead or decide the case now; None if they may. The server may.

    Readings of § 6.1.1 and § 6.4.3: nobody acts in a group they play in or a case they are a
    party to, nor on an appeal against their own decision; at the Board those act who sit (§ 1.3.9).
    """
    if actor.person is None:
        return None
    if state.instance not in actor.offices:
        return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    if actor.is_barred or actor.person in state.may_appeal:
        return CaseRefusal(CaseReason.OWN_GROUP)
    if actor.person in state.deciders:
        return CaseRefusal(CaseReason.OWN_DECISION)
    if state.instance is Instance.BOARD and actor.seat is None:
        return CaseRefusal(CaseReason.NOT_SEATED)
    return None


def is_over(state: CaseState) -> CaseReason | None:
    """Why nothing more can be decided in the case, whoever asks; None if something can (§ 6.4.3).

    Asked before a decision is drafted as well: what a case can't take is not tried on it.
    """
    return CaseReason.NOT_OPEN if state.stage in ENDS else None


def decide_on(
    state: CaseState, decision: Decision, now: date, actor: case_commands.Actor
) -> CaseDecision:
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
    moved = tuple(
        case_events.ClaimClosed(now, claim.game, None, ClaimEnd.MOVED)
        for claim in list_open_claims(decision, state)
    )
    state = apply_case_events(state, moved)
    settled = allot_deposits(state, decision)
    is_open = state.hearing is not None and not state.hearing.is_closed
    heard = (case_events.HearingClosed(now, actor.person),) if is_open else ()
    rest = rest_after(decision, state)
    return (*moved, *heard, case_events.CaseDecided(actor.person, decision), *settled, *rest)


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


def may_annul(instance: Instance, other: Instance) -> bool:
    """Whether an instance may annul what another decided: no lower one may (§ 6.4.3)."""
    return _RANK[other] <= _RANK[instance]


def _fits_here(state: CaseState, decision: Decision, cited: Decision) -> CaseReason | None:
    """Whether a decision may annul one of another case; None when it may (§ 6.4.3, reading)."""
    if not may_annul(decision.instance, cited.instance):
        return CaseReason.WRONG_INSTANCE
    if not effects(cited, state.known).keys() <= set(state.opened.games):
        return CaseReason.OTHER_GAME
    named = {order.person for order in cited.sanctions}
    return None if named <= state.may_appeal else CaseReason.OTHER_PERSON


# ``decide_case``: a command in a case becomes events, or a refusal with its paragraph (§ 6.4).

_ENCLOSED = frozenset({case_events.PaperKind.EVIDENCE, case_events.PaperKind.SCAN})
"""What people may add only while a case is open; other papers are accepted afterwards too."""
Actor = case_commands.Actor


def decide_case(
    state: CaseState | None, command: case_commands.CaseCommand, now: date, actor: Actor
) -> CaseDecision:
    """The events that a command leads to, in order, or why not.

    ``now`` is the tournament's local day. ``state`` None: the case is not open yet.
    """
    if isinstance(command, case_commands.OpenCase):
        return CaseRefusal(CaseReason.NOT_OPEN) if state is not None else _open(command, now, actor)
    if state is None:
        return CaseRefusal(CaseReason.NOT_OPEN)
    leads = _OF_WHO_LEADS.get(type(command))
    if leads is None:
        return _OF_OTHERS[type(command)](state, command, now, actor)
    if state.stage in ENDS:
        return CaseRefusal(CaseReason.NOT_OPEN)
    return may_act(state, actor) or leads(state, command, now, actor)


def apply_case_events(
    state: CaseState | None, events: tuple[case_events.CaseEvent, ...]
) -> CaseState:
    """The case after some events. Raises CaseFault for one that can't have happened."""
    for event in events:
        state = evolve_case(state, event)
    if state is None:
        raise ValueError("no events")
    return state


def _open(command: case_commands.OpenCase, now: date, actor: Actor) -> CaseDecision:
    """A claim goes to the leader (§ 6.3.3.5); the controller may act unasked (§ 6.4.2).

    The Board decides only what has been decided below, but may answer a question (§ 1.3.9).
    """
    if not command.question.strip() or not command.paragraphs:
        return CaseRefusal(CaseReason.NO_REASONS)
    is_asked = command.kind is CaseKind.QUESTION
    if is_asked is not (command.instance is Instance.BOARD) or (is_asked and command.games):
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
    about = (command.parties, command.question, command.paragraphs, claimant)
    rest = (command.concerned, command.games)
    opened = case_events.CaseOpened(command.kind, now, command.instance, *about, *rest)
    return (opened, case_events.HearingClosed(now, None)) if is_asked else (opened,)


# What whoever leads the case may do while it is open (§ 6.4.1).


def _widen(
    state: CaseState, command: case_commands.WidenCase, now: date, actor: Actor
) -> CaseDecision:
    """Add the games and parties not in the case yet; no event if there are none (§ 6.4.1)."""
    if state.stage is CaseStage.DECIDED and actor.person is not None:
        return CaseRefusal(CaseReason.ALREADY_DECIDED)
    if actor.person is not None and actor.person in command.parties:
        return CaseRefusal(CaseReason.OWN_GROUP)
    opened = state.opened
    games = tuple(game for game in dict.fromkeys(command.games) if game not in opened.games)
    parties = tuple(p for p in dict.fromkeys(command.parties) if p not in opened.parties)
    concerned = tuple(p for p in dict.fromkeys(command.concerned) if p not in state.may_appeal)
    kinds = tuple(kind for kind in command.kinds if kind not in state.kinds)
    new = case_events.CaseWidened(now, actor.person, games, parties, concerned, kinds)
    return (new,) if games or parties or concerned or kinds else ()


def _cite(
    state: CaseState, command: case_commands.CiteDecision, now: date, _: Actor
) -> CaseDecision:
    """Bring in a decision of another case, to be annulled or restored by the next one."""
    if command.decision.ref in state.known:
        return ()
    if not set(command.decision.restores) <= state.known.keys():
        return CaseRefusal(CaseReason.UNKNOWN_DECISION)
    return (case_events.DecisionCited(now, command.decision),)


def _suspend(
    state: CaseState, command: case_commands.SuspendGames, now: date, _: Actor
) -> CaseDecision:
    if not set(command.games) <= set(state.opened.games):
        return CaseRefusal(CaseReason.OTHER_GAME)
    new = tuple(game for game in command.games if game not in state.suspended)
    return (case_events.GamesSuspended(now, new, "6.4.1"),) if new else ()


def _lift(state: CaseState, _: case_commands.LiftSuspension, now: date, __: Actor) -> CaseDecision:
    is_claimed = bool({claim.game for claim in state.claims} & set(state.suspended))
    return CaseRefusal(CaseReason.CLAIM_UNDECIDED) if is_claimed else lift_suspension(state, now)


def _settle(
    state: CaseState, command: case_commands.SettleCase, now: date, actor: Actor
) -> CaseDecision:
    """Close a case that has become moot, before it is decided."""
    if state.stage in (CaseStage.DECIDED, CaseStage.APPEALED):
        return CaseRefusal(CaseReason.ALREADY_DECIDED)
    settled = case_events.CaseSettled(now, actor.person, command.note)
    return (*lift_suspension(state, now), settled)


def _ask(state: CaseState, command: case_commands.AskParties, now: date, _: Actor) -> CaseDecision:
    if state.stage is CaseStage.DECIDED:
        return CaseRefusal(CaseReason.ALREADY_DECIDED)
    until, asked = command.until, command.asked
    if until < now or not is_near(until, now):
        return CaseRefusal(CaseReason.DATES)
    if not set(asked) <= state.may_appeal | state.deciders:
        return CaseRefusal(CaseReason.OTHER_PERSON)
    asked, known = asked or state.opened.parties, state.hearing
    if known is not None and known == case_commands.CaseHearing(until, asked, known.answered):
        return ()  # said twice, asked once
    return (case_events.PartiesAsked(now, until, asked),)


def _close_hearing(
    state: CaseState, command: case_commands.CloseHearing, now: date, actor: Actor
) -> CaseDecision:
    """Closed once all asked have answered or had their time; before that only with a reason."""
    hearing, reason = state.hearing, command.reason
    if state.stage is CaseStage.DECIDED:
        return CaseRefusal(CaseReason.ALREADY_DECIDED)
    if state.stage is CaseStage.HEARD or (hearing is not None and hearing.is_closed):
        return ()
    is_over = hearing is not None and hearing.is_over(now)
    if not is_over and not reason.strip():
        until = None if hearing is None else hearing.until
        return CaseRefusal(CaseReason.NOT_HEARD, until=until)
    return (case_events.HearingClosed(now, actor.person, reason),)


# What others may do, or the server: each says by whom and when itself.


def _note_annulled(
    state: CaseState, command: case_commands.NoteAnnulled, now: date, actor: Actor
) -> CaseDecision:
    """Record that a decision of this case was annulled by one of another; for the server only."""
    if actor.person is not None:
        return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    if command.ref not in state.decisions or command.ref in state.annulled:
        return CaseRefusal(CaseReason.UNKNOWN_DECISION)
    return (case_events.AnnulledElsewhere(now, command.ref, command.by),)


def _vote(
    state: CaseState, command: case_commands.CastVote, now: date, actor: Actor
) -> CaseDecision:
    if state.instance is not Instance.BOARD:
        return CaseRefusal(CaseReason.WRONG_INSTANCE)
    refused, seat = may_act(state, actor), actor.seat
    if refused is not None or seat is None:
        return refused or CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    return cast_vote(state, command, now, seat)


def _file(
    state: CaseState, command: case_commands.FilePaper, now: date, actor: Actor
) -> CaseDecision:
    is_official = actor.person is None or bool(actor.offices)
    if not is_official and not {actor.person, *actor.team} & state.may_appeal:
        return CaseRefusal(CaseReason.NOT_A_PARTY)
    if actor.person is not None and state.stage in ENDS and command.kind in _ENCLOSED:
        return CaseRefusal(CaseReason.NOT_OPEN)
    speaker = command.speaker if is_official and command.speaker else actor.person
    said = (command.claimed, command.result if state.opened.question == REPORTED else None)
    filed = case_events.PaperFiled(now, speaker, command.kind, command.digest, *said)
    after = evolve_case(state, filed)
    if state.question == after.question or state.stage not in (CaseStage.OPENED, CaseStage.HEARD):
        return (filed,)
    asked = ask_of_reports(after, now)
    return filed, case_events.PartiesAsked(now, asked.until, asked.asked)


def ask_of_reports(state: CaseState, now: date) -> case_commands.AskParties:
    """Ask about a result: the opponent of who reports it, both where they differ (§ 6.2.6)."""
    until, parties = now + timedelta(days=DISPUTES.report_days), state.opened.parties
    asked = tuple(p for p in parties if state.reports_differ or p != state.opened.claimant)
    return case_commands.AskParties(until, asked)


def _let_stand(
    state: CaseState, _: case_commands.LetStand, now: date, actor: Actor
) -> CaseDecision:
    if actor.person is not None and not actor.offices:
        return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    is_over = state.stage is CaseStage.DECIDED and state.due is not None and now > state.due
    return (case_events.BecameFinal(now),) if is_over else ()


def _record_delivery(
    state: CaseState, command: case_commands.RecordDelivery, now: date, actor: Actor
) -> CaseDecision:
    if actor.person is not None and not actor.offices:
        return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    decision = state.decisions.get(command.ref)
    if decision is None:
        return CaseRefusal(CaseReason.UNKNOWN_DECISION)
    if not decision.on <= command.on <= now:
        return CaseRefusal(CaseReason.DATES)
    is_recorded = (command.ref, command.person) in [
        (row.ref, row.person) for row in state.delivered
    ]
    if is_recorded or command.person not in state.may_appeal:
        return ()
    return (case_events.DecisionDelivered(command.ref, command.person, command.on),)


def _withdraw(
    state: CaseState, _: case_commands.WithdrawCase, now: date, actor: Actor
) -> CaseDecision:
    """Withdrawal by the claimant; by whoever leads the case if it has none."""
    if state.stage in ENDS:
        return CaseRefusal(CaseReason.NOT_OPEN)
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
    own = {claim.game for claim in state.claims if claim.by == actor.person is not None}
    if own and (own < set(state.opened.games) or state.joined):
        by, end = actor.person, ClaimEnd.WITHDRAWN
        return tuple(case_events.ClaimClosed(now, game, by, end) for game in sorted(own))
    return (*lift_suspension(state, now), case_events.CaseWithdrawn(now, actor.person))


_Answer = Callable[[CaseState, Any, date, Actor], CaseDecision]
_OF_WHO_LEADS: dict[type[case_commands.CaseCommand], _Answer] = {
    case_commands.WidenCase: _widen,
    case_commands.CiteDecision: _cite,
    case_commands.SuspendGames: _suspend,
    case_commands.LiftSuspension: _lift,
    case_commands.SettleCase: _settle,
    case_commands.AskParties: _ask,
    case_commands.CloseHearing: _close_hearing,
}
"""Commands for whoever ``may_act``, in a case that has not ended."""
_OF_OTHERS: dict[type[case_commands.CaseCommand], _Answer] = {
    case_commands.Decide: lambda state, asked, now, by: decide_on(state, asked.decision, now, by),
    case_commands.NoteAnnulled: _note_annulled,
    case_commands.Appeal: appeal,
    case_commands.WithdrawAppeal: take_back_appeal,
    case_commands.CastVote: _vote,
    case_commands.ExcuseMember: lambda state, asked, now, by: (
        may_act(state, by) or excuse_member(state, asked, now, by)
    ),
    case_commands.PublishDecision: publish_decision,
    case_commands.ReceiveDeposit: note_deposit,
    case_commands.PayDepositBack: note_deposit,
    case_commands.FilePaper: _file,
    case_commands.LetStand: _let_stand,
    case_commands.RecordDelivery: _record_delivery,
    case_commands.WithdrawCase: _withdraw,
}
