"""From a player's words to a command, for mail, web and API alike: the grammar on a game's state.

Pure, so that it can run inside the writer's transaction. Not for what the command then does
(kskak.play.decide) nor for whether the writer may ask it.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

import chess

from kskak.board.notation import Language, MoveRead, read_move
from kskak.game.commands import SendMoves
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from mail.grammar.keywords import Word
from mail.grammar.read_text import read_text
from mail.grammar.understood import Played, Position, Problem, ProblemKind, Reading
from mail.text.languages import FACTS, spoken

_OWN_LETTERS: dict[str, frozenset[Language]] = {
    code: frozenset(map(Language, facts.reads)) for code, facts in FACTS.items()
}


_BARE = re.compile(r"[A-Za-z1-8][A-Za-z1-8-]{1,6}(=[A-Z]|\([1-4]\))?[+#]?")
"""What may be one move and nothing else; whether it is one is for the notation to say."""


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A text that yields no command; ``reading`` says what was understood.

    ``head`` and ``rest``: the beginning that is a dispatch, and what follows that is not;
    ``series``: the whole as it would propose a series, where that is legal (§ 6.2.5).
    """

    problem: Problem
    reading: Reading
    head: str = ""
    rest: str = ""
    series: str = ""


def position_of(state: GameState, side: Side) -> Position:
    """The game's position as seen by a writer of this colour."""
    previous = tuple(
        Played(ply.number, ply.by is Side.WHITE, ply.move, ply.san) for ply in state.recent.plies
    )
    mine = state.to_move is side
    proposal = state.proposal if mine else ()
    return Position(state.board, mine, previous, proposal, state.position.ply)


def read_words(state: GameState, side: Side, text: str, *, lang: str, today: date) -> Reading:
    """Read a player's words in his own language's piece letters first, then in all of them.

    What is ambiguous in his own letters (§ 6.8.4) is asked about, not read in others: a Danish
    player's «Bc4» may be a pawn move. A move is invalid only if it is so in all letters (§ 6.8.6).
    """
    position = position_of(state, side)
    first = read_text(text, position, _OWN_LETTERS[spoken(lang)], today=today)
    if first.problem is None or first.problem.kind is ProblemKind.AMBIGUOUS:
        return first
    anywhere = read_text(text, position, today=today)
    if anywhere.moves or _is_clearer(anywhere.problem, first.problem):
        return anywhere
    return _with_guess(first, anywhere.problem)


def _with_guess(reading: Reading, wider: Problem | None) -> Reading:
    """A number that is off, with the move he may mean as all letters read it.

    In his own letters a move that is written in others is skipped, and a worse one guessed.
    """
    problem = reading.problem
    is_off = problem is not None and problem.kind is ProblemKind.WRONG_NUMBER
    if problem is None or not is_off or wider is None or not wider.candidates:
        return reading
    return replace(reading, problem=replace(problem, candidates=wider.candidates))


def _is_clearer(one: Problem | None, other: Problem) -> bool:
    """Whether the reading in all letters at least found a move's shape, or costs no days."""
    if one is None or one.kind is ProblemKind.NOT_UNDERSTOOD:
        return False
    is_free = other.is_invalid and not one.is_invalid
    return is_free or other.kind is ProblemKind.NOT_UNDERSTOOD


def send_moves(reading: Reading, side: Side, ply: int, *, offers_draw: bool) -> SendMoves:
    """The dispatch that a reading with moves asks for."""
    return SendMoves(
        by=side,
        ply=ply,
        plies=reading.moves,
        proposes=reading.proposes,
        offers_draw=offers_draw or reading.asks(Word.DRAW_OFFER),
    )


def bare_move(state: GameState, text: str, lang: str) -> chess.Move | None:
    """A legal move that stands alone: what the grammar would find, without its work on lines.

    None for everything else: numbers, several moves, a standing series, what is not understood.
    """
    if state.proposal or _BARE.fullmatch(text) is None:
        return None
    read = read_move(state.board, text, languages_of(lang))
    return read.move if isinstance(read, MoveRead) else None


def command_from_text(
    state: GameState, side: Side, text: str, *, ply: int, offers_draw: bool, today: date, lang: str
) -> SendMoves | TextProblem:
    """A move text from the web or the API: the same grammar as mail, moves only.

    ``ply`` is the position the caller saw; a stale one is refused when it is decided.
    """
    if ply != state.position.ply:
        # Against another position the text would mean something else: let the guard refuse it.
        return SendMoves(side, ply, (chess.Move.null(),))
    bare = bare_move(state, text, lang) if state.to_move is side else None
    if bare is not None:
        return SendMoves(side, ply, (bare,), offers_draw=offers_draw)
    reading = read_words(state, side, text, lang=lang, today=today)
    if reading.problem is not None:
        return TextProblem(reading.problem, reading)
    if not reading.moves:
        nothing = Problem(ProblemKind.NOT_UNDERSTOOD, text.strip()[:60])
        return TextProblem(nothing, reading)
    return send_moves(reading, side, ply, offers_draw=offers_draw)


def languages_of(lang: str) -> Collection[Language]:
    """The piece letters that a player of this language writes."""
    return _OWN_LETTERS[spoken(lang)]


_UNREAD = (ProblemKind.NOT_UNDERSTOOD, ProblemKind.UNSURE, ProblemKind.DRAW_UNCLEAR)

LONGEST = 60
"""Characters of what is quoted back."""
MOST_WORDS = 24
"""How many words of a text are searched for the end of a dispatch."""


@dataclass(frozen=True, slots=True)
class FieldReader:
    """Reads the move field at the moment of decision, in the locked state.

    Stricter than for a mail (reading): here everything in the field must be understood,
    since a refusal costs nobody a day and nothing may be dropped that was not shown.
    """

    text: str
    ply: int
    offers_draw: bool
    today: date
    reads: str
    """The language whose letters come first (texts.py)."""

    def __call__(self, state: GameState, side: Side) -> SendMoves | TextProblem:
        """The dispatch, or what is not understood."""
        text, lang, today = self.text, self.reads, self.today
        read = command_from_text(
            state, side, text, ply=self.ply, offers_draw=self.offers_draw, today=today, lang=lang
        )
        if self.ply != state.position.ply:
            return read
        if isinstance(read, TextProblem):
            is_unread = read.problem.kind in _UNREAD
            return self._apart(state, side, read) if is_unread else read
        reading = read_words(state, side, text, lang=lang, today=today)
        if reading.rest or reading.keywords:
            left = reading.rest[0] if reading.rest else text
            problem = Problem(ProblemKind.NOT_UNDERSTOOD, left[:LONGEST])
            return self._apart(state, side, TextProblem(problem, reading))
        return read

    def _apart(self, state: GameState, side: Side, found: TextProblem) -> TextProblem:
        """If the beginning is a dispatch, only the rest is what is not understood."""
        words = self.text.split()
        if found.problem.token.startswith("0") and found.reading.moves:
            return found  # a series that was marked as one
        for count in range(min(len(words) - 1, MOST_WORDS), 0, -1):
            head, rest = " ".join(words[:count]), " ".join(words[count:])
            if self._is_clean(state, side, head):
                series = f"{head} 0{rest}"
                if not self._is_clean(state, side, series, proposes=True):
                    series = ""
                problem = replace(found.problem, token=rest[:LONGEST])
                return TextProblem(problem, found.reading, head[:LONGEST], rest[:LONGEST], series)
        whole = " ".join(words)[:LONGEST]
        return replace(found, problem=replace(found.problem, token=whole))

    def _is_clean(self, state: GameState, side: Side, text: str, *, proposes: bool = False) -> bool:
        """Whether a text is a dispatch and nothing else, with a series if there is to be one."""
        reading = read_words(state, side, text, lang=self.reads, today=self.today)
        is_whole = not (reading.problem or reading.rest or reading.keywords)
        return is_whole and bool(reading.moves) and bool(reading.proposes) == proposes
