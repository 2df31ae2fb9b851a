"""The twelve pieces, included once per page and referenced by every board on it.

The vendored board looks for the container's id before it would fetch a file. Not for squares or
the position of pieces (picture.py).
"""

import re
from functools import cache

import chess
import chess.svg
import jinja2
from jinja2.runtime import Context
from markupsafe import Markup

from server.usecases.core.preferences import Pieces, Preferences
from server.web.board.picture import TILE
from server.web.board.plain_pieces import drawing

_PIECE_TILE = 45
"""A square's side in the units that the pieces are drawn in."""
_STYLE = re.compile(r'style="([^"]*)"')
_ID = re.compile(r'\s(?:id|class)="[^"]*"')


def _as_attributes(found: re.Match[str]) -> str:
    """Styles as attributes: the pages' policy forbids inline styles."""
    pairs = (part.split(":", 1) for part in found[1].split(";") if ":" in part)
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in pairs)


def _classic(piece: chess.Piece) -> str:
    """A piece from python-chess (GPL-3.0-or-later)."""
    return chess.svg.PIECES[piece.symbol()]


def _drawn(piece: chess.Piece, drawn: str) -> str:
    """The drawing scaled to a square, under the id by which boards reference it."""
    code = ("w" if piece.color else "b") + piece.symbol().lower()
    plain = " ".join(_STYLE.sub(_as_attributes, _ID.sub("", drawn)).split())
    return f'<g id="{code}" transform="scale({TILE / _PIECE_TILE:.4f})">{plain}</g>'


@cache
def sprite(pieces: Pieces = Pieces.STANDARD) -> Markup:
    """All pieces of a set; thick contours are the classic ones with a page style."""
    draw = drawing if pieces is Pieces.PLAIN else _classic
    every = [chess.Piece(kind, color) for color in chess.COLORS for kind in chess.PIECE_TYPES]
    groups = "".join(_drawn(piece, draw(piece)) for piece in every)
    return Markup(  # noqa: S704 - contains no user text
        '<div id="cm-chessboard-sprite" class="sprite" aria-hidden="true">'
        f'<svg width="0" height="0" focusable="false"><defs>{groups}</defs></svg></div>'
    )


@jinja2.pass_context
def chosen_sprite(context: Context) -> Markup:
    """The set chosen by the page's reader."""
    chosen = context.get("preferences")
    return sprite(chosen.pieces if isinstance(chosen, Preferences) else Pieces.STANDARD)
