"""A letter's blocks as an A4 PDF: a third rendering of the content, for print and the archive.

The same content gives the same octets. Each block is drawn and put into the tree that screen
readers follow (``pdf_tags``), in fonts of our own (``pdf_text``). NOT for wording
(``mail.office_letters``); takes tens of milliseconds, so call it off the event loop.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache, partial
from typing import Any, assert_never

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    KeepTogether,
    SimpleDocTemplate,
    Spacer,
    TableStyle,
)

from mail.looks.chosen import looks
from mail.outgoing import blocks as b
from mail.outgoing.papers import Labels
from mail.outgoing.pdf_tags import Node, TaggedCanvas, TaggedImage, TaggedParagraph, TaggedTable
from mail.outgoing.pdf_text import BOLD, BOOK, fonts, said, wide
from mail.outgoing.picture import png

_MARGIN = 18 * mm
_PAD = 6
"""The padding the library adds inside the margins, in points."""
_WIDTH = A4[0] - 2 * (_MARGIN + _PAD)
_BOARD = 70 * mm
_SMALLEST, _USUAL = 6.0, 9.5
"""Font sizes of a table, in points: as large as the page allows."""
_WHOLE = 30
"""Maximum rows of a table, with its head, that is kept on one page."""
_ROOM = 40 * mm
"""What two headings, a table's head and its first rows take."""


def as_pdf(written: b.Written, lang: str, title: str, dated: date) -> bytes:
    """The blocks under their title, with page numbers; ``dated`` is the document's own date."""
    fonts()

    def number(canvas: Any, _: object) -> None:
        with canvas.marked(None):
            canvas.setFont(BOOK, 8)
            canvas.drawString(_MARGIN + _PAD, 10 * mm, title)
            canvas.drawRightString(A4[0] - _MARGIN - _PAD, 10 * mm, str(canvas.getPageNumber()))

    root = Node("Document")
    story: list[Flowable] = [_text(root, title, "title")]
    for block in written.blocks:
        story += _flow(root, block)
    story.append(Spacer(1, 5 * mm))
    story += [_text(root, line, "small") for line in written.foot]
    return built(root, list(_kept(story)), Labels(title, lang, dated), _MARGIN, number)


def built(
    root: Node,
    story: list[Flowable],
    labels: Labels,
    margin: float,
    on_page: Callable[[Any, object], None],
) -> bytes:
    """What is drawn, on A4 pages with this margin in points, and its tree."""
    out = io.BytesIO()
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=margin,
        rightMargin=margin,
        topMargin=margin,
        bottomMargin=margin,
        title=labels.title,
        author=looks().name,
        creator=looks().name,
        subject="",
        lang=labels.lang,
        invariant=True,
    )
    canvas = partial(TaggedCanvas, root=root, dated=labels.dated)
    document.build(story, onFirstPage=on_page, onLaterPages=on_page, canvasmaker=canvas)
    return out.getvalue()


@cache
def _style(kind: str) -> ParagraphStyle:
    size, font, before, after = {
        "title": (18, BOLD, 0, 8),
        "h2": (13, BOLD, 14, 5),
        "h3": (10.5, BOLD, 9, 3),
        "lead": (11.5, BOLD, 0, 7),
        "body": (10, BOOK, 0, 5),
        "small": (8, BOOK, 0, 2),
    }[kind]
    return ParagraphStyle(
        kind,
        fontName=font,
        fontSize=size,
        leading=size * 1.35,
        spaceBefore=before,
        spaceAfter=after,
    )


_TAGS = {"title": "H1", "h2": "H2", "h3": "H3"}
"""What a style is in the tree; the others are paragraphs."""


def _text(up: Node, text: str, kind: str = "body") -> Flowable:
    return said(up.add(_TAGS.get(kind, "P")), text, _style(kind))


def _flow(up: Node, block: b.Block) -> Iterator[Flowable]:  # noqa: C901 - one arm per block
    match block:
        case b.Lead(text):
            yield _text(up, text, "lead")
        case b.Para(text) | b.Due(text) | b.Fixed(text) | b.Moves(text) | b.Record(_, text):
            yield _text(up, text)
        case b.Small(text) | b.Quote(text):
            yield _text(up, text, "small")
        case b.Heading(text, level):
            yield _text(up, text, f"h{level}")
        case b.Bullets(points):
            items = up.add("L")
            for point in points:
                node = items.add("LI").add("LBody")
                yield said(node, point, _style("body"), "\N{BULLET}")
        case b.Facts(rows) | b.Example(rows):
            if rows:
                yield _facts(up, rows)
        case b.Link(label, target) | b.Mailbox(label, target):
            yield _text(up, f"{label}: {target}")
        case b.Grid():
            yield from _captioned(up, block)
        case b.BoardView():
            yield KeepTogether(_board(up, block))
        case _:
            assert_never(block)


def _board(up: Node, block: b.BoardView) -> list[Flowable]:
    """The picture between its caption and its words, which are its text for screen readers too."""
    caption = _text(up, block.caption)
    octets = io.BytesIO(png(block.board, block.last, block.side))
    picture = TaggedImage(octets, width=_BOARD, height=_BOARD, hAlign="LEFT")
    picture.node = up.add("Figure", alt="; ".join((block.caption, *block.described)))
    return [caption, picture, _text(up, "\n".join(block.described), "small")]


def _facts(up: Node, rows: Sequence[tuple[str, str]]) -> Flowable:
    """Labels and values in two columns, the left one as wide as needed."""
    tree, body, cells = up.add("Table"), _style("body"), []
    for label, value in rows:
        row = tree.add("TR")
        head = said(row.add("TH", scope="Row"), label, body)
        cells.append([head, said(row.add("TD"), value, body)])
    widest = max(wide(label, BOOK, 10) for label, _ in rows)
    left = min(widest + 14, _WIDTH * 0.45)
    table = TaggedTable(cells, colWidths=[left, _WIDTH - left], hAlign="LEFT")
    table.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), *_TIGHT]))
    return table


_TIGHT = [
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 1),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
]


def _captioned(up: Node, grid: b.Grid) -> Iterator[Flowable]:
    if grid.caption:
        yield _text(up, grid.caption, "h3")
    yield _grid(up, grid)
    yield Spacer(1, 3 * mm)


def _kept(story: Sequence[Flowable]) -> Iterator[Flowable]:
    """Headings with what they head: all of it, or of a long table its first rows.

    The library's own way would begin a long table on a new page, and leave the rest of one empty.
    """
    heads: list[Flowable] = []
    for one in story:
        if isinstance(one, TaggedParagraph) and one.style.name in ("h2", "h3"):
            heads.append(one)
            continue
        if isinstance(one, TaggedTable) and one.count > _WHOLE:
            yield from (CondPageBreak(_ROOM), *heads, one)
        elif heads or isinstance(one, TaggedTable):
            yield KeepTogether([*heads, one])
        else:
            yield one
        heads = []
    yield from heads


def _grid(up: Node, grid: b.Grid) -> Flowable:
    """A table that fits the page's width, its head repeated on each page."""
    rows = [grid.head, *grid.rows]
    size = _USUAL
    while size > _SMALLEST and sum(_widths(rows, size)) > _WIDTH:
        size -= 0.5
    widths = _widths(rows, size)
    if sum(widths) > _WIDTH:  # names so long that they have to be wrapped
        widest = max(range(len(widths)), key=widths.__getitem__)
        widths[widest] = max(25 * mm, widths[widest] + _WIDTH - sum(widths))
    cells = _cells(up.add("Table"), grid, size)
    table = TaggedTable(cells, colWidths=widths, repeatRows=1, hAlign="LEFT")
    table.setStyle(TableStyle([*_TIGHT, ("RIGHTPADDING", (0, 0), (-1, -1), 4)]))
    rule = colors.HexColor(looks().light["strong-rule"])
    table.setStyle(TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.25, rule)]))
    table.setStyle(TableStyle([("LINEBELOW", (0, 0), (-1, 0), 0.75, rule)]))
    return table


def _cells(tree: Node, grid: b.Grid, size: float) -> list[list[TaggedParagraph]]:
    """The head, and the rows with their first cells as heads, in letters of ``size`` points."""
    style = ParagraphStyle("cell", fontName=BOOK, fontSize=size, leading=size * 1.2)
    bold = ParagraphStyle("head", parent=style, fontName=BOLD)
    cells: list[list[TaggedParagraph]] = []
    for number, row in enumerate([grid.head, *grid.rows]):
        line, usual = tree.add("TR"), style if number else bold
        right = _right(usual)
        cells.append([])
        for column, cell in enumerate(row):
            scope = "Column" if not number else "Row" if column < grid.heads else ""
            node = line.add("TH" if scope else "TD", scope=scope)
            cells[-1].append(said(node, cell, right if column in grid.figures else usual))
    return cells


def _right(style: ParagraphStyle) -> ParagraphStyle:
    return ParagraphStyle(f"{style.name}-right", parent=style, alignment=2)


def _widths(rows: Sequence[Sequence[str]], size: float) -> list[float]:
    gap = 7.0
    return [
        gap
        + max(
            wide(row[column], BOLD if number == 0 else BOOK, size)
            for number, row in enumerate(rows)
        )
        for column in range(len(rows[0]))
    ]
