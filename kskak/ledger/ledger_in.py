"""kskak-ledger/1 in: one game's record as JSON, read strictly (CONTRACTS).

Not for writing it (ledger_out.py) nor for the account (statement/account.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

import chess

from kskak.board.notation import parse_numeric
from kskak.game import events as ev
from kskak.play.state import Terms
from kskak.regulation.editions import DEFAULT_LAWS, LAWS
from kskak.regulation.quantities import (
    Channel,
    Fault,
    LeaveType,
    PauseReason,
    Regulation,
    Result,
    Side,
)
from kskak.values.json_fields import FieldError
from kskak.values.json_fields import Fields as JsonFields

FORMAT = "kskak-ledger/1"


class LedgerError(FieldError):
    """A ledger that can't be read; the message names the place and the remedy."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """A ledger that was read: the terms and the events, in the order of the list."""

    terms: Terms
    events: tuple[ev.LedgerEvent, ...]


class Fields(JsonFields):
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


def read_entry(fields: Fields, default: Channel) -> ev.LedgerEvent:
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

    Whether the entries fit each other is checked when they are replayed.
    """
    head = Fields("ledger", document)
    terms = _read_terms(head)
    entries = document.get("entries") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise head.fail("entries", "a list of entries")
    default = Channel.POST if terms.regulation is Regulation.POSTAL else Channel.EMAIL
    events = tuple(
        read_entry(Fields(f"entry {index}", value), default) for index, value in enumerate(entries)
    )
    return Ledger(terms, events)
