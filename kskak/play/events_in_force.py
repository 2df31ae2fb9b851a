"""Which of a game's events stand: rulings unwrapped, annulled ones left out (§ 6.4.1, § 6.4.3).

So is what was played before the game was set back (FIDE 7.5): it stays in the history, void.

A ruling's effects stay in the game's history; whether they count is determined here, so that
an annulled ruling leaves the account as if it had never been made. Not for deciding one
(cases/decide_case.py) nor for what an effect does (evolve_game.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple, TypeVar

import chess

from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import SeriesFault, answer_series
from kskak.play.game_state import (
    AccountCharge,
    AccountLine,
    AccountRecorder,
    GameState,
    IsOver,
    NoDispatch,
)
from kskak.reflection import AccountRemark
from kskak.regulation.editions import PauseReason, Side

_ALWAYS = (
    ev.LeaveBooked
    | ev.LeaveShortened
    | ev.GamePaused
    | ev.PauseEnded
    | ev.EmailAnswered
    | ev.TakenOver
)
"""What is true of the players or the calendar, whichever moves stand."""
_ENDS = ev.PlayerResigned | ev.DrawMade | ev.OverstepClaimed | ev.ClaimStands


class EffectiveEvent(NamedTuple):
    """An event that counts: its place in the list, and the ruling it comes from, if any."""

    entry: int
    event: ev.Event
    ruling: str | None


@dataclass(frozen=True, slots=True)
class RulingShown:
    """One effect of a ruling in the history, annulled or not: the account shows both."""

    entry: int
    ruling: str
    effect: ev.RulingEffect
    is_annulled: bool


def _annulled_until(events: Sequence[ev.Event]) -> dict[str, int]:
    """The place of each ruling's last annulment; its later effects stand."""
    return {
        event.ruling: entry
        for entry, event in enumerate(events)
        if isinstance(event, ev.RulingAnnulled)
    }


def _dropped_until(events: Sequence[ev.Event]) -> int:
    """The place of the last withdrawal of a claim; claims before it no longer count."""
    places = (entry for entry, event in enumerate(events) if isinstance(event, ev.ClaimDropped))
    return max(places, default=-1)


def list_events_in_force(events: Sequence[ev.Event]) -> list[EffectiveEvent]:
    """The events that count, in order, a ruling's effects unwrapped (§ 6.4.1, § 6.4.3).

    Raises NoDispatch for a setting back to inside a dispatch, IsOver for one past a result that
    was ruled and not annulled.
    """
    annulled, dropped = _annulled_until(events), _dropped_until(events)
    undone, turned = _undone(events, annulled), turned_sides(events)
    out: list[EffectiveEvent] = []
    for entry, event in enumerate(events):
        if isinstance(event, ev.RulingAnnulled | ev.ClaimDropped | ev.EntryAnnulled):
            continue
        if isinstance(event, ev.OverstepClaimed) and event.awaits_decision and entry < dropped:
            continue
        ruling = event.ruling if isinstance(event, ev.RulingApplied) else None
        if ruling is not None and annulled.get(ruling, -1) > entry:
            continue
        effect = event.effect if isinstance(event, ev.RulingApplied) else event
        if entry in undone and not isinstance(effect, _ALWAYS):
            continue
        if turned and isinstance(effect, _ALWAYS) and turned[entry]:
            effect = _turn(effect)
        if isinstance(effect, ev.GameSetBack):
            out = _set_back(out, effect)
        else:
            out.append(EffectiveEvent(entry, effect, ruling))
    return _with_added_series(out)


def _with_added_series(events: list[EffectiveEvent]) -> list[EffectiveEvent]:
    """The same, each series that was added later in the dispatch it was added to (§ 6.2.5).

    Raises NoDispatch where the last dispatch can't have it.
    """
    last = -1
    for place, one in enumerate(events):
        if isinstance(one.event, ev.MoveSent):
            last = place
        elif isinstance(one.event, ev.SeriesAdded):
            sent = events[last].event if last >= 0 else None
            if not isinstance(sent, ev.MoveSent) or sent.by is not one.event.by or sent.proposes:
                raise NoDispatch("no dispatch of this player's that a series can be added to")
            merged = replace(sent, proposes=one.event.proposes)
            events[last] = events[last]._replace(event=merged)
    return events


def _undone(events: Sequence[ev.Event], annulled: Mapping[str, int]) -> set[int]:
    """The places of what was played on a position that an annulled ruling had set back to."""
    return {
        place
        for entry, event in enumerate(events)
        if isinstance(event, ev.RulingApplied) and isinstance(event.effect, ev.GameSetBack)
        for place in range(entry + 1, annulled.get(event.ruling, -1))
    }


def is_swapped(events: Sequence[ev.Event]) -> bool:
    """Whether the players have other colours than the game began with (FIDE 7.3)."""
    swaps = [entry for entry, event in enumerate(events) if _swaps(event)]
    if not swaps:
        return False
    annulled = _annulled_until(events)
    undone = _undone(events, annulled)
    stand = (
        entry
        for entry in swaps
        if entry not in undone and annulled.get(getattr(events[entry], "ruling", ""), -1) < entry
    )
    return len(list(stand)) % 2 == 1


def turned_sides(events: Sequence[ev.Event]) -> tuple[bool, ...]:
    """For each entry whether who had the one colour then has the other now (FIDE 7.3).

    Empty where colours were never changed.
    """
    if not any(map(_swaps, events)):
        return ()
    now = is_swapped(events)
    return tuple(is_swapped(events[:entry]) is not now for entry in range(len(events)))


def side_now(events: Sequence[ev.Event], place: int, by: Side) -> Side:
    """The colour that the player has now who had ``by`` when the entry at a place was made."""
    turned = turned_sides(events)
    return by.other if turned and turned[place] else by


def _swaps(event: ev.Event) -> bool:
    effect = _effect(event)
    return isinstance(effect, ev.GameSetBack) and effect.swaps_colours


_E = TypeVar("_E", bound=ev.Event)


def _turn(effect: _E) -> _E:
    """What is said of one colour said of the other."""
    match effect:
        case ev.ResultRuled(result):
            return replace(effect, result=result.mirrored)
        case ev.TotalsSet(white, black):
            return replace(effect, white=black, black=white)
    by: Side | None = getattr(effect, "by", None)
    turned: dict[str, Any] = {} if by is None else {"by": by.other}
    return replace(effect, **turned)


def _set_back(before: list[EffectiveEvent], back: ev.GameSetBack) -> list[EffectiveEvent]:
    """What stands of the events once the game is as after a ply (FIDE 7.5)."""
    cut = _beginnings((place, one.event) for place, one in enumerate(before)).get(back.ply + 1)
    if cut is None:
        raise NoDispatch(f"no dispatch ends at ply {back.ply}")
    if back.since is not None:
        cut = min(cut, sum(one.entry < back.since - 1 for one in before))
    if any(isinstance(one.event, ev.ResultRuled) for one in before):
        raise IsOver("a ruled result is annulled before the game is set back")
    return [
        one
        for place, one in enumerate(before)
        if isinstance(one.event, _ALWAYS) or (place < cut and not isinstance(one.event, _ENDS))
    ]


def _beginnings(entries: Iterable[tuple[int, ev.Event]]) -> dict[int, int]:
    """The place of each dispatch by the ply it begins at (§ 6.2.5); last, where the next would."""
    found: dict[int, int] = {}
    ply, place = 1, -1
    series: tuple[chess.Move, ...] = ()
    for place, event in entries:
        if isinstance(event, ev.SeriesAdded):
            series = event.proposes
        if not isinstance(event, ev.MoveSent):
            continue
        found[ply] = place
        try:
            bound, remaining = answer_series(event.plies, series)
        except SeriesFault:
            return found
        ply += len(event.plies) + (bound is not None)
        series = event.proposes or remaining
    return found | {ply: place + 1}


def was_set_back(events: Sequence[ev.Event]) -> bool:
    """Whether a position may have stood twice, as a game was set back between (FIDE 7.5)."""
    return any(isinstance(_effect(event), ev.GameSetBack) for event in events)


def find_void_entries(events: Sequence[ev.Event]) -> frozenset[int]:
    """The places of entries that no longer count because the game was set back (FIDE 7.5)."""
    if not was_set_back(events):
        return frozenset()
    kept, annulled = {one.entry for one in list_events_in_force(events)}, _annulled_until(events)
    acts = (ev.RulingAnnulled, ev.ClaimDropped, ev.GameSetBack)
    return frozenset(
        place
        for place, event in enumerate(events)
        if place not in kept
        and not isinstance(_effect(event), acts)
        and not (isinstance(event, ev.RulingApplied) and annulled.get(event.ruling, -1) > place)
    )


def in_force(events: Sequence[ev.Event]) -> list[tuple[int, ev.Event]]:
    """The events as they were written, with their places, without those that are void."""
    gone = find_void_entries(events)
    return [(place, event) for place, event in enumerate(events) if place not in gone]


class SetBackPoint(NamedTuple):
    """The entry, numbered from 1, since which another position has as many plies as one before.

    ``ply``: positions up to this one are the same as before it; -1 where the colours changed.
    """

    seq: int
    ply: int


def turned_back(events: Iterable[tuple[int, ev.Event]]) -> tuple[SetBackPoint, ...]:
    """Each setting back of a game, and each annulment of one, in order (FIDE 7.5, § 6.4.3).

    ``events`` by their number from 1; those of other kinds may be left out.
    """
    found: list[SetBackPoint] = []
    ruled: set[str] = set()
    for seq, event in events:
        effect = _effect(event)
        if isinstance(effect, ev.GameSetBack):
            found.append(SetBackPoint(seq, -1 if effect.swaps_colours else effect.ply))
            if isinstance(event, ev.RulingApplied):
                ruled.add(event.ruling)
        elif isinstance(event, ev.RulingAnnulled) and event.ruling in ruled:
            found.append(SetBackPoint(seq, min(one.ply for one in found)))
    return tuple(found)


def _effect(event: ev.Event) -> ev.Event:
    return event.effect if isinstance(event, ev.RulingApplied) else event


def dispatches(events: Sequence[ev.Event]) -> dict[int, int]:
    """The place of each dispatch that stands, by the ply it begins at (§ 6.2.5)."""
    moves = ev.MoveSent
    found = _beginnings(in_force(events))
    return {
        ply: at for ply, at in found.items() if at < len(events) and isinstance(events[at], moves)
    }


def find_arrival_day(events: Sequence[ev.Event], place: int) -> date | None:
    """The day on which the receiver, or the delivery record, says that a dispatch came."""
    for at, event in in_force(events):
        if at > place and isinstance(event, ev.MoveSent):
            return None
        if at > place and isinstance(event, ev.MoveReceived):
            return event.on
    return None


def list_rulings(events: Sequence[ev.Event]) -> tuple[RulingShown, ...]:
    """Every effect of a ruling in the history, with whether it still stands (§ 6.4.3).

    Of a player's colour as it is now (FIDE 7.3).
    """
    annulled, gone, turned = (
        _annulled_until(events),
        find_void_entries(events),
        turned_sides(events),
    )
    return tuple(
        RulingShown(
            entry,
            event.ruling,
            _turn(event.effect) if turned and turned[entry] else event.effect,
            annulled.get(event.ruling, -1) > entry or entry in gone,
        )
        for entry, event in enumerate(events)
        if isinstance(event, ev.RulingApplied)
    )


@dataclass(frozen=True, slots=True)
class RuledLog(AccountRecorder):
    """A log that notes the ruling behind what it passes on: rows it found dates for, or charges."""

    log: AccountRecorder
    ruling: str
    marks_charges: bool

    def row(self, row: AccountLine) -> None:
        """A ply whose dates the ruling found."""
        self.log.row(row if self.marks_charges else replace(row, ruling=self.ruling))

    def charge(self, charge: AccountCharge) -> None:
        """Days that the ruling charged; those of a dispatch are the regulation's own."""
        self.log.charge(replace(charge, ruling=self.ruling) if self.marks_charges else charge)

    def remark(self, entry: int, code: AccountRemark) -> None:
        """A remark, unchanged."""
        self.log.remark(entry, code)


# Whether what was entered from a card may be replaced, and what then goes (§ 6.2.4, § 6.4.1).


def correct_entry(
    state: GameState,
    events: Sequence[ev.Event],
    seq: int,
    author: Side | None,
    *,
    is_final: bool = False,
) -> ev.GameSetBack | Refusal:
    """What makes the entry with this number void, or why it may not be replaced (§ 6.2.4).

    ``author``: the side of the player who asks; None for an official. ``is_final``: the time to
    object to the game's result is over (§ 6.4.5).
    """
    event = events[seq - 1] if 0 < seq <= len(events) else None
    if seq - 1 in find_void_entries(events) or not isinstance(
        event, ev.MoveSent | ev.FaultySent | ev.PlayerResigned | ev.DrawMade
    ):
        return Refusal(Reason.CARD_UNKNOWN)
    if event.by is author:
        return Refusal(Reason.CARD_BINDS)
    if state.awaits_decision:
        return Refusal(Reason.AT_REST)
    if is_final and state.result is not None:
        return Refusal(Reason.CARD_FINAL)
    later = [one.event for one in list_events_in_force(events) if one.entry >= seq]
    closing = (ev.MoveSent, ev.OverstepClaimed, ev.ResultRuled, ev.FaultySent, ev.GameResumed)
    ends = () if isinstance(event, ev.MoveSent) else (ev.PlayerResigned, ev.DrawMade)
    if any(isinstance(one, (*closing, *ends)) for one in later):
        return Refusal(Reason.CARD_ANSWERED)
    if isinstance(event, ev.MoveSent):
        return ev.GameSetBack(next(n for n, at in dispatches(events).items() if at == seq - 1) - 1)
    return ev.GameSetBack(state.position.ply, since=seq)


def time_back(entered: date, today: date) -> ev.GamePaused:
    """Time stood still while a move or an end that nobody sent was in the book (§ 6.4.1, reading).

    Only where nothing takes its place in the game: a right card has its own dates.
    """
    return ev.GamePaused(min(entered, today), today, PauseReason.DISPUTE)
