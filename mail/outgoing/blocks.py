"""What a letter is made of, and its two renderings as text and HTML.

Paragraphs, facts, boards, tables.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import assert_never

import chess
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from kskak.regulation.editions import Side
from mail.looks.design import looks
from mail.outgoing.picture import SIZE, diagram

# What a letter is made of: paragraphs, which are texts, facts, a board, tables, lines to copy.


@dataclass(frozen=True, slots=True)
class LeadLine:
    """The one sentence that matters most."""

    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``level`` 2 for a section, 3 for a part of one, 4 for a part of that."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class DueLine:
    """Whose turn it is, and the last day."""

    text: str


@dataclass(frozen=True, slots=True)
class SmallPrint:
    """A paragraph in small print."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """Short points, one below the other."""

    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactList:
    """Labels with their values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Example:
    """What to write, with what it means: lines to copy into an answer."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FixedLines:
    """Lines whose columns must stay aligned."""

    text: str


@dataclass(frozen=True, slots=True)
class RecordTable:
    """The running record: a header and rows; ``text`` is the same as plain text (§ 6.8.2)."""

    cells: tuple[tuple[str, ...], ...]
    text: str


@dataclass(frozen=True, slots=True)
class Moves:
    """All moves of a game, on lines of their own in the text, as wide as the page elsewhere."""

    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with its caption; ``heads`` is the column that names the row.

    ``figures`` are the columns of numbers, which are right-aligned.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    heads: int = 0
    figures: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Quote:
    """Someone's own words, marked as such."""

    text: str


@dataclass(frozen=True, slots=True)
class LinkLine:
    """An address on the web, on a line of its own in the text.

    ``is_second``: not what most readers should choose.
    """

    label: str
    url: str
    is_second: bool = False


@dataclass(frozen=True, slots=True)
class AddressLine:
    """An address to write to, on a line of its own in the text."""

    label: str
    address: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """A diagram seen from ``side``; ``described`` says it in words, for readers who see no
    picture; ``legend`` explains the letters of the text diagram."""

    board: chess.Board
    last: chess.Move | None
    side: Side
    caption: str
    described: tuple[str, str]
    legend: str


Block = (
    str
    | LeadLine
    | Heading
    | DueLine
    | SmallPrint
    | Bullets
    | FactList
    | Example
    | FixedLines
    | RecordTable
    | Moves
    | Grid
    | Quote
    | LinkLine
    | AddressLine
    | BoardView
)


@dataclass(frozen=True, slots=True)
class TextAttachment:
    """A small text file that goes with a letter; all ASCII."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class LetterContent:
    """A letter in words: its subject, the blocks, the foot, and the line to answer above."""

    subject: str
    blocks: tuple[Block, ...]
    foot: tuple[str, ...]
    cut_line: str | None = None
    attached: TextAttachment | None = None

    @property
    def preview(self) -> str:
        """The line that a mail program shows beside the subject."""
        return next((block.text for block in self.blocks if isinstance(block, LeadLine)), "")


# What a paper says that is printed on A4: of itself, and of a finished game.


@dataclass(frozen=True, slots=True)
class Labels:
    """What a document says of itself; ``dated`` is its own date, not that of its making."""

    title: str
    lang: str
    dated: date


@dataclass(frozen=True, slots=True)
class Half:
    """A player: ``used`` are the days on which his time ran, as parts of the game from 0 to 1."""

    about: str
    days: str
    used: tuple[tuple[float, float], ...]
    is_white: bool


@dataclass(frozen=True, slots=True)
class GameSheet:
    """All that the page says. ``years``: where each begins in the game, from 0 to 1.

    ``said``: what the players say of it, each a paragraph with his name.
    """

    title: str
    lines: tuple[str, ...]
    players: tuple[Half, Half]
    years: tuple[tuple[float, str], ...]
    days: str
    diagrams: tuple[BoardView, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    said: tuple[str, ...]
    foot: str


# A letter's blocks as plain text and as HTML: two renderings of the same content.

WIDTH = 74
_LEFT = 34
"""Maximum characters of the left column; anything longer gets a line of its own."""
_INDENT = "  "
_BETWEEN, _BELOW = Markup("</td><td>"), Markup("</td></tr>\n<tr><td>")
_TOGETHER = re.compile(r"(§|\d\.{1,3}) (?=\w)|(?<=\d) (?=\(\w\S{1,8}\))")
"""Kept on one line: § and its number, a day and its month, a move, its number and its letters."""

_LAST = re.compile(r" (?=\S{1,12}$)")
"""No last word stands alone: on a line of its own it could be read as a word of command."""


def as_text(written: LetterContent, lang: str) -> str:
    """The text part, ending with a newline."""
    parts = [written.cut_line] if written.cut_line else []
    parts += [_text(block, lang) for block in written.blocks]
    parts += ["\n".join(["-" * 40, *(_wrapped(line) for line in written.foot)])]
    return "\n\n".join(parts) + "\n"


def as_html(written: LetterContent, lang: str, board_cids: Sequence[str] | None) -> str:
    """The HTML part; ``board_cids`` are the Content-IDs of the boards' pictures, without <>."""
    cids = iter(board_cids or ())
    # No paragraph's sign is left at the end of a line.
    return (
        _template()
        .render(
            written=written,
            lang=lang,
            blocks=[
                (type(block).__name__, block, _picture(block, cids)) for block in written.blocks
            ],
            size=SIZE,
            light=looks().light,
            dark=looks().dark,
        )
        .replace("§ ", "§&nbsp;")
    )


def _picture(block: Block, cids: Iterator[str]) -> str | None:
    """The Content-ID of a board, in the order of the boards."""
    return next(cids, None) if isinstance(block, BoardView) else None


@lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("mail"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["lines"] = lambda text: Markup("<br>\n").join(text.split("\n"))
    environment.filters["cells"] = _cells
    return environment.get_template("letter.html.j2")


def _cells(rows: Sequence[Sequence[str]]) -> Markup:
    """The rows of a table; escaped together, for a long game has eight hundred cells."""
    table = escape("\n".join("\t".join(row) for row in rows))
    return table.replace("\t", _BETWEEN).replace("\n", _BELOW)


def _text(block: Block, lang: str) -> str:  # noqa: C901 - one arm per block, nothing else
    match block:
        case str(text) | LeadLine(text) | DueLine(text) | SmallPrint(text):
            return _wrapped(text)
        case Heading(text, level):
            return f"{text}\n{('=' if level == 2 else '-') * len(text)}"
        case Bullets(points):
            return "\n".join(_wrapped(point, "- ", _INDENT) for point in points)
        case FactList(rows):
            return _columns([(f"{label}:", value) for label, value in rows], "")
        case Example(rows):
            return _columns(list(rows), _INDENT)
        case Moves(text):
            return "\n".join(f"| {line}" for line in text.split("\n"))  # no line is a move to read
        case FixedLines(text) | RecordTable(_, text):
            return text
        case Grid():
            return _grid(block)
        case Quote(text):
            return "\n".join(_wrapped(line, "> ", "> ") for line in text.split("\n"))
        case LinkLine(label, target) | AddressLine(label, target):
            return f"{_wrapped(label + ':')}\n{_INDENT}{target}"
        case BoardView():
            return _board_text(block, lang)
        case _:
            assert_never(block)


def _board_text(view: BoardView, lang: str) -> str:
    described = "\n".join(_wrapped(line, "", _INDENT) for line in view.described)
    drawn = diagram(view.board, view.side, lang)
    return f"{_wrapped(view.caption)}\n\n{drawn}\n\n{_wrapped(view.legend)}\n{described}"


def _grid(grid: Grid) -> str:
    """A table in characters under its caption; columns of figures are right-aligned.

    A wide table has one blank between columns instead of two.
    """
    rows = [grid.head, *grid.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(grid.head))]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) <= WIDTH else " "
    lines = [
        gap.join(
            cell.rjust(width) if column in grid.figures else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    caption = [_wrapped(grid.caption), ""] if grid.caption else []
    return "\n".join([*caption, *lines])


def _wrapped(text: str, first: str = "", rest: str = "") -> str:
    """Lines of at most ``WIDTH``; only the very first has the first indent."""
    if 0 < len(text) <= WIDTH - len(first) and text.isprintable() and text == text.strip():
        return first + text
    lines: list[str] = []
    for part in _TOGETHER.sub("\\g<1>\N{NO-BREAK SPACE}", text).split("\n"):
        part = _LAST.sub("\N{NO-BREAK SPACE}", part)
        line: list[str] = []
        room = WIDTH - len(rest if lines else first)
        for word in filter(None, part.split(" ")):
            if line and len(word) > room:
                lines.append((rest if lines else first) + " ".join(line))
                line, room = [], WIDTH - len(rest)
            line.append(word)
            room -= len(word) + 1
        lines.append(((rest if lines else first) + " ".join(line)).rstrip(" "))
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def _columns(rows: list[tuple[str, str]], indent: str) -> str:
    """Two columns; a long left cell stands alone with the right one below it."""
    width = max((len(left) for left, _ in rows if len(left) <= _LEFT), default=0) + 2
    lines = []
    for left, right in rows:
        hanging = indent + " " * width
        if len(left) <= _LEFT:
            lines.append(_wrapped(right, f"{indent}{left:<{width}}", hanging))
        else:
            lines += [indent + left, _wrapped(right, hanging, hanging)]
    return "\n".join(line.rstrip() for line in lines)
