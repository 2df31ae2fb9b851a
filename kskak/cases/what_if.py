"""What if: other facts, tried on a game without saving anything (§ 6.4.1; Kendelse 38, 59, 107).

A supposition becomes hypothetical events beside or instead of the game's own; the same engine
computes the account, and ``compare`` marks what differs. Not for deciding: an official puts
what was found into a decision (``what_if_orders.effects_from``).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import zip_longest
from typing import Any

from kskak.game import game_events as ev
from kskak.game.game_commands import unlawful_day
from kskak.play.events_in_force import dispatches
from kskak.play.evolve_game import LedgerEntryFault
from kskak.play.game_state import AccountCharge, AccountLine, LedgerFault, Misfit, Terms, misfit_of
from kskak.regulation.editions import LeaveType, MoveFault, PauseReason, Result, Side
from kskak.statement.account import Account, account

# Two accounts of one game side by side, differences marked in closed sets.


class AccountColumn(StrEnum):
    """The parts of a row that may differ: attributes of its dates, and its total."""

    RECEIVED = "received"
    SENT = "sent"
    DAYS = "days"
    EXEMPT = "exempt"
    TOTAL = "total"


class ChargeDifference(StrEnum):
    """What became of a charge."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


class GameOutcome(StrEnum):
    """How a game stands (§ 6.3.3.3-6.3.3.4)."""

    RUNS = "runs"
    WHITE_OVERSTEPPED = "white_overstepped"
    BLACK_OVERSTEPPED = "black_overstepped"
    WHITE_WINS = "white_wins"
    BLACK_WINS = "black_wins"
    DRAW = "draw"
    BOTH_LOSE = "both_lose"
    WHITE_HALF = "white_half"
    BLACK_HALF = "black_half"


_OF_RESULT = {one: GameOutcome[one.name] for one in Result}


@dataclass(frozen=True, slots=True)
class RowPair:
    """A ply in both accounts; one side is None when a series ends elsewhere."""

    before: AccountLine | None
    after: AccountLine | None
    differs: frozenset[AccountColumn]


@dataclass(frozen=True, slots=True)
class ChargePair:
    """A charge, and whether the suppositions keep, remove or add it."""

    charge: AccountCharge
    mark: ChargeDifference


@dataclass(frozen=True, slots=True)
class Comparison:
    """The actual account and the supposed one."""

    before: Account
    after: Account
    rows: tuple[RowPair, ...]
    charges: tuple[ChargePair, ...]

    @property
    def outcomes(self) -> tuple[GameOutcome, GameOutcome]:
        """How the game stands before and after."""
        return read_game_outcome(self.before), read_game_outcome(self.after)

    def totals(self, side: Side) -> tuple[int, int]:
        """A player's total before and after, without the running move."""
        return self.before.state.clock(side).total, self.after.state.clock(side).total

    @property
    def is_same(self) -> bool:
        """Whether the suppositions change nothing that the account shows."""
        same_rows = not any(pair.differs for pair in self.rows)
        same_charges = all(pair.mark is ChargeDifference.SAME for pair in self.charges)
        same_totals = all(before == after for before, after in map(self.totals, Side))
        same_end = self.before.overstep == self.after.overstep
        return (
            same_rows
            and same_charges
            and same_totals
            and same_end
            and self.outcomes[0] is self.outcomes[1]
            and self.before.running == self.after.running
        )


def read_game_outcome(account: Account) -> GameOutcome:
    """How a game stands on the account's day (§ 6.3.3.1-6.3.3.4)."""
    if account.state.result is not None:
        return _OF_RESULT[account.state.result]
    if account.overstep is None:
        return GameOutcome.RUNS
    if account.overstep.by is Side.WHITE:
        return GameOutcome.WHITE_OVERSTEPPED
    return GameOutcome.BLACK_OVERSTEPPED


def _differs(before: AccountLine | None, after: AccountLine | None) -> frozenset[AccountColumn]:
    if before is None or after is None:
        return frozenset(AccountColumn)
    dated = (one for one in AccountColumn if one is not AccountColumn.TOTAL)
    cells = {one for one in dated if getattr(before.dates, one) != getattr(after.dates, one)}
    return frozenset(cells | ({AccountColumn.TOTAL} if before.total != after.total else set()))


def _charges(
    before: Sequence[AccountCharge], after: Sequence[AccountCharge]
) -> tuple[ChargePair, ...]:
    """All charges of both accounts; the ruling behind them makes no difference."""
    known = [replace(charge, ruling=None) for charge in before]
    left = Counter(known)
    pairs: list[ChargePair] = []
    for charge in after:
        plain = replace(charge, ruling=None)
        is_known = left[plain] > 0
        left[plain] -= is_known
        pairs.append(
            ChargePair(charge, ChargeDifference.SAME if is_known else ChargeDifference.NEW)
        )
    gone: list[ChargePair] = []
    for charge, plain in zip(before, known, strict=True):
        if left[plain] > 0:
            left[plain] -= 1
            gone.append(ChargePair(charge, ChargeDifference.GONE))
    return (*gone, *pairs)


def compare(before: Account, after: Account) -> Comparison:
    """Two accounts of one game, row by row and charge by charge (§ 6.4.1)."""
    rows = tuple(RowPair(a, b, _differs(a, b)) for a, b in zip_longest(before.rows, after.rows))
    return Comparison(before, after, rows, _charges(before.charges, after.charges))


# What if: other facts, tried on a game without saving anything (§ 6.4.1; Kendelse 38, 59, 107).


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

    A day that the game can't speak of is not counted with (kskak.game.game_commands). EntryFault
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
            entries = _apply_supposition(entries, supposition, before.state.mover)
        except _NoSuchEntry as fault:
            return Impossible(str(fault), fault.why, supposition)
    try:
        return compare(before, account(terms, [event for _, event in entries], on))
    except LedgerEntryFault as fault:
        return Impossible(fault.what, misfit_of(fault))
    except LedgerFault as fault:
        return Impossible(str(fault), misfit_of(fault))


def _apply_supposition(entries: _Entries, supposition: Supposition, mover: Side) -> _Entries:
    """The entries with one supposition applied; new ones have no number."""
    match supposition:
        case SpoiledByPost(entry) | EntryOut(entry):
            return _replace_entry(entries, entry, supposition)
        case NoticeGiven(ply, day):
            by = _dispatch(entries, ply).by
            return _before(entries, ply, ev.LongThinkNotified(by, day))
    event = _EVENTS[type(supposition)](supposition, mover)
    match supposition:
        case DaysCounted(ply=before) if before is not None:
            return _before(entries, before, event)
        case SentOn(ply=ply) | ReceivedOn(ply=ply):
            _dispatch(entries, ply)
    return [*entries, (None, event)]


_EVENTS: dict[type[Supposition], Callable[[Any, Side], ev.Event]] = {
    SentOn: lambda it, _: ev.DispatchCorrected(it.ply, it.day, None, "", ""),
    ReceivedOn: lambda it, _: ev.DispatchCorrected(it.ply, None, it.day, "", ""),
    LeaveGranted: lambda it, _: ev.LeaveBooked(it.by, it.first, it.last, None, it.leave_type),
    TimeStood: lambda it, _: ev.GamePaused(it.first, it.last, it.reason),
    DaysCounted: lambda it, _: ev.DaysCharged(it.by, it.on, it.days, it.paragraph, ""),
    TotalsCounted: lambda it, _: ev.TotalsSet(it.white, it.black),
    TurnReceivedOn: lambda it, mover: ev.MoveReceived(mover, it.day),
    RulingOut: lambda it, _: ev.RulingAnnulled(it.ruling),
    ClaimMade: lambda it, _: ev.OverstepClaimed(it.by, it.on),
}
"""The event that says what a supposition does, with the side to move; not of those about an entry
or before a dispatch."""


def _replace_entry(
    entries: _Entries, entry: int, supposition: SpoiledByPost | EntryOut
) -> _Entries:
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
    spoiled = replace(event, fault=MoveFault.DAMAGED_IN_POST)
    return [*entries[:index], (entry, spoiled), *entries[index + 1 :]]


def _dispatch(entries: _Entries, ply: int) -> ev.MoveSent:
    index = dispatches([event for _, event in entries]).get(ply)
    event = entries[index][1] if index is not None else None
    if not isinstance(event, ev.MoveSent):
        raise _NoSuchEntry(f"no dispatch begins at ply {ply}", Misfit.NO_DISPATCH)
    return event


def _before(entries: _Entries, ply: int, event: ev.Event) -> _Entries:
    """The entries with the event inserted just before the dispatch that begins at a ply."""
    _dispatch(entries, ply)
    index = dispatches([event for _, event in entries])[ply]
    return [*entries[:index], (None, event), *entries[index:]]


# Turns suppositions that were tried into a decision's orders for the game.

_TRIAL = "trial"


@dataclass(frozen=True, slots=True)
class WhatIfOrders:
    """The effects, and the rulings supposed away, which the decision annuls.

    ``is_exact``: whether they yield the supposed totals and outcome.
    """

    effects: tuple[ev.RulingEffect, ...]
    is_exact: bool
    annuls: tuple[str, ...] = ()


def effects_from(
    terms: Terms,
    events: Sequence[ev.Event],
    supposed: Sequence[Supposition],
    tried: Comparison,
    on: date,
) -> WhatIfOrders:
    """The effects that give the game what was tried, for a ruling on ``on``.

    Facts as facts; what can't be stated that way as totals, which also reopen a game closed by
    an overstep (Kendelse 59); a result where the supposed account has one.
    """
    out = (one.ruling for one in supposed if isinstance(one, RulingOut))
    annuls = tuple(dict.fromkeys(out))
    events = [*events, *(ev.RulingAnnulled(ruling) for ruling in annuls)]
    wanted = tried.after
    told = (_EVENTS[type(one)](one, wanted.state.mover) for one in supposed if type(one) in _EVENTS)
    # Of the others only the outcome can be ruled.
    effects: list[ev.RulingEffect] = [one for one in told if isinstance(one, ev.RulingEffect)]
    if not _is_as(_compute_account(terms, events, effects), wanted) and wanted.overstep is None:
        white, black = (max(wanted.state.clock(side).total, 0) for side in Side)
        effects.append(ev.TotalsSet(white, black))
    result = wanted.state.result
    if result is not None and not _is_as(_compute_account(terms, events, effects), wanted):
        effects.append(ev.ResultRuled(result, on, "", ""))
    return WhatIfOrders(
        tuple(effects), _is_as(_compute_account(terms, events, effects), wanted), annuls
    )


def _compute_account(
    terms: Terms, events: Sequence[ev.Event], effects: Sequence[ev.RulingEffect]
) -> Account | None:
    ruled = [ev.RulingApplied(_TRIAL, effect) for effect in effects]
    try:
        return account(terms, [*events, *ruled])
    except LedgerEntryFault:
        return None


def _is_as(reached: Account | None, wanted: Account) -> bool:
    """Whether totals and outcome agree; the running move depends on the day and is ignored."""
    if reached is None or read_game_outcome(reached) is not read_game_outcome(wanted):
        return False
    one, other = reached.state, wanted.state
    return (one.white.total, one.black.total) == (other.white.total, other.black.total)
