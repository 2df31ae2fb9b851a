"""Reading moves: numbers (§ 6.2.2), and algebraic letters where agreed (§ 6.8.2).

A text is first parsed into shapes (``shapes``: what could be meant); each is tried on the board.
One lawful move: read. Several: ambiguous, to be asked about (§ 6.8.4). None, but the shape of a
move: illegal. No such shape: not understood, which costs nobody days (§ 6.8.6).

Readings chosen here:

* A promotion without its piece is ambiguous, never a queen: § 6.2.2 demands the digit.
* Letter case matters: ``bxc3`` is a pawn, ``Bxc3`` an English bishop. A text whose case fits no
  notation (``sf3``, ``H4``, ``e8d``) is played where exactly one lawful move fits everything it can
  mean in every language; where several do, it is asked about. A text that is a move as it stands,
  but not lawful (``dxe5``), is never played as something else: it is asked about.
* Capture, check, mate and "e.p." signs may be missing or wrong; extra information on the origin
  does no harm. Figurines (♘f3) belong to every language; no letter may name a piece beside them.
* ``B`` is the English bishop where English is among the languages. Pawns have no letter in Danish
  (FIDE C.4), so a ``B`` or ``b`` for *bonde* is never played, but asked about: always when English
  is not among the languages, otherwise when no English reading is lawful.
* Castling is 0-0, 0-0-0 or the king's move of two squares; never "king takes rook". Without the
  dashes (00, OOO) it is read where it is lawful; elsewhere it is not understood, not illegal.
* Numbers may stand in parentheses, whole or each pair: (5254), (52)(54).
* A four-digit promotion without its rank (6762) is asked about.
* Given one language, only that language is read: numbers are not Danish. Moves that need no
  letter (e4, e2-e4, g1f3, 0-0) belong to all three.

NOT for whole lines with several moves, nor for draw offers: "(=)" after a move is ignored here.
python-chess's own text readers are not used on what people write: they take ``--``, ``0000``,
``Z0`` and ``@@@@`` as null moves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import assert_never

import chess

from kskak.board.guesses import any_case, doubtful_shapes, every_reading
from kskak.board.moves import is_lawful
from kskak.board.printing import MoveForms, danish, describe, long_algebraic, numeric, san, swedish
from kskak.board.shapes import (
    ALL_LANGUAGES,
    PROMOTION_OF,
    CastlingShape,
    Language,
    PieceShape,
    Shape,
    dashless_castling,
    numeric_square,
    shapes,
)

__all__ = [
    "ALL_LANGUAGES",
    "Language",
    "MoveError",
    "MoveForms",
    "MoveRead",
    "MoveUnread",
    "could_be_move",
    "danish",
    "describe",
    "long_algebraic",
    "looks_like_move",
    "numeric",
    "parse_numeric",
    "read_move",
    "san",
    "swedish",
]


class MoveError(StrEnum):
    """Why a text gave no move. Only ILLEGAL is an invalid move in the sense of § 6.8.6."""

    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"
    NOT_UNDERSTOOD = "not_understood"


@dataclass(frozen=True, slots=True)
class MoveRead:
    """A text that means exactly one lawful move."""

    move: chess.Move


@dataclass(frozen=True, slots=True)
class MoveUnread:
    """A text that gave no move.

    ``candidates``: the lawful moves an ambiguous text could mean (just one where the text is in
    no notation but can be guessed), else empty. ``text``: as written.
    """

    error: MoveError
    candidates: tuple[chess.Move, ...]
    text: str


_LEDGER_FORM = re.compile(r"([1-8]{2})([1-8]{2})(?:\(([1-4])\)|([1-4]))?")
_PROMOTIONS = tuple(PROMOTION_OF.values())


def read_move(
    board: chess.Board, text: str, languages: Collection[Language] = ALL_LANGUAGES
) -> MoveRead | MoveUnread:
    """The lawful move that a written move means on this board (§ 6.2.2, § 6.8.2, § 6.8.4)."""
    written = shapes(text, languages)
    lawful = _lawful(board, written or dashless_castling(text, languages))
    if len(lawful) == 1:
        return MoveRead(lawful[0])
    if not lawful:
        lawful = _doubted(board, text, languages)
        if len(lawful) == 1 and _is_only_miscased(board, text, languages):
            return MoveRead(lawful[0])
    if lawful:
        return MoveUnread(MoveError.AMBIGUOUS, lawful, text)
    error = MoveError.ILLEGAL if written else MoveError.NOT_UNDERSTOOD
    return MoveUnread(error, (), text)


def _doubted(
    board: chess.Board, text: str, languages: Collection[Language]
) -> tuple[chess.Move, ...]:
    """All that a text in no notation, or in the wrong case, can mean; empty if none is lawful."""
    doubtful = doubtful_shapes(text, languages)
    if _lawful(board, doubtful):
        return _lawful(board, (*doubtful, *any_case(text, ALL_LANGUAGES)))
    if _lawful(board, any_case(text, languages)):
        return _lawful(board, every_reading(text))
    return ()


def _is_only_miscased(board: chess.Board, text: str, languages: Collection[Language]) -> bool:
    """Whether nothing but the case of its letters keeps a text from being a move."""
    is_doubtful = _lawful(board, doubtful_shapes(text, languages))
    return not is_doubtful and not shapes(text, ALL_LANGUAGES)


def could_be_move(token: str) -> bool:
    """Whether the token could be a move on some board: as it stands, or in another case."""
    return looks_like_move(token) or bool(any_case(token, ALL_LANGUAGES))


def looks_like_move(token: str) -> bool:
    """Whether the token has the shape of a move in any notation, lawful or not (§ 6.2.2).

    A move number and signs may be attached before and after it.
    """
    return bool(shapes(token, ALL_LANGUAGES))


@lru_cache(maxsize=4096)
def parse_numeric(text: str) -> chess.Move:
    """The move in a ledger's strict form: 5254, 5758(1) or 57581 (§ 6.2.2), legal or not.

    Raises ValueError for anything else, and for a move from a square to itself.
    """
    found = _LEDGER_FORM.fullmatch(text)
    if found is None or found[1] == found[2]:
        raise ValueError(f"not a numeric move: {text[:20]!r} (write 5254, or 5758(1) to promote)")
    end = found[3] or found[4]
    return chess.Move(
        numeric_square(found[1]), numeric_square(found[2]), PROMOTION_OF[end] if end else None
    )


def _lawful(board: chess.Board, written: Iterable[Shape]) -> tuple[chess.Move, ...]:
    found: dict[chess.Move, None] = {}
    for shape in written:
        match shape:
            case PieceShape():
                found.update(dict.fromkeys(_piece_moves(board, shape)))
            case CastlingShape():
                found.update(dict.fromkeys(_castling_moves(board, shape)))
            case _:
                assert_never(shape)
    return tuple(found)


def _piece_moves(board: chess.Board, shape: PieceShape) -> Iterator[chess.Move]:
    own = board.occupied_co[board.turn]
    # python-chess calls "king takes own rook" legal castling; § 6.2.2 writes the king's own move.
    if own & chess.BB_SQUARES[shape.to_square]:
        return
    movers = own & shape.from_mask
    if shape.piece is not None:
        movers &= board.pieces_mask(shape.piece, board.turn)
    for start in chess.scan_forward(movers):
        promotions: tuple[chess.PieceType | None, ...] = (shape.promotion,)
        if shape.promotion is None and _promotes(board, start, shape.to_square):
            promotions = _PROMOTIONS
        for promotion in promotions:
            move = chess.Move(start, shape.to_square, promotion)
            if is_lawful(board, move):
                yield move


def _promotes(board: chess.Board, start: chess.Square, to_square: chess.Square) -> bool:
    return bool(board.pawns & chess.BB_SQUARES[start]) and chess.square_rank(to_square) in (0, 7)


def _castling_moves(board: chess.Board, shape: CastlingShape) -> Iterator[chess.Move]:
    start, to_square = (
        (chess.E1, chess.G1 if shape.kingside else chess.C1)
        if board.turn == chess.WHITE
        else (chess.E8, chess.G8 if shape.kingside else chess.C8)
    )
    move = chess.Move(start, to_square)
    if board.is_castling(move) and is_lawful(board, move):
        yield move
