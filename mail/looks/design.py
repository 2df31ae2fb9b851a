"""The looks in use, read from `looks.css`: what is not CSS (mails, PDFs, icons) takes them here.

An operator may name a folder whose `looks.css` and `icon.svg` go before ours. Not for which
squares and pieces a reader has chosen (server/usecases/preferences.py).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import chess
import chess.svg

# Our own set of pieces: few lines and broad shapes, distinct when small or far away.

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


def plain_drawing(piece: chess.Piece) -> str:
    """The piece as an SVG group."""
    fill, upon = _COLORS[piece.color]
    shape, lines = _SHAPES[piece.piece_type], _LINES.get(piece.piece_type)
    contour = 'stroke="#1d1a16" stroke-width="1.5" stroke-linejoin="round"'
    body = f'<path fill="{fill}" {contour} d="{shape}"/>'
    if lines is not None:
        stroke = f'fill="none" stroke="{upon}" stroke-width="1.9" stroke-linecap="round"'
        body += f'<path {stroke} d="{lines}"/>'
    return f'<g transform="{_LARGER}">{body}</g>'


# The looks in use, read from `looks.css`: what is not CSS (mails, PDFs, icons) takes them here.

HERE = Path(__file__).parent
SHEET, ICON = "looks.css", "icon.svg"
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_DARK = re.compile(r"@media[^{]*\bdark\b[^{]*\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VALUE = re.compile(r"--([\w-]+)\s*:\s*([^;]+)")
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_USED = re.compile(r"var\(--([\w-]+)\)")
_TEXTS = frozenset({"name", "serif", "mail-serif"})


class WrongLooks(ValueError):
    """A style sheet that mails, PDFs and icons cannot follow; its text says where."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Names without their dashes, with values as in the style sheet; ``light`` has all of them.

    ``squares`` has the colours of each kind of board, where they differ from the first one's.
    """

    css: str
    icon: str
    light: Mapping[str, str]
    dark: Mapping[str, str]
    squares: Mapping[str, Mapping[str, str]]

    @property
    def name(self) -> str:
        """What the site is called."""
        return self.light["name"].strip("\"'")

    def board(self, squares: str) -> Mapping[str, str]:
        """The light colours with those of one kind of board; the usual one's if it is unknown."""
        return {**self.light, **self.squares.get(squares, {})}


class _Place:
    """Where the site's own looks are; None: nowhere."""

    folder: Path | None = None


def use(folder: Path | None) -> None:
    """Take the looks of this folder from now on. Raises as `read`."""
    read(folder)
    _Place.folder = folder


def looks_folder() -> Path | None:
    """Where the looks in use are, beside ours."""
    return _Place.folder


def looks() -> Looks:
    """The looks in use."""
    return read(_Place.folder)


@lru_cache(maxsize=4)
def read(folder: Path | None) -> Looks:
    """The looks of a folder over ours, read once.

    Raises WrongLooks for a colour that mails could not show, OSError for a file that cannot be
    read; either file may be missing.
    """
    css, icon = (HERE / SHEET).read_text("utf-8"), (HERE / ICON).read_text("utf-8")
    if folder is not None:
        if (own := folder / SHEET).exists():
            css += "\n" + own.read_text("utf-8")
        if (own := folder / ICON).exists():
            icon = own.read_text("utf-8")
    plain = _COMMENT.sub("", css)
    dark = "".join(found[1] for found in _DARK.finditer(plain))
    rules = _rules(_DARK.sub("", plain))
    light = rules.pop(":root")
    return Looks(
        css=css,
        icon=_USED.sub(lambda found: light.get(found[1], found[0]), icon),
        light=light,
        dark=_rules(dark)[":root"],
        squares={name.removeprefix(".squares-"): values for name, values in rules.items()},
    )


def _rules(text: str) -> dict[str, dict[str, str]]:
    """The values of each selector; what comes later goes before."""
    found: dict[str, dict[str, str]] = {}
    for selectors, body in _RULE.findall(text):
        values = {name: value.strip() for name, value in _VALUE.findall(body)}
        for name, value in values.items():
            if name not in _TEXTS and not _COLOUR.fullmatch(value):
                raise WrongLooks(f"{SHEET}: --{name}: {value} is no colour written #rgb or #rrggbb")
        for selector in selectors.split(","):
            found.setdefault(selector.strip(), {}).update(values)
    return found


# The sets of pieces, as SVG groups on squares of 45 units: what a board is drawn with anywhere.

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
        return plain_drawing(piece)
    if pieces in _FOLDERS:
        return _read_vendored(_FOLDERS[pieces], piece)
    usual = " ".join(_STYLE.sub(_as_attributes, _ID.sub("", chess.svg.PIECES[symbol])).split())
    return _CONTOUR.sub(_thick, usual) if pieces == "bold" else usual


def _thick(found: re.Match[str]) -> str:
    return _WIDTH.sub('stroke-width="2.4"', found[0])


def _as_attributes(found: re.Match[str]) -> str:
    pairs = (part.split(":", 1) for part in found[1].split(";") if ":" in part)
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in pairs)


def _read_vendored(folder: str, piece: chess.Piece) -> str:
    """The paths of a drawing of GNOME Chess."""
    color, kind = chess.COLOR_NAMES[piece.color], chess.piece_name(piece.piece_type).capitalize()
    text = (_VENDOR / folder / f"{color}{kind}.svg").read_text("utf-8")
    paths = "".join(_PATH.findall(text))
    drawn = _USUAL.sub("", _STYLE.sub(_as_attributes, paths))
    return f'<g transform="scale({TILE / _VENDOR_TILE})">{" ".join(drawn.split())}</g>'
