"""A line of moves that is analysed, not played: reading it, and comparing the game with it.

An aid to a player's own analysis; no paragraph covers it, and nothing here makes a move in a
game. Each move is read by § 6.2.2 and § 6.8.2 (notation.py). Not for series (game/series.py).
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import chess

from kskak.board.notation import ALL_LANGUAGES, Language, MoveError, MoveRead, MoveUnread, read_move

_NUMBER = re.compile(r"^\d{1,3}(?:\.{1,3}|…)")
_SIGNS = re.compile(r"[!?]+$")
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")


@dataclass(frozen=True, slots=True)
class LineUnread:
    """The first word of a text that is not a move: as written, why, and after how many moves."""

    text: str
    error: MoveError
    after: int


_ENGLISH = (Language.EN, Language.NUMERIC)


def read_line(
    board: chess.Board, text: str, languages: Collection[Language] = ALL_LANGUAGES
) -> tuple[chess.Move, ...] | LineUnread:
    """The moves of a text from a given position, ignoring numbers and signs.

    Read as a whole in the reader's own letters, then in English ones, as other programs write,
    then in all; lawful UCI is always read as such. An error is that of the reader's own letters.
    """
    first = _whole(board, text, languages)
    if not isinstance(first, LineUnread):
        return first
    for letters in (_ENGLISH, ALL_LANGUAGES):
        read = _whole(board, text, letters)
        if not isinstance(read, LineUnread):
            return read
    return first


def _whole(
    board: chess.Board, text: str, languages: Collection[Language]
) -> tuple[chess.Move, ...] | LineUnread:
    here = board.copy(stack=False)
    moves: list[chess.Move] = []
    for written in text.replace(",", " ").replace(";", " ").split():
        token = _SIGNS.sub("", _NUMBER.sub("", written))
        if not token or token == "…":
            continue
        read = _read(here, token, languages)
        if isinstance(read, MoveUnread):
            return LineUnread(written, read.error, len(moves))
        moves.append(read)
        here.push(read)
    return tuple(moves)


def _read(
    board: chess.Board, token: str, languages: Collection[Language]
) -> chess.Move | MoveUnread:
    if _UCI.fullmatch(token) and token[:2] != token[2:4]:
        move = chess.Move.from_uci(token)
        if board.is_legal(move):
            return move
    read = read_move(board, token, languages)
    return read.move if isinstance(read, MoveRead) else read


@dataclass(frozen=True, slots=True)
class Following:
    """How a game compares with a line: it played the line's first ``count`` moves.

    ``is_left``: the game then played a different move.
    """

    count: int
    is_left: bool


def following(start: int, line: Sequence[chess.Move], played: Sequence[chess.Move]) -> Following:
    """How far a game has followed a line that begins after its first ``start`` plies."""
    after = played[start:]
    count = 0
    for thought, made in zip(line, after, strict=False):
        if thought != made:
            return Following(count, True)
        count += 1
    return Following(count, False)
