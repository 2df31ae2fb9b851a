"""The life of a case: its stages, and how each event changes it (§ 6.4.1-6.4.3, § 6.8.10).

Opened, heard, decided by the leader; appealed, decided by the controller; appealed, decided by
the Board, whose word is final. An appeal may be sent back: the case is then heard by the instance
below, which decides it anew. Before a decision a case may be withdrawn or settled; a decision
nobody appeals against becomes final. Suspension of games is separate from this: an appeal has no
suspensive effect (§ 6.4.3). Not for what may be asked (decide.py).
"""

from dataclasses import replace
from typing import assert_never

from kskak.cases import events as ce
from kskak.cases.decisions import AppealEnd, Instance
from kskak.cases.deposits import after_deposit
from kskak.cases.state import CaseStage, CaseState, Hearing, HeldDeposit


class CaseFault(ValueError):
    """An event that can't have happened in this case; the message says what is wrong."""


CaseEventType = type[ce.CaseEvent]
_S = CaseStage
_AFTER_ONE = frozenset(CaseStage)
"""Where a decision may have been made before: also in a case that was sent back."""
_BESIDE: dict[CaseEventType, frozenset[CaseStage]] = {
    ce.PaperFiled: frozenset(CaseStage),
    ce.DecisionCited: frozenset({_S.OPENED, _S.HEARD, _S.DECIDED, _S.APPEALED}),
    ce.AnnulledElsewhere: frozenset({_S.DECIDED, _S.APPEALED, _S.FINAL}),
    ce.GameClaimed: frozenset({_S.OPENED, _S.HEARD}),
    ce.GamesSuspended: frozenset({_S.OPENED, _S.HEARD, _S.DECIDED, _S.APPEALED}),
    ce.SuspensionLifted: frozenset(CaseStage),
    ce.DecisionDelivered: _AFTER_ONE,
    ce.DepositSettled: _AFTER_ONE,
    ce.DepositReceived: _AFTER_ONE,
    ce.DepositPaidBack: _AFTER_ONE,
    ce.BoardVoted: frozenset({_S.APPEALED}),
}
"""Events that don't change the stage, and the stages in which they can happen."""

CASE_TABLE: dict[CaseStage, dict[CaseEventType, frozenset[CaseStage]]] = {
    _S.OPENED: {
        ce.CaseWidened: frozenset({_S.OPENED}),
        ce.PartiesAsked: frozenset({_S.OPENED}),
        ce.HearingClosed: frozenset({_S.HEARD}),
        ce.CaseWithdrawn: frozenset({_S.WITHDRAWN}),
        ce.CaseSettled: frozenset({_S.SETTLED}),
    },
    _S.HEARD: {
        ce.CaseWidened: frozenset({_S.OPENED, _S.HEARD}),
        ce.PartiesAsked: frozenset({_S.OPENED}),
        ce.Decided: frozenset({_S.DECIDED}),
        ce.CaseWithdrawn: frozenset({_S.WITHDRAWN}),
        ce.CaseSettled: frozenset({_S.SETTLED}),
    },
    _S.DECIDED: {
        ce.CaseWidened: frozenset({_S.DECIDED}),
        ce.Decided: frozenset({_S.DECIDED}),
        ce.Appealed: frozenset({_S.APPEALED}),
        ce.BecameFinal: frozenset({_S.FINAL}),
    },
    _S.APPEALED: {
        ce.CaseWidened: frozenset({_S.APPEALED}),
        ce.PartiesAsked: frozenset({_S.APPEALED}),
        ce.HearingClosed: frozenset({_S.APPEALED}),
        ce.Appealed: frozenset({_S.APPEALED}),
        ce.AppealWithdrawn: frozenset({_S.APPEALED, _S.DECIDED}),
        ce.Decided: frozenset({_S.HEARD, _S.DECIDED, _S.FINAL}),
    },
    _S.FINAL: {ce.Appealed: frozenset({_S.APPEALED})},
    _S.SETTLED: {},
    _S.WITHDRAWN: {},
}
"""Stage, kind of event, and the stages that may follow; with ``_BESIDE`` the whole lifecycle."""


def case_may_follow(stage: CaseStage, event: ce.CaseEvent) -> frozenset[CaseStage]:
    """The stages that the event may lead to from here, empty when it can't happen (§ 6.4.3)."""
    kind = type(event)
    if stage in _BESIDE.get(kind, ()):
        return frozenset({stage})
    return CASE_TABLE[stage].get(kind, frozenset())


def evolve_case(state: CaseState | None, event: ce.CaseEvent) -> CaseState:
    """The case after an event. Raises CaseFault for one that can't have happened."""
    if isinstance(event, ce.CaseOpened):
        if state is not None:
            raise CaseFault("the case is open already")
        return CaseState(event, CaseStage.OPENED, event.instance)
    if state is None:
        raise CaseFault("the case has not been opened")
    if not case_may_follow(state.stage, event):
        raise CaseFault(f"{type(event).__name__} can't follow when the case is {state.stage}")
    match event:
        case ce.CaseWidened():
            return _widened(state, event)
        case ce.PartiesAsked() | ce.PaperFiled() | ce.HearingClosed():
            return _heard(state, event)
        case ce.Decided() | ce.Appealed() | ce.AppealWithdrawn():
            return _decided(state, event)
        case ce.BecameFinal() | ce.CaseWithdrawn() | ce.CaseSettled():
            stage = _END[type(event)]
            return replace(state, stage=stage, hearing=None, closed_on=event.on, claims=())
        case _:
            return _beside(state, event)


_END: dict[CaseEventType, CaseStage] = {
    ce.BecameFinal: CaseStage.FINAL,
    ce.CaseWithdrawn: CaseStage.WITHDRAWN,
    ce.CaseSettled: CaseStage.SETTLED,
}


def _widened(state: CaseState, event: ce.CaseWidened) -> CaseState:
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
    return replace(state, opened=after, stage=stage, hearing=None if is_heard else state.hearing)


_Beside = (
    ce.GameClaimed
    | ce.GamesSuspended
    | ce.SuspensionLifted
    | ce.DecisionDelivered
    | ce.DepositSettled
    | ce.DepositReceived
    | ce.DepositPaidBack
    | ce.BoardVoted
    | ce.DecisionCited
    | ce.AnnulledElsewhere
)


def _beside(
    state: CaseState,
    event: _Beside,
) -> CaseState:
    """The case after an event that leaves its stage unchanged."""
    match event:
        case ce.DecisionCited(decision=decision):
            return replace(state, cited=(*state.cited, decision))
        case ce.AnnulledElsewhere(ref=ref):
            return replace(state, annulled_elsewhere=(*state.annulled_elsewhere, ref))
        case ce.GameClaimed():
            return replace(state, claims=(*state.claims, event))
        case ce.GamesSuspended(games=games):
            return replace(state, suspended=tuple(sorted({*state.suspended, *games})))
        case ce.SuspensionLifted(games=games):
            return replace(state, suspended=tuple(g for g in state.suspended if g not in games))
        case ce.DecisionDelivered():
            return replace(state, delivered=(*state.delivered, event))
        case ce.DepositSettled() | ce.DepositReceived() | ce.DepositPaidBack():
            return after_deposit(state, event)
        case ce.BoardVoted(vote=vote):
            others = (one for one in state.votes if one.member != vote.member)
            return replace(state, votes=(*others, vote))
        case _:
            assert_never(event)


def _heard(
    state: CaseState, event: ce.PartiesAsked | ce.PaperFiled | ce.HearingClosed
) -> CaseState:
    """The hearing: asked, answered, closed (§ 6.4.1)."""
    match event:
        case ce.PartiesAsked(until=until, asked=asked):
            stage = CaseStage.OPENED if state.stage is CaseStage.HEARD else state.stage
            return replace(state, stage=stage, hearing=Hearing(until, asked))
        case ce.PaperFiled(by=by, kind=kind):
            hearing = state.hearing
            speaks = kind in (ce.PaperKind.STATEMENT, ce.PaperKind.MAIL)
            if hearing is None or by is None or not speaks or by in hearing.answered:
                return state
            return replace(state, hearing=replace(hearing, answered=(*hearing.answered, by)))
        case ce.HearingClosed():
            closed = state.hearing and replace(state.hearing, is_closed=True)
            if state.stage is not CaseStage.OPENED:
                return replace(state, hearing=closed)
            return replace(state, stage=CaseStage.HEARD, hearing=closed)
        case _:
            assert_never(event)


def _decided(state: CaseState, event: ce.Decided | ce.Appealed | ce.AppealWithdrawn) -> CaseState:
    """Decisions and appeals: the instance rises with an appeal (§ 6.4.3)."""
    match event:
        case ce.Decided():
            return _ruled(state, event)
        case ce.Appealed(to=to):
            lodged = replace(state, stage=CaseStage.APPEALED, instance=to, votes=())
            return _appealed(replace(lodged, closed_on=None), event)
        case ce.AppealWithdrawn(by=by):
            left = tuple(appeal for appeal in state.appeals if appeal.by != by)
            state = replace(state, appeals=left, votes=())
            if left or state.latest is None:
                return state
            back = state.latest.instance
            return replace(state, stage=CaseStage.DECIDED, instance=back, hearing=None)
        case _:
            assert_never(event)


def _ruled(state: CaseState, event: ce.Decided) -> CaseState:
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
        closed_on=decision.on if is_final else None,
    )
    if decision.appeal is not AppealEnd.SENT_BACK or state.latest is None:
        return after
    below = state.latest.instance
    return replace(after, stage=CaseStage.HEARD, instance=below, claims=claims, closed_on=None)


def _appealed(state: CaseState, event: ce.Appealed) -> CaseState:
    """A further appeal, with the deposit stated to the Board (§ 6.4.3)."""
    stated = () if event.stated is None else (HeldDeposit(event.by, event.stated),)
    appeals, deposits = (*state.appeals, event), (*state.deposits, *stated)
    return replace(state, appeals=appeals, deposits=deposits)
