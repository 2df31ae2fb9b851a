"""Whether a written move repeats one that was played (§ 6.2.1, § 6.8.4).

NOT for what follows from it: `mail.series`.
"""

from collections.abc import Collection

import chess

from kskak.guesses import any_case
from kskak.notation import Language
from kskak.shapes import CastlingShape, PieceShape, shapes
from mail.reading import Played

_PIECES = {"K": chess.KING, "Q": chess.QUEEN, "R": chess.ROOK, "B": chess.BISHOP, "N": chess.KNIGHT}


def matches(text: str, played: Played, languages: Collection[Language]) -> bool:
    """True if the written move can mean the played one.

    Signs and extra origin are free; a promotion may leave its piece out.
    """
    move = played.move
    for shape in (*shapes(text, languages), *any_case(text, languages)):
        match shape:
            case CastlingShape():
                if played.san.rstrip("+#") == ("O-O" if shape.kingside else "O-O-O"):
                    return True
            case PieceShape():
                letter = played.san[0]
                piece = chess.KING if letter == "O" else _PIECES.get(letter, chess.PAWN)
                if (
                    shape.to_square == move.to_square
                    and shape.from_mask & chess.BB_SQUARES[move.from_square]
                    and shape.piece in (None, piece)
                    and shape.promotion in (None, move.promotion)
                ):
                    return True
    return False
