"""Whether a written move repeats one already played, or one written before it.

§ 6.2.1, § 6.8.4.

NOT for what follows from it: `mail.grammar.series`.
"""

from collections.abc import Collection

import chess

from kskak.board.guesses import any_case
from kskak.board.notation import Language
from kskak.board.shapes import CastlingShape, PieceShape, Shape, shapes
from mail.grammar.move_lines import Token
from mail.grammar.understood import Played

_PIECES = {"K": chess.KING, "Q": chess.QUEEN, "R": chess.ROOK, "B": chess.BISHOP, "N": chess.KNIGHT}


def once(tokens: tuple[Token, ...], languages: Collection[Language]) -> tuple[Token, ...]:
    """Each move once: what follows it in parentheses may be the same move in another form."""
    return tuple(
        token
        for index, token in enumerate(tokens)
        if not (token.aside and index and _same_move(tokens[index - 1].text, token.text, languages))
    )


def _same_move(one: str, other: str, languages: Collection[Language]) -> bool:
    """True if two texts can be the same move in two forms: 4837 and Dc7, 5171 and 0-0."""
    return any(
        _agree(first, second)
        for first in (*shapes(one, languages), *any_case(one, languages))
        for second in (*shapes(other, languages), *any_case(other, languages))
    )


def _agree(one: Shape, other: Shape) -> bool:
    if isinstance(one, CastlingShape) or isinstance(other, CastlingShape):
        return _wing(one) is not None and _wing(one) == _wing(other)
    return (
        one.to_square == other.to_square
        and bool(one.from_mask & other.from_mask)
        and (None in (one.piece, other.piece) or one.piece == other.piece)
        and (None in (one.promotion, other.promotion) or one.promotion == other.promotion)
    )


def _wing(shape: Shape) -> bool | None:
    """The castling side, written as such or as the king's move: True kingside; None if neither."""
    if isinstance(shape, CastlingShape):
        return shape.kingside
    from_king = shape.from_mask in (chess.BB_E1, chess.BB_E8)
    wings = {chess.G1: True, chess.G8: True, chess.C1: False, chess.C8: False}
    return wings.get(shape.to_square) if from_king else None


def matches(text: str, played: Played, languages: Collection[Language]) -> bool:
    """True if the written move can mean the played one.

    Signs and the origin square are optional; a promotion may omit its piece.
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
