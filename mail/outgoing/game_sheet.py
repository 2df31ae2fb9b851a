"""A finished game on one A4 page: who played, chosen positions, both players' days, the moves.

The page is filled: letters first, then diagrams, are as large as the number of moves leaves room
for. NOT for which positions are shown, nor for wording (server/web/play/game_documents.py).
"""

import io
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer, TableStyle

from mail.looks.design import looks
from mail.outgoing.blocks import BoardView, GameSheet, Half, Labels
from mail.outgoing.pdf import (
    BOLD,
    BOOK,
    Node,
    TaggedImage,
    TaggedTable,
    build_paragraph,
    build_pdf,
    fonts,
    wide,
)
from mail.outgoing.picture import png

_MARGIN, _PAD = 14 * mm, 6
_WIDTH, _HEIGHT = (side - 2 * (_MARGIN + _PAD) for side in A4)
_GAP = 12.0
_SIZES = (9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0, 4.5)
"""Letters of the moves, in points."""
_LARGE, _SMALL = (60 * mm, 54 * mm, 40 * mm), (34 * mm, 28 * mm)
"""Diagrams' sides; the small ones only where letters of 7 points leave no room for a larger one."""
_READABLE = 7.0
_WAYS = (
    *((size, side) for size in _SIZES if size >= _READABLE for side in _LARGE),
    *((size, side) for size in _SIZES for side in _SMALL),
)
_LANE = 8.0


def sheet_pdf(sheet: GameSheet, labels: Labels) -> bytes:
    """The page; a game of more than some 300 moves takes a second one."""
    fonts()
    root = Node("Document")
    above = list(_above(root, sheet))
    foot = Node("P")
    words = [Node("P") for _ in sheet.said]
    below = [
        Spacer(1, 2 * mm),
        *(
            build_paragraph(*one, _style("said", 7.5, after=2))
            for one in zip(words, sheet.said, strict=True)
        ),
        Spacer(1, 2 * mm),
        build_paragraph(foot, sheet.foot, _style("foot", 7)),
    ]
    left = _HEIGHT - _high([*above, *below])
    size, side = _choose_sizes(sheet, left)
    story = [*above, _boards(root, sheet.diagrams, side), *_moves(root, sheet, size), *below]
    root.kids += [*words, foot]
    return build_pdf(root, story, labels, _MARGIN, lambda *_: None)


def _high(story: Sequence[Flowable]) -> float:
    """The height of what is drawn, in points, the space around it counted in full."""
    return sum(
        one.wrap(_WIDTH, _HEIGHT)[1] + one.getSpaceBefore() + one.getSpaceAfter() for one in story
    )


def _choose_sizes(sheet: GameSheet, left: float) -> tuple[float, float]:
    """The largest letters, and beside them the largest diagrams, that the height has room for."""
    tall = {side: _high([_boards(Node("P"), sheet.diagrams, side)]) for side in (*_LARGE, *_SMALL)}
    for size, side in _WAYS:
        if len(sheet.diagrams) % _count_boards_in_row(sheet.diagrams, side):
            continue
        if tall[side] + (_deep(sheet, size) + 1) * _line(size) + _GAP <= left:
            return size, side
    return _WAYS[-1]


def _count_boards_in_row(shown: Sequence[BoardView], side: float) -> int:
    """How many diagrams stand in a row."""
    return min(len(shown), int((_WIDTH + _GAP) // (side + _GAP)))


def _line(size: float) -> float:
    return size * 1.25 + 0.5


def _style(name: str, size: float, font: str = BOOK, after: float = 0) -> ParagraphStyle:
    return ParagraphStyle(name, fontName=font, fontSize=size, leading=size * 1.25, spaceAfter=after)


def _above(root: Node, sheet: GameSheet) -> Iterator[Flowable]:
    """The heading, and each player above his days."""
    yield build_paragraph(root.add("H1"), sheet.title, _style("title", 17, BOLD, 4))
    for line in sheet.lines:
        font = BOLD if line is sheet.lines[0] else BOOK
        yield build_paragraph(root.add("P"), line, _style("about", 9.5, font))
    yield Spacer(1, 3 * mm)
    text = _style("player", 9.5)
    right = ParagraphStyle("days", parent=text, alignment=2)
    for half in sheet.players:
        room = wide(half.days, BOOK, 9.5) + 2
        row = [
            build_paragraph(root.add("P"), half.about, text),
            build_paragraph(root.add("P"), half.days, right),
        ]
        who = TaggedTable([row], colWidths=[_WIDTH - room, room])
        who.setStyle(_CLOSE)
        yield who
        yield _Lane(half, sheet.years)
    yield _Years(sheet.years)
    yield build_paragraph(root.add("P"), sheet.days, _style("explained", 7.5, after=8))


_CLOSE = TableStyle(
    [
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), 0),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 0.5),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
)


class _Lane(Flowable):
    """A player's days along the game; what they come to is said beside his name."""

    canv: Any

    def __init__(self, half: Half, years: Sequence[tuple[float, str]]) -> None:
        super().__init__()
        self._half, self._years = half, years

    def wrap(self, *_: float) -> tuple[float, float]:
        """As wide as the page."""
        return _WIDTH, _LANE + 3

    def draw(self) -> None:
        """White's days are hollow, Black's filled, in any colour of ink."""
        light, canvas = looks().light, self.canv
        with canvas.marked(None):
            canvas.setLineWidth(0.5)
            canvas.setStrokeColor(colors.HexColor(light["strong-rule"]))
            canvas.line(0, 3, _WIDTH, 3)
            for at, _ in self._years:
                canvas.line(at * _WIDTH, 3, at * _WIDTH, 3 + _LANE)
            canvas.setStrokeColor(colors.HexColor(light["ink"]))
            fill = light["sheet" if self._half.is_white else "ink"]
            canvas.setFillColor(colors.HexColor(fill))
            for begun, over in self._half.used:
                canvas.rect(begun * _WIDTH, 3, (over - begun) * _WIDTH, _LANE - 2, fill=1)


class _Years(Flowable):
    """The years below the lanes, each where it begins."""

    canv: Any

    def __init__(self, years: Sequence[tuple[float, str]]) -> None:
        super().__init__()
        self._years = years

    def wrap(self, *_: float) -> tuple[float, float]:
        """One line, or nothing to say in a game within a year."""
        return _WIDTH, 8 if self._years else 0

    def draw(self) -> None:
        """Nothing is read out: the moves have their dates."""
        with self.canv.marked(None):
            self.canv.setFont(BOOK, 7)
            for at, year in self._years:
                self.canv.drawCentredString(at * _WIDTH, 1, year)


def _boards(up: Node, shown: Sequence[BoardView], side: float) -> Flowable:
    """The diagrams side by side, each over its caption."""
    across = _count_boards_in_row(shown, side)
    style, cells = _style("caption", 8), []
    for one in shown:
        picture = TaggedImage(io.BytesIO(png(one.board, one.last, one.side)), side, side)
        picture.hAlign = "LEFT"
        picture.node = up.add("Figure", alt="; ".join((one.caption, *one.described)))
        cells.append([picture, Spacer(1, 2), build_paragraph(up.add("P"), one.caption, style)])
    rows = [cells[n : n + across] for n in range(0, len(cells), across)]
    rows[-1] += [[]] * (across - len(rows[-1]))
    table = TaggedTable(rows, colWidths=[side + _GAP] * across, hAlign="LEFT", spaceAfter=8)
    table.setStyle(_CLOSE)
    table.setStyle(
        TableStyle(
            [("RIGHTPADDING", (0, 0), (-1, -1), _GAP), ("BOTTOMPADDING", (0, 0), (-1, -1), 4)]
        )
    )
    return table


def _widths(sheet: GameSheet, size: float) -> list[float]:
    """What the cells of the moves need, with room between them."""
    heads = [wide(text, BOLD, size) for text in sheet.head]
    widest = [
        max([head, *(wide(row[column], BOOK, size) for row in sheet.rows)])
        for column, head in enumerate(heads)
    ]
    return [one + size * 0.7 for one in widest]


def _deep(sheet: GameSheet, size: float) -> int:
    """How many moves stand under each other."""
    return ceil(len(sheet.rows) / _across(sheet, size))


def _across(sheet: GameSheet, size: float) -> int:
    needed = sum(_widths(sheet, size))
    return max(1, int((_WIDTH + _GAP) // (needed + _GAP)))


def _moves(up: Node, sheet: GameSheet, size: float) -> Iterator[Flowable]:
    """The moves in columns; to a screen reader they are one table, whose head is read once."""
    if not sheet.rows:
        return
    widths, deep = _widths(sheet, size), _deep(sheet, size)
    tree, plain, bold = up.add("Table"), _style("move", size), _style("head", size, BOLD)
    soft = ParagraphStyle("day", parent=plain, textColor=colors.HexColor(looks().light["soft"]))
    styles = (soft, plain, soft, plain, soft)
    columns: list[Flowable] = []
    for first in range(0, len(sheet.rows), deep):
        line = tree.add("TR") if not first else None
        cells = [
            [
                build_paragraph(line.add("TH", scope="Column") if line else None, text, bold)
                for text in sheet.head
            ]
        ]
        for row in sheet.rows[first : first + deep]:
            line = tree.add("TR")
            kinds = (("TH", "Row"), *[("TD", "")] * 4)
            nodes = [line.add(kind, scope=scope) for kind, scope in kinds]
            cells.append([build_paragraph(*one) for one in zip(nodes, row, styles, strict=True)])
        column = TaggedTable(cells, colWidths=widths, rowHeights=_line(size), hAlign="LEFT")
        column.setStyle(_CLOSE)
        columns.append(column)
    across = _across(sheet, size)
    columns += [Spacer(1, 1)] * (across - len(columns))
    beside = TaggedTable([columns], colWidths=[_WIDTH / across] * across, hAlign="LEFT")
    beside.setStyle(_CLOSE)
    yield beside
