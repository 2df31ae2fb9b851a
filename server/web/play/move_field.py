"""The contents of the move field: what was typed, and the accepted part of a series.

A series is accepted by writing its moves before one's own (§ 6.2.5); the page's links write
them. Not for parsing the text (usecases/play/reading.py).
"""

from dataclasses import dataclass
from datetime import date

import chess

from kskak.board.moves import Position
from kskak.play.state import GameState
from mail.text.facts import MoveText, move_texts
from server.usecases.play.reading import read_words
from server.web.frame.forms import Form

Reader = tuple[str, date]
"""The language whose piece letters are tried first, and the day."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What a player has entered but not sent yet."""

    text: str = ""
    offers_draw: bool = False
    message: str = ""

    @staticmethod
    def of(form: Form) -> "Typed":
        """From the fields of the move form."""
        return Typed(form.text("text", 400), form.is_ticked("draw"), form.text("message"))


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A part of the opponent's series that can be accepted: its first ``count`` plies."""

    count: int
    moves: tuple[MoveText, ...]


def acceptances(state: GameState) -> tuple[Acceptance, ...]:
    """Every acceptable part, the shortest first; each ends with the proposer's move."""
    texts = move_texts(state.board, state.proposal)
    return tuple(Acceptance(count, texts[:count]) for count in range(2, len(state.proposal) + 1, 2))


def followed(state: GameState, text: str, last: MoveText | None, reader: Reader) -> int:
    """How many plies of the series a typed text follows, even if its own move is faulty."""
    if not state.proposal or not text.strip():
        return 0
    lang, today = reader
    moves = read_words(state, state.mover, text, lang=lang, today=today).moves
    if len(moves) % 2 and moves[:-1] == state.proposal[: len(moves) - 1] and len(moves) > 1:
        return len(moves) - 1
    typed = " ".join(text.split())
    counts = (one.count for one in reversed(acceptances(state)))
    return next((n for n in counts if typed.startswith(prefix(state, n, last).strip())), 0)


def position_after(state: GameState, accepted: int) -> Position:
    """The position after the accepted plies of the series."""
    position = state.position
    for move in state.proposal[:accepted]:
        position = position.after(move)
    return position


def valid_count(state: GameState, wished: str) -> int:
    """The number of plies accepted through a link; 0 for anything invalid."""
    if not (wished.isascii() and wished.isdigit() and len(wished) < 4):
        return 0
    count = int(wished)
    return count if count % 2 == 0 and count <= len(state.proposal) else 0


def prefix(state: GameState, accepted: int, last: MoveText | None) -> str:
    """The text before one's own move: the accepted part, numbered, in digits (§ 6.2.1).

    Black begins by repeating White's last move, so that each number has both its moves.
    """
    if not accepted:
        return ""
    moves = list(move_texts(state.board, state.proposal[:accepted]))
    if state.board.turn == chess.BLACK and last is not None:
        moves.insert(0, last)
    number = position_after(state, accepted).board.fullmove_number
    parts = []
    for index, move in enumerate(moves):
        if move.by.value == "white":
            parts.append(f"{move.number}.")
        elif index == 0:
            parts.append(f"{move.number}...")
        parts.append(move.numeric)
    if state.board.turn == chess.WHITE:
        parts.append(f"{number}.")
    return " ".join(parts) + " "
