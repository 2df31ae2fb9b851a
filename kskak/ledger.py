"""kskak-ledger/1 in: one game's record as JSON, read strictly (CONTRACTS).

Not for writing it (ledger_out.py) nor for the account (statement.py).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeVar

import chess

from kskak import events as ev
from kskak.editions import DEFAULT_LAWS, LAWS
from kskak.notation import parse_numeric
from kskak.quantities import (
    Channel,
    Fault,
    LeaveType,
    PauseReason,
    Regulation,
    Result,
    Side,
)
from kskak.state import Terms

FORMAT = "kskak-ledger/1"
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
FIRST_YEAR, LAST_YEAR = 1800, 2999
_E = TypeVar("_E", bound=StrEnum)


class LedgerError(ValueError):
    """A ledger that can't be read; the text names the place and the remedy."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """A ledger that was read: the terms and the events, in the order of the list."""

    terms: Terms
    events: tuple[ev.LedgerEvent, ...]


class Fields:
    """Typed access to one JSON object; every complaint names the object and the field."""

    def __init__(self, where: str, value: object) -> None:
        if not isinstance(value, dict):
            raise LedgerError(f"{where}: must be a JSON object")
        self._where = where
        self._values: Mapping[str, object] = value

    def fail(self, name: str, wanted: str) -> LedgerError:
        """The complaint about a field."""
        given = "is missing" if name not in self._values else "is wrong"
        return LedgerError(f"{self._where}: {name} {given}, write {wanted}")

    def has(self, name: str) -> bool:
        """Whether the field is there, null or not."""
        return name in self._values

    def is_set(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._values.get(name) is not None

    def text(self, name: str) -> str:
        """A string."""
        value = self._values.get(name)
        if not isinstance(value, str):
            raise self.fail(name, "a text")
        return value

    def whole(self, name: str) -> int:
        """A whole number."""
        value = self._values.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.fail(name, "a whole number")
        return value

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._values.get(name)
        if not isinstance(value, bool):
            raise self.fail(name, "true or false")
        return value

    def day(self, name: str) -> date:
        """An ISO date."""
        value = self._values.get(name)
        if isinstance(value, str) and _ISO.fullmatch(value):
            try:
                day = date.fromisoformat(value)
            except ValueError:
                raise self.fail(name, "a date that exists, as 2026-08-29") from None
            if FIRST_YEAR <= day.year <= LAST_YEAR:
                return day
        raise self.fail(name, "a date as 2026-08-29")

    def day_or_none(self, name: str) -> date | None:
        """An ISO date, or None when missing or null."""
        return self.day(name) if self.is_set(name) else None

    def one_of(self, name: str, kind: type[_E], default: _E | None = None) -> _E:
        """A member of a closed set, or the default when the field is missing."""
        if default is not None and name not in self._values:
            return default
        value = self._values.get(name)
        if isinstance(value, str) and value in set(kind):
            return kind(value)
        raise self.fail(name, "one of " + ", ".join(kind))

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


def _move_sent(f: Fields, default: Channel) -> ev.MoveSent:
    channel = f.one_of("channel", Channel, default)
    if f.has("move") == f.has("moves"):
        raise f.fail("move", "either move or moves")
    plies = (f.move("move"),) if f.has("move") else f.moves("moves")
    if not plies:
        raise f.fail("moves", "at least one move")
    sent: date | ev.Card
    if f.is_set("sent") or channel is not Channel.POST:
        sent = f.day("sent")
    else:
        sent = ev.Card(f.day_or_none("postmark"), f.day_or_none("receipt"), f.day_or_none("stated"))
        if sent.postmark is None and sent.receipt is None and sent.stated is None:
            raise f.fail("sent", "a sending date, or postmark, receipt or stated")
    proposes = f.moves("proposes") if f.is_set("proposes") else ()
    by = f.one_of("by", Side)
    return ev.MoveSent(by, plies, sent, f.day_or_none("received"), channel, proposes)


def _leave(f: Fields) -> ev.LeaveBooked:
    kind = f.one_of("type", LeaveType, LeaveType.PERSONAL)
    needs_notice = kind is LeaveType.PERSONAL or f.is_set("notified")
    notified = f.day("notified") if needs_notice else None
    first, last = f.day("from"), f.day("to")
    if last < first:
        raise f.fail("to", "a day that is not before from")
    until = f.day_or_none("shortened")
    return ev.LeaveBooked(f.one_of("by", Side), first, last, notified, kind, until)


def _pause(f: Fields) -> ev.Paused:
    if not f.has("to"):
        raise f.fail("to", "a date, or null while the pause stands")
    first, last = f.day("from"), f.day_or_none("to")
    if last is not None and last < first:
        raise f.fail("to", "a day that is not before from")
    return ev.Paused(first, last, f.one_of("reason", PauseReason))


def _charge(f: Fields) -> ev.DaysCharged:
    return ev.DaysCharged(
        f.one_of("by", Side), f.day("on"), f.whole("days"), f.text("paragraph"), f.text("reason")
    )


def _result(f: Fields) -> ev.ResultRuled:
    return ev.ResultRuled(
        f.one_of("result", Result), f.day("on"), f.text("authority"), f.text("ref")
    )


def _correction(f: Fields) -> ev.DispatchCorrected:
    sent, received = f.day_or_none("sent"), f.day_or_none("received")
    if sent is None and received is None:
        raise f.fail("sent", "sent, received or both")
    return ev.DispatchCorrected(f.whole("ply"), sent, received, f.text("authority"), f.text("ref"))


def _set_time(f: Fields) -> ev.TotalsSet:
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
    "reminder": ev.Reminded,
    "tl_notified": ev.LeaderTold,
    "claim": ev.OverstepClaimed,
    "resign": ev.Resigned,
    "draw": ev.DrawMade,
}
_READERS: dict[str, Callable[[Fields], ev.LedgerEvent]] = {
    "leave": _leave,
    "pause": _pause,
    "invalid": lambda f: ev.FaultySent(
        f.one_of("by", Side), f.day("on"), f.one_of("reason", Fault)
    ),
    "charge": _charge,
    "result": _result,
    "correction": _correction,
    "set_time": _set_time,
    "resume": lambda f: ev.GameResumed(f.day("on")),
}


def read_entry(where: str, value: object, default: Channel) -> ev.LedgerEvent:
    """One entry of the list; ``default`` is the ledger's usual channel. Raises LedgerError."""
    fields = Fields(where, value)
    kind = fields.text("kind")
    if kind == "move":
        return _move_sent(fields, default)
    if kind in _BY_ON:
        return _BY_ON[kind](fields.one_of("by", Side), fields.day("on"))
    if kind not in _READERS:
        known = ", ".join(["move", *_BY_ON, *_READERS])
        raise LedgerError(f"{where}: kind {kind!r} is unknown, write one of {known}")
    return _READERS[kind](fields)


def _read_terms(head: Fields) -> Terms:
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


def read_ledger(document: object) -> Ledger:
    """A ledger from parsed JSON. Raises LedgerError naming the place and the remedy.

    Whether the entries fit each other is found when they are replayed.
    """
    head = Fields("ledger", document)
    terms = _read_terms(head)
    entries = document.get("entries") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise head.fail("entries", "a list of entries")
    default = Channel.POST if terms.regulation is Regulation.POSTAL else Channel.EMAIL
    events = tuple(read_entry(f"entry {i}", value, default) for i, value in enumerate(entries))
    return Ledger(terms, events)
