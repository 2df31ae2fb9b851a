"""Template texts in the reader's language: days, moves, reasons.

The texts are in ``mail/words/<lang>/frame/web.toml``. Not for choosing the language
(language.py).
"""

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Protocol

import chess

from kskak.board.printing import Writing, numeric, san, written
from kskak.game.refusals import Reason, Refusal
from kskak.play.account_log import Charge
from kskak.regulation.days import CAUSE_PARAGRAPH, Cause, Span
from kskak.regulation.quantities import Ending, Result, Side
from kskak.statement.account import Account
from mail.text import explain
from mail.text.facts import MoveText
from mail.text.languages import DEFAULT_LANGUAGE
from mail.text.words import Words
from server.store.mail.outages import GroupOutage
from server.usecases.core.preferences import Preferences
from server.web.frame.time_left import TimeWords

_SUBJECT = "web"
_HALF = "½"


class Ply(Protocol):
    """A half-move with its number, as a state and an account's row have it."""

    @property
    def number(self) -> int: ...
    @property
    def by(self) -> Side: ...
    @property
    def move(self) -> chess.Move: ...
    @property
    def san(self) -> str: ...


@dataclass(frozen=True, slots=True)
class PageWords:
    """One language for the pages."""

    words: Words

    reads: str = DEFAULT_LANGUAGE
    """The language whose piece letters are tried first for a typed move."""

    @staticmethod
    def of(lang: str, chosen: Preferences = Preferences()) -> "PageWords":  # noqa: B008
        """A language's texts for a reader with these preferences. KeyError without a catalogue."""
        return _of(lang, chosen.writing, chosen.reads.letters_of(lang))

    @property
    def lang(self) -> str:
        """The two-letter language code."""
        return self.words.lang

    @property
    def in_digits(self) -> bool:
        """Whether the reader has moves in numbers, so that these need not be added."""
        return self.words.writing is Writing.NUMERIC

    def t(self, key: str, **places: object) -> str:
        """A text of the pages; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"{_SUBJECT}.{key}", **places)

    def days(self, count: int) -> str:
        """«1 dag», «2 dage»."""
        return explain.days(count, self.words)

    @property
    def time(self) -> TimeWords:
        """Days used and days left."""
        return TimeWords(self.words)

    def day(self, day: date | None) -> str:
        return "–" if day is None else self.words.day(day)

    def short_day(self, day: date | None) -> str:
        return "–" if day is None else self.words.short_day(day)

    def weekday(self, day: date) -> str:
        return self.words.weekday_day(day)

    def move(self, move: MoveText) -> str:
        """A move in the reader's preferred notation."""
        return move.written(self.words.writing, self.lang)

    def played(self, ply: Ply) -> str:
        """A move with its number, in the reader's preferred notation: «12. Sf3», «12... d5»."""
        writing = self.words.writing
        digits = numeric(ply.move) if writing in _DIGITAL else ""
        return _played(ply.number, ply.by, ply.san, digits, writing, self.lang)

    def line(self, moves: tuple[MoveText, ...], *, digits: bool = False) -> str:
        """Moves with their numbers: «12. Sf3 d5 13. g3», or «12… d5 13. g3»."""
        parts = []
        for index, move in enumerate(moves):
            if move.by is Side.WHITE:
                parts.append(f"{move.number}.")
            elif index == 0:
                parts.append(f"{move.number}…")
            parts.append(move.numeric if digits else self.move(move))
        return " ".join(parts)

    def letter_kind(self, kind: str) -> str:
        """What a letter is about, by its kind in the outbox; «brev» for kinds of later versions."""
        key = f"letter_kinds.{kind}"
        return self.words(key if key in self.words else "letter_kinds.unknown")

    def side(self, side: Side) -> str:
        """«Hvid», «Sort»."""
        return self.t(f"side.{side.value}")

    def result(self, result: Result | str | None) -> str:
        """A result in chess notation: 1–0, ½–½; "" while the game runs."""
        if result is None:
            return ""
        return str(result).replace("1/2", _HALF).replace("-", "–")

    def ending(self, ending: Ending) -> str:
        """Why a game ended."""
        return self.t(f"ending.{ending.value}")

    def span(self, span: Span) -> str:
        """Exempt days and why, with the paragraph."""
        return explain.span_line(span, self.words)

    def why(self, cause: Cause, name: str = "") -> str:
        """Why time stands still, whose leave it is, and the paragraph."""
        text = self.words(f"statement.cause.{cause.value}")
        who = f"{name}: " if name else ""
        return f"{who}{text} (§ {CAUSE_PARAGRAPH[cause]})"

    def charge(self, charge: Charge) -> str:
        """Days added or deducted and why, with the paragraph."""
        return explain.charge_line(charge, self.words)

    def overstep(self, account: Account) -> tuple[str, ...]:
        """The overstep in force and how it was dealt with."""
        return tuple(explain.overstep_lines(account, self.words))

    def outage(self, told: GroupOutage) -> str:
        """An outage that lasts, waits for a decision, or whose days were decided to count."""
        days = {"first": self.day(told.first), "last": self.day(told.last)}
        return self.t(f"outage.{told.standing.value}", **days, by=told.by, word=told.word)

    def running(self, account: Account) -> tuple[str, ...]:
        """The time running now, and until when it lasts."""
        return tuple(explain.running_lines(account, self.words))

    def letters(self, board: chess.Board, move: chess.Move) -> str:
        """A legal move in a form that the field accepts without a query.

        Never in figurines, which no keyboard has, but in the letters that are tried first.
        """
        return written(san(board, move), numeric(move), self._fielded, self.reads)

    @property
    def _fielded(self) -> Writing:
        is_kept = self.words.writing in (Writing.NUMERIC, Writing.LONG)
        return self.words.writing if is_kept else Writing.LETTERS

    def refusal(self, refusal: Refusal) -> str:
        """A refusal's reason, with its paragraph, for the person refused."""
        return self.t(
            f"refusal.{refusal.reason.value}",
            paragraph=refusal.paragraph,
            earliest=self.day(refusal.earliest),
            latest=self.day(refusal.latest),
            given=self.day(refusal.given),
            days=self.days(refusal.days if refusal.days is not None else 0),
        )

    def why_not(self, reason: Reason) -> str:
        """A reason alone, for refusals that involve no days."""
        return self.refusal(Refusal(reason))


_DIGITAL = (Writing.NUMERIC, Writing.LONG)
"""What is written with the squares' numbers."""


@lru_cache(maxsize=8192)
def _played(number: int, by: Side, san: str, digits: str, writing: Writing, lang: str) -> str:
    """Kept: games have their first moves in common, and are looked at again and again."""
    return f"{explain.number_of(number, by)} {written(san, digits, writing, lang)}"


@lru_cache(maxsize=256)
def _of(lang: str, writing: Writing, reads: str) -> PageWords:
    return PageWords(Words.load(lang).wishing(writing).isolating(), reads)
