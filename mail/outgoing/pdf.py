"""A letter's blocks as an A4 PDF: a third rendering of the content, for print and the archive.

The fonts are bundled in ``mail/fonts``, so that every name prints and nothing from the machine is
needed; the same content gives the same octets. NOT for wording (``mail.office_letters``); takes
tens of milliseconds, so call it off the event loop.
"""

import io
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import assert_never

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    Image,
    KeepTogether,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

from mail.looks.chosen import looks
from mail.outgoing import blocks as b
from mail.outgoing.picture import png

BOOK, BOLD = "KskakSerif", "KskakSerif-Bold"
_FILES = {BOOK: "DejaVuSerifCondensed.ttf", BOLD: "DejaVuSerifCondensed-Bold.ttf"}
_MARGIN = 18 * mm
_PAD = 6
"""The padding the library adds inside the margins, in points."""
_WIDTH = A4[0] - 2 * (_MARGIN + _PAD)
_BOARD = 70 * mm
_SMALLEST, _USUAL = 6.0, 9.5
"""Font sizes of a table, in points: as large as the page allows."""
_WHOLE = 30
"""Maximum rows of a table that is kept on one page."""


def as_pdf(written: b.Written, lang: str, title: str) -> bytes:
    """The blocks under their title, with page numbers."""
    _fonts()
    out = io.BytesIO()
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        title=title,
        author=looks().name,
        lang=lang,
        invariant=True,
    )

    def number(canvas: Canvas, _: object) -> None:
        canvas.setFont(BOOK, 8)
        canvas.drawString(_MARGIN + _PAD, 10 * mm, title)
        canvas.drawRightString(A4[0] - _MARGIN - _PAD, 10 * mm, str(canvas.getPageNumber()))

    story: list[Flowable] = [Paragraph(_safe(title), _style("title"))]
    for block in written.blocks:
        story += _flow(block)
    story.append(Spacer(1, 5 * mm))
    story += [Paragraph(_safe(line), _style("small")) for line in written.foot]
    document.build(story, onFirstPage=number, onLaterPages=number)
    return out.getvalue()


@cache
def _fonts() -> None:
    for name, file in _FILES.items():
        data = (files("mail") / "fonts" / file).read_bytes()
        pdfmetrics.registerFont(TTFont(name, io.BytesIO(data)))
    pdfmetrics.registerFontFamily(BOOK, normal=BOOK, bold=BOLD, italic=BOOK, boldItalic=BOLD)


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
        keepWithNext=kind in ("h2", "h3"),
    )


def _safe(text: str) -> str:
    """A person's text, escaped for the paragraph's markup: nothing in it is a tag."""
    return escape(text, quote=False).replace("\n", "<br/>")


def _text(text: str, kind: str = "body") -> Flowable:
    return Paragraph(_safe(text), _style(kind))


def _flow(block: b.Block) -> Iterator[Flowable]:  # noqa: C901 - one arm per block, nothing else
    match block:
        case b.Lead(text):
            yield _text(text, "lead")
        case b.Para(text) | b.Due(text) | b.Fixed(text) | b.Moves(text) | b.Record(_, text):
            yield _text(text)
        case b.Small(text) | b.Quote(text):
            yield _text(text, "small")
        case b.Heading(text, level):
            yield _text(text, f"h{level}")
        case b.Bullets(points):
            for point in points:
                yield Paragraph(_safe(point), _style("body"), bulletText="\N{BULLET}")
        case b.Facts(rows) | b.Example(rows):
            yield _facts(rows)
        case b.Link(label, target) | b.Mailbox(label, target):
            yield _text(f"{label}: {target}")
        case b.Grid():
            yield from _captioned(block)
        case b.BoardView():
            yield _text(block.caption)
            picture = io.BytesIO(png(block.board, block.last, block.side))
            yield Image(picture, width=_BOARD, height=_BOARD)
            yield _text("\n".join(block.described), "small")
        case _:
            assert_never(block)


def _facts(rows: Sequence[tuple[str, str]]) -> Flowable:
    """Labels and values in two columns, the left one as wide as needed."""
    cells = [[_text(label), _text(value)] for label, value in rows]
    widest = max((pdfmetrics.stringWidth(label, BOOK, 10) for label, _ in rows), default=0.0)
    left = min(widest + 14, _WIDTH * 0.45)
    table = Table(cells or [["", ""]], colWidths=[left, _WIDTH - left], hAlign="LEFT")
    table.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), *_TIGHT]))
    return table


_TIGHT = [
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 1),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
]


def _captioned(grid: b.Grid) -> Iterator[Flowable]:
    """A table under its caption; one that fits on a page is not split."""
    parts: list[Flowable] = [_text(grid.caption, "h3")] if grid.caption else []
    parts += [_grid(grid), Spacer(1, 3 * mm)]
    if len(grid.rows) <= _WHOLE:
        yield KeepTogether(parts)
    else:
        yield from parts


def _grid(grid: b.Grid) -> Flowable:
    """A table that fits the page's width, its head repeated on each page."""
    rows = [grid.head, *grid.rows]
    size = _USUAL
    while size > _SMALLEST and sum(_widths(rows, size)) > _WIDTH:
        size -= 0.5
    widths = _widths(rows, size)
    if sum(widths) > _WIDTH:  # names so long that they have to be wrapped
        widest = max(range(len(widths)), key=widths.__getitem__)
        widths[widest] = max(25 * mm, widths[widest] + _WIDTH - sum(widths))
    style = ParagraphStyle("cell", fontName=BOOK, fontSize=size, leading=size * 1.2)
    bold = ParagraphStyle("head", parent=style, fontName=BOLD)
    right, head = _right(style), _right(bold)
    cells = [
        [
            Paragraph(
                _safe(cell),
                (head if column in grid.figures else bold)
                if number == 0
                else (right if column in grid.figures else style),
            )
            for column, cell in enumerate(row)
        ]
        for number, row in enumerate(rows)
    ]
    table = Table(cells, colWidths=widths, repeatRows=1, hAlign="LEFT")
    table.setStyle(TableStyle([*_TIGHT, ("RIGHTPADDING", (0, 0), (-1, -1), 4)]))
    rule = colors.HexColor(looks().light["strong-rule"])
    table.setStyle(TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.25, rule)]))
    table.setStyle(TableStyle([("LINEBELOW", (0, 0), (-1, 0), 0.75, rule)]))
    return table


def _right(style: ParagraphStyle) -> ParagraphStyle:
    return ParagraphStyle(f"{style.name}-right", parent=style, alignment=2)


def _widths(rows: Sequence[Sequence[str]], size: float) -> list[float]:
    gap = 7.0
    return [
        gap
        + max(
            pdfmetrics.stringWidth(row[column], BOLD if number == 0 else BOOK, size)
            for number, row in enumerate(rows)
        )
        for column in range(len(rows[0]))
    ]
