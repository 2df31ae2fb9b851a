"""What if: other facts, tried on a game without saving anything (§ 6.4.1; Kendelse 38, 59, 107).

A supposition becomes hypothetical events beside or instead of the game's own; the same engine
computes the account, and ``compare`` marks what differs. Not for deciding: an official puts
what was found into a decision (``what_if_orders.effects_from``).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import assert_never

from kskak.cases.what_if_compared import Comparison, compare
from kskak.game import events as ev
from kskak.game.lawful_days import unlawful_day
from kskak.game.series import SeriesFault, answer_series
from kskak.play.contradictions import Misfit, misfit_of
from kskak.play.evolve import EntryFault
from kskak.play.state import LedgerFault, Terms
from kskak.regulation.quantities import Fault, LeaveType, PauseReason, Side
from kskak.statement.account import account


@dataclass(frozen=True, slots=True)
class SentOn:
    """The dispatch that begins at this ply was sent on another day (Kendelse 107)."""

    ply: int
    day: date


@dataclass(frozen=True, slots=True)
class ReceivedOn:
    """The move answered by the dispatch at this ply was received on another day (§ 6.8.2)."""

    ply: int
    day: date


@dataclass(frozen=True, slots=True)
class TurnReceivedOn:
    """The side to move received the last move on this day (§ 6.8.2)."""

    day: date


@dataclass(frozen=True, slots=True)
class SpoiledByPost:
    """The faulty move of this entry was spoiled on the way, not by its sender (Kendelse 59)."""

    entry: int


@dataclass(frozen=True, slots=True)
class EntryOut:
    """As if this entry did not exist: a charge, leave, pause, reminder, claim, ruling; no move."""

    entry: int


@dataclass(frozen=True, slots=True)
class RulingOut:
    """As if this ruling had never been made (§ 6.4.3)."""

    ruling: str


@dataclass(frozen=True, slots=True)
class NoticeGiven:
    """Notice of a long think before the dispatch that begins at this ply (§ 6.3.4)."""

    ply: int
    day: date


@dataclass(frozen=True, slots=True)
class LeaveGranted:
    """Leave with valid notice; special leave as if the leader had granted it (§ 6.3.6.4)."""

    by: Side
    first: date
    last: date
    leave_type: LeaveType = LeaveType.SPECIAL


@dataclass(frozen=True, slots=True)
class TimeStood:
    """Time stood still for both (§ 6.8.5)."""

    first: date
    last: date
    reason: PauseReason = PauseReason.OUTAGE


@dataclass(frozen=True, slots=True)
class DaysCounted:
    """Days charged (annulled when negative) at the end, or before the dispatch at ``ply``."""

    by: Side
    days: int
    on: date
    paragraph: str = "6.4.1"
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class TotalsCounted:
    """Totals set to these; reopens a game closed by overstep (Kendelse 59)."""

    white: int | None
    black: int | None


@dataclass(frozen=True, slots=True)
class ClaimMade:
    """The opponent's overstep is claimed (§ 6.8.7)."""

    by: Side
    on: date


Supposition = (
    SentOn
    | ReceivedOn
    | TurnReceivedOn
    | SpoiledByPost
    | EntryOut
    | RulingOut
    | NoticeGiven
    | LeaveGranted
    | TimeStood
    | DaysCounted
    | TotalsCounted
    | ClaimMade
)


@dataclass(frozen=True, slots=True)
class Impossible:
    """The facts can't all be true; ``why`` for readers, ``what`` in English for logs.

    ``supposition`` is the one at fault where known.
    """

    what: str
    why: Misfit
    supposition: Supposition | None = None


class _NoSuchEntry(ValueError):
    """The supposition names an entry or dispatch that does not exist."""

    def __init__(self, what: str, why: Misfit) -> None:
        super().__init__(what)
        self.why = why


_Entries = list[tuple[int | None, ev.Event]]


def what_if(
    terms: Terms, events: Sequence[ev.Event], supposed: Sequence[Supposition], on: date
) -> Comparison | Impossible:
    """The account on a day, compared with the one under the suppositions; nothing is saved.

    A day that the game can't speak of is not counted with (kskak.game.lawful_days). EntryFault
    only when the game's own events can't have happened.
    """
    for supposition in supposed:
        outside = unlawful_day(supposition, terms.start, on)
        if outside is not None:
            return Impossible(f"{outside} is outside the game", Misfit.DAY_OUTSIDE, supposition)
    before = account(terms, events, on)
    entries: _Entries = list(enumerate(events))
    for supposition in supposed:
        try:
            entries = _supposed(entries, supposition, before.state.mover)
        except _NoSuchEntry as fault:
            return Impossible(str(fault), fault.why, supposition)
    try:
        return compare(before, account(terms, [event for _, event in entries], on))
    except EntryFault as fault:
        return Impossible(fault.what, misfit_of(fault))
    except LedgerFault as fault:
        return Impossible(str(fault), misfit_of(fault))


def _supposed(entries: _Entries, supposition: Supposition, mover: Side) -> _Entries:
    """The entries with one supposition applied; new ones have no number."""
    match supposition:
        case SpoiledByPost(entry) | EntryOut(entry):
            return _changed(entries, entry, supposition)
        case NoticeGiven(ply, day):
            by = _dispatch(entries, ply).by
            return _before(entries, ply, ev.LongThinkNotified(by, day))
        case DaysCounted(ply=ply) if ply is not None:
            return _before(entries, ply, _plain(supposition, mover))
        case SentOn(ply=ply) | ReceivedOn(ply=ply):
            _dispatch(entries, ply)
            return [*entries, (None, _plain(supposition, mover))]
        case _:
            return [*entries, (None, _plain(supposition, mover))]


_Plain = (
    SentOn
    | ReceivedOn
    | TurnReceivedOn
    | RulingOut
    | LeaveGranted
    | TimeStood
    | DaysCounted
    | TotalsCounted
    | ClaimMade
)


def _plain(supposition: _Plain, mover: Side) -> ev.Event:
    """The event equivalent to the supposition."""
    match supposition:
        case SentOn(ply, day):
            return ev.DispatchCorrected(ply, day, None, "", "")
        case ReceivedOn(ply, day):
            return ev.DispatchCorrected(ply, None, day, "", "")
        case LeaveGranted(by, first, last, leave_type):
            return ev.LeaveBooked(by, first, last, None, leave_type)
        case TimeStood(first, last, reason):
            return ev.Paused(first, last, reason)
        case DaysCounted(by, days, on, paragraph, _):
            return ev.DaysCharged(by, on, days, paragraph, "")
        case TotalsCounted(white, black):
            return ev.TotalsSet(white, black)
        case TurnReceivedOn() | RulingOut() | ClaimMade():
            return _said(supposition, mover)
        case _:
            assert_never(supposition)


def _said(supposition: TurnReceivedOn | RulingOut | ClaimMade, mover: Side) -> ev.Event:
    match supposition:
        case TurnReceivedOn(day):
            return ev.MoveReceived(mover, day)
        case RulingOut(ruling):
            return ev.RulingAnnulled(ruling)
        case ClaimMade(by, on):
            return ev.OverstepClaimed(by, on)
        case _:
            assert_never(supposition)


def _changed(entries: _Entries, entry: int, supposition: SpoiledByPost | EntryOut) -> _Entries:
    """One of the game's own entries changed or left out."""
    index = next((i for i, (number, _) in enumerate(entries) if number == entry), None)
    if index is None:
        raise _NoSuchEntry(f"no entry {entry}", Misfit.NO_ENTRY)
    event = entries[index][1]
    if isinstance(supposition, EntryOut):
        if isinstance(event, ev.MoveSent):
            what = f"entry {entry} is a move, and a move can't be taken back"
            raise _NoSuchEntry(what, Misfit.A_MOVE)
        return [*entries[:index], *entries[index + 1 :]]
    if not isinstance(event, ev.FaultySent):
        raise _NoSuchEntry(f"entry {entry} is no faulty move", Misfit.NO_FAULT)
    spoiled = replace(event, fault=Fault.DAMAGED_IN_POST)
    return [*entries[:index], (entry, spoiled), *entries[index + 1 :]]


def dispatches(events: Sequence[ev.Event]) -> dict[int, int]:
    """The index of each dispatch in the list, by the ply it begins at (§ 6.2.5)."""
    return _dispatches(list(enumerate(events)))


def _dispatches(entries: _Entries) -> dict[int, int]:
    """The index of each dispatch in the entries, by the ply it begins at (§ 6.2.5)."""
    found: dict[int, int] = {}
    ply, proposal = 1, ev.MoveSent(Side.WHITE, (), date.min).proposes
    for index, (_, event) in enumerate(entries):
        if not isinstance(event, ev.MoveSent):
            continue
        found[ply] = index
        try:
            answer = answer_series(event.plies, proposal)
        except SeriesFault:
            break
        ply += len(event.plies) + (answer.bound is not None)
        proposal = event.proposes or answer.standing
    return found


def _dispatch(entries: _Entries, ply: int) -> ev.MoveSent:
    index = _dispatches(entries).get(ply)
    event = entries[index][1] if index is not None else None
    if not isinstance(event, ev.MoveSent):
        raise _NoSuchEntry(f"no dispatch begins at ply {ply}", Misfit.NO_DISPATCH)
    return event


def _before(entries: _Entries, ply: int, event: ev.Event) -> _Entries:
    """The entries with the event inserted just before the dispatch that begins at a ply."""
    _dispatch(entries, ply)
    index = _dispatches(entries)[ply]
    return [*entries[:index], (None, event), *entries[index:]]
