"""Tags of a PDF: what each part of a page is, so that it can be read aloud in its order.

reportlab draws without tags. Here the canvas notes which marked part of which page belongs to
which element, and writes the tree of elements when the file is closed (ISO 32000-1, 14.7-14.8).
Not for what a letter consists of (pdf.py).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Self

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFPage, PDFString
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Image, Paragraph, Table


@dataclass(eq=False, slots=True)
class Element:
    """A part of the document with its role, such as ``P`` or ``TR``; what it consists of.

    ``scope``: what a head of a table is the head of, ``Column`` or ``Row``; ``alt``: a picture in
    words. ``marks``: the page and the number within it of each place where it is drawn.
    """

    role: str
    scope: str = ""
    alt: str = ""
    kids: list["Element"] = field(default_factory=list)
    marks: list[tuple[int, int]] = field(default_factory=list)

    def add(self, role: str, scope: str = "", alt: str = "") -> "Element":
        """A new last part of this one."""
        made = Element(role, scope, alt)
        self.kids.append(made)
        return made


class TaggedCanvas(Canvas):
    """A canvas for one document, ``root``, that is dated ``day``."""

    _doc: Any
    _code: list[str]

    def __init__(self, *args: Any, root: Element, day: date, **options: Any) -> None:
        super().__init__(*args, **options)
        self._root = root
        self._pages: list[PDFPage] = []
        self._marked: list[list[Element]] = [[]]
        self._doc._timeStamp.YMDhms = (day.year, day.month, day.day, 0, 0, 0)

    @contextmanager
    def part(self, element: Element | None) -> Iterator[None]:
        """What is drawn inside is part of the element; None: of nothing, as a page's number is.

        A table's head that is drawn again on the next page is not read out again.
        """
        if element is None or (element.scope == "Column" and element.marks):
            self._code.append("/Artifact BMC")
        else:
            marked = self._marked[-1]
            self._code.append(f"/{element.role} <</MCID {len(marked)}>> BDC")
            element.marks.append((len(self._pages), len(marked)))
            marked.append(element)
        yield
        self._code.append("EMC")

    def showPage(self) -> None:  # noqa: N802 - the library's name
        """Close the page, which bears the number of its row in the tree of parents."""
        super().showPage()
        page = self._doc.Pages.pages[-1]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(self._pages), PDFName("S")
        self._pages.append(page)
        self._marked.append([])

    def save(self) -> None:
        """Write the tree, and close the file."""
        if self._code:
            self.showPage()
        tree = PDFDictionary({"Type": PDFName("StructTreeRoot")})
        refs: dict[int, Any] = {}
        tree["K"] = self._written(self._root, self._doc.Reference(tree), refs)
        rows: list[Any] = []
        for number, marked in enumerate(self._marked[: len(self._pages)]):
            rows += [number, PDFArray([refs[id(element)] for element in marked])]
        tree["ParentTree"] = PDFDictionary({"Nums": PDFArray(rows)})
        tree["ParentTreeNextKey"] = len(self._pages)
        self._doc.Catalog.StructTreeRoot = tree
        self._doc.Catalog.MarkInfo = PDFDictionary({"Marked": "true"})
        super().save()

    def _written(self, element: Element, parent: Any, refs: dict[int, Any]) -> Any:
        """The reference of the element's own object, after those of its parts."""
        body = PDFDictionary({"Type": PDFName("StructElem"), "S": PDFName(element.role)})
        own = refs[id(element)] = self._doc.Reference(body)
        kids = [
            PDFDictionary(
                {"Type": PDFName("MCR"), "MCID": number}
                | {"Pg": self._doc.Reference(self._pages[page])}
            )
            for page, number in element.marks
        ]
        kids += [self._written(kid, own, refs) for kid in element.kids]
        body["P"], body["K"] = parent, PDFArray(kids)
        if element.alt:
            body["Alt"] = PDFString(element.alt)
        if element.scope:
            scope = {"O": PDFName("Table"), "Scope": PDFName(element.scope)}
            body["A"] = PDFDictionary(scope)
        return own


class TaggedParagraph(Paragraph):
    """A paragraph that is an element, on one page or on two."""

    canv: TaggedCanvas
    element: Element

    def of(self, element: Element) -> Self:
        """The same paragraph, which is now this element."""
        self.element = element
        return self

    def split(self, available_width: float, available_height: float) -> list[Any]:
        """Its parts are the same element."""
        parts: list[Any] = super().split(available_width, available_height)
        return [part.of(self.element) for part in parts]

    def draw(self) -> None:
        """Draw it as its element."""
        with self.canv.part(self.element):
            super().draw()


class TaggedImage(Image):
    """A picture that is an element."""

    canv: TaggedCanvas
    element: Element

    def draw(self) -> None:
        """Draw it as its element."""
        with self.canv.part(self.element):
            super().draw()


class RuledTable(Table):
    """A table whose lines belong to no element; its cells are elements themselves."""

    canv: TaggedCanvas

    def _drawLines(self) -> None:  # noqa: N802 - the library's name
        with self.canv.part(None):
            super()._drawLines()  # type: ignore[misc]
