"""The life of a game: its phases, which event may lead where, and why facts can't all be true."""

from enum import StrEnum

from kskak.board.positions import IllegalMove
from kskak.game import game_events as ev
from kskak.game.game_events import SeriesFault
from kskak.play.game_state import GameState, LedgerFault
from kskak.reflection import DatesContradict
from kskak.regulation.editions import Ending, OverstepFinding

# Why facts can't all be true: a closed set that the catalogues word (§ 6.4.1).


class Misfit(StrEnum):
    """What does not fit."""

    NO_ENTRY = "no_entry"
    NO_FAULT = "no_fault"
    NO_DISPATCH = "no_dispatch"
    A_MOVE = "a_move"
    DATES = "dates"
    DAY_OUTSIDE = "day_outside"
    RECEIVED_FIRST = "received_first"
    OUT_OF_TURN = "out_of_turn"
    GAME_OVER = "game_over"
    ILLEGAL = "illegal"
    SERIES = "series"
    OTHER = "other"


class OutOfTurn(LedgerFault):
    """A dispatch by the player whose turn it is not (§ 6.3.1)."""


class NoDispatch(LedgerFault):
    """A correction of a dispatch that does not exist (§ 6.3.2)."""


class IsOver(LedgerFault):
    """Something after the game's end (FIDE 5.1)."""


class ReceivedFirst(LedgerFault):
    """A move received before it was sent (§ 6.3.1)."""


_KNOWN: dict[type[Exception], Misfit] = {
    NoDispatch: Misfit.NO_DISPATCH,
    OutOfTurn: Misfit.OUT_OF_TURN,
    IsOver: Misfit.GAME_OVER,
    ReceivedFirst: Misfit.RECEIVED_FIRST,
    DatesContradict: Misfit.DATES,
    SeriesFault: Misfit.SERIES,
    IllegalMove: Misfit.ILLEGAL,
}


def misfit_of(fault: BaseException) -> Misfit:
    """What a ledger fault, or one of its causes, is about."""
    at: BaseException | None = fault
    while at is not None:
        for kind, misfit in _KNOWN.items():
            if isinstance(at, kind):
                return misfit
        at = at.__cause__
    return Misfit.OTHER


_REMEDIES: dict[Misfit, str] = {
    Misfit.NO_DISPATCH: "write the ply (from 1) of the first move of a dispatch",
    Misfit.DATES: "write received not before the opponent sent, and sent not before received",
    Misfit.RECEIVED_FIRST: "write a day that is not before the opponent sent",
    Misfit.OUT_OF_TURN: "check by, and whether a move before this one is left out",
    Misfit.GAME_OVER: "take the entry out, or check what ended the game before it",
    Misfit.ILLEGAL: "check this move and those before it",
    Misfit.SERIES: "check the moves of this entry, and what the one before proposes",
}


def remedy_of(fault: BaseException) -> str:
    """What to write or check in a ledger with this fault: English, for the ledger's author."""
    return _REMEDIES.get(misfit_of(fault), "check this entry and those before it")


# The life of a game: its phases, and which event may lead from which to which.


class Phase(StrEnum):
    """The phase a game is in."""

    RUNNING = "running"
    OVERSTEPPED = "overstepped"
    LOST = "lost"
    ENDED = "ended"
    RULED = "ruled"


def phase_of(state: GameState) -> Phase:
    """The phase of a game; what closed it takes precedence over an overstep (§ 6.3.3)."""
    if state.ended is not None:
        return Phase.RULED if state.ended is Ending.RULING else Phase.ENDED
    if state.overstep is None:
        return Phase.RUNNING
    return Phase.OVERSTEPPED if state.overstep.finding is OverstepFinding.OPEN else Phase.LOST


EventType = type[ev.Event]
Row = dict[EventType, frozenset[Phase]]

_NOTICE_EVENTS: tuple[EventType, ...] = (
    ev.MoveReceived,
    ev.LongThinkNotified,
    ev.OpponentReminded,
    ev.LeaderTold,
    ev.DrawOfferPrepared,
    ev.DrawDeclined,
    ev.DrawClaimFailed,
    ev.OverstepFound,
    ev.OverstepWaived,
    ev.EmailAnswered,
    ev.TakenOver,
    ev.ClaimStands,
)
_COUNTED_DAYS: tuple[EventType, ...] = (
    ev.LeaveBooked,
    ev.LeaveShortened,
    ev.GamePaused,
    ev.PauseEnded,
    ev.DispatchCorrected,
)
_CHARGES: tuple[EventType, ...] = (ev.FaultySent, ev.DaysCharged)
_REOPENING: tuple[EventType, ...] = (ev.TotalsSet, ev.GameResumed)
_ENDING_NOTICE_EVENTS: tuple[EventType, ...] = (ev.PlayerResigned, ev.DrawMade)
_TAKEN_BACK: tuple[EventType, ...] = (ev.RulingAnnulled, ev.ClaimDropped)
_RUNNING, _OVERSTEPPED, _LOST, _ENDED, _RULED = Phase
_ANY_OPEN = frozenset({_RUNNING, _OVERSTEPPED, _LOST})


def _row(*groups: tuple[tuple[EventType, ...], set[Phase] | frozenset[Phase]]) -> Row:
    phases_of = {kind: frozenset(phases) for kinds, phases in groups for kind in kinds}
    return phases_of | {ev.EntryAnnulled: frozenset(Phase)}


def _open(phase: Phase, charged: set[Phase], sent: set[Phase], claimed: set[Phase]) -> Row:
    """Of a game that is not over: what charges, a dispatch and a claim may lead to."""
    return _row(
        (_NOTICE_EVENTS, {phase}),
        ((*_COUNTED_DAYS, *_TAKEN_BACK, ev.GameSetBack), _ANY_OPEN),
        (_CHARGES, charged),
        (_REOPENING, {_RUNNING}),
        ((ev.MoveSent,), sent),
        ((ev.OverstepClaimed,), claimed),
        (_ENDING_NOTICE_EVENTS, {_ENDED}),
        ((ev.ResultRuled,), {_RULED}),
    )


_FREE = (*_NOTICE_EVENTS, *_COUNTED_DAYS, *_CHARGES, *_REOPENING, ev.OverstepClaimed)
"""What may happen in a game that is over, and changes nothing."""
TABLE: dict[Phase, Row] = {
    _RUNNING: _open(
        _RUNNING,
        charged={_RUNNING, _OVERSTEPPED},
        sent={_RUNNING, _OVERSTEPPED, _ENDED},
        claimed={_RUNNING, _LOST},
    ),
    _OVERSTEPPED: _open(
        _OVERSTEPPED,
        charged={_OVERSTEPPED},
        sent={_OVERSTEPPED, _LOST, _ENDED},
        claimed={_OVERSTEPPED, _LOST},
    ),
    _LOST: _open(_LOST, charged={_LOST}, sent={_LOST, _ENDED}, claimed={_LOST}),
    _ENDED: _row(
        (_FREE, {_ENDED}),
        ((ev.ResultRuled,), {_RULED}),
        (_TAKEN_BACK, {_ENDED}),
        ((ev.GameSetBack,), _ANY_OPEN),
    ),
    _RULED: _row(
        (_FREE, {_RULED}),
        ((ev.ResultRuled, ev.ClaimDropped), {_RULED}),
        ((ev.RulingAnnulled,), set(Phase)),
    ),
}
"""Phase, kind of event, and the phases that may follow; no row: refused."""


def may_follow(phase: Phase, event: ev.Event) -> frozenset[Phase]:
    """The phases that the event may lead to from here, empty when it is refused.

    A ruling's effect has the row of the event it contains.
    """
    kind = type(event.effect) if isinstance(event, ev.RulingApplied) else type(event)
    return TABLE[phase].get(kind, frozenset())


def admit(state: GameState, event: ev.Event) -> None:
    """Raise LedgerFault for an event that the table has no row for: the game is over."""
    if not may_follow(phase_of(state), event):
        raise IsOver("the game is over")
