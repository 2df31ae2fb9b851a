"""The sets of pieces, as SVG groups on squares of 45 units: what a board is drawn with anywhere.

Not for boards (mail/outgoing/picture.py, server/web/board).
"""

import re
from functools import cache
from pathlib import Path

import chess
import chess.svg

from mail.looks.plain_pieces import drawing as plain

TILE = 45
"""A square's side in the units that the pieces are drawn in."""
STANDARD = "standard"
_VENDOR = Path(__file__).parent / "vendor" / "gnome-chess"
_FOLDERS = {"print": "fancy", "news": "simple"}
_VENDOR_TILE = 1000
_STYLE = re.compile(r'style="([^"]*)"')
_ID = re.compile(r'\s(?:id|class)="[^"]*"')
_WIDTH = re.compile(r'stroke-width="[^"]*"')
_PATH = re.compile(r"<path [^>]*/>")
_CONTOUR = re.compile(r"<[^>]*\sstroke=[^>]*>")
"""What has a colour of its own to be drawn with; inner lines take it from these."""
_USUAL = re.compile(r'\s(?:stroke-opacity|fill-opacity)="1"|\s(?:stroke-miterlimit)="10"')


@cache
def drawing(pieces: str, symbol: str) -> str:
    """A piece («K» White's, «k» Black's) of a set; the usual set's where the set is unknown.

    Styles are attributes, for pages' policy forbids inline styles.
    """
    piece = chess.Piece.from_symbol(symbol)
    if pieces == "plain":
        return plain(piece)
    if pieces in _FOLDERS:
        return _vendored(_FOLDERS[pieces], piece)
    usual = " ".join(_STYLE.sub(_as_attributes, _ID.sub("", chess.svg.PIECES[symbol])).split())
    return _CONTOUR.sub(_thick, usual) if pieces == "bold" else usual


def _thick(found: re.Match[str]) -> str:
    return _WIDTH.sub('stroke-width="2.4"', found[0])


def _as_attributes(found: re.Match[str]) -> str:
    pairs = (part.split(":", 1) for part in found[1].split(";") if ":" in part)
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in pairs)


def _vendored(folder: str, piece: chess.Piece) -> str:
    """The paths of a drawing of GNOME Chess."""
    color, kind = chess.COLOR_NAMES[piece.color], chess.piece_name(piece.piece_type).capitalize()
    text = (_VENDOR / folder / f"{color}{kind}.svg").read_text("utf-8")
    paths = "".join(_PATH.findall(text))
    drawn = _USUAL.sub("", _STYLE.sub(_as_attributes, paths))
    return f'<g transform="scale({TILE / _VENDOR_TILE})">{" ".join(drawn.split())}</g>'
