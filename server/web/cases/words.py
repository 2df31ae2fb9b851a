"""Texts of the desks and case pages: questions, stages, events, refusals, orders.

They are in ``mail/words/<lang>/desks/desk.toml``, those shared with letters in cases.toml. Not for
the other pages (frame/words.py).
"""

import json
import re
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from aiohttp import web

from kskak.cases import events as ce
from kskak.cases.decisions import GameOrder
from kskak.cases.refusals import CaseRefusal
from kskak.cases.state import HeldDeposit
from kskak.game import events as ev
from kskak.game.refusals import Reason
from kskak.play.contradictions import Misfit
from kskak.regulation.days import ONE_DAY, local_day
from mail.game_letters.common import paragraphs
from mail.office_letters.cases import case_refusal_text, money, question_about, question_text
from mail.office_letters.rulings import effect_text
from mail.text.words import Words
from server.store.cases.cases_and_events import CaseRow
from server.store.engine.types import from_us
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases.decision_facts import ruled_game
from server.usecases.play.game_views import GameView
from server.web.cases.record_lines import deposit_line
from server.web.cases.what_if_form import Choice
from server.web.frame.context import words

_OUT: dict[type, str] = {
    ev.Reminded: "if.reminder_out",
    ev.LeaderTold: "if.leader_out",
    ev.FaultySent: "if.spoiled",
    ev.OverstepClaimed: "if.claim_out",
}
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class CaseWords:
    """One language for the desks."""

    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text of the desks; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"desk.{key}", **places)

    def question(self, question: str) -> str:
        """A case's question, written by a person or from the catalogue."""
        return question_text(question, self.words)

    def asked(
        self, row: CaseRow, reader: PersonRow | None = None, since: date | None = None
    ) -> str:
        """A case's question in a list, naming the person concerned unless it is the reader.

        ``since``: the day since when he has not answered, if known.
        """
        question = str(json.loads(row.snapshot)["question"])
        if row.person is None:
            return self.question(question)
        is_own = reader is not None and reader.id == row.person_id
        return question_about(question, self.words, None if is_own else row.person, since)

    def title(self, title: str) -> str:
        """A paper's title, written by a person or one of ours, which may name a game."""
        key, _, game = title.removeprefix("@").partition(" ")
        if not title.startswith("@"):
            return title
        said = self(f"paper_title.{key}")
        return f"{game}: {said}" if game else said

    def paragraphs(self, numbers: tuple[str, ...]) -> str:
        """§ 6.3.3.1, § 6.8.7."""
        return paragraphs(numbers)

    def day_of(self, us: int, zone: str) -> date:
        return local_day(from_us(us), zone)

    def moment(self, us: int, zone: str) -> str:
        """The local day and minute of an instant."""
        at = from_us(us)
        day = self.words.short_day(local_day(at, zone))
        return f"{day} {local_clock(us, zone)}"

    def due(self, row: CaseRow) -> date | None:
        """The last day of what a case is waiting for."""
        return None if row.due_us is None else local_day(from_us(row.due_us), row.zone) - ONE_DAY

    def iso(self, day: str) -> date:
        return date.fromisoformat(day)

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

    def is_past(self, row: CaseRow, now_us: int) -> bool:
        """Whether a case is waiting for something whose last day has passed."""
        return row.due_us is not None and row.due_us <= now_us

    def days_left(self, flag_on: str | None, today: date) -> int:
        """Days from today to the last day in time; negative after it."""
        last = self.last_in_time(flag_on)
        return 0 if last is None else (last - today).days

    def event(self, event: ce.CaseEvent) -> str:
        """What happened in a case, in a few words."""
        name = _CAPITAL.sub("_", type(event).__name__).lower()
        match event:
            case ce.PartiesAsked(until=until):
                return self("event.parties_asked", until=self.words.day(until))
            case ce.Decided(decision=decision):
                return self("event.decided", ref=decision.ref)
            case ce.PaperFiled(kind=kind):
                return self("event.paper_filed", kind=self(f"paper.{kind.value}"))
            case ce.CaseWidened(games=games, parties=parties):
                return self("event.case_widened", games=len(games), parties=len(parties))
            case ce.DecisionCited(decision=decision):
                return self("event.decision_cited", ref=decision.ref)
            case ce.AnnulledElsewhere(ref=ref, by=by):
                return self("event.annulled_elsewhere", ref=ref, by=by)
            case ce.Appealed(to=to):
                return self("event.appealed", to=self(f"instance.{to.value}"))
            case ce.CaseSettled(note=note) if note.startswith("@"):
                return f"{self('event.case_settled')} {self(f'settled.{note[1:]}')}"
            case ce.HearingClosed(reason=text) | ce.CaseSettled(note=text):
                return f"{self(f'event.{name}')} {text}".strip()
            case _:
                return self(f"event.{name}")

    def refusal(self, refusal: CaseRefusal) -> str:
        """A refusal's reason, with its paragraph."""
        return case_refusal_text(refusal, self.words)

    def misfit(self, misfit: Misfit) -> str:
        """Why the facts tried can't all be true."""
        return self.words(f"misfits.{misfit.value}")

    def mail_outcome(self, outcome: str | None) -> str:
        """How a mail was handled; a dash if not yet."""
        return "–" if outcome is None else self.words(_became(outcome, self.words))

    def order(self, order: GameOrder, game: GameRow) -> str:
        """What a decision does to a game, as worded in its letter."""
        return effect_text(order, ruled_game(game), self.words)

    def effect(self, game: GameRow, effect: ev.RulingEffect) -> str:
        return self.order(GameOrder(game.id, effect), game)

    def entry(self, choice: Choice, view: GameView) -> str:
        """An entry that can be left out, as named in the what-if form."""
        return _left_out(choice, view, self)

    def deposit(self, held: HeldDeposit, name: str) -> str:
        """A deposit's state (§ 6.4.3)."""
        return deposit_line(held, name, self.words)

    def money(self, ore: int) -> str:
        """An amount in kroner."""
        return money(ore, self.words)


def _became(outcome: str, words: Words) -> str:
    """The key of a mail's outcome; a generic one for outcomes of later versions."""
    key = f"desk.mail_outcome.{outcome}"
    other = "refused" if outcome in set(Reason) else "other"
    return key if key in words else f"desk.mail_outcome.{other}"


def local_clock(us: int, zone: str) -> str:
    """The time of an instant in a zone, to the minute."""
    return f"{from_us(us).astimezone(ZoneInfo(zone)):%H:%M}"


def _left_out(choice: Choice, view: GameView, said: CaseWords) -> str:
    if choice.ruling is not None:
        return said("if.ruling_out", ref=choice.ruling)
    short = said.words.short_day
    match choice.event:
        case ev.Paused(first=first):
            return said("if.pause_out", first=short(first))
        case ev.LeaveBooked(by=by, first=first, last=last):
            name = view.player(by).name
            return said("if.leave_out", by=name, first=short(first), last=short(last))
        case ev.DaysCharged(by, on, days, paragraph, _):
            counted = said.words("statement.days", n=days)
            named = {"by": view.player(by).name, "day": short(on), "days": counted}
            return said("if.charge_out", paragraph=paragraph, **named)
        case ev.Reminded() | ev.LeaderTold() | ev.FaultySent() | ev.OverstepClaimed() as one:
            return said(_OUT[type(one)], by=view.player(one.by).name, day=short(one.on))
        case _:
            raise TypeError(f"{type(choice.event).__name__} can't be left out")


def case_words(request: web.Request) -> CaseWords:
    """The desks' texts in the reader's language."""
    return CaseWords(words(request).words)
