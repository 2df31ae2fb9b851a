"""The structure of a PDF for screen readers: what is a heading, a list, a table, a picture.

The library draws but does not tag; this marks what is drawn and writes the tree (ISO 32000-1,
14.7 and 14.8). Running heads, rules and a table's head repeated on later pages are artifacts, so
that they are not read out. NOT for how a letter looks (``pdf``).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFString
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Image, Paragraph, Table


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
        """Draw it as its node's, or as an artifact the next time."""
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
