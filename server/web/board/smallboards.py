"""A position as a small diagram in a line of a list: its pieces and the squares of the last move.

The pieces are those of the page's sprite (pieces.py), the chequer is the style sheet's: a line
costs the page a thousand octets, and the server nothing while nobody moves. Said by the line's
words, so it is silent. Not for a board that is looked at by itself (picture.py).
"""

from functools import lru_cache

import chess
from markupsafe import Markup

from kskak.regulation.quantities import Side
from server.web.board.picture import TILE

KEPT = 4096
"""Diagrams that are kept: those of running games, at about 1.5 kB."""
_KINDS = "pnbrqk"


def small_board(board: chess.Board, side: Side, last: chess.Move | None) -> Markup:
    """The position seen from ``side``, the squares of the last move marked."""
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    squares = () if last is None else (last.from_square, last.to_square)
    return _drawn(white, black, kinds, squares, side is Side.WHITE)


@lru_cache(maxsize=KEPT)
def _drawn(
    white: int, black: int, kinds: tuple[int, ...], marked: tuple[int, ...], is_white: bool
) -> Markup:
    """The drawing; it follows from the board's own numbers, which are cheaper to tell than FEN."""
    marks = "".join(
        f'<rect class="mark" {_at(square, is_white)} width="{TILE}" height="{TILE}"/>'
        for square in marked
    )
    pieces = "".join(
        f'<use href="#{color}{kind}" {_at(square, is_white)}/>'
        for color, own in (("w", white), ("b", black))
        for kind, mask in zip(_KINDS, kinds, strict=True)
        for square in chess.scan_forward(own & mask)
    )
    return Markup(  # noqa: S704 - no text of a person's in it
        f'<svg class="small-board" viewBox="0 0 {8 * TILE} {8 * TILE}" width="96" height="96"'
        f' aria-hidden="true" focusable="false">{marks}{pieces}</svg>'
    )


def _at(square: chess.Square, is_white: bool) -> str:
    file, rank = chess.square_file(square), chess.square_rank(square)
    column, row = (file, 7 - rank) if is_white else (7 - file, rank)
    return f'x="{column * TILE}" y="{row * TILE}"'
