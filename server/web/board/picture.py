"""The board as drawn by the server: squares, marks, and the same position in words.

The page's script lays a playable board over this one, with the same pieces and colours; without
script this one stays. Not for pictures in mails.
"""

from dataclasses import dataclass
from functools import lru_cache

import chess
from markupsafe import Markup

from kskak.regulation.quantities import Side

TILE = 40
"""A square's side in the drawing; the vendored board's marks have this size."""
BELOW, BESIDE = 13, 9
"""Offset of letters and digits from the board; site.css places the script's there, too."""


@dataclass(frozen=True, slots=True)
class Square:
    """A square in the drawing; ``piece`` is like «wk», "" if empty."""

    name: str
    x: int
    y: int
    is_dark: bool
    piece: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A letter or digit in the margin: its horizontal centre, and its baseline."""

    text: str
    x: int
    y: int
    is_file: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece for the list in words: its kind («k» … «p») and its square."""

    kind: str
    square: str


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """Everything a template needs to draw a position."""

    fen: str
    side: Side
    squares: tuple[Square, ...]
    coordinates: tuple[Coordinate, ...]
    white: tuple[Piece, ...]
    black: tuple[Piece, ...]

    @property
    def orientation(self) -> str:
        """«w» or «b»: the side at the bottom."""
        return "w" if self.side is Side.WHITE else "b"


def picture(board: chess.Board, side: Side, last: chess.Move | None = None) -> BoardPicture:
    """The position seen from ``side``, with the last move's squares marked."""
    marked = {last.from_square, last.to_square} if last else set()
    squares = tuple(_square(board, side, square, square in marked) for square in chess.SQUARES)
    return BoardPicture(
        fen=board.fen(),
        side=side,
        squares=squares,
        coordinates=_coordinates(side),
        white=_pieces(board, chess.WHITE),
        black=_pieces(board, chess.BLACK),
    )


def _square(board: chess.Board, side: Side, square: chess.Square, is_marked: bool) -> Square:
    file, rank = chess.square_file(square), chess.square_rank(square)
    column, row = (file, 7 - rank) if side is Side.WHITE else (7 - file, rank)
    piece = board.piece_at(square)
    return Square(
        name=chess.square_name(square),
        x=column * TILE,
        y=row * TILE,
        is_dark=(file + rank) % 2 == 0,
        piece=_code(piece) if piece else "",
        is_marked=is_marked,
    )


def _code(piece: chess.Piece) -> str:
    return ("w" if piece.color else "b") + piece.symbol().lower()


def _coordinates(side: Side) -> tuple[Coordinate, ...]:
    files, ranks = "abcdefgh", "87654321"
    if side is Side.BLACK:
        files, ranks = files[::-1], ranks[::-1]
    along = [
        Coordinate(text, column * TILE + TILE // 2, 8 * TILE + BELOW, is_file=True)
        for column, text in enumerate(files)
    ]
    up = [
        Coordinate(text, -BESIDE, row * TILE + TILE // 2 + 4, is_file=False)
        for row, text in enumerate(ranks)
    ]
    return (*along, *up)


def _pieces(board: chess.Board, color: chess.Color) -> tuple[Piece, ...]:
    """Kings first, pawns last: the order in which positions are read out."""
    return tuple(
        Piece(chess.piece_symbol(kind), chess.square_name(square))
        for kind in reversed(chess.PIECE_TYPES)
        for square in board.pieces(kind, color)
    )


KEPT = 1024
"""Cached diagrams: those of running games, about 1.5 kB each."""
_KINDS = "pnbrqk"


def small_board(board: chess.Board, side: Side, last: chess.Move | None) -> Markup:
    """A small diagram seen from ``side``, with the last move's squares marked."""
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    squares = () if last is None else (last.from_square, last.to_square)
    return _drawn(white, black, kinds, squares, side is Side.WHITE)


@lru_cache(maxsize=KEPT)
def _drawn(
    white: int, black: int, kinds: tuple[int, ...], marked: tuple[int, ...], is_white: bool
) -> Markup:
    """The drawing, cached by the board's bitmasks, which are cheaper to get than a FEN."""
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
    return Markup(  # noqa: S704 - contains no user text
        f'<svg class="small-board" viewBox="0 0 {8 * TILE} {8 * TILE}" width="96" height="96"'
        f' aria-hidden="true" focusable="false">{marks}{pieces}</svg>'
    )


def _at(square: chess.Square, is_white: bool) -> str:
    file, rank = chess.square_file(square), chess.square_rank(square)
    column, row = (file, 7 - rank) if is_white else (7 - file, rank)
    return f'x="{column * TILE}" y="{row * TILE}"'
