"""The life of a case: how each event changes it, and is kept; appeals and their deposits."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.aftermath import lift_suspension
from kskak.cases.case import CaseHearing, CaseReason, CaseRefusal, CaseStage, CaseState, HeldDeposit
from kskak.cases.case_events import AppealEnd, Decision, Instance
from kskak.game.game_commands import is_near
from kskak.ledger.stored_events import CodecError, from_json, to_json

# Appeals: by whom, until when, to whom, with what deposit, and what they suspend (§ 6.4.3).

CaseDecision = tuple[case_events.CaseEvent, ...] | CaseRefusal


def appeal(
    state: CaseState, command: case_commands.Appeal, now: date, actor: case_commands.Actor
) -> CaseDecision:
    """An appeal against the latest decision, or why not (§ 6.4.3, § 1.3.9).

    It counts from the day it was received: one received in time is in time whenever it is
    entered, and reopens a case that has become final meanwhile.
    """
    latest, on = state.latest, command.on or now
    person = actor.person if command.appellant is None else command.appellant
    if command.appellant is not None and (actor.is_barred or not actor.offices):
        return CaseRefusal(CaseReason.OWN_GROUP if actor.offices else CaseReason.NOT_YOUR_OFFICE)
    if person is None or person not in state.may_appeal:
        return CaseRefusal(CaseReason.NOT_A_PARTY)
    if latest is None or state.stage in (CaseStage.OPENED, CaseStage.HEARD):
        return CaseRefusal(CaseReason.NOT_DECIDED)
    to = latest.instance.above
    if to is None:
        return CaseRefusal(CaseReason.LAST_WORD)
    if any(lodged.by == person for lodged in state.appeals):
        return ()
    if not latest.on <= on <= now:
        return CaseRefusal(CaseReason.DATES)
    until = state.appeal_until(person)
    if on > until if until is not None else state.stage is CaseStage.FINAL:
        return CaseRefusal(CaseReason.LATE, until=until)
    lodged = case_events.DecisionAppealed(
        on, person, latest.ref, to, command.digest, claimed=command.claimed
    )
    if to is Instance.BOARD and state.needs_deposit:
        if not _is_paid(command, now):
            return CaseRefusal(CaseReason.NO_DEPOSIT, until=until, fee=command.fee)
        lodged = replace(lodged, stated=command.deposit, awaits_deposit=True, fee=command.fee)
    return (lodged, *_stands_still(state, command, to, now))


def _is_paid(command: case_commands.Appeal, now: date) -> bool:
    """Whether an appeal to the Board states that its deposit is paid (§ 6.4.3, § 1.3.9).

    Where nobody has said yet how much it is, it may wait: nobody pays a sum he can't know. An
    official notes whether it has arrived (below).
    """
    deposit = command.deposit
    if deposit is None:
        return command.fee is None
    is_enough = command.fee is None or deposit.amount >= command.fee
    return is_enough and deposit.on <= now and is_near(deposit.on, now)


def _stands_still(
    state: CaseState, command: case_commands.Appeal, to: Instance, now: date
) -> tuple[case_events.CaseEvent, ...]:
    """Suspensive effect only before the Board, against quarantine or expulsion (§ 6.4.3)."""
    if to is not Instance.BOARD or not state.shuts_out:
        return ()
    new = tuple(game for game in command.running_games if game not in state.suspended)
    return (case_events.GamesSuspended(now, new, "6.4.3"),) if new else ()


def take_back_appeal(
    state: CaseState, _: case_commands.WithdrawAppeal, now: date, actor: case_commands.Actor
) -> CaseDecision:
    """The appellant withdraws the appeal; the decision below stands.

    Reading: nobody has ruled against the appellant, so the deposit goes back (§ 6.4.3).
    """
    mine = next((lodged for lodged in state.appeals if lodged.by == actor.person), None)
    if mine is None:
        return CaseRefusal(CaseReason.NOT_A_PARTY)
    deposit = (case_events.DepositSettled(now, mine.by, True),) if mine.has_deposit else ()
    lift = lift_suspension(state, now) if len(state.appeals) == 1 else ()
    return (*deposit, *lift, case_events.AppealWithdrawn(now, mine.by))


def allot_deposits(state: CaseState, decision: Decision) -> tuple[case_events.DepositSettled, ...]:
    """Due back to appellants the Board upholds; the others' fall to the Union (§ 6.4.3).

    Where the matter is none for the Board, all go back (Kendelse 116).
    """
    is_none = decision.appeal is AppealEnd.INCOMPETENT
    return tuple(
        case_events.DepositSettled(decision.on, lodged.by, is_none or lodged.by in decision.grants)
        for lodged in state.appeals
        if lodged.has_deposit
    )


# The deposit for an appeal to the Board: received and paid back, as an official notes (§ 6.4.3).

_KEEPERS = frozenset({Instance.CONTROLLER, Instance.BOARD})
_Deposit = case_events.DepositReceived | case_events.DepositPaidBack | case_events.DepositSettled


def keeps_deposits(state: CaseState, actor: case_commands.Actor) -> bool:
    """Whether the actor may note deposits in this case: by office, but not in their own case."""
    is_own = actor.is_barred or actor.person in state.may_appeal
    return bool(_KEEPERS & actor.offices) and not is_own


def note_deposit(
    state: CaseState,
    command: case_commands.ReceiveDeposit | case_commands.PayDepositBack,
    now: date,
    actor: case_commands.Actor,
) -> tuple[case_events.CaseEvent, ...] | CaseRefusal:
    """The deposit received, or paid back; or why not. Saying it twice has no further effect."""
    if actor.person is None or not keeps_deposits(state, actor):
        return CaseRefusal(CaseReason.NOT_YOUR_OFFICE)
    held = next((row for row in reversed(state.deposits) if row.person == command.person), None)
    if held is None:
        return CaseRefusal(CaseReason.OTHER_PERSON)
    if isinstance(command, case_commands.ReceiveDeposit):
        return _receive_deposit(held, command, now, actor.person)
    if held.paid_back is not None:
        return ()
    if not held.is_owed or held.received is None:
        return CaseRefusal(CaseReason.NOT_OWED)
    if not held.received.on <= command.on <= now:
        return CaseRefusal(CaseReason.DATES)
    back = case_events.Deposit(held.received.amount, command.on, command.reference.strip())
    return (case_events.DepositPaidBack(now, actor.person, command.person, back),)


def _receive_deposit(
    held: HeldDeposit, command: case_commands.ReceiveDeposit, now: date, by: int
) -> tuple[case_events.CaseEvent, ...] | CaseRefusal:
    """The sum of the day of the appeal, never less; refused while nobody knows it (§ 6.4.3)."""
    paid, fee = command.deposit, held.fee if command.fee is None else command.fee
    if held.received is not None:
        return ()
    if fee is None:
        return CaseRefusal(CaseReason.DEPOSIT_UNKNOWN)
    if paid.on > now or not is_near(paid.on, now):
        return CaseRefusal(CaseReason.DATES)
    if paid.amount < fee:
        return CaseRefusal(CaseReason.DEPOSIT_SHORT, fee=fee)
    return (case_events.DepositReceived(now, by, command.person, paid),)


# The life of a case: its stages, and how each event changes it (§ 6.4.1-6.4.3, § 6.8.10).


class CaseFault(ValueError):
    """An event that can't have happened in this case; the message says what is wrong."""


CaseEventType = type[case_events.CaseEvent]
_S = CaseStage
_AFTER_ONE = frozenset(CaseStage)
"""Where a decision may have been made before: also in a case that was sent back."""
_STAGES_UNCHANGED_BY: dict[CaseEventType, frozenset[CaseStage]] = {
    case_events.PaperFiled: frozenset(CaseStage),
    case_events.DecisionCited: frozenset({_S.OPENED, _S.HEARD, _S.DECIDED, _S.APPEALED}),
    case_events.AnnulledElsewhere: frozenset({_S.DECIDED, _S.APPEALED, _S.FINAL}),
    case_events.GameClaimed: frozenset({_S.OPENED, _S.HEARD}),
    case_events.ClaimClosed: frozenset({_S.OPENED, _S.HEARD}),
    case_events.CaseNarrowed: frozenset({_S.OPENED, _S.HEARD}),
    case_events.GamesSuspended: frozenset({_S.OPENED, _S.HEARD, _S.DECIDED, _S.APPEALED}),
    case_events.SuspensionLifted: frozenset(CaseStage),
    case_events.DecisionDelivered: _AFTER_ONE,
    case_events.DepositSettled: _AFTER_ONE,
    case_events.DepositReceived: _AFTER_ONE,
    case_events.DepositPaidBack: _AFTER_ONE,
    case_events.BoardVoted: frozenset({_S.HEARD, _S.APPEALED}),
    case_events.MemberExcused: frozenset({_S.HEARD, _S.APPEALED}),
    case_events.DecisionPublished: frozenset({_S.FINAL}),
}
"""Events that don't change the stage, and the stages in which they can happen."""

CASE_TABLE: dict[CaseStage, dict[CaseEventType, frozenset[CaseStage]]] = {
    _S.OPENED: {
        case_events.CaseWidened: frozenset({_S.OPENED}),
        case_events.PartiesAsked: frozenset({_S.OPENED}),
        case_events.HearingClosed: frozenset({_S.HEARD}),
        case_events.CaseWithdrawn: frozenset({_S.WITHDRAWN}),
        case_events.CaseSettled: frozenset({_S.SETTLED}),
    },
    _S.HEARD: {
        case_events.CaseWidened: frozenset({_S.OPENED, _S.HEARD}),
        case_events.PartiesAsked: frozenset({_S.OPENED}),
        case_events.CaseDecided: frozenset({_S.DECIDED, _S.FINAL}),
        case_events.CaseWithdrawn: frozenset({_S.WITHDRAWN}),
        case_events.CaseSettled: frozenset({_S.SETTLED}),
    },
    _S.DECIDED: {
        case_events.CaseWidened: frozenset({_S.DECIDED}),
        case_events.CaseDecided: frozenset({_S.DECIDED}),
        case_events.DecisionAppealed: frozenset({_S.APPEALED}),
        case_events.BecameFinal: frozenset({_S.FINAL}),
    },
    _S.APPEALED: {
        case_events.CaseWidened: frozenset({_S.APPEALED}),
        case_events.PartiesAsked: frozenset({_S.APPEALED}),
        case_events.HearingClosed: frozenset({_S.APPEALED}),
        case_events.DecisionAppealed: frozenset({_S.APPEALED}),
        case_events.AppealWithdrawn: frozenset({_S.APPEALED, _S.DECIDED}),
        case_events.CaseDecided: frozenset({_S.HEARD, _S.DECIDED, _S.FINAL}),
    },
    _S.FINAL: {case_events.DecisionAppealed: frozenset({_S.APPEALED})},
    _S.SETTLED: {},
    _S.WITHDRAWN: {},
}
"""Stage, kind of event, and the stages that may follow.

With ``_STAGES_UNCHANGED_BY`` the whole lifecycle.
"""


def case_may_follow(stage: CaseStage, event: case_events.CaseEvent) -> frozenset[CaseStage]:
    """The stages that the event may lead to from here, empty when it can't happen (§ 6.4.3)."""
    kind = type(event)
    if stage in _STAGES_UNCHANGED_BY.get(kind, ()):
        return frozenset({stage})
    return CASE_TABLE[stage].get(kind, frozenset())


def evolve_case(state: CaseState | None, event: case_events.CaseEvent) -> CaseState:
    """The case after an event. Raises CaseFault for one that can't have happened."""
    if isinstance(event, case_events.CaseOpened):
        if state is not None:
            raise CaseFault("the case is open already")
        return CaseState(event, CaseStage.OPENED, event.instance)
    if state is None:
        raise CaseFault("the case has not been opened")
    if not case_may_follow(state.stage, event):
        raise CaseFault(f"{type(event).__name__} can't follow when the case is {state.stage}")
    return _CHANGES[type(event)](state, event)


def _widened(state: CaseState, event: case_events.CaseWidened) -> CaseState:
    """The case with what was added; a new party has yet to be heard."""
    opened = state.opened
    after = replace(
        opened,
        games=(*opened.games, *event.games),
        parties=(*opened.parties, *event.parties),
        concerned=(*opened.concerned, *event.concerned),
    )
    is_heard = state.stage is CaseStage.HEARD and bool(event.parties)
    stage = CaseStage.OPENED if is_heard else state.stage
    over = tuple(kind for kind in state.over if kind not in event.kinds)
    state = replace(state, joined=(*state.joined, *event.kinds), over=over)
    return replace(state, opened=after, stage=stage, hearing=None if is_heard else state.hearing)


def _narrowed(state: CaseState, event: case_events.CaseNarrowed) -> CaseState:
    """The case about the rest. CaseFault when nothing would be left of it."""
    after = replace(state, over=(*state.over, *event.kinds))
    if not after.kinds:
        raise CaseFault("nothing is left that the case is about")
    return after


def _asked(state: CaseState, event: case_events.PartiesAsked) -> CaseState:
    stage = CaseStage.OPENED if state.stage is CaseStage.HEARD else state.stage
    return replace(state, stage=stage, hearing=CaseHearing(event.until, event.asked))


def _with_dates(
    state: CaseState, event: case_events.PaperFiled | case_events.DecisionAppealed
) -> CaseState:
    """The days that somebody's words claim for a dispatch (Kendelse 107)."""
    said = ((event.by, one) for one in event.claimed)
    return replace(state, claimed_dates=tuple(dict.fromkeys((*state.claimed_dates, *said))))


def _filed(state: CaseState, event: case_events.PaperFiled) -> CaseState:
    """Who speaks has answered (§ 6.4.1)."""
    hearing, by = state.hearing, event.by
    state = _with_dates(state, event)
    if event.result is not None and by in state.opened.parties:
        others = (one for one in state.reports if one[0] != by)
        state = replace(state, reports=(*others, (by, event.result)))
    speaks = event.kind in (case_events.PaperKind.STATEMENT, case_events.PaperKind.MAIL)
    if hearing is None or by is None or not speaks or by in hearing.answered:
        return state
    return replace(state, hearing=replace(hearing, answered=(*hearing.answered, by)))


def _heard(state: CaseState, _: case_events.HearingClosed) -> CaseState:
    closed = state.hearing and replace(state.hearing, is_closed=True)
    stage = CaseStage.HEARD if state.stage is CaseStage.OPENED else state.stage
    return replace(state, stage=stage, hearing=closed)


def _decided(state: CaseState, event: case_events.CaseDecided) -> CaseState:
    """A decision at its instance; sent back, the case is before the one appealed against."""
    decision = event.decision
    is_final = decision.instance is Instance.BOARD
    claims = state.claims or state.claims_decided
    after = replace(
        state,
        stage=CaseStage.FINAL if is_final else CaseStage.DECIDED,
        instance=decision.instance,
        hearing=None,
        decided=(*state.decided, event),
        appeals=(),
        claims=(),
        claims_decided=claims,
        votes=(),
    )
    if decision.appeal is not AppealEnd.SENT_BACK or state.latest is None:
        return after
    return replace(after, stage=CaseStage.HEARD, instance=state.latest.instance, claims=claims)


def _appealed(state: CaseState, event: case_events.DecisionAppealed) -> CaseState:
    """The case is before the instance above, with the deposit stated to the Board (§ 6.4.3)."""
    due = event.has_deposit and event.deposit is None
    held = (HeldDeposit(event.by, event.stated, event.on, event.fee),) if due else ()
    appeals, deposits = (*state.appeals, event), (*state.deposits, *held)
    state = _with_dates(state, event)
    lodged = replace(state, stage=CaseStage.APPEALED, instance=event.to, votes=())
    return replace(lodged, appeals=appeals, deposits=deposits)


def _taken_back(state: CaseState, event: case_events.AppealWithdrawn) -> CaseState:
    left = tuple(appeal for appeal in state.appeals if appeal.by != event.by)
    state = replace(state, appeals=left, votes=())
    if left or state.latest is None:
        return state
    return replace(state, stage=CaseStage.DECIDED, instance=state.latest.instance, hearing=None)


def _voted(state: CaseState, event: case_events.BoardVoted) -> CaseState:
    others = (one for one in state.votes if one.member != event.vote.member)
    return replace(state, votes=(*others, event.vote))


def _excused(state: CaseState, event: case_events.MemberExcused) -> CaseState:
    votes = tuple(one for one in state.votes if one.member != event.member)
    return replace(state, votes=votes, excused=(*state.excused, event))


def _lifted(state: CaseState, event: case_events.SuspensionLifted) -> CaseState:
    return replace(state, suspended=tuple(g for g in state.suspended if g not in event.games))


def _claim_closed(state: CaseState, event: case_events.ClaimClosed) -> CaseState:
    claims = tuple(one for one in state.claims if one.game != event.game)
    suspended = tuple(game for game in state.suspended if game != event.game)
    return replace(state, claims=claims, suspended=suspended)


def _end(stage: CaseStage) -> "_Change":
    return lambda state, _: replace(state, stage=stage, hearing=None, claims=())


def _deposit(change: Callable[[Any], dict[str, Any]]) -> "_Change":
    """The person's newest deposit changed; one booked with an old appeal has no row."""

    def changed(state: CaseState, event: _Deposit) -> CaseState:
        rows = list(state.deposits)
        for index in range(len(rows) - 1, -1, -1):
            if rows[index].person == event.person:
                rows[index] = replace(rows[index], **change(event))
                break
        return replace(state, deposits=tuple(rows))

    return changed


_Change = Callable[[CaseState, Any], CaseState]
_CHANGES: dict[CaseEventType, _Change] = {
    case_events.CaseWidened: _widened,
    case_events.CaseNarrowed: _narrowed,
    case_events.PartiesAsked: _asked,
    case_events.PaperFiled: _filed,
    case_events.HearingClosed: _heard,
    case_events.CaseDecided: _decided,
    case_events.DecisionAppealed: _appealed,
    case_events.AppealWithdrawn: _taken_back,
    case_events.BecameFinal: _end(CaseStage.FINAL),
    case_events.CaseWithdrawn: _end(CaseStage.WITHDRAWN),
    case_events.CaseSettled: _end(CaseStage.SETTLED),
    case_events.DecisionCited: lambda s, e: replace(s, cited=(*s.cited, e.decision)),
    case_events.AnnulledElsewhere: lambda s, e: replace(
        s, annulled_elsewhere=(*s.annulled_elsewhere, e.ref)
    ),
    case_events.GameClaimed: lambda s, e: replace(s, claims=(*s.claims, e), was_claimed=True),
    case_events.ClaimClosed: _claim_closed,
    case_events.GamesSuspended: lambda s, e: replace(
        s, suspended=tuple(sorted({*s.suspended, *e.games}))
    ),
    case_events.SuspensionLifted: _lifted,
    case_events.DecisionDelivered: lambda s, e: replace(s, delivered=(*s.delivered, e)),
    case_events.DepositSettled: _deposit(lambda e: {"is_returned": e.is_returned}),
    case_events.DepositReceived: _deposit(lambda e: {"received": e.deposit}),
    case_events.DepositPaidBack: _deposit(lambda e: {"paid_back": e.deposit}),
    case_events.BoardVoted: _voted,
    case_events.MemberExcused: _excused,
    case_events.DecisionPublished: lambda s, e: replace(s, published=e),
}
"""How each event changes the case; an opening makes it."""


# A case's events as the store keeps them: canonical JSON text (hash chain).

_KINDS: dict[str, type[case_events.CaseEvent]] = {
    "opened": case_events.CaseOpened,
    "widened": case_events.CaseWidened,
    "narrowed": case_events.CaseNarrowed,
    "cited": case_events.DecisionCited,
    "annulled_elsewhere": case_events.AnnulledElsewhere,
    "asked": case_events.PartiesAsked,
    "paper": case_events.PaperFiled,
    "heard": case_events.HearingClosed,
    "claimed": case_events.GameClaimed,
    "claim_closed": case_events.ClaimClosed,
    "suspended": case_events.GamesSuspended,
    "suspension_lifted": case_events.SuspensionLifted,
    "decided": case_events.CaseDecided,
    "delivered": case_events.DecisionDelivered,
    "appealed": case_events.DecisionAppealed,
    "appeal_withdrawn": case_events.AppealWithdrawn,
    "deposit_settled": case_events.DepositSettled,
    "deposit_received": case_events.DepositReceived,
    "deposit_paid_back": case_events.DepositPaidBack,
    "voted": case_events.BoardVoted,
    "excused": case_events.MemberExcused,
    "published": case_events.DecisionPublished,
    "final": case_events.BecameFinal,
    "withdrawn": case_events.CaseWithdrawn,
    "settled": case_events.CaseSettled,
}
_KIND_OF = {kind: name for name, kind in _KINDS.items()}


def dump_case_event(event: case_events.CaseEvent) -> str:
    """The canonical text of an event: sorted keys, no blanks, ASCII."""
    value = {"event": _KIND_OF[type(event)], "of": to_json(event)}
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def proven_case_text(event: case_events.CaseEvent) -> str:
    """The text of an event that is about to be kept. CodecError unless it reads back as equal."""
    text = dump_case_event(event)
    if load_case_event(text) != event:
        raise CodecError(f"case event: would read back otherwise: {text}")
    return text


def load_case_event(text: str) -> case_events.CaseEvent:
    """The event of a text that ``dump_case_event`` wrote. Raises CodecError for any other."""
    try:
        value = json.loads(text)
    except ValueError:
        raise CodecError("case: not JSON") from None
    if not isinstance(value, dict) or value.keys() != {"event", "of"}:
        raise CodecError("case event: must be an object with event, of")
    kind = _KINDS.get(value["event"]) if isinstance(value["event"], str) else None
    if kind is None:
        raise CodecError("case event: event must be one of " + ", ".join(_KINDS))
    return from_json(kind, value["of"], value["event"])
