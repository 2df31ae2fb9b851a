"""How each event changes a game: ``evolve``, ``replay``, and ``advance``, which picks one.

The state holds no history, so that a move costs the same at ply 10 and 200. An event about
the past (leave that has begun, a correction, an annulment) needs the history: ``evolve`` raises
``NeedsHistory`` and the game is replayed. Not for what may be asked (decide.py) nor for
explaining the account (statement/account.py).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kskak.board.moves import AlreadyOver, Position
from kskak.game.events import (
    ClaimDropped,
    DispatchCorrected,
    EntryAnnulled,
    Event,
    LeaveBooked,
    LeaveShortened,
    MoveSent,
    Paused,
    PauseEnded,
    Ruled,
    RulingAnnulled,
)
from kskak.play.account_log import SILENT, Log
from kskak.play.contradictions import NoDispatch, remedy_of
from kskak.play.dispatch import send
from kskak.play.lifecycle import admit
from kskak.play.on_board import Played, replayed
from kskak.play.other_events import happen
from kskak.play.standing_events import RuledLog, Standing, standing
from kskak.play.state import GameState, LedgerFault, Terms, Turn
from kskak.reflection.leave import Booking, calendar_of, end_pause, shorten
from kskak.regulation.days import ONE_DAY

_ANYWHERE = LeaveBooked | LeaveShortened | Paused | PauseEnded | DispatchCorrected
"""What takes effect wherever it is in the list."""


class NeedsHistory(Exception):
    """The event changes days that have been counted: replay the game."""


class EntryFault(LedgerFault):
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


def evolve(state: GameState, event: Event, entry: int, log: Log = SILENT) -> GameState:
    """The state after an event. Raises LedgerFault, or NeedsHistory for one about the past.

    ``entry`` is the event's place in the list; it orders leaves that begin on one day.
    """
    admit(state, event)
    match event:
        case Ruled(ruling, effect):
            return evolve(state, effect, entry, RuledLog(log, ruling, marks_charges=True))
        case MoveSent():
            return send(state, event, None, log, entry)
        case LeaveBooked() | Paused():
            if event.first < state.settled:
                raise NeedsHistory
            return _booked(state, (*state.bookings, Booking(entry, event)))
        case PauseEnded():
            if event.last + ONE_DAY < state.settled:
                raise NeedsHistory
            return _booked(state, end_pause(state.bookings, event.reason, event.last))
        case LeaveShortened():
            if event.until + ONE_DAY < state.settled:
                raise NeedsHistory
            return _booked(state, shorten(state.bookings, event))
        case DispatchCorrected() | RulingAnnulled() | ClaimDropped() | EntryAnnulled():
            raise NeedsHistory
        case _:
            return happen(state, event, log)


def _booked(state: GameState, bookings: tuple[Booking, ...]) -> GameState:
    """The state with new leaves and pauses, which change no day that has been counted."""
    calendar, _ = calendar_of(bookings, state.terms.start, state.terms.rules)
    return replace(state, bookings=bookings, calendar=calendar)


class _Found(NamedTuple):
    """A finding about a dispatch and the ruling behind it, if any."""

    finding: DispatchCorrected
    ruling: str | None


def _corrections(events: Sequence[Standing]) -> dict[int, _Found]:
    """Findings by ply; of several for one ply a later one wins field by field."""
    found: dict[int, _Found] = {}
    for _, event, ruling in events:
        if isinstance(event, DispatchCorrected):
            earlier = found.get(event.ply)
            if earlier is not None:
                event = replace(
                    event,
                    sent=event.sent or earlier.finding.sent,
                    received=event.received or earlier.finding.received,
                )
                ruling = ruling or earlier.ruling
            found[event.ply] = _Found(event, ruling)
    return found


def _bookings(events: Sequence[Standing]) -> tuple[Booking, ...]:
    """Leaves and pauses by their place in the list, pauses as they ended."""
    bookings: tuple[Booking, ...] = ()
    for entry, event, _ in events:
        if isinstance(event, LeaveBooked | Paused):
            bookings = (*bookings, Booking(entry, event))
        elif isinstance(event, PauseEnded):
            bookings = end_pause(bookings, event.reason, event.last)
        elif isinstance(event, LeaveShortened):
            bookings = shorten(bookings, event)
    return bookings


def replay(
    terms: Terms, events: Iterable[Event], log: Log = SILENT, *, is_decided: bool = False
) -> GameState:
    """The state after all events, in order. Raises EntryFault with the entry's index.

    Leaves, pauses and corrections apply wherever they are in the list; annulled rulings don't.
    ``is_decided``: each was decided in this game, so that legal moves are not looked for again.
    """
    counting = standing(list(events))
    bookings = _bookings(counting)
    calendar, warnings = calendar_of(bookings, terms.start, terms.rules)
    for warning in warnings:
        log.remark(warning.entry, warning.code)
    corrections = _corrections(counting)
    state = replace(open_game(terms), bookings=bookings, calendar=calendar)
    past = [event for _, event, _ in counting if isinstance(event, MoveSent)][:-1]
    plies = replayed(state.position, past if is_decided else ())
    begun: set[int] = set()
    for entry, event, ruling in counting:
        try:
            admit(state, event)
            if isinstance(event, MoveSent):
                begun.add(state.position.ply + 1)
                state = _sent(state, event, corrections, log, entry, plies)
            elif not isinstance(event, _ANYWHERE):
                told = log if ruling is None else RuledLog(log, ruling, marks_charges=True)
                state = happen(state, event, told)
        except LedgerFault as fault:
            raise EntryFault(entry, fault) from fault
    for entry, event, _ in counting:
        if isinstance(event, DispatchCorrected) and event.ply not in begun:
            missing = NoDispatch(f"no dispatch begins at ply {event.ply}")
            raise EntryFault(entry, missing) from missing
    return state


def _sent(
    state: GameState,
    event: MoveSent,
    corrections: Mapping[int, _Found],
    log: Log,
    entry: int,
    plies: Iterator[Played],
) -> GameState:
    """A dispatch with the dates found for it, its rows marked with the ruling."""
    found = corrections.get(state.position.ply + 1)
    if found is None:
        return send(state, event, None, log, entry, plies)
    told = log if found.ruling is None else RuledLog(log, found.ruling, marks_charges=False)
    return send(state, event, found.finding, told, entry, plies)


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
