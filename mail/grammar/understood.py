"""The values of the mail grammar: where a game stands, and what a mail was understood to say.

NOT for how it is understood: `mail.grammar.read_text` (lines), `mail.grammar.series` (moves in the
game).
"""

from dataclasses import dataclass
from enum import StrEnum

import chess

from mail.grammar.keywords import Keyword, Word


class Repetition(StrEnum):
    """Whether the opponent's last move and the accepted series were repeated, and correctly."""

    OK = "ok"
    ABSENT = "absent"
    WRONG = "wrong"


class ProblemKind(StrEnum):
    """Why no move was made; `Problem.is_invalid` tells which are invalid moves (§ 6.8.6)."""

    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"
    NOT_UNDERSTOOD = "not_understood"
    CONTRADICTION = "contradiction"
    WRONG_REPETITION = "wrong_repetition"
    WRONG_NUMBER = "wrong_number"
    NOT_YOUR_TURN = "not_your_turn"
    UNSURE = "unsure"
    DRAW_UNCLEAR = "draw_unclear"


@dataclass(frozen=True, slots=True)
class Problem:
    """The kind, the token as the writer wrote it, and the legal moves he may have meant.

    `is_asked`: it is no plain try at his own move, so it is asked about, never charged: a move that
    is in the game already, or what other words of the mail speak against.
    """

    kind: ProblemKind
    token: str
    candidates: tuple[chess.Move, ...] = ()
    is_asked: bool = False

    @property
    def is_invalid(self) -> bool:
        """Whether it is an invalid move, which costs days by mail (§ 6.8.4, § 6.8.6)."""
        is_fault = self.kind in (ProblemKind.ILLEGAL, ProblemKind.WRONG_REPETITION)
        return is_fault and not self.is_asked

    @property
    def meant(self) -> chess.Move | None:
        """The one move he can have meant; None if he must write it himself."""
        return self.candidates[0] if len(self.candidates) == 1 and not self.is_invalid else None


@dataclass(frozen=True, slots=True)
class Played:
    """One ply already played: its full-move number, colour, move and SAN."""

    number: int
    colour: chess.Color
    move: chess.Move
    san: str

    @property
    def half(self) -> int:
        """Half-moves before it, counted from move 1."""
        return half_of(self.number, self.colour)


@dataclass(frozen=True, slots=True)
class Position:
    """Where the game stands for the writer of a mail.

    `board`: now (its move stack is not needed). `my_turn`: the writer is to move. `previous`: plies
    played, oldest first, the more the better; at least the last one. `proposal`: the opponent's
    standing series, beginning with the writer's move. `ply`: plies played in the game.
    """

    board: chess.Board
    my_turn: bool
    previous: tuple[Played, ...] = ()
    proposal: tuple[chess.Move, ...] = ()
    ply: int = 0


def half_of(number: int, colour: chess.Color) -> int:
    """Half-moves before move `number` of `colour`."""
    return 2 * (number - 1) + (0 if colour == chess.WHITE else 1)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says. With a `problem`, `moves` is empty.

    `moves`: all plies the dispatch adds, in order, the last the writer's: the accepted part of
    the series with the bound answers, then his own move. `proposes`: a new series, the first move
    the opponent's. `rest`: what was not understood, to be quoted back. `message`: his free words.
    """

    moves: tuple[chess.Move, ...] = ()
    proposes: tuple[chess.Move, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    repetition: Repetition = Repetition.ABSENT
    problem: Problem | None = None
    rest: tuple[str, ...] = ()
    message: str = ""

    def asks(self, word: Word) -> bool:
        """True if this keyword is in the text."""
        return any(keyword.word is word for keyword in self.keywords)

    @property
    def is_empty(self) -> bool:
        """True if the text asks for nothing at all: no move, no keyword, nothing tried."""
        return not (self.moves or self.keywords or self.problem)
