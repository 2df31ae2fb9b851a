"""A letter's blocks as plain text and as HTML: two renderings of the same content.

Text: at most 76 characters per line except for addresses, complete in itself. HTML: one column,
one small style block, nothing fetched from elsewhere. NOT for wording (``mail.game_letters``).
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import assert_never

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from mail.looks.chosen import looks
from mail.outgoing import blocks as b
from mail.outgoing.picture import SIZE, diagram

WIDTH = 74
_LEFT = 34
"""Maximum characters of the left column; anything longer gets a line of its own."""
_INDENT = "  "
_BETWEEN, _BELOW = Markup("</td><td>"), Markup("</td></tr>\n<tr><td>")
_TOGETHER = re.compile(r"(§|\d\.{1,3}) (?=\w)|(?<=\d) (?=\(\w\S{1,8}\))")
"""Kept on one line: § and its number, a day and its month, a move, its number and its letters."""

_LAST = re.compile(r" (?=\S{1,12}$)")
"""No last word stands alone: on a line of its own it could be read as a word of command."""


def as_text(written: b.Written, lang: str) -> str:
    """The text part, ending with a newline."""
    parts = [written.cut_line] if written.cut_line else []
    parts += [_text(block, lang) for block in written.blocks]
    parts += ["\n".join(["-" * 40, *(_wrapped(line) for line in written.foot)])]
    return "\n\n".join(parts) + "\n"


def as_html(written: b.Written, lang: str, board_cids: Sequence[str] | None) -> str:
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


def _picture(block: b.Block, cids: Iterator[str]) -> str | None:
    """The Content-ID of a board, in the order of the boards."""
    return next(cids, None) if isinstance(block, b.BoardView) else None


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


def _text(block: b.Block, lang: str) -> str:  # noqa: C901 - one arm per block, nothing else
    match block:
        case b.Lead(text) | b.Para(text) | b.Due(text) | b.Small(text):
            return _wrapped(text)
        case b.Heading(text, level):
            return f"{text}\n{('=' if level == 2 else '-') * len(text)}"
        case b.Bullets(points):
            return "\n".join(_wrapped(point, "- ", _INDENT) for point in points)
        case b.Facts(rows):
            return _columns([(f"{label}:", value) for label, value in rows], "")
        case b.Example(rows):
            return _columns(list(rows), _INDENT)
        case b.Moves(text):
            return "\n".join(f"| {line}" for line in text.split("\n"))  # no line is a move to read
        case b.Fixed(text) | b.Record(_, text):
            return text
        case b.Grid():
            return _grid(block)
        case b.Quote(text):
            return "\n".join(_wrapped(line, "> ", "> ") for line in text.split("\n"))
        case b.Link(label, target) | b.Mailbox(label, target):
            return f"{_wrapped(label + ':')}\n{_INDENT}{target}"
        case b.BoardView():
            return _board_text(block, lang)
        case _:
            assert_never(block)


def _board_text(view: b.BoardView, lang: str) -> str:
    described = "\n".join(_wrapped(line, "", _INDENT) for line in view.described)
    drawn = diagram(view.board, view.side, lang)
    return f"{_wrapped(view.caption)}\n\n{drawn}\n\n{_wrapped(view.legend)}\n{described}"


def _grid(grid: b.Grid) -> str:
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
