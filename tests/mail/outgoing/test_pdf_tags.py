"""A PDF read back: language, title, date, and the tree that screen readers follow.

The date is the letter's own, so that the same letter gives the same octets. PDF/UA is not claimed:
its part in XMP is missing.
"""

import base64
import re
import unicodedata
import zlib
from datetime import date

import chess

from kskak.regulation.editions import Side
from mail.outgoing import blocks as b
from mail.outgoing.pdf import as_drawn, as_pdf

NAMES = ("Åse Ærøskøbing", "Jógvan í Króki Hjørt", "Zbigniew Żółć-Świątek")


def pdf(*blocks: b.Block, title: str = "Bulletin 7, Żółć") -> "Read":
    return Read(as_pdf(b.LetterContent("E", blocks, ("Fod",)), "da", title, date(2026, 3, 29)))


def grid(rows: int) -> b.Grid:
    lines = tuple((f"{n}.", NAMES[n % 3], "½") for n in range(rows))
    return b.Grid("Krydstabel", ("Nr.", "Navn", "1"), lines, heads=2)


class Read:
    """The objects of a PDF, its pages' drawing, and its tree as kinds and marks."""

    def __init__(self, data: bytes) -> None:
        found = re.finditer(rb"(\d+) 0 obj\s(.*?)endobj", data, re.DOTALL)
        self.objects = {int(one[1]): one[2] for one in found}
        self.catalog = next(o for o in self.objects.values() if b"/Type /Catalog" in o)
        self.info = next(o for o in self.objects.values() if b"/CreationDate" in o)
        kids = next(o for o in self.objects.values() if b"/Type /Pages" in o)
        self.pages = self.refs(re.search(rb"/Kids \[(.*?)\]", kids, re.DOTALL)[1])
        self.drawn = [self._drawing(number) for number in self.pages]
        self.root = self.refs(re.search(rb"/StructTreeRoot (\d+ 0 R)", self.catalog)[1])[0]
        top = self.refs(re.search(rb"/K (\d+ 0 R)", self.objects[self.root])[1])[0]
        self.marks: dict[tuple[int, int], int] = {}
        self.tree = self._element(top, self.root)

    @staticmethod
    def refs(text: bytes) -> list[int]:
        return [int(one) for one in re.findall(rb"(\d+) 0 R", text)]

    def _drawing(self, page: int) -> str:
        number = self.refs(re.search(rb"/Contents (\d+ 0 R)", self.objects[page])[1])[0]
        raw = re.search(rb"stream\r?\n(.*?)endstream", self.objects[number], re.DOTALL)[1]
        return zlib.decompress(base64.a85decode(b"<~" + raw.strip(), adobe=True)).decode("latin-1")

    def _element(self, number: int, up: int) -> tuple:
        """(kind, parts), each part an element or a mark's place; a part names its parent."""
        told = self.objects[number]
        assert self.refs(re.search(rb"/P (\d+ 0 R)", told)[1]) == [up]
        parts: list = []
        inside = re.search(rb"/K \[(.*)\]", told, re.DOTALL)[1]
        for mark, page, ref in re.findall(
            rb"<<\s*/MCID (\d+) /Pg (\d+) 0 R.*?>>|(\d+) 0 R", inside, re.DOTALL
        ):
            if ref:
                parts.append(self._element(int(ref), number))
            else:
                self.marks[self.pages.index(int(page)), int(mark)] = number
        return re.search(rb"/S /(\w+)", told)[1].decode(), tuple(parts)

    def kind_at(self, place: tuple[int, int]) -> str:
        return re.search(rb"/S /(\w+)", self.objects[self.marks[place]])[1].decode()


def every_drawing_is_marked(read: Read) -> None:
    """Each mark is in the tree once, the parents' list agrees, and no text stands outside."""
    drawn = {
        (page, int(mark))
        for page, code in enumerate(read.drawn)
        for mark in re.findall(r"/MCID (\d+)", code)
    }
    assert drawn == set(read.marks)
    nums = re.search(rb"/ParentTree <<\s*/Nums \[(.*?)\]\s*>>", read.objects[read.root], re.DOTALL)
    lists = re.findall(rb"\d+ \[(.*?)\]", nums[1] + b"]", re.DOTALL)
    parents = {
        (page, mark): number
        for page, refs in enumerate(lists)
        for mark, number in enumerate(read.refs(refs))
    }
    assert parents == read.marks
    for code in read.drawn:
        outside = re.sub(r"/\w+ (?:<<.*?>> BDC|BMC).*?EMC", "", code, flags=re.DOTALL)
        assert not re.search(r"\bT[jJ]\b|\bDo\b|\bS\b", outside)


def test_a_pdf_says_language_title_date_and_what_each_part_is():
    board = b.BoardView(chess.Board(), None, Side.WHITE, "Stilling", ("Hvid: Åse",), "K")
    facts = b.FactList((("Gruppe", "K-26-01"),))
    read = pdf(b.Heading("Grupper"), facts, b.Bullets(("Et", "To")), grid(2), board)
    assert b"/Lang (da)" in read.catalog
    assert any(b"/DisplayDocTitle true" in one for one in read.objects.values())
    assert any(b"/Marked true" in one for one in read.objects.values())
    assert b"/CreationDate (D:20260329000000+00'00')" in read.info
    assert any(b"/Alt (Stilling; Hvid: " in one for one in read.objects.values())
    assert read.tree == (
        "Document",
        (
            ("H1", ()),
            ("H2", ()),
            ("Table", (("TR", (("TH", ()), ("TD", ()))),)),
            ("L", (("LI", (("LBody", ()),)),) * 2),
            ("H3", ()),
            (
                "Table",
                (("TR", (("TH", ()),) * 3), *(("TR", (("TH", ()),) * 2 + (("TD", ()),)),) * 2),
            ),
            ("P", ()),
            ("Figure", ()),
            ("P", ()),
            ("P", ()),
        ),
    )
    every_drawing_is_marked(read)


def test_a_long_table_is_one_table_and_its_repeated_head_is_not_read_again():
    read = pdf(grid(120))
    assert len(read.pages) == 3
    assert [kind for kind, _ in read.tree[1]] == ["H1", "H3", "Table", "P"]
    assert len(read.marks) == 1 + 1 + 121 * 3 + 1
    every_drawing_is_marked(read)


def test_no_heading_stands_alone_at_a_pages_foot():
    for before in range(24, 46, 2):
        filling = ["Linje"] * before
        long = " ".join(NAMES) * 40
        for after in (grid(5), grid(60), long, b.Bullets(("Et", "To"))):
            read = pdf(*filling, b.Heading("Grupper"), b.Heading("Finale", 3), after)
            for page in range(len(read.pages)):
                foot = max(place for place in read.marks if place[0] == page)
                assert not read.kind_at(foot).startswith("H"), (before, after)


def test_an_arabic_name_is_drawn_joined_from_right_to_left_and_read_out_as_written():
    """Once it was left blank. Unicode's own table says what the shapes stand for."""
    name = "صلاح العلي"
    drawn = as_drawn(name)
    assert drawn != name and not re.search("[\u0620-\u064a]", drawn)
    assert unicodedata.normalize("NFKC", drawn[::-1]) == name
    assert "\ufefc" in drawn  # lam and alef are one shape, here joined to the letter before
    # A vowel sign takes no width, and is drawn over what follows it from left to right: its letter.
    assert as_drawn("محمّد") == "\ufeaa\u0651\ufee4\ufea4\ufee3"
    assert as_drawn("عبد الله") == "\ufeea\ufee0\ufedf\ufe8d\u00a0\ufeaa\ufe92\ufecb"
    read = pdf(b.Grid("", ("Nr.", "Navn"), (("1.", name), ("2.", NAMES[1])), heads=2))
    assert sum(b"/ActualText" in one for one in read.objects.values()) == 1
    assert any(b"DejaVuSansCondensed" in one for one in read.objects.values())
    every_drawing_is_marked(read)
