"""Texts of the desks and case pages: questions, stages, events, refusals, orders.

They are in ``mail/words/<lang>/desks/desk.toml``, those shared with letters in cases.toml. Not for
the other pages (frame/page_texts.py).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from aiohttp import web

from kskak.cases import case_events
from kskak.cases import what_if as what_if_rules
from kskak.cases.case import CaseRefusal, CaseStage, HeldDeposit
from kskak.cases.case_events import GameOrder, SanctionKind
from kskak.game import game_events as ev
from kskak.game.game_commands import Reason
from kskak.play.events_in_force import dispatches, in_force, list_rulings
from kskak.regulation.days import ONE_DAY, local_day
from kskak.regulation.editions import DISPUTES, Side
from mail.game_letters.letter_parts import paragraphs
from mail.office_letters import case_letters
from mail.office_letters.rulings import effect_text
from mail.text.catalogue import Words
from server.store.cases.cases import CaseRow
from server.store.engine.rows import DAY_US, from_us
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases.decision_preparing import ruled_game
from server.usecases.cases.sanctions import SanctionView
from server.usecases.play.game_views import GameView
from server.web.frame.context import get_words
from server.web.frame.forms import Form
from server.web.frame.page_texts import SubjectWords

# A player's registered sanctions, a line each, for the deciding official and himself (§ 4.1.19).


def record_lines(records: Iterable[SanctionView], words: Words) -> list[str]:
    """Each sanction in force, how long it counts, and what another one would lead to."""
    return [_line(one, words) for one in records]


def _line(record: SanctionView, words: Words) -> str:
    named = {
        "first": words.day(record.first),
        "group": record.row.group or "–",
        "case": record.row.case,
        "months": DISPUTES.automatic_months,
        "until": "–" if record.until is None else words.day(record.until),
        "last": "–" if record.last is None else words.day(record.last),
    }
    keys = [f"rulings.record.{key}" for key in _keys(record)]
    return " ".join(words(key, **named) for key in keys)


def _keys(record: SanctionView) -> list[str]:
    match SanctionKind(record.row.kind):
        case SanctionKind.WARNING:
            return ["warning" if record.until else "warning_runs"]
        case SanctionKind.EXPULSION:
            return ["expulsion"]
        case SanctionKind.QUARANTINE:
            keys = ["quarantine" if record.last else "endless"]
            keys += ["was_warning"] if record.was_warning else []
            return keys + (["kept"] if record.until else [])


# The what-if form: the facts an official tries, parsed from an address or a form (§ 6.4.1).

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


WhatIfDates = tuple[int, date | None, date | None]
"""A dispatch by the ply in whose row it stands, with the days of receipt and sending to try."""


@dataclass(frozen=True, slots=True)
class WhatIfOmission:
    """An entry of the ledger, or a ruling, that can be left out."""

    key: str
    event: ev.Event
    ruling: str | None = None


@dataclass(frozen=True, slots=True)
class WhatIfForm:
    """What was tried: the suppositions, the lines of the form, and the fields as given."""

    supposed: tuple[what_if_rules.Supposition, ...]
    lines: tuple[WhatIfDates, ...]
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


def choices(view: GameView, in_question: tuple[str, ...] = ()) -> tuple[WhatIfOmission, ...]:
    """What can be left out: charges, claims, leave, pauses, reminders, faulty moves, rulings.

    Decisions ``in_question`` are not offered, being left out by default.
    """
    kinds = ev.LeaveBooked | ev.GamePaused | ev.OpponentReminded | ev.LeaderTold | ev.FaultySent
    found = [
        WhatIfOmission(f"out-{index}", event)
        for index, event in in_force(view.events)
        if isinstance(event, kinds | ev.DaysCharged | ev.OverstepClaimed)
    ]
    shown = {one.ruling: one for one in list_rulings(view.events) if not one.is_annulled}
    others = {ref: one for ref, one in shown.items() if ref not in in_question}
    found += [WhatIfOmission(f"ruling-{ref}", one.effect, ref) for ref, one in others.items()]
    return tuple(found)


def read_suppositions(
    given: Mapping[str, str], view: GameView, in_question: tuple[str, ...] = ()
) -> WhatIfForm:
    """What the fields suppose about a game. Invalid dates and numbers count as not given.

    If anything is tried, decisions ``in_question`` are left out unless ticked to be kept.
    """
    fields = fields_of(given)
    form = Form(fields)
    lines = tuple(_lines(form))
    supposed = [*_dates(lines, view), *_left_out(fields, view), *_other(form, view)]
    if supposed or "try" in fields:
        gone = (ref for ref in in_question if f"kept-{ref}" not in fields)
        supposed = [*map(what_if_rules.RulingOut, gone), *supposed]
    return WhatIfForm(tuple(supposed), lines, fields)


def _lines(form: Form) -> Iterator[WhatIfDates]:
    for number in range(1, LINES + 1):
        ply = form.number(f"move{number}")
        if ply is not None:
            yield ply, form.day(f"received{number}"), form.day(f"sent{number}")


def _dates(lines: tuple[WhatIfDates, ...], view: GameView) -> Iterator[what_if_rules.Supposition]:
    for ply, received, sent in lines:
        begins = _beginning(view, ply)
        if received is not None:
            yield what_if_rules.ReceivedOn(begins, received)
        if sent is not None:
            yield what_if_rules.SentOn(begins, sent)


def _beginning(view: GameView, ply: int) -> int:
    """Where the dispatch of a row begins: a series has its dates at its last own move (§ 6.2.5)."""
    return max((one for one in dispatches(view.events) if one <= ply), default=ply)


def _left_out(fields: Mapping[str, str], view: GameView) -> Iterator[what_if_rules.Supposition]:
    for choice in choices(view):
        if choice.key not in fields:
            continue
        if choice.ruling is not None:
            yield what_if_rules.RulingOut(choice.ruling)
            continue
        entry = int(choice.key.removeprefix("out-"))
        spoiled = isinstance(choice.event, ev.FaultySent)
        yield what_if_rules.SpoiledByPost(entry) if spoiled else what_if_rules.EntryOut(entry)


def _side(form: Form, name: str) -> Side | None:
    text = form.typed(name)
    return Side(text) if text in set(Side) else None


def _other(form: Form, view: GameView) -> Iterator[what_if_rules.Supposition]:
    ply, day = form.number("think"), form.day("think_day")
    if ply is not None and day is not None:
        yield what_if_rules.NoticeGiven(_beginning(view, ply), day)
    by, first, last = _side(form, "leave_by"), form.day("leave_first"), form.day("leave_last")
    if by is not None and first is not None and last is not None and first <= last:
        yield what_if_rules.LeaveGranted(by, first, last)
    first, last = form.day("stood_first"), form.day("stood_last")
    if first is not None and last is not None and first <= last:
        yield what_if_rules.TimeStood(first, last)
    by, days = _side(form, "days_by"), whole(form.typed("days"))
    if by is not None and days:
        yield what_if_rules.DaysCounted(by, days, view.today)
    white, black = form.number("white"), form.number("black")
    if white is not None or black is not None:
        yield what_if_rules.TotalsCounted(white, black)
    turn = form.day("turn")
    if turn is not None:
        yield what_if_rules.TurnReceivedOn(turn)
    claimant = _side(form, "claim")
    if claimant is not None:
        yield what_if_rules.ClaimMade(claimant, view.today)


def whole(text: str) -> int | None:
    """A number that may be negative; None for anything else."""
    digits = text.lstrip("+-−")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER):
        return None
    return -int(digits) if text[:1] in "-−" else int(digits)


# Texts of the desks and case pages: questions, stages, events, refusals, orders.

_OUT: dict[type, str] = {
    ev.OpponentReminded: "if.reminder_out",
    ev.LeaderTold: "if.leader_out",
    ev.FaultySent: "if.spoiled",
    ev.OverstepClaimed: "if.claim_out",
}
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


FEW, FOLD, SHOWN_DAYS = 6, 8, 7
"""A list of more than so many rows is folded after so few, but for what is due so soon."""
_EVENT_KEYS = {"case_decided": "decided", "decision_appealed": "appealed"}
_PLACES: dict[type, Callable[["CaseWords", Any], dict[str, object]]] = {
    case_events.PartiesAsked: lambda d, one: {"until": d.words.day(one.until)},
    case_events.CaseDecided: lambda _, one: {"ref": one.decision.ref},
    case_events.PaperFiled: lambda d, one: {"kind": d(f"paper.{one.kind.value}")},
    case_events.CaseWidened: lambda _, one: {"games": len(one.games), "parties": len(one.parties)},
    case_events.DecisionCited: lambda _, one: {"ref": one.decision.ref},
    case_events.AnnulledElsewhere: lambda _, one: {"ref": one.ref, "by": one.by},
    case_events.MemberExcused: lambda _, one: {"reason": one.reason},
    case_events.DecisionPublished: lambda _, one: {"ref": one.ref},
    case_events.DecisionAppealed: lambda d, one: {"to": d(f"instance.{one.to.value}")},
}
"""What an event's words name."""


def read_statement(form: Form, words: Words, longest: int) -> str:
    """What is said in a form, with the date that its own fields claim as a sentence (§ 6.3.2)."""
    text, kind, day = form.text("text", longest), form.typed("claimed"), form.day("claimed_day")
    if day is None or kind not in set(case_events.ClaimedDateKind):
        return text
    return f"{text}\n\n{words(f'readings.says.{kind}', day=words.day(day))}".strip()


class CaseWords(SubjectWords):
    """One language for the desks."""

    subject = "desk"

    def asked(
        self, row: CaseRow, reader: PersonRow | None = None, since: date | None = None
    ) -> str:
        """A case's question in a list, naming the person concerned unless it is the reader.

        ``since``: the day since when he has not answered, if known.
        """
        if row.person is None:
            return case_letters.question_text(row.question, self.words)
        is_own = reader is not None and reader.id == row.person_id
        name = None if is_own else row.person
        if len(row.kinds) > 1 or len(row.claims) > 1:
            return case_letters.matters_text(row.kinds, len(row.claims), name, self.words)
        return case_letters.question_about(row.question, self.words, name, since)

    def title(self, title: str) -> str:
        """A paper's title, written by a person or one of ours, which may name a game."""
        key, _, game = title.removeprefix("@").partition(" ")
        if not title.startswith("@"):
            return title
        named = self(f"paper_title.{key}")
        return f"{game}: {named}" if game else named

    def paragraphs(self, numbers: tuple[str, ...]) -> str:
        """§ 6.3.3.1, § 6.8.7."""
        return paragraphs(numbers)

    def moment(self, us: int, zone: str) -> str:
        """The local day and minute of an instant."""
        at = from_us(us)
        day = self.words.short_day(local_day(at, zone))
        return f"{day} {at.astimezone(ZoneInfo(zone)):%H:%M}"

    def last_in_time(self, flag_on: str | None) -> date | None:
        """The last day on which sending is in time (§ 6.3.3.1)."""
        return None if flag_on is None else date.fromisoformat(flag_on) - ONE_DAY

    def when(self, day: date | None, today: date) -> str:
        """A short date, with the year unless it is this year."""
        if day is None:
            return "–"
        short = self.words.short_day(day)
        return short if day.year == today.year else f"{short} {day.year}"

    def left(self, flag_on: str | None, today: date) -> str:
        """«3 dage», «i dag», «12 dage over»."""
        days = self.days_left(flag_on, today)
        if days == 0:
            return self("left.today")
        count = self.words("statement.days", n=abs(days))
        return count if days > 0 else self("left.over", days=count)

    def stage(self, row: CaseRow) -> str:
        """The stage of a case in a list; of one that is open, whether anybody has been asked."""
        is_unasked = row.state == CaseStage.OPENED and row.due_us is None
        return self("stage.unasked" if is_unasked else f"stage.{row.state}")

    def is_past(self, row: CaseRow, now_us: int) -> bool:
        """Whether a case is waiting for something whose last day has passed."""
        return row.due_us is not None and row.due_us <= now_us

    def split_rows(self, rows: Sequence[CaseRow], now_us: int) -> tuple[list[CaseRow], ...]:
        """The rows of a long list to show, and to fold: never a claim, a game at rest, nor what
        has a term this week or one that has passed."""
        week = now_us + SHOWN_DAYS * DAY_US
        first = {row.id for row in rows[: FEW if len(rows) > FOLD else FOLD]}
        shown, folded = list[CaseRow](), list[CaseRow]()
        for row in rows:
            is_due = row.due_us is not None and row.due_us <= week
            stays = row.id in first or is_due or row.claims or row.is_suspended
            (shown if stays else folded).append(row)
        return shown, folded

    def days_left(self, flag_on: str | None, today: date) -> int:
        """Days from today to the last day in time; negative after it."""
        last = self.last_in_time(flag_on)
        return 0 if last is None else (last - today).days

    def event(self, event: case_events.CaseEvent) -> str:
        """What happened in a case, in a few words."""
        name = _CAPITAL.sub("_", type(event).__name__).lower()
        match event:
            case case_events.CaseSettled(note=note) if note.startswith("@"):
                return f"{self('event.case_settled')} {self.settled(note)}"
            case case_events.HearingClosed(reason=text) | case_events.CaseSettled(note=text):
                return f"{self(f'event.{name}')} {text}".strip()
            case case_events.ClaimClosed(end=end):
                return self(f"event.claim_closed.{end.value}")
            case case_events.CaseWidened(games=(), parties=(), kinds=(kind, *_)):
                return self("event.matter_joined", what=self.words(f"cases.matter.{kind.value}"))
            case case_events.CaseNarrowed(kinds=kinds):
                over = (self.words(f"cases.matter.{kind.value}") for kind in kinds)
                return self("event.matter_over", what=", ".join(over))
            case _:
                places = _PLACES.get(type(event))
                named = {} if places is None else places(self, event)
                return self(f"event.{_EVENT_KEYS.get(name, name)}", **named)

    def settled(self, note: str) -> str:
        """Why a case was closed, as the server noted it."""
        return case_letters.key_text(note, self.words)

    def refusal(self, refusal: CaseRefusal) -> str:
        """A refusal's reason, with its paragraph."""
        return case_letters.case_refusal_text(refusal, self.words)

    def mail_outcome(self, outcome: str | None) -> str:
        """How a mail was handled; a dash if not yet, a general word for one of later versions."""
        if outcome is None:
            return "–"
        key = f"desk.mail_outcome.{outcome}"
        other = "refused" if outcome in set(Reason) else "other"
        return self.words(key if key in self.words else f"desk.mail_outcome.{other}")

    def effect(self, game: GameRow, effect: ev.RulingEffect) -> str:
        """What a decision does to a game, as worded in its letter."""
        return effect_text(GameOrder(game.id, effect), ruled_game(game), self.words)

    def entry(self, choice: WhatIfOmission, view: GameView) -> str:
        """An entry that can be left out, as named in the what-if form."""
        short = self.words.short_day
        match choice.event:
            case _ if choice.ruling is not None:
                return self("if.ruling_out", ref=choice.ruling)
            case ev.GamePaused(first=first):
                return self("if.pause_out", first=short(first))
            case ev.LeaveBooked(by=by, first=first, last=last):
                name = view.player(by).name
                return self("if.leave_out", by=name, first=short(first), last=short(last))
            case ev.DaysCharged(by, on, days, paragraph, _):
                counted = self.words("statement.days", n=days)
                named = {"by": view.player(by).name, "day": short(on), "days": counted}
                return self("if.charge_out", paragraph=paragraph, **named)
            case (
                ev.OpponentReminded()
                | ev.LeaderTold()
                | ev.FaultySent()
                | ev.OverstepClaimed() as one
            ):
                return self(_OUT[type(one)], by=view.player(one.by).name, day=short(one.on))
            case _:
                raise TypeError(f"{type(choice.event).__name__} can't be left out")

    def deposit(self, held: HeldDeposit, name: str) -> str:
        """A deposit's state: stated, received, owed, paid back, kept (§ 6.4.3)."""
        at, stands = held.paid_back or held.received or held.stated, "stated"
        if at is None and held.is_returned is None:
            key = "unknown" if held.fee is None else "wanted"
            return self(f"deposit.{key}", name=name, amount=self.money(held.fee or 0))
        if held.paid_back is not None:
            stands = "back"
        elif held.received is not None:
            kept = "returned" if held.is_returned else "kept"
            stands = "received" if held.is_returned is None else kept
        elif held.is_returned:
            stands = "void"
        if at is None:
            return self("deposit.void", name=name)
        places = {"name": name, "amount": self.money(at.amount), "day": self.words.day(at.on)}
        return self(f"deposit.{stands}", **places)


def load_case_words(request: web.Request) -> CaseWords:
    """The desks' texts in the reader's language."""
    return CaseWords(get_words(request).words)
