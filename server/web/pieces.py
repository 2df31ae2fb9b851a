"""The twelve pieces as a page carries them: once, to be referred to by every board on it.

The id of the whole is what the vendored board looks for before it would fetch a file. Not for the
squares and where a piece stands (board.py).
"""

import re
from functools import cache
from pathlib import Path

import chess
import chess.svg
import jinja2
from jinja2.runtime import Context
from markupsafe import Markup

from server.usecases.preferences import Pieces, Preferences
from server.web.board import TILE

_CLASSIC_TILE, _CHESSNUT_TILE = 45, 800
"""Side of a square in the units that each set is drawn in."""
_CHESSNUT = Path(__file__).with_name("static") / "vendor" / "chessnut-pieces"
_STYLE = re.compile(r'style="([^"]*)"')
_ID = re.compile(r'\s(?:id|class)="[^"]*"')


def _as_attributes(found: re.Match[str]) -> str:
    """Styles as attributes: the pages' policy forbids styles inside the document."""
    pairs = (part.split(":", 1) for part in found[1].split(";") if ":" in part)
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in pairs)


def _classic(piece: chess.Piece) -> str:
    """A piece of python-chess (GPL-3.0-or-later)."""
    return chess.svg.PIECES[piece.symbol()]


def _chessnut(piece: chess.Piece) -> str:
    """A piece of Alexis Luengas's set (Apache-2.0): the groups of its file."""
    name = ("w" if piece.color else "b") + piece.symbol().upper()
    text = (_CHESSNUT / f"{name}.svg").read_text(encoding="utf-8")
    return text[text.index("<g") : text.rindex("</g>") + len("</g>")]


def _drawn(piece: chess.Piece, drawing: str, tile: int) -> str:
    """The drawing at the size of a square, under the name that boards refer to it by."""
    code = ("w" if piece.color else "b") + piece.symbol().lower()
    plain = " ".join(_STYLE.sub(_as_attributes, _ID.sub("", drawing)).split())
    return f'<g id="{code}" transform="scale({TILE / tile:.4f})">{plain}</g>'


@cache
def sprite(pieces: Pieces = Pieces.STANDARD) -> Markup:
    """All pieces of a set; thick contours are the classic ones with a style of the page's."""
    is_classic = pieces is not Pieces.CHESSNUT
    draw, tile = (_classic, _CLASSIC_TILE) if is_classic else (_chessnut, _CHESSNUT_TILE)
    every = [chess.Piece(kind, color) for color in chess.COLORS for kind in chess.PIECE_TYPES]
    groups = "".join(_drawn(piece, draw(piece), tile) for piece in every)
    return Markup(  # noqa: S704 - no text of a person's in it
        '<div id="cm-chessboard-sprite" class="sprite" aria-hidden="true">'
        f'<svg width="0" height="0" focusable="false"><defs>{groups}</defs></svg></div>'
    )


@jinja2.pass_context
def chosen_sprite(context: Context) -> Markup:
    """The set that the reader of a page has chosen."""
    chosen = context.get("preferences")
    return sprite(chosen.pieces if isinstance(chosen, Preferences) else Pieces.STANDARD)
