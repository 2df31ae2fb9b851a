"""The what-if form: the facts an official tries, parsed from an address or a form (§ 6.4.1).

An address holds all of it, so that a reading can be linked. Not for the outcome (page.py).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from kskak.cases import what_if as wi
from kskak.game import events as ev
from kskak.play.standing_events import dispatches, in_force, rulings_shown
from kskak.regulation.quantities import Side
from server.usecases.play.game_views import GameView
from server.web.frame.forms import Form

LINES = 12
"""The most dispatches that can be tried at once."""
LONGEST_NUMBER = 4
"""The most digits in a number of days."""
_PLAIN = frozenset(
    {
        *("game", "try", "think", "think_day", "turn", "claim"),
        *("leave_by", "leave_first", "leave_last", "stood_first", "stood_last"),
        *("days_by", "days", "white", "black"),
    }
)


@dataclass(frozen=True, slots=True)
class Line:
    """One dispatch with other dates."""

    number: int
    ply: int | None
    received: date | None
    sent: date | None


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of the ledger, or a ruling, that can be left out."""

    key: str
    event: ev.Event
    ruling: str | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """What was tried: the suppositions, the lines of the form, and the fields as given."""

    supposed: tuple[wi.Supposition, ...]
    lines: tuple[Line, ...]
    fields: Mapping[str, str]

    def value(self, name: str) -> str:
        """A field as given."""
        return self.fields.get(name, "")


def fields_of(given: Mapping[str, str]) -> dict[str, str]:
    """The form's own fields that are not blank."""
    own = {*_PLAIN, *(f"{name}{i}" for i in range(1, LINES + 1) for name in _OF_LINE)}
    return {
        name: value.strip()[:40]
        for name, value in given.items()
        if value.strip() and (name in own or name.startswith(("out-", "ruling-", "kept-")))
    }


_OF_LINE = ("move", "received", "sent")


def choices(view: GameView, in_question: tuple[str, ...] = ()) -> tuple[Choice, ...]:
    """What can be left out: charges, claims, leave, pauses, reminders, faulty moves, rulings.

    Decisions ``in_question`` are not offered, being left out by default.
    """
    kinds = ev.LeaveBooked | ev.Paused | ev.Reminded | ev.LeaderTold | ev.FaultySent
    found = [
        Choice(f"out-{index}", event)
        for index, event in in_force(view.events)
        if isinstance(event, kinds | ev.DaysCharged | ev.OverstepClaimed)
    ]
    shown = {one.ruling: one for one in rulings_shown(view.events) if not one.is_annulled}
    others = {ref: one for ref, one in shown.items() if ref not in in_question}
    found += [Choice(f"ruling-{ref}", one.effect, ref) for ref, one in others.items()]
    return tuple(found)


def tried(given: Mapping[str, str], view: GameView, in_question: tuple[str, ...] = ()) -> Tried:
    """What the fields suppose about a game. Invalid dates and numbers count as not given.

    If anything is tried, decisions ``in_question`` are left out unless ticked to be kept.
    """
    fields = fields_of(given)
    form = Form(fields)
    lines = tuple(_lines(form))
    supposed = [*_dates(lines, view), *_left_out(fields, view), *_other(form, view)]
    if supposed or "try" in fields:
        gone = (ref for ref in in_question if f"kept-{ref}" not in fields)
        supposed = [*map(wi.RulingOut, gone), *supposed]
    return Tried(tuple(supposed), lines, fields)


def _lines(form: Form) -> Iterator[Line]:
    for number in range(1, LINES + 1):
        ply = form.number(f"move{number}")
        if ply is not None:
            days = (form.day(f"received{number}"), form.day(f"sent{number}"))
            yield Line(number, ply, *days)


def _dates(lines: tuple[Line, ...], view: GameView) -> Iterator[wi.Supposition]:
    for line in lines:
        if line.ply is None:
            continue
        begins = _beginning(view, line.ply)
        if line.received is not None:
            yield wi.ReceivedOn(begins, line.received)
        if line.sent is not None:
            yield wi.SentOn(begins, line.sent)


def _beginning(view: GameView, ply: int) -> int:
    """Where the dispatch of a row begins: a series has its dates at its last own move (§ 6.2.5)."""
    return max((one for one in dispatches(view.events) if one <= ply), default=ply)


def _left_out(fields: Mapping[str, str], view: GameView) -> Iterator[wi.Supposition]:
    for choice in choices(view):
        if choice.key not in fields:
            continue
        if choice.ruling is not None:
            yield wi.RulingOut(choice.ruling)
            continue
        entry = int(choice.key.removeprefix("out-"))
        spoiled = isinstance(choice.event, ev.FaultySent)
        yield wi.SpoiledByPost(entry) if spoiled else wi.EntryOut(entry)


def _side(form: Form, name: str) -> Side | None:
    text = form.typed(name)
    return Side(text) if text in set(Side) else None


def _other(form: Form, view: GameView) -> Iterator[wi.Supposition]:
    ply, day = form.number("think"), form.day("think_day")
    if ply is not None and day is not None:
        yield wi.NoticeGiven(_beginning(view, ply), day)
    by, first, last = _side(form, "leave_by"), form.day("leave_first"), form.day("leave_last")
    if by is not None and first is not None and last is not None and first <= last:
        yield wi.LeaveGranted(by, first, last)
    first, last = form.day("stood_first"), form.day("stood_last")
    if first is not None and last is not None and first <= last:
        yield wi.TimeStood(first, last)
    by, days = _side(form, "days_by"), whole(form.typed("days"))
    if by is not None and days:
        yield wi.DaysCounted(by, days, view.today)
    white, black = form.number("white"), form.number("black")
    if white is not None or black is not None:
        yield wi.TotalsCounted(white, black)
    turn = form.day("turn")
    if turn is not None:
        yield wi.TurnReceivedOn(turn)
    claimant = _side(form, "claim")
    if claimant is not None:
        yield wi.ClaimMade(claimant, view.today)


def whole(text: str) -> int | None:
    """A number that may be negative; None for anything else."""
    digits = text.lstrip("+-−")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER):
        return None
    return -int(digits) if text[:1] in "-−" else int(digits)
