"""kskak-ledger/1 in and out, kskak-clock/1 out: one game's record and account as JSON."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Any

import chess

from kskak.board.notation import parse_numeric
from kskak.board.shapes import numeric
from kskak.game import game_events as ev
from kskak.play.events_in_force import list_events_in_force
from kskak.play.game_state import AccountLine, RunningClock, Terms
from kskak.reflection import TimeOverstep, lasts_beyond
from kskak.regulation.days import CAUSE_PARAGRAPH, Span
from kskak.regulation.editions import (
    DEFAULT_LAWS,
    LAWS,
    Channel,
    LeaveType,
    MoveFault,
    PauseReason,
    Regulation,
    Result,
    Side,
)
from kskak.statement.account import Account, Live, hide_leave_types
from kskak.values import FieldError, JsonFields

# kskak-ledger/1 in: one game's record as JSON, read strictly (CONTRACTS).

FORMAT = "kskak-ledger/1"


class LedgerError(FieldError):
    """A ledger that can't be read; the message names the place and the remedy."""


@dataclass(frozen=True, slots=True)
class ParsedLedger:
    """A ledger that was read: the terms and the events, in the order of the list."""

    terms: Terms
    events: tuple[ev.LedgerEvent, ...]


class LedgerFields(JsonFields):
    """Typed access to one JSON object of a ledger, moves included."""

    error = LedgerError

    def move(self, name: str) -> chess.Move:
        """A numeric move."""
        return self._as_move(name, self._values.get(name))

    def moves(self, name: str) -> tuple[chess.Move, ...]:
        """A list of numeric moves."""
        value = self._values.get(name)
        if not isinstance(value, list):
            raise self.fail(name, "a list of moves")
        return tuple(self._as_move(name, item) for item in value)

    def _as_move(self, name: str, value: object) -> chess.Move:
        try:
            return parse_numeric(value if isinstance(value, str) else "")
        except ValueError:
            raise self.fail(name, 'a move as "5254" or "5758(1)"') from None


def _move_sent(f: LedgerFields, default: Channel) -> ev.MoveSent:
    channel = f.one_of("channel", Channel, default)
    if f.has("move") == f.has("moves"):
        raise f.fail("move", "either move or moves")
    plies = (f.move("move"),) if f.has("move") else f.moves("moves")
    if not plies:
        raise f.fail("moves", "at least one move")
    sent: date | ev.CardDates
    if f.is_set("sent") or channel is not Channel.POST:
        sent = f.day("sent")
    else:
        sent = ev.CardDates(
            f.day_or_none("postmark"), f.day_or_none("receipt"), f.day_or_none("stated")
        )
        if sent.postmark is None and sent.receipt is None and sent.stated is None:
            raise f.fail("sent", "a sending date, or postmark, receipt or stated")
    proposes = f.moves("proposes") if f.is_set("proposes") else ()
    by = f.one_of("by", Side)
    return ev.MoveSent(by, plies, sent, f.day_or_none("received"), channel, proposes)


def _leave(f: LedgerFields) -> ev.LeaveBooked:
    kind = f.one_of("type", LeaveType, LeaveType.PERSONAL)
    needs_notice = kind is LeaveType.PERSONAL or f.is_set("notified")
    notified = f.day("notified") if needs_notice else None
    first, last = f.day("from"), f.day("to")
    if last < first:
        raise f.fail("to", "a day that is not before from")
    until = f.day_or_none("shortened")
    return ev.LeaveBooked(f.one_of("by", Side), first, last, notified, kind, until)


def _pause(f: LedgerFields) -> ev.GamePaused:
    if not f.has("to"):
        raise f.fail("to", "a date, or null while the pause stands")
    first, last = f.day("from"), f.day_or_none("to")
    if last is not None and last < first:
        raise f.fail("to", "a day that is not before from")
    return ev.GamePaused(first, last, f.one_of("reason", PauseReason))


def _charge(f: LedgerFields) -> ev.DaysCharged:
    return ev.DaysCharged(
        f.one_of("by", Side), f.day("on"), f.whole("days"), f.text("paragraph"), f.text("reason")
    )


def _result(f: LedgerFields) -> ev.ResultRuled:
    return ev.ResultRuled(
        f.one_of("result", Result), f.day("on"), f.text("authority"), f.text("ref")
    )


def _correction(f: LedgerFields) -> ev.DispatchCorrected:
    sent, received = f.day_or_none("sent"), f.day_or_none("received")
    if sent is None and received is None:
        raise f.fail("sent", "sent, received or both")
    return ev.DispatchCorrected(f.whole("ply"), sent, received, f.text("authority"), f.text("ref"))


def _set_time(f: LedgerFields) -> ev.TotalsSet:
    totals: list[int | None] = []
    for name in Side:
        value = f.whole(name) if f.is_set(name) else None
        if value is not None and value < 0:
            raise f.fail(name, "days, 0 or more")
        totals.append(value)
    if totals == [None, None]:
        raise f.fail("white", "the total of white, black or both")
    return ev.TotalsSet(totals[0], totals[1])


_By = Callable[[Side, date], ev.LedgerEvent]
_BY_ON: dict[str, _By] = {
    "receipt": ev.MoveReceived,
    "long_think": ev.LongThinkNotified,
    "reminder": ev.OpponentReminded,
    "tl_notified": ev.LeaderTold,
    "claim": ev.OverstepClaimed,
    "resign": ev.PlayerResigned,
    "draw": ev.DrawMade,
}
_READERS: dict[str, Callable[[LedgerFields], ev.LedgerEvent]] = {
    "leave": _leave,
    "pause": _pause,
    "invalid": lambda f: ev.FaultySent(
        f.one_of("by", Side), f.day("on"), f.one_of("reason", MoveFault)
    ),
    "charge": _charge,
    "result": _result,
    "correction": _correction,
    "set_time": _set_time,
    "resume": lambda f: ev.GameResumed(f.day("on")),
}


def read_entry(fields: LedgerFields, default: Channel) -> ev.LedgerEvent:
    """One entry of the list; ``default`` is the ledger's usual channel. Raises LedgerError."""
    kind = fields.text("kind")
    if kind == "move":
        return _move_sent(fields, default)
    if kind in _BY_ON:
        return _BY_ON[kind](fields.one_of("by", Side), fields.day("on"))
    if kind not in _READERS:
        known = ", ".join(["move", *_BY_ON, *_READERS])
        raise LedgerError(f"{fields.where}: kind {kind!r} is unknown, write one of {known}")
    return _READERS[kind](fields)


def _read_terms(head: LedgerFields) -> Terms:
    if head.text("format") != FORMAT:
        raise head.fail("format", f'"{FORMAT}"')
    laws = head.whole("laws") if head.is_set("laws") else DEFAULT_LAWS
    if laws not in LAWS:
        raise head.fail("laws", "one of " + ", ".join(map(str, LAWS)))
    return Terms(
        game=head.text("game"),
        regulation=head.one_of("regulation", Regulation),
        start=head.day("start"),
        white=head.text("white"),
        black=head.text("black"),
        fen=head.text("fen") if head.is_set("fen") else None,
        laws_year=laws,
    )


def read_ledger(document: object) -> ParsedLedger:
    """A ledger from parsed JSON. Raises LedgerError naming the place and the remedy.

    Whether the entries fit each other is checked when they are replayed.
    """
    head = LedgerFields("ledger", document)
    terms = _read_terms(head)
    entries = document.get("entries") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise head.fail("entries", "a list of entries")
    default = Channel.POST if terms.regulation is Regulation.POSTAL else Channel.EMAIL
    events = tuple(
        read_entry(LedgerFields(f"entry {index}", value), default)
        for index, value in enumerate(entries)
    )
    return ParsedLedger(terms, events)


# Reading the files of players, results and teams: typed fields with clear errors (CONTRACTS).

HIGHEST_RATING = 4000
"""No rating on any list is higher; more is a typing error."""
MOST_GAMES = 1000
LONGEST_TEXT = 200


class DataFields(LedgerFields):
    """One JSON object; every error names the object, the field and what to write."""

    def line(self, name: str) -> str:
        """A non-empty text on one line, without surrounding blanks."""
        text = self.text(name).strip() if self.is_set(name) else ""
        if not text or len(text) > LONGEST_TEXT or not text.isprintable():
            raise self.fail(name, f"a text on one line, at most {LONGEST_TEXT} characters")
        return text

    def count(self, name: str, lowest: int, highest: int, default: int | None = None) -> int:
        """A whole number within bounds; the default when the field is missing or null."""
        if default is not None and not self.is_set(name):
            return default
        value = self._number(name)
        if value is None or value.denominator != 1 or not lowest <= value <= highest:
            raise self.fail(name, f"a whole number from {lowest} to {highest}")
        return int(value)

    def count_or_none(self, name: str, lowest: int, highest: int) -> int | None:
        """A whole number within bounds, or None when missing or null."""
        return self.count(name, lowest, highest) if self.is_set(name) else None

    def points(self, name: str) -> Fraction:
        """Points: whole and half ones, 0 or more."""
        value = self._number(name)
        if value is None or (2 * value).denominator != 1 or not 0 <= value <= MOST_GAMES:
            raise self.fail(name, "points, as 4 or 4.5")
        return value

    def percent(self, name: str) -> Fraction:
        """A percentage, exactly as written."""
        value = self._number(name)
        if value is None or not 0 <= value <= 100:
            raise self.fail(name, "a percentage from 0 to 100, as 62.5")
        return value

    def label(self, name: str) -> str | None:
        """A name or number of something, as text; None when missing or null."""
        value = self._values.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.line(name) if self.is_set(name) else None

    def whole_numbers(self, name: str, length: int, highest: int) -> tuple[int, ...]:
        """A list of ``length`` whole numbers, 0 or more."""
        value = self._values.get(name)
        if not isinstance(value, list) or len(value) != length:
            raise self.fail(name, f"a list of {length} whole numbers")
        for item in value:
            if not isinstance(item, int) or isinstance(item, bool) or not 0 <= item <= highest:
                raise self.fail(name, f"{length} whole numbers from 0 to {highest}")
        return tuple(value)

    def objects(self, name: str) -> Iterator["DataFields"]:
        """Each object of a list; ``results`` gives ``result 1``, ``result 2``."""
        value = self._values.get(name)
        if not isinstance(value, list):
            raise self.fail(name, "a list")
        for number, item in enumerate(value, 1):
            yield DataFields(f"{name.removesuffix('s')} {number}", item)

    def object(self, name: str) -> "DataFields":
        """The object of a field."""
        if not isinstance(self._values.get(name), dict):
            raise self.fail(name, "a JSON object")
        return DataFields(name, self._values[name])

    def truth(self, name: str) -> bool:
        """True, or what stands for it: a member may be given by number (§ 6.4.4.1)."""
        value = self._values.get(name)
        if value is not None and not isinstance(value, bool | int | str):
            raise self.fail(name, "true, false or a number")
        return bool(value.strip() if isinstance(value, str) else value)

    def _number(self, name: str) -> Fraction | None:
        """A JSON number exactly as written: 62.5 is five eighths of a hundred, no approximation."""
        value = self._values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        if isinstance(value, float) and not abs(value) < 1e9:  # also NaN and infinity
            return None
        return Fraction(str(value))


def not_later(fields: DataFields, name: str, on: date) -> date | None:
    """A date that is not after ``on``, or None when missing or null."""
    day = fields.day_or_none(name)
    if day is not None and day > on:
        raise fields.fail(name, f"a date not after {on.isoformat()}, the day asked about")
    return day


# kskak-ledger/1 and kskak-clock/1 out: events and accounts as JSON values (CONTRACTS).

CLOCK_FORMAT = "kskak-clock/1"
JsonValue = str | int | bool | None | list["JsonValue"] | dict[str, "JsonValue"]
JsonObject = dict[str, JsonValue]


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _move_json(event: ev.MoveSent, default: Channel) -> JsonObject:
    plies: list[JsonValue] = [numeric(move) for move in event.plies]
    out: JsonObject = {"kind": "move", "by": event.by.value}
    out |= {"move": plies[0]} if len(plies) == 1 else {"moves": plies}
    if event.proposes:
        out["proposes"] = [numeric(move) for move in event.proposes]
    if event.received is not None:
        out["received"] = _iso(event.received)
    if isinstance(event.sent, date):
        out["sent"] = _iso(event.sent)
    else:
        card = event.sent
        out |= {"postmark": _iso(card.postmark), "receipt": _iso(card.receipt)}
        out["stated"] = _iso(card.stated)
    if event.channel is not default:
        out["channel"] = event.channel.value
    return out


def _leave_json(event: ev.LeaveBooked) -> JsonObject:
    out: JsonObject = {"kind": "leave", "by": event.by.value}
    out |= {"from": _iso(event.first), "to": _iso(event.last)}
    if event.leave_type is not LeaveType.UNTOLD:
        out["notified"] = _iso(event.notified)
    if event.leave_type is not LeaveType.PERSONAL:
        out["type"] = event.leave_type.value
    if event.until is not None:
        out["shortened"] = _iso(event.until)
    return out


def _fields_json(value: object, *names: str) -> JsonObject:
    """Attributes of a value under their own names: days, members of closed sets, numbers, texts."""
    return {name: _plain(getattr(value, name)) for name in names}


def _plain(value: Any) -> JsonValue:
    if isinstance(value, StrEnum):
        return value.value
    return value.isoformat() if isinstance(value, date) else value


_AS_IT_IS: dict[type[ev.LedgerEvent], str] = {
    ev.MoveReceived: "receipt",
    ev.LongThinkNotified: "long_think",
    ev.OpponentReminded: "reminder",
    ev.LeaderTold: "tl_notified",
    ev.PlayerResigned: "resign",
    ev.DrawMade: "draw",
    ev.DaysCharged: "charge",
    ev.ResultRuled: "result",
    ev.DispatchCorrected: "correction",
    ev.TotalsSet: "set_time",
    ev.GameResumed: "resume",
}
"""Entries whose fields are the event's own."""


def entry_json(event: ev.LedgerEvent, default: Channel) -> JsonObject:
    """One entry; ``default`` is the ledger's usual channel, left out."""
    match event:
        case ev.MoveSent():
            return _move_json(event, default)
        case ev.LeaveBooked():
            return _leave_json(event)
        case ev.GamePaused(first, last, reason):
            days: JsonObject = {"from": _iso(first), "to": _iso(last)}
            return {"kind": "pause", **days, "reason": reason.value}
        case ev.FaultySent(fault=fault):
            return {"kind": "invalid", **_fields_json(event, "by", "on"), "reason": fault.value}
        case ev.OverstepClaimed():
            return {"kind": "claim", **_fields_json(event, "by", "on")}
        case _:
            names = (field.name for field in fields(event))
            return {"kind": _AS_IT_IS[type(event)], **_fields_json(event, *names)}


def default_channel(regulation: Regulation) -> Channel:
    """The channel that a ledger of this rule set leaves out."""
    return Channel.POST if regulation is Regulation.POSTAL else Channel.EMAIL


def _apply_shortening(event: ev.Event, shortened: ev.LeaveShortened) -> ev.Event:
    """A leave as it was shortened; every other event as it is."""
    days = (shortened.by, shortened.first, shortened.last)
    if not isinstance(event, ev.LeaveBooked) or event.leave_type is not LeaveType.PERSONAL:
        return event
    is_meant = (event.by, event.first, event.last) == days
    return replace(event, until=shortened.until) if is_meant else event


def _list_effective_events(events: Sequence[ev.Event]) -> list[ev.Event]:
    """The events that stand, a ruling's effects among them, each pause with its last day.

    A pause that never was is left out; a shortened leave has its own last day.
    """
    out: list[ev.Event] = []
    for _, event, _ruling in list_events_in_force(events):
        if isinstance(event, ev.LeaveShortened):
            out = [_apply_shortening(one, event) for one in out]
            continue
        if not isinstance(event, ev.PauseEnded):
            out.append(event)
            continue
        for index in range(len(out) - 1, -1, -1):
            paused = out[index]
            if not isinstance(paused, ev.GamePaused):
                continue
            if lasts_beyond(paused, event.reason, event.last):
                is_real = event.last >= paused.first
                out[index : index + 1] = [replace(paused, last=event.last)] if is_real else []
                break
    return out


def ledger_json(
    terms: Terms, events: Sequence[ev.Event], *, is_for_strangers: bool = False
) -> JsonObject:
    """A kskak-ledger/1 document; the server's own events and annulled rulings are left out.

    For strangers leave is shown without its type (statement/account.py).
    """
    channel, shown = default_channel(terms.regulation), _list_effective_events(events)
    if is_for_strangers:
        shown = hide_leave_types(terms, shown)
    entries: list[JsonValue] = [
        entry_json(event, channel) for event in shown if isinstance(event, ev.LedgerEvent)
    ]
    return {
        "format": FORMAT,
        "game": terms.game,
        "regulation": terms.regulation.value,
        "laws": terms.laws_year,
        "start": _iso(terms.start),
        "white": terms.white,
        "black": terms.black,
        "fen": terms.fen,
        "entries": entries,
    }


def exempt_json(spans: Sequence[Span]) -> list[JsonValue]:
    """Exempt steps with their paragraph, one object per span."""
    return [
        {
            "from": _iso(span.first),
            "to": _iso(span.last),
            "days": (span.last - span.first).days + 1,
            "paragraph": CAUSE_PARAGRAPH[span.cause],
            "reason": span.cause.value,
        }
        for span in spans
    ]


def _row_json(row: AccountLine) -> JsonObject:
    return {
        **_fields_json(row, "ply", "number", "by"),
        "move": numeric(row.move),
        "san": row.san,
        **_fields_json(row.dates, "received", "sent", "days"),
        "total": row.total,
        "exempt": exempt_json(row.dates.exempt),
    }


def running_json(running: RunningClock | None, live: Live | None = None) -> JsonValue:
    """The account of the side to move; with ``live`` as of a day."""
    if running is None:
        return None
    out = _fields_json(running, "by", "since", "limit", "flag_on")
    if live is not None:
        out |= _fields_json(live, "days", "total")
        out["exempt"] = exempt_json(live.exempt)
    return out


def overstep_json(overstep: TimeOverstep | None) -> JsonValue:
    """An overstep and what was found about it."""
    return None if overstep is None else _fields_json(overstep, *_OVERSTEP)


_CHARGE = ("by", "on", "days", "paragraph", "reason")
_OVERSTEP = ("by", "move", "limit", "used", "on", "finding")


def clock_json(account: Account) -> JsonObject:
    """A kskak-clock/1 document; the fields of CONTRACTS and the exempt steps."""
    state = account.state
    result = state.reckoned
    to_move = state.to_move
    # An undecided claim is shown as the entries stand, and marked as undecided (§ 6.4.1).
    undecided: JsonObject = {"awaits_decision": True} if state.awaits_decision else {}
    return undecided | {
        "format": CLOCK_FORMAT,
        "moves": [_row_json(row) for row in account.rows],
        "charges": [_fields_json(charge, *_CHARGE) for charge in account.charges],
        "totals": {"white": state.white.total, "black": state.black.total},
        "to_move": None if to_move is None else to_move.value,
        "running": running_json(account.running, account.live),
        "proposal": [] if result is not None else [numeric(move) for move in state.proposal],
        "overstep": overstep_json(account.overstep),
        "warnings": [_fields_json(warning, "entry", "code") for warning in account.warnings],
        "result": "*" if result is None else result.value,
        "fen": state.board.fen(),
    }
