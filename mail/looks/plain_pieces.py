"""Our own set of pieces: few lines and broad shapes, distinct when small or far away.

Drawn on squares of 45 units, like python-chess's pieces. Not for putting them on a page
(pieces.py).
"""

import chess

_FOOT = "H33V39H12V33"
_SHAPES = {
    chess.PAWN: "M22.5 8a6.5 6.5 0 0 1 3.6 11.9H29v3.6h-3.2L28.5 33H33V39H12V33h4.5l2.7-9.5H16"
    "v-3.6h2.9A6.5 6.5 0 0 1 22.5 8Z",
    chess.KNIGHT: f"M31 33{_FOOT}H14.5C15 26 21.5 24.5 22 19.5L16.5 22.5 11.5 19 17.5 10.5 18.5 6"
    "L23 9.5C30.5 11 32.5 20 31 33Z",
    chess.BISHOP: f"M22.5 5.5a2.6 2.6 0 0 1 1.6 4.7C31 15.5 32.5 23.5 27.5 29.5L29 33{_FOOT}"
    "H16L17.5 29.5C12.5 23.5 14 15.5 20.9 10.2A2.6 2.6 0 0 1 22.5 5.5Z",
    chess.ROOK: f"M11.5 8H17V12.5H20V8H25V12.5H28V8H33.5V17.5L29.5 20.5 30.5 33{_FOOT}H14.5L15.5"
    " 20.5 11.5 17.5Z",
    chess.QUEEN: f"M8 12.5 15 23 16 8.5 22.5 21 29 8.5 30 23 37 12.5 32.5 33{_FOOT}H12.5Z",
    chess.KING: "M20.7 4h3.6v3.2h3.2v3.6h-3.2V15C29 11.5 37 14.5 35 22.5 34 26.5 31.5 29 31.5 33"
    f"{_FOOT}H13.5C13.5 29 11 26.5 10 22.5 8 14.5 16 11.5 20.7 15V10.8h-3.2V7.2h3.2Z",
}
_LINES = {
    chess.KNIGHT: "M20.2 14.2h.1",
    chess.BISHOP: "M22.5 16v8M18.8 19.6h7.4",
    chess.QUEEN: "M14.5 29h16",
    chess.KING: "M22.5 19.5V29M14.5 29h16",
}
_COLORS = {chess.WHITE: ("#fff", "#1d1a16"), chess.BLACK: ("#2b2823", "#f6f1e6")}
"""The fill and the inner lines' colour; the contour is dark on both."""


_LARGER = "translate(-3.4 -3.2) scale(1.15)"


def drawing(piece: chess.Piece) -> str:
    """The piece as an SVG group."""
    fill, upon = _COLORS[piece.color]
    shape, lines = _SHAPES[piece.piece_type], _LINES.get(piece.piece_type)
    contour = 'stroke="#1d1a16" stroke-width="1.5" stroke-linejoin="round"'
    body = f'<path fill="{fill}" {contour} d="{shape}"/>'
    if lines is not None:
        stroke = f'fill="none" stroke="{upon}" stroke-width="1.9" stroke-linecap="round"'
        body += f'<path {stroke} d="{lines}"/>'
    return f'<g transform="{_LARGER}">{body}</g>'
