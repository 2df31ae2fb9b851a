"""Events, values and states as the store keeps them: canonical JSON text, one way to write each."""

import json
import re
import types
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import chess

from kskak.board.positions import Position
from kskak.game import game_events as ev
from kskak.game.game_events import NO_MEANS_STATED, Means, RulingEffect
from kskak.ledger.ledger_files import (
    JsonObject,
    JsonValue,
    LedgerError,
    LedgerFields,
    entry_json,
    read_entry,
)
from kskak.play.game_state import HOLIDAYS_ONLY, GameState, PlayerClock, RecentPly, Terms, Turn
from kskak.reflection import QUIET, Booking, Silence, TimeOverstep, calendar_of
from kskak.regulation.editions import Channel, Ending, LeaveType, OverstepFinding, Result, Side
from kskak.values import FIRST_YEAR, LAST_YEAR

RULING_ANNULLED, SET_BACK, _VOID = "ruling_annulled", "set_back", "entry_annulled"
_OWN: dict[str, type[ev.Event]] = {
    "series_added": ev.SeriesAdded,
    "draw_offer_prepared": ev.DrawOfferPrepared,
    "draw_declined": ev.DrawDeclined,
    "draw_claim_failed": ev.DrawClaimFailed,
    "overstep_found": ev.OverstepFound,
    "overstep_waived": ev.OverstepWaived,
    "claim_stands": ev.ClaimStands,
    "claim_dropped": ev.ClaimDropped,
    "pause_ended": ev.PauseEnded,
    "email_answered": ev.EmailAnswered,
    "taken_over": ev.TakenOver,
    "leave_shortened": ev.LeaveShortened,
    "ruled": ev.RulingApplied,
    RULING_ANNULLED: ev.RulingAnnulled,
    _VOID: ev.EntryAnnulled,
    SET_BACK: ev.GameSetBack,
}
"""The kinds that a ledger file does not have: kept with the event's own fields."""
_KIND_OF = {kind: name for name, kind in _OWN.items()}
SWAPS = '"swaps_colours":true'
"""What a setting back contains by which the players change colours (FIDE 7.3)."""
VOID = f'"kind":"{_VOID}"'
_ASSUMED = Channel.EMAIL
"""The channel that the journal leaves out, whatever the game's rule set."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def _as_json(event: ev.Event) -> JsonObject:
    if isinstance(event, ev.LedgerEvent):
        out = entry_json(event, _ASSUMED)
        return out | _own_mark(event)
    kept = ((row.name, getattr(event, row.name), row.default) for row in fields(event))
    own = {name: to_json(value) for name, value, default in kept if value != default}
    return {"kind": _KIND_OF[type(event)], **own}


def _own_mark(event: ev.LedgerEvent) -> JsonObject:
    """What the journal keeps of an entry beyond what a ledger shows."""
    if isinstance(event, ev.MoveSent) and event.offers_draw:
        return {"offers_draw": True}
    if isinstance(event, ev.OverstepClaimed) and event.awaits_decision:
        return {"awaits_decision": True}
    return {}


def dump_event(event: ev.Event) -> str:
    """The canonical text of an event: sorted keys, no blanks, ASCII."""
    return _ENCODER.encode(_as_json(event))


def proven_text(event: ev.Event) -> str:
    """The text of an event that is about to be kept. LedgerError unless it reads back as equal:
    what can't be read again must never be written.
    """
    text = dump_event(event)
    if load_event(text) != event:
        raise LedgerError(f"event: would read back otherwise: {text}")
    return text


def load_event(text: str) -> ev.Event:
    """The event of a text that ``dump_event`` wrote. Raises LedgerError for any other."""
    return _read_json_event(json.loads(text))


class UnreadEntry(LedgerError):
    """An entry of a stored ledger that can't be read; ``seq`` is its number, from 1."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"event {seq}: can't be read")
        self.seq = seq


def load_events(texts: Iterable[str]) -> tuple[ev.Event, ...]:
    """A whole ledger's events, in one reading of them all; UnreadEntry if one can't be read.

    In an annulled entry's place stands its annulment, so that places stay as they are.
    """
    kept = tuple(texts)
    try:
        events = tuple(_read_json_event(value) for value in json.loads(f"[{','.join(kept)}]"))
    except (ValueError, RecursionError):
        events = ()
    if len(events) == len(kept) and not any(type(one) is ev.EntryAnnulled for one in events):
        return events
    return _read_annulled(kept)


def _read_annulled(texts: tuple[str, ...]) -> tuple[ev.Event, ...]:
    read = tuple(_read_or_none(text) for text in texts)
    annulled = {event.seq: event for event in read if isinstance(event, ev.EntryAnnulled)}
    events: list[ev.Event] = []
    for seq, event in enumerate(read, 1):
        stands = annulled.get(seq, event)
        if stands is None:
            raise UnreadEntry(seq)
        events.append(stands)
    return tuple(events)


def unread_entries(texts: Iterable[str]) -> tuple[int, ...]:
    """The numbers of a ledger's entries that can't be read and are not annulled."""
    read = [_read_or_none(text) for text in texts]
    annulled = {event.seq for event in read if isinstance(event, ev.EntryAnnulled)}
    return tuple(n for n, event in enumerate(read, 1) if event is None and n not in annulled)


def _read_or_none(text: str) -> ev.Event | None:
    try:
        return load_event(text)
    except (ValueError, RecursionError):
        return None


def effect_json(effect: ev.RulingEffect) -> JsonObject:
    """A ruling's effect as the journal keeps it, for a case's own events."""
    return _as_json(effect)


def load_effect(value: object) -> ev.RulingEffect:
    """The effect of a value that ``effect_json`` made. Raises LedgerError for any other."""
    effect = _read_json_event(value)
    if not isinstance(effect, ev.RulingEffect):
        raise LedgerError("effect: not what a ruling may do to a game")
    if isinstance(effect, ev.LeaveBooked) and effect.leave_type is LeaveType.UNTOLD:
        raise LedgerError("effect: leave is personal or special")
    return effect


def _read_json_event(value: object) -> ev.Event:
    found = LedgerFields("event", value)
    kind = _OWN.get(found.text("kind"))
    if kind is None:
        return _restore_marks(read_entry(found, _ASSUMED), found)
    assert isinstance(value, dict)
    own = {row.name: value[row.name] for row in fields(kind) if row.name in value}
    try:
        event = from_json(kind, own, "event")
    except CodecError as fault:
        raise LedgerError(str(fault)) from fault
    if isinstance(event, ev.GameSetBack):
        if event.ply < 0 or (event.since is not None and event.since < 1):
            raise LedgerError("set_back: ply is 0 or more, since 1 or more")
        if event.swaps_colours and event.ply != 0:
            raise LedgerError("set_back: colours are changed at ply 0 alone")
    return event


def _restore_marks(event: ev.LedgerEvent, fields: LedgerFields) -> ev.Event:
    """An entry with what the journal keeps of it beyond a ledger."""
    if isinstance(event, ev.MoveSent) and fields.has("offers_draw"):
        return ev.MoveSent(
            event.by, event.plies, event.sent, event.received, event.channel, event.proposes, True
        )
    if isinstance(event, ev.OverstepClaimed) and fields.has("awaits_decision"):
        return ev.OverstepClaimed(event.by, event.on, awaits_decision=True)
    return event


# Frozen values as JSON values and back, by their own types: one way to write each.

_T = TypeVar("_T")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class CodecError(ValueError):
    """A value that can't be read; the message names the place."""


def to_json(value: object) -> JsonValue:
    """A value as JSON; TypeError for one this module does not know."""
    match value:
        case None | bool() | int() | str() if not isinstance(value, StrEnum):
            return value
        case StrEnum():
            return value.value
        case date():
            return value.isoformat()
        case tuple():
            return [to_json(item) for item in value]
        case _ if isinstance(value, RulingEffect):
            return effect_json(value)
        case _ if is_dataclass(value):
            return {row.name: to_json(getattr(value, row.name)) for row in fields(value)}
        case _:
            raise TypeError(f"not a value to keep: {type(value).__name__}")


def from_json(kind: type[_T], value: object, where: str = "value") -> _T:
    """A value of a frozen class, from what ``to_json`` made of it. Raises CodecError."""
    read = _read(kind, value, where)
    assert isinstance(read, kind)
    return read


@lru_cache(maxsize=128)
def _hints(kind: type) -> Mapping[str, object]:
    return get_type_hints(kind)


def _wrong(where: str, wanted: str) -> CodecError:
    return CodecError(f"{where}: must be {wanted}")


def _read(hint: object, value: object, where: str) -> object:
    """A value read by its type; covers what ``to_json`` writes."""
    if hint == RulingEffect:
        try:
            return load_effect(value)
        except LedgerError as fault:
            raise CodecError(f"{where}: {fault}") from fault
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        rest = [arg for arg in get_args(hint) if arg is not types.NoneType]
        return _read(rest[0], value, where)
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(where, "a list")
        item = get_args(hint)[0]
        return tuple(_read(item, each, f"{where}[{i}]") for i, each in enumerate(value))
    assert isinstance(hint, type)
    return (
        _read_dataclass(hint, value, where) if is_dataclass(hint) else _scalar(hint, value, where)
    )


def _read_dataclass(kind: type, value: object, where: str) -> object:
    hints = _hints(kind)
    needed = {row.name for row in fields(kind) if row.default is MISSING}
    if not isinstance(value, dict) or not needed <= value.keys() <= hints.keys():
        raise _wrong(where, f"an object with {', '.join(hints)}")
    return kind(
        **{name: _read(hints[name], given, f"{where}.{name}") for name, given in value.items()}
    )


def _scalar(kind: type, value: object, where: str) -> object:
    if kind is date:
        if isinstance(value, str) and _ISO.fullmatch(value):
            with suppress(ValueError):
                day = date.fromisoformat(value)
                if FIRST_YEAR <= day.year <= LAST_YEAR:
                    return day
        raise _wrong(where, "a date as 2026-08-29")
    if issubclass(kind, StrEnum):
        if isinstance(value, str) and value in set(kind):
            return kind(value)
        raise _wrong(where, "one of " + ", ".join(kind))
    if type(value) is not kind:
        raise _wrong(where, f"of type {kind.__name__}")
    return value


# A game's state as plain JSON values and back, so that a move needs no replay.


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _dates(days: tuple[date, ...]) -> list[JsonValue]:
    return [day.isoformat() for day in days]


def _board(board: chess.Board) -> list[JsonValue]:
    """The board's own numbers: reading a FEN takes twenty times as long."""
    return [
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.occupied_co[chess.BLACK],
        board.turn,
        board.castling_rights,
        board.ep_square,
        board.halfmove_clock,
        board.fullmove_number,
    ]


def _load_board(value: list[Any]) -> chess.Board:
    board = chess.Board(None)
    board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = value[:6]
    board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = value[6:8]
    board.occupied = value[6] | value[7]
    board.turn, board.castling_rights, board.ep_square = value[8:11]
    board.halfmove_clock, board.fullmove_number = value[11:]
    return board


def _clock(clock: PlayerClock) -> list[JsonValue]:
    return [clock.total, clock.moves, clock.faults]


def _turn(turn: Turn) -> JsonObject:
    out: JsonObject = {
        "opponent_sent": _iso(turn.opponent_sent),
        "fixed": _iso(turn.fixed),
        "seen": _iso(turn.seen),
        "warned": _iso(turn.warned),
    }
    if turn.watched is not None:
        out["watched"] = turn.watched.isoformat()
    if turn.said is not QUIET and turn.said != QUIET:
        said = turn.said
        out["said"] = [_dates(said.notices), _dates(said.reminders), _dates(said.leader_told)]
    return out


def _overstep(overstep: TimeOverstep | None) -> JsonValue:
    if overstep is None:
        return None
    return [
        overstep.by.value,
        overstep.move,
        overstep.limit,
        overstep.used,
        overstep.on.isoformat(),
        overstep.finding.value,
    ]


def dump_state(state: GameState) -> JsonObject:
    """The state as JSON values, without the terms."""
    position = state.position
    out: JsonObject = {
        "board": _board(position.board),
        "ply": position.ply,
        "keys": list(position.keys),
        "turn": _turn(state.turn),
        "settled": state.settled.isoformat(),
        "white": _clock(state.white),
        "black": _clock(state.black),
        "bookings": [[b.entry, json.loads(dump_event(b.booked))] for b in state.bookings],
        "proposal": [move.uci() for move in state.proposal],
        "overstep": _overstep(state.overstep),
        "ended": state.ended,
        "result": state.ended_result,
        "offer": state.draw_offer,
        "prepared": state.prepared_offer,
        "waived": state.is_overstep_waived,
        "recent": "|".join(
            f"{one.number} {one.by.value[0]} {one.move.uci()} {one.san}" for one in state.recent
        ),
    }
    if state.awaits_decision:
        out["awaits"] = True
    if state.means != NO_MEANS_STATED:
        out["means"] = [state.means.white, state.means.black]
    return out


def _load_days(value: object) -> tuple[date, ...]:
    return tuple(date.fromisoformat(str(day)) for day in value) if isinstance(value, list) else ()


def _day(value: str | None) -> date | None:
    return None if value is None else date.fromisoformat(value)


def _load_turn(value: Mapping[str, Any]) -> Turn:
    said = QUIET
    if "said" in value:
        said = Silence(*(_load_days(days) for days in value["said"]))
    days = (_day(value["opponent_sent"]), _day(value["fixed"]), _day(value["seen"]))
    warned, watched = _day(value["warned"]), _day(value.get("watched"))
    if warned == watched:
        warned = None  # as older snapshots have a takeover, of which nobody was warned
    return Turn(*days, said=said, warned=warned, watched=watched)


def _load_overstep(value: object) -> TimeOverstep | None:
    if not isinstance(value, list):
        return None
    by, move, limit, used, on, finding = value
    return TimeOverstep(
        Side(by), move, limit, used, date.fromisoformat(on), OverstepFinding(finding)
    )


def _optional(kind: Callable[[str], _T], value: object) -> _T | None:
    return None if value is None else kind(str(value))


def _load_bookings(value: object) -> tuple[Booking, ...]:
    bookings = []
    for entry, body in value if isinstance(value, list) else []:
        booked = load_event(json.dumps(body))
        if not isinstance(booked, ev.LeaveBooked | ev.GamePaused):
            raise LedgerError("snapshot: a booking that is no leave or pause")
        bookings.append(Booking(entry, booked))
    return tuple(bookings)


move_of = lru_cache(maxsize=4096)(chess.Move.from_uci)
"""Moves are never changed; there are fewer than 2,000 on the board."""
_SIDES = {"w": Side.WHITE, "b": Side.BLACK}


def _load_recent(value: str | list[Any]) -> tuple[RecentPly, ...]:
    """A list is how they were kept until the end of 2026."""
    plies = [ply.split(" ") for ply in value.split("|") if ply] if isinstance(value, str) else value
    return tuple(
        [RecentPly(int(number), _SIDES[by[0]], move_of(uci), san) for number, by, uci, san in plies]
    )


def load_state(terms: Terms, value: Mapping[str, Any]) -> GameState:
    """The state that ``dump_state`` wrote, for a game of these terms."""
    bookings = _load_bookings(value["bookings"])
    calendar = HOLIDAYS_ONLY
    if bookings:
        calendar, _ = calendar_of(bookings, terms.start, terms.rules)
    return GameState(
        terms=terms,
        position=Position(_load_board(value["board"]), tuple(value["keys"]), value["ply"]),
        turn=_load_turn(value["turn"]),
        settled=date.fromisoformat(value["settled"]),
        white=PlayerClock(*value["white"]),
        black=PlayerClock(*value["black"]),
        bookings=bookings,
        calendar=calendar,
        proposal=tuple([move_of(uci) for uci in value["proposal"]]),
        overstep=_load_overstep(value["overstep"]),
        ended=_optional(Ending, value["ended"]),
        ended_result=_optional(Result, value["result"]),
        draw_offer=_optional(Side, value["offer"]),
        prepared_offer=_optional(Side, value["prepared"]),
        is_overstep_waived=value["waived"],
        recent=_load_recent(value["recent"]),
        means=Means(*value.get("means", ())),
        awaits_decision=value.get("awaits", False),
    )
