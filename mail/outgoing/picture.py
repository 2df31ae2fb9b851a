"""A diagram: as a PNG for the HTML part, as characters for the text, as words for the ear.

The PNG is small (360 px, under 40 kB), drawn by chess.svg and resvg, and cached by position.
NOT for the web's board, which draws itself.
"""

from functools import lru_cache

import chess
import chess.svg
import resvg_py

from kskak.regulation.quantities import Side

SIZE = 360
"""Width and height in pixels."""
_COLORS = {
    "square light": "#f0e0c0",
    "square dark": "#b98e62",
    "square light lastmove": "#dfe08a",
    "square dark lastmove": "#b4b34c",
    "margin": "#3c3a36",
    "coord": "#f4efe6",
    "inner border": "#3c3a36",
    "outer border": "#3c3a36",
}
_DANISH = str.maketrans("KQRBNPkqrbnp", "KDTLSBkdtlsb")
_ORDER = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)


def png(board: chess.Board, last: chess.Move | None, side: Side) -> bytes:
    """The position seen from ``side``, the last move marked."""
    return _png(board.board_fen(), "" if last is None else last.uci(), side)


@lru_cache(maxsize=256)
def _png(placing: str, last: str, side: Side) -> bytes:
    svg = chess.svg.board(
        chess.BaseBoard(placing),
        orientation=side is Side.WHITE,
        lastmove=chess.Move.from_uci(last) if last else None,
        size=SIZE,
        colors=_COLORS,
    )
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


def diagram(board: chess.Board, side: Side, lang: str) -> str:
    """The position in characters: White in capitals, the letters of the language, both labels.

    Files stand as letters and as the digits of § 6.2.2. A Danish pawn is B (bonde).
    """
    ranks = range(8) if side is Side.BLACK else range(7, -1, -1)
    files = range(7, -1, -1) if side is Side.BLACK else range(8)
    lines = []
    for rank in ranks:
        cells = [_cell(board.piece_at(chess.square(file, rank)), lang) for file in files]
        lines.append(f"  {rank + 1}  {' '.join(cells)}")
    letters = " ".join(chess.FILE_NAMES[file] for file in files)
    digits = " ".join(str(file + 1) for file in files)
    return "\n".join([*lines, "", f"     {letters}", f"     {digits}"])


def _cell(piece: chess.Piece | None, lang: str) -> str:
    return "." if piece is None else _lettered(piece.symbol(), lang)


def _lettered(symbol: str, lang: str) -> str:
    return symbol.translate(_DANISH) if lang == "da" else symbol


def listed(board: chess.Board, side: Side, lang: str) -> str:
    """One side's pieces by name and square, pawns last and without a letter: Kg1, Dd1, a2."""
    color = side is Side.WHITE
    found = []
    for kind in _ORDER:
        letter = _lettered(chess.piece_symbol(kind).upper(), lang) if kind != chess.PAWN else ""
        squares = sorted(chess.square_name(square) for square in board.pieces(kind, color))
        found += [letter + square for square in squares]
    return ", ".join(found)
