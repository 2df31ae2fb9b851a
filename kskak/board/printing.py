"""Writing moves: numbers (§ 6.2.2) and algebraic, in English, Danish and Swedish letters.

The counterpart of ``notation``, which reads what is written here. Moves must be lawful on the
board given. NOT for whole games (PGN) nor for letters to people (the mail room).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

import chess

from kskak.board.shapes import DIGIT_OF, Language

# Danish and Swedish piece letters are the same; castling is written with zeros, and the promoted
# piece follows the square without a sign: e8D (FIDE C.2, C.11, C.13).
_NORDIC_LETTERS = str.maketrans("QRBNO", "DTLS0", "=")
_DIGITS = tuple(f"{chess.square_file(at) + 1}{chess.square_rank(at) + 1}" for at in chess.SQUARES)
_FIGURINES = str.maketrans("KQRBN", "♔♕♖♗♘")


class Writing(StrEnum):
    """A way to write a move for a reader (§ 6.2.2, § 6.8.2).

    ``LETTERS`` are those of the reader's language; ``LONG`` has both squares, in the same letters.
    """

    LETTERS = "letters"
    DANISH = "danish"
    ENGLISH = "english"
    FIGURINES = "figurines"
    LONG = "long"
    NUMERIC = "numeric"


@dataclass(frozen=True, slots=True)
class MoveForms:
    """One move in every form that ``kskak move`` prints; ``fen`` is the position after it."""

    uci: str
    numeric: str
    san: str
    danish: str
    long: str
    fen: str


def numeric(move: chess.Move) -> str:
    """Four digits, from and to; a promotion adds its piece in parentheses (§ 6.2.2)."""
    digits = _DIGITS[move.from_square] + _DIGITS[move.to_square]
    return f"{digits}({DIGIT_OF[move.promotion]})" if move.promotion else digits


def san(board: chess.Board, move: chess.Move) -> str:
    """Short algebraic in English letters, as PGN has it: Nf3, O-O, exd8=Q+ (§ 6.8.2)."""
    return board.san(move)


def danish(board: chess.Board, move: chess.Move) -> str:
    """Short algebraic in Danish letters: Sf3, 0-0, exd8D+ (§ 6.8.2)."""
    return in_danish(board.san(move))


def in_danish(text: str) -> str:
    """A move given in English short algebraic, in Danish letters (§ 6.8.2)."""
    return text.translate(_NORDIC_LETTERS)


def written(english: str, digits: str, writing: Writing, lang: str) -> str:
    """A move as a reader of ``lang`` wants it, from its English and numeric forms."""
    match writing:
        case Writing.LETTERS:
            return in_letters_of(lang, english)
        case Writing.DANISH:
            return in_danish(english)
        case Writing.ENGLISH:
            return english
        case Writing.FIGURINES:
            return in_letters_of(lang, english.translate(_FIGURINES))
        case Writing.LONG:
            return in_letters_of(lang, _lengthened(english, digits))
        case Writing.NUMERIC:
            return digits
        case _:
            assert_never(writing)


def in_letters_of(lang: str, english: str) -> str:
    """A move of English letters in those of a language: K D T L S for all but English."""
    return english if lang == Language.EN else in_danish(english)


def _lengthened(english: str, digits: str) -> str:
    """Nbxd7+ with 2647 is Nb6xd7+; castling stays as it is."""
    if english[0] == "O":
        return english
    squares = [f"{'abcdefgh'[int(digits[at]) - 1]}{digits[at + 1]}" for at in (0, 2)]
    piece = english[0] if english[0].isupper() else ""
    tail = english[english.rindex(squares[1]) + 2 :]
    return f"{piece}{squares[0]}{'x' if 'x' in english else '-'}{squares[1]}{tail}"


def swedish(board: chess.Board, move: chess.Move) -> str:
    """Short algebraic in Swedish letters, which are the Danish ones (§ 6.8.2)."""
    return danish(board, move)


def long_algebraic(board: chess.Board, move: chess.Move) -> str:
    """Long algebraic in English letters: Ng1-f3, e7xd8=Q+, O-O (§ 6.8.2)."""
    return board.lan(move)


def describe(board: chess.Board, move: chess.Move) -> MoveForms:
    """Every form of a lawful move; the board is left as it was."""
    after = board.copy(stack=False)
    after.push(move)
    return MoveForms(
        uci=move.uci(),
        numeric=numeric(move),
        san=san(board, move),
        danish=danish(board, move),
        long=long_algebraic(board, move),
        fen=after.fen(),
    )
