"""A game's moves as people write them down: PGN movetext in numbers or letters (§ 6.2.2).

Move numbers, comments, tags, annotations and the result are skipped; the moves must all be
there, from the start. Not for what players send (mail.grammar.read_text): there every doubt is
asked about, here the file is refused.
"""

import re

import chess

from kskak.board.moves import Position, side_to_move
from kskak.board.notation import MoveUnread, numeric, read_move
from kskak.regulation.quantities import Side

_TAG = re.compile(r"^\s*\[[^\]\n]*\]\s*$", re.MULTILINE)
_COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*")
_NUMBER = re.compile(r"(?<!\S)\d{1,3}\s?\.[.\s]*")
_NAG = re.compile(r"\$\d+")
_RESULTS = frozenset({"1-0", "0-1", "1/2-1/2", "*"})


class UnreadMove(ValueError):
    """A move that could not be read; the message names it and what it could mean.

    ``board`` is the position before it, ``found`` the result of reading it.
    """

    def __init__(self, board: chess.Board, found: MoveUnread) -> None:
        self.board, self.found = board, found
        dots = "." if side_to_move(board) is Side.WHITE else "..."
        could_be = " or ".join(numeric(move) for move in found.candidates)
        why = found.error.value.replace("_", " ")
        where = f"{board.fullmove_number}{dots} {found.text[:20]!r}"
        super().__init__(f"{where}: {why}" + (f"; it could be {could_be}" if could_be else ""))


def read_movetext(text: str, fen: str | None) -> tuple[chess.Move, ...]:
    """The moves of a text, played from the start. Raises UnreadMove; ValueError for a bad FEN."""
    position = Position.start(fen)
    moves: list[chess.Move] = []
    for token in _tokens(text):
        board = position.board
        found = read_move(board, token)
        if isinstance(found, MoveUnread):
            raise UnreadMove(board, found)
        moves.append(found.move)
        position = position.after(found.move)
    return tuple(moves)


def _tokens(text: str) -> list[str]:
    for passed_over in (_TAG, _COMMENT, _NAG, _NUMBER):
        text = passed_over.sub(" ", text)
    return [token for token in text.split() if token not in _RESULTS and token.strip("!?")]
