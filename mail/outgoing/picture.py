"""A diagram: as a PNG for the HTML part, as characters for the text, as words to be read aloud.

The PNG is small (390 px, about 8 kB) and assembled from squares drawn by chess.svg and resvg.
NOT for the web's board, which draws itself.
"""

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import chess.svg

from kskak.board.shapes import NotationLanguage
from kskak.regulation.editions import Side
from mail.looks.design import STANDARD, TILE, Looks, drawing, looks

if TYPE_CHECKING:
    from PIL import Image


_MARGIN, _SQUARE = 15, TILE
SIZE = 2 * _MARGIN + 8 * _SQUARE
"""Width and height in pixels: chess.svg's own size, unscaled, so that squares fit together."""
_MARKED = 0.5
"""How much a mark covers its square, as on the pages (site.css)."""
_COLOURS, _BITS, _LEVEL = 16, 4, 3
"""More would show no better, and need a whole octet for each pixel."""
_SQUARES = ("square light", "square dark", "square light lastmove", "square dark lastmove")


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """A reader's choice of pieces and squares, by the names that pages have for them."""

    pieces: str = STANDARD
    squares: str = "calm"


USUAL = BoardStyle()


_NORDIC = str.maketrans("KQRBNPkqrbnp", "KDTLSBkdtlsb")
_ORDER = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)


def _colors(of: Looks, squares: str) -> dict[str, str]:
    """The colours by chess.svg's names for them."""
    board = of.board(squares)
    light, dark, frame = board["light-square"], board["dark-square"], board["ink"]
    return {
        "square light": light,
        "square dark": dark,
        "square light lastmove": _mix_colours(light, board["mark"]),
        "square dark lastmove": _mix_colours(dark, board["mark"]),
        "margin": frame,
        "coord": board["paper"],
        "inner border": frame,
        "outer border": frame,
    }


def _mix_colours(square: str, mark: str) -> str:
    from PIL import ImageColor

    pairs = zip(ImageColor.getrgb(square), ImageColor.getrgb(mark), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * _MARKED):02x}" for a, b in pairs)


@lru_cache(maxsize=10)
def _sheet(
    drawn: BoardStyle, of: Looks
) -> tuple[dict[Side, "Image.Image"], dict[tuple[str, str], "Image.Image"]]:
    """Empty boards by the side at the bottom; squares by piece ("": none) and colour; one palette.

    Drawn once per process: assembling a picture takes a tenth of the time of drawing one.
    """
    from PIL import Image

    colors = _colors(of, drawn.squares)
    sheet = Image.new("RGB", (2 * SIZE, SIZE + len(_SQUARES) * _SQUARE))
    boards = {side: (n * SIZE, 0, (n + 1) * SIZE, SIZE) for n, side in enumerate(Side)}
    for side, box in boards.items():
        white = side is Side.WHITE
        svg = chess.svg.board(None, orientation=white, size=SIZE, colors=colors)
        sheet.paste(_image(svg), box)
    squares = dict[tuple[str, str], tuple[int, int, int, int]]()
    for column, symbol in enumerate(("", *"KQRBNPkqrbnp")):
        for row, color in enumerate(_SQUARES):
            x, y = column * _SQUARE, SIZE + row * _SQUARE
            box = squares[symbol, color] = (x, y, x + _SQUARE, y + _SQUARE)
            sheet.paste(colors[color], box)
            if symbol:
                piece = _piece(drawing(drawn.pieces, symbol))
                sheet.paste(piece, box, piece)
    flat = sheet.quantize(_COLOURS, kmeans=4, dither=Image.Dither.NONE)
    empty = {side: flat.crop(box) for side, box in boards.items()}
    return empty, {which: flat.crop(box) for which, box in squares.items()}


def _piece(group: str) -> "Image.Image":
    return _image(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SQUARE}" height="{_SQUARE}"'
        f' viewBox="0 0 {TILE} {TILE}">{group}</svg>'
    )


def _image(svg: str) -> "Image.Image":
    import resvg_py
    from PIL import Image

    return Image.open(io.BytesIO(resvg_py.svg_to_bytes(svg_string=svg)))


def png(
    board: chess.Board, last: chess.Move | None, side: Side, drawn: BoardStyle = USUAL
) -> bytes:
    """The position seen from ``side``, the last move marked."""
    return _png(board.board_fen(), last, side, drawn, looks())


@lru_cache(maxsize=32)
def _png(placed: str, last: chess.Move | None, side: Side, drawn: BoardStyle, of: Looks) -> bytes:
    """Kept, for a position goes to many: to all of a group that starts, to both of a game."""
    boards, squares = _sheet(drawn, of)
    picture, white = boards[side].copy(), side is Side.WHITE
    cells = dict.fromkeys((last.from_square, last.to_square), "") if last is not None else {}
    marked = set(cells)
    square = chess.A8
    for symbol in placed:
        if symbol == "/":
            square -= 16
        elif symbol.isdigit():
            square += int(symbol)
        else:
            cells[square] = symbol
            square += 1
    for square, symbol in cells.items():
        file, rank = chess.square_file(square), chess.square_rank(square)
        color = _SQUARES[(file + rank + 1) % 2 + (2 if square in marked else 0)]
        x, y = (file, 7 - rank) if white else (7 - file, rank)
        at = (_MARGIN + x * _SQUARE, _MARGIN + y * _SQUARE)
        picture.paste(squares[symbol, color], at)
    return _as_file(picture)


def _as_file(picture: "Image.Image") -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG", bits=_BITS, compress_level=_LEVEL)
    return file.getvalue()


def diagram(board: chess.Board, side: Side, lang: str) -> str:
    """The position in characters: White in capitals, piece letters of the language, labelled.

    Files are shown as letters and as the digits of § 6.2.2. A Danish pawn is B (bonde).
    """
    ranks = range(8) if side is Side.BLACK else range(7, -1, -1)
    files = range(7, -1, -1) if side is Side.BLACK else range(8)
    lines = []
    for rank in ranks:
        pieces = (board.piece_at(chess.square(file, rank)) for file in files)
        cells = (_letter_piece(one.symbol(), lang) if one else "." for one in pieces)
        lines.append(f"  {rank + 1}  {' '.join(cells)}")
    letters = " ".join(chess.FILE_NAMES[file] for file in files)
    digits = " ".join(str(file + 1) for file in files)
    return "\n".join([*lines, "", f"     {letters}", f"     {digits}"])


def _letter_piece(symbol: str, lang: str) -> str:
    return symbol if lang == NotationLanguage.EN else symbol.translate(_NORDIC)


def list_pieces(board: chess.Board, side: Side, lang: str) -> tuple[str, str]:
    """One side's pieces by name and square, and its pawns without a letter: Kg1, Dd1; a2, b2."""
    color = side is Side.WHITE
    found: list[str] = []
    pawns: list[str] = []
    for kind in _ORDER:
        letter = _letter_piece(chess.piece_symbol(kind).upper(), lang) if kind != chess.PAWN else ""
        squares = sorted(chess.square_name(square) for square in board.pieces(kind, color))
        (found if letter else pawns).extend(letter + square for square in squares)
    return ", ".join(found), ", ".join(pawns)
