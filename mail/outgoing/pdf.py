"""A letter's blocks as an A4 PDF: a third rendering of the content, for print and the archive.

The same content gives the same octets. Each block is drawn and put into the tree that screen
readers follow (``pdf_tags``), in fonts of our own (``pdf_text``). NOT for wording
(``mail.office_letters``); takes tens of milliseconds, so call it off the event loop.
"""

import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache, partial
from html import escape
from importlib.resources import files
from typing import Any, assert_never

from arabic_reshaper import ArabicReshaper
from bidi import get_display
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFString
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    Image,
    KeepTogether,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

from mail.looks.design import looks
from mail.outgoing import blocks as b
from mail.outgoing.blocks import Labels
from mail.outgoing.picture import png

# The structure of a PDF for screen readers: what is a heading, a list, a table, a picture.


class Node:
    """A part of the document, with its parts in reading order.

    ``alt`` is a picture's text, ``scope`` what a head cell is the head of: Row or Column.
    """

    def __init__(self, kind: str, alt: str = "", scope: str = "") -> None:
        self.kind, self.alt, self.scope = kind, alt, scope
        self.said = ""
        """What is read out where what is drawn is not the text itself."""
        self.kids: list[Node | tuple[int, int]] = []
        """Parts, and what is drawn of it: page from 0, and mark on that page."""

    def add(self, kind: str, alt: str = "", scope: str = "") -> "Node":
        """A new part at the end."""
        part = Node(kind, alt, scope)
        self.kids.append(part)
        return part


class TaggedCanvas(Canvas):
    """A canvas that writes ``root`` with the document, which bears the date ``dated``."""

    _doc: Any
    _code: list[str]

    def __init__(self, *args: Any, root: Node, dated: date, **options: Any) -> None:
        super().__init__(*args, **options)
        self._root = root
        self._marks: list[list[Node]] = []
        self._outlined = 0
        self._doc._timeStamp.YMDhms = (dated.year, dated.month, dated.day, 0, 0, 0)
        self.setViewerPreference("DisplayDocTitle", "true")

    @contextmanager
    def marked(self, node: Node | None) -> Iterator[None]:
        """What is drawn inside belongs to the node; without one it is an artifact."""
        if node is None:
            self._code.append("/Artifact BMC")
        else:
            page = self.getPageNumber() - 1
            self._marks += [[] for _ in range(page + 1 - len(self._marks))]
            node.kids.append((page, len(self._marks[page])))
            self._code.append(f"/{node.kind} <</MCID {len(self._marks[page])}>> BDC")
            self._marks[page].append(node)
        yield
        self._code.append("EMC")

    def outline(self, kind: str, text: str) -> None:
        """A section's heading, or one of its parts', leads here from the list beside the pages."""
        if kind == "H2" or (kind == "H3" and self._outlined):
            self._outlined += 1
            self.bookmarkPage(str(self._outlined))
            self.addOutlineEntry(text, str(self._outlined), int(kind == "H3"), closed=True)

    def save(self) -> None:
        """Write the tree, then the document."""
        told: dict[Node, Any] = {}
        root = PDFDictionary({"Type": PDFName("StructTreeRoot")})
        root.dict["K"] = self._element(self._root, self._doc.Reference(root), told)
        numbers: list[Any] = []
        for index, page in enumerate(self._doc.Pages.pages):
            page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
            page.StructParents, page.Tabs = index, PDFName("S")
            marks = self._marks[index] if index < len(self._marks) else []
            numbers += [index, PDFArray([told[node] for node in marks])]
        root.dict["ParentTree"] = PDFDictionary({"Nums": PDFArray(numbers)})
        root.dict["ParentTreeNextKey"] = len(numbers) // 2
        self._doc.Catalog.StructTreeRoot = root
        self._doc.Catalog.MarkInfo = PDFDictionary({"Marked": "true"})
        super().save()

    def _element(self, node: Node, up: Any, told: dict[Node, Any]) -> Any:
        """A reference to the node's element; what is below it is written too."""
        element = PDFDictionary({"Type": PDFName("StructElem"), "S": PDFName(node.kind), "P": up})
        own = told[node] = self._doc.Reference(element)
        if node.alt:
            element.dict["Alt"] = PDFString(node.alt)
        if node.said:
            element.dict["ActualText"] = PDFString(node.said)
        if node.scope:
            scope = {"O": PDFName("Table"), "Scope": PDFName(node.scope)}
            element.dict["A"] = PDFDictionary(scope)
        element.dict["K"] = PDFArray(
            [
                self._element(kid, own, told) if isinstance(kid, Node) else self._mark(*kid)
                for kid in node.kids
            ]
        )
        return own

    def _mark(self, page: int, number: int) -> PDFDictionary:
        on = self._doc.Reference(self._doc.Pages.pages[page])
        return PDFDictionary({"Type": PDFName("MCR"), "Pg": on, "MCID": number})


class TaggedParagraph(Paragraph):
    """A paragraph that belongs to a node; drawn once more (a repeated head) it is an artifact."""

    canv: Any
    node: Node | None = None

    def split(self, width: float, height: float) -> list[Any]:
        """The halves belong to the same node."""
        halves: list[Any] = list(super().split(width, height))
        for half in halves:
            half.node = self.node
        return halves

    def draw(self) -> None:
        """Draw it as its node's, or as an artifact the next time; a section is in the outline."""
        if self.node is not None:
            self.canv.outline(self.node.kind, self.getPlainText())
        with self.canv.marked(self.node):
            super().draw()
        self.node = None


class TaggedImage(Image):
    """A picture that belongs to a node with its text."""

    canv: Any
    node: Node | None = None

    def draw(self) -> None:
        """Draw it as its node's."""
        with self.canv.marked(self.node):
            super().draw()


class TaggedTable(Table):
    """A table whose rules are artifacts; its cells are tagged paragraphs."""

    canv: Any
    _cellvalues: list[Any]

    @property
    def count(self) -> int:
        """How many rows it has, the head among them."""
        return len(self._cellvalues)

    def _drawLines(self) -> None:
        with self.canv.marked(None):
            super()._drawLines()  # type: ignore[misc]


# Text in a PDF: the bundled fonts, and paragraphs that screen readers read as they were written.

BOOK, BOLD, ARABIC = "KskakSerif", "KskakSerif-Bold", "KskakArabic"
_FILES = {
    BOOK: "DejaVuSerifCondensed.ttf",
    BOLD: "DejaVuSerifCondensed-Bold.ttf",
    ARABIC: "DejaVuSansCondensed-Arabic.ttf",
}


@cache
def fonts() -> None:
    """Make the fonts known to the library; once a process."""
    for name, file in _FILES.items():
        data = (files("mail") / "fonts" / file).read_bytes()
        pdfmetrics.registerFont(TTFont(name, io.BytesIO(data)))
    pdfmetrics.registerFontFamily(BOOK, normal=BOOK, bold=BOLD, italic=BOOK, boldItalic=BOLD)
    pdfmetrics.registerFontFamily(ARABIC, ARABIC, ARABIC, ARABIC, ARABIC)


_LETTER = "[\u0610-\u065f\u0620-\u064a\u066e-\u06ef\u06fa-\u06ff]"
_RUN = re.compile(f"{_LETTER}+(?:[ \u00a0'-]+{_LETTER}+)*")
"""Arabic words, with what stands between them: never broken over lines."""
_joined = ArabicReshaper({"delete_harakat": False, "ARABIC LIGATURE ALLAH": False}).reshape
"""The font has no shape for a whole name."""


def as_drawn(run: str) -> str:
    """An Arabic run's shapes from left to right; its spaces do not break."""
    shapes = _joined(unicodedata.normalize("NFC", run))
    return str(get_display(shapes, base_dir="R")).replace(" ", "\u00a0")


_ISOLATES = str.maketrans("", "", "\u2066\u2067\u2068\u2069")
"""What keeps a page's words in order is nothing to draw."""


def _safe(text: str) -> str:
    """A person's text, escaped for the paragraph's markup: nothing in it is a tag."""
    markup = escape(text.translate(_ISOLATES), quote=False).replace("\n", "<br/>")
    return _RUN.sub(lambda run: f'<font name="{ARABIC}">{as_drawn(run[0])}</font>', markup)


def wide(text: str, font: str, size: float) -> float:
    """The width of a line of it, in points."""
    text = text.translate(_ISOLATES)
    arabic = sum(pdfmetrics.stringWidth(as_drawn(one), ARABIC, size) for one in _RUN.findall(text))
    return arabic + pdfmetrics.stringWidth(_RUN.sub("", text), font, size)


def build_paragraph(
    node: Node | None, text: str, style: ParagraphStyle, bullet: str | None = None
) -> TaggedParagraph:
    """A paragraph of somebody's text, as the node's in the tree; without one it is not read."""
    drawn = TaggedParagraph(_safe(text), style, bulletText=bullet)
    drawn.node = node
    if node is not None:
        node.said = text if _RUN.search(text) else ""
    return drawn


# A letter's blocks as an A4 PDF: a third rendering of the content, for print and the archive.

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


def as_pdf(written: b.LetterContent, lang: str, title: str, dated: date) -> bytes:
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
    return build_pdf(
        root, list(_keep_headings_together(story)), Labels(title, lang, dated), _MARGIN, number
    )


def build_pdf(
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


def _style(kind: str) -> ParagraphStyle:
    size, font, before, after = {
        "title": (18, BOLD, 0, 8),
        "h2": (13, BOLD, 14, 5),
        "h3": (10.5, BOLD, 9, 3),
        "h4": (10, BOLD, 7, 2),
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
        allowWidows=0,
        allowOrphans=0,
    )


_TAGS = {"title": "H1", "h2": "H2", "h3": "H3", "h4": "H4"}
"""What a style is in the tree; the others are paragraphs."""


def _text(up: Node, text: str, kind: str = "body") -> Flowable:
    return build_paragraph(up.add(_TAGS.get(kind, "P")), text, _style(kind))


def _flow(up: Node, block: b.Block) -> Iterator[Flowable]:  # noqa: C901 - one arm per block
    match block:
        case b.LeadLine(text):
            yield _text(up, text, "lead")
        case (
            str(text)
            | b.DueLine(text)
            | b.FixedLines(text)
            | b.Moves(text)
            | b.RecordTable(_, text)
        ):
            yield _text(up, text)
        case b.SmallPrint(text) | b.Quote(text):
            yield _text(up, text, "small")
        case b.Heading(text, level):
            yield _text(up, text, f"h{level}")
        case b.Bullets(points):
            items = up.add("L")
            for point in points:
                node = items.add("LI").add("LBody")
                yield build_paragraph(node, point, _style("body"), "\N{BULLET}")
        case b.FactList(rows) | b.Example(rows):
            if rows:
                yield _facts(up, rows)
        case b.LinkLine(label, target) | b.AddressLine(label, target):
            yield _text(up, f"{label}: {target}")
        case b.Grid():
            if block.caption:
                yield _text(up, block.caption, "h3")
            yield from (_grid(up, block), Spacer(1, 3 * mm))
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
        head = build_paragraph(row.add("TH", scope="Row"), label, body)
        cells.append([head, build_paragraph(row.add("TD"), value, body)])
    widest = max(wide(label, BOOK, 10) for label, _ in rows)
    left = min(widest + 14, _WIDTH * 0.45)
    table = TaggedTable(cells, colWidths=[left, _WIDTH - left], hAlign="LEFT", spaceAfter=4)
    table.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), *_TIGHT]))
    return table


_TIGHT = [
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 1),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
]


def _keep_headings_together(story: Sequence[Flowable]) -> Iterator[Flowable]:
    """Headings with what they head: all of it, or of a long table its first rows.

    The library's own way would begin a long table on a new page, and leave the rest of one empty.
    """
    heads: list[Flowable] = []
    for one in story:
        if isinstance(one, TaggedParagraph) and one.style.name in ("h2", "h3", "h4"):
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
        right = ParagraphStyle(f"{usual.name}-right", parent=usual, alignment=2)
        cells.append([])
        for column, cell in enumerate(row):
            scope = "Column" if not number else "Row" if column < grid.heads else ""
            node = line.add("TH" if scope else "TD", scope=scope)
            cells[-1].append(
                build_paragraph(node, cell, right if column in grid.figures else usual)
            )
    return cells


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
