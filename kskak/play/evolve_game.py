"""How each event changes a game: ``evolve``, ``replay``, and ``advance``, which picks one.

The state holds no history, so that a move costs the same at ply 10 and 200. An event about
the past (leave that has begun, a correction, an annulment) needs the history: ``evolve`` raises
``NeedsHistory`` and the game is replayed. Not for what may be asked (decide_command.py) nor for
explaining the account (statement/account.py).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from kskak.board.positions import AlreadyOver, Position
from kskak.game import game_events as ev
from kskak.game.game_events import (
    ClaimDropped,
    DispatchCorrected,
    EntryAnnulled,
    Event,
    GamePaused,
    GameSetBack,
    LeaveBooked,
    LeaveShortened,
    MoveSent,
    PauseEnded,
    RulingAnnulled,
    RulingApplied,
)
from kskak.play.dispatch import PlayedDispatch, add_series, replay_dispatches, send
from kskak.play.events_in_force import EffectiveEvent, RuledLog, list_events_in_force
from kskak.play.game_state import (
    SILENT,
    AccountCharge,
    AccountRecorder,
    GameState,
    LedgerFault,
    NoDispatch,
    PlayerClock,
    ReceivedFirst,
    Terms,
    Turn,
    admit,
    remedy_of,
)
from kskak.reflection import Booking, TimeOverstep, calendar_of, end_pause, fault_days, shorten
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import Ending, OverstepFinding, Result, Side

# What every event but a dispatch does to a game's state.


def _evolve_receipt(state: GameState, event: ev.MoveReceived, _: AccountRecorder) -> GameState:
    if event.by is not state.mover:
        return state
    if state.turn.opponent_sent is not None and event.on < state.turn.opponent_sent:
        raise ReceivedFirst("received before the opponent had sent")
    if state.turn.fixed is not None:
        return state
    return replace(state, turn=replace(state.turn, seen=event.on))


def _evolve_reminders(
    state: GameState,
    event: ev.LongThinkNotified | ev.OpponentReminded | ev.LeaderTold,
    _: AccountRecorder,
) -> GameState:
    """Notice by the side to move; reminder and report by the one who waits (§ 6.3.4)."""
    said = state.turn.said
    is_mover = event.by is state.mover
    match event:
        case ev.LongThinkNotified() if is_mover:
            said = replace(said, notices=(*said.notices, event.on))
        case ev.OpponentReminded() if not is_mover:
            said = replace(said, reminders=(*said.reminders, event.on))
        case ev.LeaderTold() if not is_mover:
            said = replace(said, leader_told=(*said.leader_told, event.on))
    return replace(state, turn=replace(state.turn, said=said))


def _faulty(state: GameState, event: ev.FaultySent, log: AccountRecorder) -> GameState:
    """Charge a faulty move (§ 6.3.5.1, § 6.8.6)."""
    rules, clock = state.terms.rules, state.clock(event.by)
    days = fault_days(event.fault, clock.faults, rules)
    if days == 0:
        return state
    log.charge(AccountCharge(event.by, event.on, days, rules.paragraphs.faulty, event.fault.value))
    counted = PlayerClock(clock.total, clock.moves, clock.faults + 1)
    return _add_days(state.with_clock(event.by, counted), event.by, days, event.on)


def _add_days(state: GameState, side: Side, days: int, on: date) -> GameState:
    """Add days to a total; only days above 0 test the limit (§ 6.3.3.1)."""
    clock = state.clock(side)
    total = clock.total + days
    if days > 0 and state.overstep is None and total > state.limit_of(side):
        control, limit = state.next_control(side), state.limit_of(side)
        overstep = TimeOverstep(side, control, limit, total, on, OverstepFinding.OPEN)
        state = replace(state, overstep=overstep)
    return state.with_clock(side, replace(clock, total=total))


def _totals_set(state: GameState, event: ev.TotalsSet, _: AccountRecorder) -> GameState:
    """Totals set by a ruling; a game closed by overstep is open again (Kendelse 59)."""
    for side, total in ((Side.WHITE, event.white), (Side.BLACK, event.black)):
        if total is not None:
            state = state.with_clock(side, replace(state.clock(side), total=total))
    return replace(state, overstep=None, awaits_decision=False)


def _evolve_claim(state: GameState, event: ev.OverstepClaimed, _: AccountRecorder) -> GameState:
    """A claim loses the game for whoever overstepped; without an overstep it has no effect.

    § 6.3.3.3, § 6.8.7. It overrides an earlier mate or resignation, but not an agreed draw or
    a ruling. While the late side has not sent, the days until the claim count.
    """
    if state.ended is not None and not state.ended.is_overridden_by_claim:
        return state
    overstep = state.overstep
    if overstep is not None:
        if overstep.by is event.by or overstep.finding is not OverstepFinding.OPEN:
            return state
        found = overstep.found(OverstepFinding.CLAIMED)
        return replace(state, overstep=found, awaits_decision=event.awaits_decision)
    running = state.running()
    if running is None or running.by is event.by:
        return state
    if running.flag_on is None or event.on < running.flag_on:
        # Checked and within the limit: days until then count as counted (below, NeedsHistory).
        return replace(state, settled=max(state.settled, event.on))
    used = state.clock(running.by).total + state.days_on(running, event.on)
    control = state.next_control(running.by)
    found = TimeOverstep(
        running.by, control, running.limit, used, running.flag_on, OverstepFinding.CLAIMED
    )
    late = replace(state, overstep=found, awaits_decision=event.awaits_decision)
    return replace(late, settled=max(state.settled, event.on))


def _charge(state: GameState, event: ev.DaysCharged, log: AccountRecorder) -> GameState:
    log.charge(AccountCharge(event.by, event.on, event.days, event.paragraph, event.reason))
    return _add_days(state, event.by, event.days, event.on)


def _resume(state: GameState, event: ev.GameResumed, _: AccountRecorder) -> GameState:
    """The reported receipt counts again if the ruling is annulled (§ 6.4.3)."""
    fresh = Turn(state.turn.opponent_sent, event.on, state.turn.seen, state.turn.said)
    return replace(state, turn=fresh, overstep=None, awaits_decision=False)


def _take_over(state: GameState, event: ev.TakenOver, _: AccountRecorder) -> GameState:
    return replace(state, turn=replace(state.turn, watched=event.on))


def _evolve_series(state: GameState, event: ev.SeriesAdded, _: AccountRecorder) -> GameState:
    """With the dispatch it is added to; with it an overstep since may be none (§ 6.3.3.2)."""
    if state.overstep is not None:
        raise NeedsHistory
    return add_series(state, event)


_Evolver = Callable[[GameState, Any, AccountRecorder], GameState]
_AT_ANY_TIME: dict[type[Event], _Evolver] = {
    ev.OverstepClaimed: _evolve_claim,
    ev.ClaimStands: lambda state, _, __: replace(state, awaits_decision=False),
    ev.ResultRuled: lambda state, event, _: replace(
        state, ended=Ending.RULING, ended_result=event.result, awaits_decision=False
    ),
    # A resignation or a draw ends the game (§ 6.2.6, FIDE 5.1-5.2).
    ev.PlayerResigned: lambda state, event, _: replace(
        state, ended=Ending.RESIGNATION, ended_result=Result.won_by(event.by.other)
    ),
    ev.DrawMade: lambda state, _, __: replace(state, ended=Ending.DRAW, ended_result=Result.DRAW),
}
_WHILE_RUNNING: dict[type[Event], _Evolver] = {
    ev.SeriesAdded: _evolve_series,
    ev.MoveReceived: _evolve_receipt,
    ev.LongThinkNotified: _evolve_reminders,
    ev.OpponentReminded: _evolve_reminders,
    ev.LeaderTold: _evolve_reminders,
    ev.FaultySent: _faulty,
    ev.DaysCharged: _charge,
    ev.TotalsSet: _totals_set,
    ev.GameResumed: _resume,
    ev.TakenOver: _take_over,
    ev.DrawOfferPrepared: lambda state, event, _: replace(state, prepared_offer=event.by),
    ev.DrawDeclined: lambda state, _, __: replace(state, draw_offer=None),
    ev.DrawClaimFailed: lambda state, event, _: replace(state, draw_offer=event.by),
    ev.OverstepFound: lambda state, event, _: replace(
        state, turn=replace(state.turn, warned=event.on)
    ),
    ev.OverstepWaived: lambda state, _, __: replace(state, is_overstep_waived=True),
    ev.EmailAnswered: lambda state, event, _: replace(
        state, means=state.means.saying(event.by, event.agrees)
    ),
}
"""What has no effect once the game is over."""


def happen(state: GameState, event: Event, log: AccountRecorder) -> GameState:
    """Apply an event. Raises LedgerFault for one that can't have happened."""
    if (evolver := _AT_ANY_TIME.get(type(event))) is not None:
        return evolver(state, event, log)
    return state if state.ended is not None else _WHILE_RUNNING[type(event)](state, event, log)


# How each event changes a game: ``evolve``, ``replay``, and ``advance``, which picks one.

_ANYWHERE = (
    LeaveBooked | LeaveShortened | GamePaused | PauseEnded | DispatchCorrected | ev.SeriesAdded
)
"""What takes effect wherever it is in the list, or with the dispatch before it."""


class NeedsHistory(Exception):
    """The event changes days that have been counted: replay the game."""


class LedgerEntryFault(LedgerFault):
    """A LedgerFault with the index of its entry, and what its writer can do about it."""

    def __init__(self, entry: int, fault: LedgerFault) -> None:
        self.entry = entry
        self.what = str(fault)
        self.remedy = remedy_of(fault)
        super().__init__(f"entry {entry}: {self.what}; {self.remedy}")


def open_game(terms: Terms) -> GameState:
    """The state before the first event. ValueError for a FEN no game can start from."""
    try:
        position = Position.beginning(terms.fen, terms.laws)
    except AlreadyOver as error:
        raise ValueError(f"fen: {error}") from error
    except ValueError as error:
        raise ValueError(f"fen: is no position ({error}); write its FEN, or null") from error
    first = Turn(opponent_sent=None, fixed=terms.start)
    return GameState(terms=terms, position=position, turn=first, settled=terms.start)


_OF_THE_PAST = DispatchCorrected | RulingAnnulled | ClaimDropped | EntryAnnulled | GameSetBack


def evolve(state: GameState, event: Event, entry: int, log: AccountRecorder = SILENT) -> GameState:
    """The state after an event. Raises LedgerFault, or NeedsHistory for one about the past.

    ``entry`` is the event's place in the list; it orders leaves that begin on one day.
    """
    admit(state, event)
    match event:
        case RulingApplied(ruling, effect):
            return evolve(state, effect, entry, RuledLog(log, ruling, marks_charges=True))
        case MoveSent():
            return send(state, event, None, log, entry)
        case LeaveBooked() | GamePaused():
            if event.first < state.settled:
                raise NeedsHistory
            return _evolve_bookings(state, (*state.bookings, Booking(entry, event)))
        case PauseEnded():
            if event.last + ONE_DAY < state.settled:
                raise NeedsHistory
            return _evolve_bookings(state, end_pause(state.bookings, event.reason, event.last))
        case LeaveShortened():
            if event.until + ONE_DAY < state.settled:
                raise NeedsHistory
            return _evolve_bookings(state, shorten(state.bookings, event))
        case _ if isinstance(event, _OF_THE_PAST):
            raise NeedsHistory
        case _:
            return happen(state, event, log)


def _evolve_bookings(state: GameState, bookings: tuple[Booking, ...]) -> GameState:
    """The state with new leaves and pauses, which change no day that has been counted."""
    calendar, _ = calendar_of(bookings, state.terms.start, state.terms.rules)
    return replace(state, bookings=bookings, calendar=calendar)


def _corrections(
    events: Sequence[EffectiveEvent],
) -> dict[int, tuple[DispatchCorrected, str | None]]:
    """Findings by ply, each with its ruling, if any; of several a later one wins field by field."""
    found: dict[int, tuple[DispatchCorrected, str | None]] = {}
    for _, event, ruling in events:
        if isinstance(event, DispatchCorrected):
            earlier, before = found.get(event.ply, (event, None))
            sent, received = event.sent or earlier.sent, event.received or earlier.received
            corrected = replace(event, sent=sent, received=received)
            found[event.ply] = (corrected, ruling or before)
    return found


def _bookings(events: Sequence[EffectiveEvent]) -> tuple[Booking, ...]:
    """Leaves and pauses by their place in the list, pauses as they ended."""
    bookings: tuple[Booking, ...] = ()
    for entry, event, _ in events:
        if isinstance(event, LeaveBooked | GamePaused):
            bookings = (*bookings, Booking(entry, event))
        elif isinstance(event, PauseEnded):
            bookings = end_pause(bookings, event.reason, event.last)
        elif isinstance(event, LeaveShortened):
            bookings = shorten(bookings, event)
    return bookings


def replay(
    terms: Terms,
    events: Iterable[Event],
    log: AccountRecorder = SILENT,
    *,
    is_decided: bool = False,
) -> GameState:
    """The state after all events, in order. Raises EntryFault with the entry's index.

    Leaves, pauses and corrections apply wherever they are in the list; annulled rulings don't.
    ``is_decided``: each was decided in this game, so that legal moves are not looked for again.
    """
    counting = list_events_in_force(list(events))
    bookings = _bookings(counting)
    calendar, warnings = calendar_of(bookings, terms.start, terms.rules)
    for warning in warnings:
        log.remark(warning.entry, warning.code)
    corrections = _corrections(counting)
    state = replace(open_game(terms), bookings=bookings, calendar=calendar)
    past = [event for _, event, _ in counting if isinstance(event, MoveSent)][:-1]
    plies = replay_dispatches(state.position, past if is_decided else ())
    begun: set[int] = set()
    for entry, event, ruling in counting:
        try:
            admit(state, event)
            if isinstance(event, MoveSent):
                begun.add(state.position.ply + 1)
                state = _evolve_dispatch(state, event, corrections, log, entry, plies)
            elif not isinstance(event, _ANYWHERE):
                recorder = log if ruling is None else RuledLog(log, ruling, marks_charges=True)
                state = happen(state, event, recorder)
        except LedgerFault as fault:
            raise LedgerEntryFault(entry, fault) from fault
    for entry, event, _ in counting:
        if isinstance(event, DispatchCorrected) and event.ply not in begun:
            missing = NoDispatch(f"no dispatch begins at ply {event.ply}")
            raise LedgerEntryFault(entry, missing) from missing
    return state


def _evolve_dispatch(
    state: GameState,
    event: MoveSent,
    corrections: Mapping[int, tuple[DispatchCorrected, str | None]],
    log: AccountRecorder,
    entry: int,
    plies: Iterator[PlayedDispatch],
) -> GameState:
    """A dispatch with the dates found for it, its rows marked with the ruling."""
    finding, ruling = corrections.get(state.position.ply + 1, (None, None))
    recorder = log if ruling is None else RuledLog(log, ruling, marks_charges=False)
    return send(state, event, finding, recorder, entry, plies)


def advance(
    state: GameState, new: Sequence[Event], seq: int, history: Callable[[], Sequence[Event]]
) -> GameState:
    """The state after new events, replaying from ``history`` (all events so far) if needed.

    ``seq`` is the number of events so far. ``advance`` equals ``replay`` of everything.
    """
    try:
        for offset, event in enumerate(new):
            state = evolve(state, event, seq + offset)
    except NeedsHistory:
        return replay(state.terms, [*history(), *new])
    return state
