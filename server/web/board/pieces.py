"""The twelve pieces, included once per page and referenced by every board on it; and samples.

The vendored board looks for the container's id before it would fetch a file. Not for how a piece
is drawn (mail/looks/pieces.py), nor for squares or the position of pieces (picture.py).
"""

from functools import cache

from markupsafe import Markup

from mail.looks.pieces import TILE as PIECE_TILE
from mail.looks.pieces import drawing
from server.usecases.core.preferences import Pieces
from server.web.board.picture import TILE

_SYMBOLS = "PNBRQKpnbrqk"
_SAMPLE = "rnbqkp", "RNBQKP"
"""What a preview shows: every piece, half of them on either colour."""


def _drawn(symbol: str, pieces: Pieces) -> str:
    """The drawing scaled to a square, under the id by which boards reference it."""
    code = ("w" if symbol.isupper() else "b") + symbol.lower()
    drawn = drawing(pieces.value, symbol)
    return f'<g id="{code}" transform="scale({TILE / PIECE_TILE:.4f})">{drawn}</g>'


@cache
def sprite(pieces: Pieces = Pieces.STANDARD) -> Markup:
    """All pieces of a set."""
    groups = "".join(_drawn(symbol, pieces) for symbol in _SYMBOLS)
    return Markup(  # noqa: S704 - contains no user text
        '<div id="cm-chessboard-sprite" class="sprite" aria-hidden="true">'
        f'<svg width="0" height="0" focusable="false"><defs>{groups}</defs></svg></div>'
    )


@cache
def sample(pieces: str) -> Markup:
    """A small board with every piece of a set; its squares have the colours of where it stands."""
    drawn = "".join(
        f'<rect class="{"light" if (row + column) % 2 == 0 else "dark"}" x="{column * PIECE_TILE}"'
        f' y="{row * PIECE_TILE}" width="{PIECE_TILE}" height="{PIECE_TILE}"/>'
        f'<g transform="translate({column * PIECE_TILE} {row * PIECE_TILE})">'
        f"{drawing(pieces, symbol)}</g>"
        for row, symbols in enumerate(_SAMPLE)
        for column, symbol in enumerate(symbols)
    )
    box = f"0 0 {len(_SAMPLE[0]) * PIECE_TILE} {len(_SAMPLE) * PIECE_TILE}"
    return Markup(  # noqa: S704 - contains no user text
        f'<svg class="sample" viewBox="{box}" aria-hidden="true" focusable="false">{drawn}</svg>'
    )
