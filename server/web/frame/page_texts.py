"""Template texts in the reader's language: days, moves, reasons.

The texts are in ``mail/words/<lang>/frame/web.toml``. Not for choosing the language
(context.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import ClassVar, Protocol

import chess

from kskak.board.shapes import MoveNotation, numeric, write_for_reader
from kskak.game.game_commands import Reason, Refusal
from kskak.play.game_state import AccountCharge, GameState, PlayerClock
from kskak.regulation.days import CAUSE_PARAGRAPH, ONE_DAY, Cause, Span, local_day
from kskak.regulation.editions import Ending, OverstepFinding, Result, Side
from kskak.statement.account import Account
from mail.game_letters.letter_parts import in_letters, write_reason
from mail.grammar.keyword_lines import ProblemKind, speaks_of_draw
from mail.office_letters.case_letters import money
from mail.outgoing import blocks as b
from mail.text import explanations as explain
from mail.text.catalogue import DEFAULT_LANGUAGE, Words, decimal, halves
from mail.text.letter_facts import MoveText, move_texts
from server.store.engine.rows import from_us
from server.store.mail.outages import GroupOutage
from server.usecases.play.game_requests import TextProblem
from server.usecases.play.game_views import GameSummaryView, GameView
from server.usecases.preferences import Preferences

# A letter's blocks on a page, for bulletins and final standings.

SUPPORTED_BLOCKS = (
    str,
    b.LeadLine,
    b.DueLine,
    b.SmallPrint,
    b.Heading,
    b.Bullets,
    b.LinkLine,
    b.Grid,
)
"""The blocks supported by blocks.html; those only for mail programs are not among them."""


def name_blocks(blocks: Iterable[b.Block]) -> list[tuple[str, b.Block]]:
    """The blocks with their kinds, for the template. TypeError for an unsupported one."""
    listed = list(blocks)
    for block in listed:
        if not isinstance(block, SUPPORTED_BLOCKS):
            raise TypeError(f"no look for {type(block).__name__}")
    return [(type(block).__name__, block) for block in listed]


# Both players' time against the next control, as bars and sentences (§ 6.3.3.1, § 6.8.6).

FULL = 100


@dataclass(frozen=True, slots=True)
class TimeBar:
    """One player's time: days used out of the limit to the control at move ``control``.

    ``last_day`` is the last day for sending in time, for the side whose time runs;
    ``is_last_day``: it is today. ``is_over``: the game has a result, so nothing is left to use.
    """

    side: Side
    used: int
    limit: int
    control: int
    is_running: bool
    last_day: date | None
    is_last_day: bool = False
    is_over: bool = False

    @property
    def left(self) -> int:
        """Days left; negative after an overstep."""
        return self.limit - self.used

    @property
    def percent(self) -> int:
        """How full the bar is, 0 to 100."""
        if self.limit <= 0:
            return FULL
        return max(0, min(FULL, round(self.used * FULL / self.limit)))

    @property
    def is_short(self) -> bool:
        """Whether a fifth of the limit or less is left."""
        return self.left * 5 <= self.limit


def last_in_time(flag_on: date | None) -> date | None:
    """The day before the first one that is too late (§ 6.3.3.1: exactly the limit is in time)."""
    return None if flag_on is None else flag_on - ONE_DAY


def reckoning(view: GameView, side: Side) -> tuple[tuple[str, TimeBar], ...]:
    """Both players, by name, and their days against their next controls, the opponent first.

    It stands beside a time claim (§ 6.8.7).
    """
    sides = (side.other, side)
    return tuple((view.player(one).name, time_bar(view.account, one)) for one in sides)


def time_bar(account: Account, side: Side) -> TimeBar:
    """A player's bar on the day for which the account was made.

    Of one who has overstepped, once his time stands still, it is the overstep's count: the days
    on a move that was never sent are in it, and the control that he missed is not the next one.
    """
    state, running, over = account.state, account.running, account.overstep
    is_running = running is not None and running.by is side
    is_lost = over is not None and over.by is side and over.finding is not OverstepFinding.CONTINUED
    if over is not None and is_lost and not is_running:
        is_over = state.result is not None
        return TimeBar(side, over.used, over.limit, over.move, False, None, is_over=is_over)
    used = state.clock(side).total
    if is_running and account.live is not None:
        used = account.live.total
    last_day = last_in_time(running.flag_on) if running is not None and is_running else None
    return TimeBar(
        side=side,
        used=used,
        limit=running.limit if running is not None and is_running else state.limit_of(side),
        control=state.next_control(side),
        is_running=is_running,
        last_day=last_day,
        is_last_day=account.live is not None and last_day == account.live.on,
        is_over=state.result is not None,
    )


@dataclass(frozen=True, slots=True)
class SubjectWords:
    """One language for the pages of a subject, whose texts in the catalogue begin with it."""

    subject: ClassVar[str]
    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text of the subject; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"{self.subject}.{key}", **places)

    def points(self, value: Fraction) -> str:
        """A score in chess notation: 2½."""
        return halves(value)

    def money(self, ore: int) -> str:
        """An amount in kroner."""
        return money(ore, self.words)

    def why(self, reason: str | None) -> str:
        """A reason that was kept, in words."""
        return write_reason(reason or "", self.words)

    def iso(self, day: str) -> date:
        return date.fromisoformat(day)

    def day_of(self, us: int, zone: str) -> date:
        return local_day(from_us(us), zone)


@dataclass(frozen=True, slots=True)
class TimeWords:
    """One language for the pages' texts about time (§ 6.3.1, § 6.3.3.1)."""

    words: Words

    def spent(self, used: int, limit: int, *, is_over: bool = False) -> str:
        """«28 af 80 dage brugt, 52 tilbage»; only the days used when the game is over."""
        if is_over:
            key = "used"
        elif used < limit:
            key = "used_left"
        else:
            key = "used_up" if used == limit else "used_over"
        left = abs(limit - used)
        return self.words(f"web.time.{key}", used=used, limit=limit, n=left)

    def unit(self, bar: TimeBar) -> str:
        """What the figure beside a player counts: «dage tilbage», «dage for meget»."""
        if bar.left == 0:
            return self.words("web.time.none")
        return self.words(f"web.time.{'left' if bar.left > 0 else 'over'}", n=abs(bar.left))

    def used(self, bar: TimeBar) -> str:
        """«28 af 80 dage brugt»."""
        return self.words("web.time.used", used=bar.used, limit=bar.limit)

    def bar(self, bar: TimeBar) -> str:
        """A bar's text."""
        return self.spent(bar.used, bar.limit, is_over=bar.is_over)

    def last_day(self, bar: TimeBar) -> str:
        """For the side to move: the last day in time; "" if unknown."""
        last = bar.last_day
        if last is None or bar.left < 0:
            return ""
        if bar.is_last_day:
            return self.words("web.game.last_today")
        # With all days used and a later last day, the days in between do not count.
        key = "last_day" if bar.left else "last_free"
        return self.words(f"web.game.{key}", day=self.words.short_day(last))

    def left(self, item: GameSummaryView) -> str:
        """For a list: days left to the control for the side to move; "" if unknown."""
        if item.rests:
            return ""
        left, last = item.days_left, last_in_time(item.flag_on)
        if left is None:
            return "" if item.is_my_move else self.words("web.games.waiting")
        if left < 0:
            return self.words("web.games.overstepped")
        if last is not None and last == item.today:
            return self.words("web.games.today")
        if left == 0 and last is not None:
            return self.words("web.games.last_day", day=self.words.short_day(last))
        return self.words("web.games.days_left", n=left)


# Template texts in the reader's language: days, moves, reasons.

_SUBJECT = "web"
_HALF = "½"


class NumberedPly(Protocol):
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
        words = Words.load(lang).wishing(chosen.writing).isolating()
        return PageWords(words, chosen.reads.letters_of(lang))

    @property
    def lang(self) -> str:
        """The two-letter language code."""
        return self.words.lang

    @property
    def in_digits(self) -> bool:
        """Whether the reader has moves in numbers, so that these need not be added."""
        return self.words.writing is MoveNotation.NUMERIC

    def t(self, key: str, **places: object) -> str:
        """A text of the pages; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"{_SUBJECT}.{key}", **places)

    def days(self, count: int) -> str:
        """«1 dag», «2 dage»."""
        return explain.days(count, self.words)

    def pace(self, clock: PlayerClock) -> str:
        """«3,1 dage pr. træk», "" before the first move."""
        if not clock.moves:
            return ""
        each = decimal(Fraction(clock.total, clock.moves), self.words, 1)
        return self.words(f"{_SUBJECT}.game.pace", days=each)

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

    def played(self, ply: NumberedPly) -> str:
        """A move with its number, in the reader's preferred notation: «12. Sf3», «12... d5»."""
        writing = self.words.writing
        digits = numeric(ply.move) if writing in _DIGITAL else ""
        number = explain.write_move_number(ply.number, ply.by)
        return f"{number} {write_for_reader(ply.san, digits, writing, self.lang)}"

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
        key = f"letters.kind.{kind}"
        return self.words(key if key in self.words else "letters.kind.unknown")

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
        return explain.write_span(span, self.words)

    def why(self, cause: Cause, name: str = "") -> str:
        """Why time stands still, whose leave it is, and the paragraph."""
        text = self.words(f"statement.cause.{cause.value}")
        who = f"{name}: " if name else ""
        return f"{who}{text} (§ {CAUSE_PARAGRAPH[cause]})"

    def charge(self, charge: AccountCharge) -> str:
        """Days added or deducted and why, with the paragraph."""
        return explain.write_charge(charge, self.words)

    def overstep(self, account: Account) -> tuple[str, ...]:
        """The overstep in force and how it was dealt with."""
        return tuple(explain.overstep_lines(account, self.words))

    def outage(self, outage: GroupOutage) -> str:
        """An outage that lasts, waits for a decision, or whose days were decided to count."""
        days = {"first": self.day(outage.first), "last": self.day(outage.last)}
        return self.t(f"outage.{outage.standing.value}", **days, by=outage.by, word=outage.word)

    def running(self, account: Account) -> tuple[str, ...]:
        """The time running now, and until when it lasts."""
        return tuple(explain.running_lines(account, self.words))

    def letters(self, board: chess.Board, move: chess.Move) -> str:
        """A legal move in a form that the field accepts without a query.

        Never in figurines, which no keyboard has, but in the letters that are tried first.
        """
        return write_for_reader(board.san(move), numeric(move), self._fielded, self.reads)

    @property
    def _fielded(self) -> MoveNotation:
        is_kept = self.words.writing in (MoveNotation.NUMERIC, MoveNotation.LONG)
        return self.words.writing if is_kept else MoveNotation.LETTERS

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


_DIGITAL = (MoveNotation.NUMERIC, MoveNotation.LONG)
"""What is written with the squares' numbers."""


# Why a text is not a move, shown beside the field. Not for refusals by the rules (below).

_ASKED = {ProblemKind.AMBIGUOUS: "problem.meant", ProblemKind.WRONG_NUMBER: "problem.number_meant"}
"""Kinds with a text for when only one move can have been meant."""


@dataclass(frozen=True, slots=True)
class MoveForm:
    """What the form around a move's field has, as keys of the catalogues."""

    tick: str
    """The tick that offers a draw."""
    empty: str
    """What is said of an empty field."""


GAME = MoveForm("web.draw.offer", "web.problem.empty")
CARD = MoveForm("cards.field.draw", "cards.no_move")


def problem_text(
    said: PageWords, state: GameState, found: TextProblem, form: MoveForm = GAME
) -> str:
    """What was not understood, and what to write instead."""
    problem = found.problem
    if not problem.token.strip():
        return said.words(form.empty)
    if found.reading.moves and problem.token.startswith("0"):
        return said.t("problem.series", token=problem.token)
    if found.head:
        return _rest_text(said, state, found, form)
    candidates = ", ".join(
        f"{in_letters(move, said.words)} ({move.numeric})"
        for move in list_meant_moves(state, found)
    )
    asked = None if problem.meant is None else _ASKED.get(problem.kind)
    return said.t(
        asked or f"problem.{problem.kind.value}",
        token=problem.token,
        candidates=candidates,
        number=state.board.fullmove_number,
        tick=said.words(form.tick),
    )


def list_meant_moves(state: GameState, found: TextProblem) -> tuple[MoveText, ...]:
    """The moves that may have been meant, each offered as a button."""
    return tuple(move_texts(state.board, (move,))[0] for move in found.problem.candidates)


def _rest_text(said: PageWords, state: GameState, found: TextProblem, form: MoveForm) -> str:
    """For a text that begins with a move: what the rest may mean."""
    if found.rest.startswith("0"):
        return said.t("problem.series", token=found.rest)
    if speaks_of_draw(found.rest):
        why = said.t("problem.rest_draw", tick=said.words(form.tick))
    elif found.series:
        why = said.t("problem.rest_series", series=found.series)
    elif state.proposal:
        why = said.t("problem.rest_follow")
    else:
        why = said.t("problem.rest_other", more=said.t("game.more"))
    return f"{said.t('problem.rest', head=found.head, rest=found.rest)} {why}"
