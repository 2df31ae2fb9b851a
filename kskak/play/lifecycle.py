"""The life of a game: its phases, and which event may lead from which to which.

A game runs until something ends it. It is ended for good on the board (mate, stalemate, a
dead position, the automatic draws), by a player (resignation, an agreed or correctly claimed
draw), or by a ruling. After the first two only a ruling, or the claim of an earlier overstep,
can change the result; the phase stays. A ruling yields only to a later ruling.

An overstep (§ 6.3.3.1) ends nothing by itself: it stays *open* until the opponent claims it,
which wins (§ 6.3.3.3) once that is decided or admitted, or plays on, which loses for both
(§ 6.3.3.4). A game lost this way is not closed: rulings reopen it (Kendelse 59, Kendelse 120),
and what was sent in the meantime is still read and counted.

Annulling a ruling undoes what it did: its result goes, and the game is again what it was
without it (§ 6.4.3).

Some events are about days already counted: leave and pauses recorded late, and findings
of fact (Kendelse 107). The game is then replayed, so while nothing has closed it they
may create, change or undo an overstep. All other events only add.

``admit`` is called before an event is applied. An event without a row is refused; one whose row
leads only back to its phase may still change days. Not for what an event does (evolve.py).
"""

from enum import StrEnum

from kskak.game import events as ev
from kskak.play.contradictions import IsOver
from kskak.play.state import GameState
from kskak.regulation.quantities import Ending, Finding


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
    return Phase.OVERSTEPPED if state.overstep.finding is Finding.OPEN else Phase.LOST


EventType = type[ev.Event]
Row = dict[EventType, frozenset[Phase]]

_WORDS: tuple[EventType, ...] = (
    ev.MoveReceived,
    ev.LongThinkNotified,
    ev.Reminded,
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
    ev.Paused,
    ev.PauseEnded,
    ev.DispatchCorrected,
)
_CHARGES: tuple[EventType, ...] = (ev.FaultySent, ev.DaysCharged)
_REOPENING: tuple[EventType, ...] = (ev.TotalsSet, ev.GameResumed)
_WORDS_OF_END: tuple[EventType, ...] = (ev.Resigned, ev.DrawMade)
_TAKEN_BACK: tuple[EventType, ...] = (ev.RulingAnnulled, ev.ClaimDropped)
_ANNULLED: tuple[EventType, ...] = (ev.EntryAnnulled,)
_ANY_OPEN = frozenset({Phase.RUNNING, Phase.OVERSTEPPED, Phase.LOST})


def _row(*groups: tuple[tuple[EventType, ...], set[Phase] | frozenset[Phase]]) -> Row:
    return {kind: frozenset(phases) for kinds, phases in groups for kind in kinds}


_RUNNING, _OVERSTEPPED, _LOST, _ENDED, _RULED = Phase

TABLE: dict[Phase, Row] = {
    _RUNNING: _row(
        (_WORDS, {_RUNNING}),
        (_COUNTED_DAYS, _ANY_OPEN),
        (_CHARGES, {_RUNNING, _OVERSTEPPED}),
        (_REOPENING, {_RUNNING}),
        ((ev.MoveSent,), {_RUNNING, _OVERSTEPPED, _ENDED}),
        ((ev.OverstepClaimed,), {_RUNNING, _LOST}),
        (_WORDS_OF_END, {_ENDED}),
        ((ev.ResultRuled,), {_RULED}),
        (_TAKEN_BACK, _ANY_OPEN),
        (_ANNULLED, set(Phase)),
    ),
    _OVERSTEPPED: _row(
        (_WORDS, {_OVERSTEPPED}),
        (_COUNTED_DAYS, _ANY_OPEN),
        (_CHARGES, {_OVERSTEPPED}),
        (_REOPENING, {_RUNNING}),
        ((ev.MoveSent,), {_OVERSTEPPED, _LOST, _ENDED}),
        ((ev.OverstepClaimed,), {_OVERSTEPPED, _LOST}),
        (_WORDS_OF_END, {_ENDED}),
        ((ev.ResultRuled,), {_RULED}),
        (_TAKEN_BACK, _ANY_OPEN),
        (_ANNULLED, set(Phase)),
    ),
    _LOST: _row(
        (_WORDS, {_LOST}),
        (_COUNTED_DAYS, _ANY_OPEN),
        (_CHARGES, {_LOST}),
        (_REOPENING, {_RUNNING}),
        ((ev.MoveSent,), {_LOST, _ENDED}),
        ((ev.OverstepClaimed,), {_LOST}),
        (_WORDS_OF_END, {_ENDED}),
        ((ev.ResultRuled,), {_RULED}),
        (_TAKEN_BACK, _ANY_OPEN),
        (_ANNULLED, set(Phase)),
    ),
    _ENDED: _row(
        ((*_WORDS, *_COUNTED_DAYS, *_CHARGES, *_REOPENING, ev.OverstepClaimed), {_ENDED}),
        ((ev.ResultRuled,), {_RULED}),
        (_TAKEN_BACK, {_ENDED}),
        (_ANNULLED, set(Phase)),
    ),
    _RULED: _row(
        ((*_WORDS, *_COUNTED_DAYS, *_CHARGES, *_REOPENING, ev.OverstepClaimed), {_RULED}),
        ((ev.ResultRuled,), {_RULED}),
        ((ev.ClaimDropped,), {_RULED}),
        ((ev.RulingAnnulled,), set(Phase)),
        (_ANNULLED, set(Phase)),
    ),
}
"""Phase, kind of event, and the phases that may follow; no row: refused."""


def may_follow(phase: Phase, event: ev.Event) -> frozenset[Phase]:
    """The phases that the event may lead to from here, empty when it is refused.

    A ruling's effect has the row of the event it contains.
    """
    kind = type(event.effect) if isinstance(event, ev.Ruled) else type(event)
    return TABLE[phase].get(kind, frozenset())


def admit(state: GameState, event: ev.Event) -> None:
    """Raise LedgerFault for an event that the table has no row for: the game is over."""
    if not may_follow(phase_of(state), event):
        raise IsOver("the game is over")
