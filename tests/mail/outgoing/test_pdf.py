"""The third look of a letter: PDF; and tables in text and HTML."""

import re
from dataclasses import replace
from datetime import date

import chess
import pytest

from kskak.regulation.quantities import Side
from mail.compose import write
from mail.office_letters.start import start_page
from mail.outgoing import blocks as b
from mail.outgoing.pdf import as_pdf
from mail.outgoing.rendering import as_html, as_text
from mail.samples.every import NOTICES
from mail.text.words import Words

WORDS = Words.load("da")
_START = NOTICES["start"]
START = replace(
    _START,
    group=replace(_START.group, seed="7f", url="https://skak.example.org/groups/K-26-01"),
    rounds=((1, ((1, 2),)), (2, ((2, 3),)), (3, ((3, 1),))),
)
GRID = b.Grid(
    "Krydstabel <1>",
    ("Nr.", "Navn", "1", "Point"),
    (("1.", "Anna & Ager", "×", "10½"), ("2.", "Łukasz Ćwik", "0", "3")),
    heads=1,
    figures=frozenset({3}),
)


DATED = (date(2026, 11, 25), "25. november 2026")


def elements(pdf: bytes) -> list[tuple[str, list[int]]]:
    """Each element of the tree that is drawn: its role, and the objects of its pages."""
    found = []
    for body in re.findall(rb"\d+ 0 obj\n(.*?)endobj", pdf, re.DOTALL):
        if b"/StructElem" in body and (pages := re.findall(rb"/Pg (\d+) 0 R", body)):
            role = re.search(rb"/S /(\w+)", body)
            assert role is not None
            found.append((role[1].decode(), [int(page) for page in pages]))
    return found


def letter(*blocks: b.Block) -> b.Written:
    return b.Written("Emne", "Emne", blocks, ("Fod <x>",))


def test_figures_end_under_each_other_in_text():
    assert as_text(letter(GRID), "da").split("\n\n")[1].split("\n") == [
        "Nr.  Navn         1  Point",
        "1.   Anna & Ager  ×    10½",
        "2.   Łukasz Ćwik  0      3",
    ]


def test_a_wide_table_stands_closer_in_text():
    head = ("Nr.", "Navn", *(str(n) for n in range(1, 13)), "Point")
    row = ("1.", "Anna Ager-Andersen", "×", *("½",) * 11, "5½")
    wide = as_text(letter(b.Grid("", head, (row,), heads=1)), "da").split("\n")
    assert max(len(line) for line in wide[:2]) <= 74


def test_a_table_is_a_table_with_caption_and_heads_in_html_and_nothing_in_it_is_markup():
    html = as_html(letter(GRID), "da", None)
    assert "<caption>Krydstabel &lt;1&gt;</caption>" in html
    assert html.count('scope="col"') == 4 and html.count('scope="row"') == 2
    assert '<th scope="row">Anna &amp; Ager</th>' in html
    assert '<td class="figure">10½</td>' in html


def test_every_block_prints_and_the_same_letter_gives_the_same_octets():
    board = b.BoardView(chess.Board(), None, Side.WHITE, "Stilling", ("Hvid: a", "Sort: b"), "K")
    written = letter(
        b.Lead("<b>&amp;"),
        b.Heading("Grupper"),
        b.Heading("Del", 3),
        b.Para("To\nlinjer"),
        b.Due("Frist"),
        b.Small("Småt"),
        b.Bullets(("Et", "To")),
        b.Facts((("Navn", "Å\nB"),)),
        b.Facts(()),
        b.Example((("e4", "træk"),)),
        b.Fixed("a  b"),
        GRID,
        b.Quote("Citat"),
        b.Link("Se", "https://example.org/?a=1&b=<2>"),
        b.Mailbox("Til", "a@example.org"),
        board,
    )
    first = as_pdf(written, "da", "Titel <1>", DATED)
    assert first.startswith(b"%PDF-") and first == as_pdf(written, "da", "Titel <1>", DATED)
    roles = re.findall(rb"/S /(\w+)", first)
    for role in (b"Document", b"H1", b"H2", b"H3", b"L", b"LI", b"Table", b"TH", b"TD", b"Figure"):
        assert role in roles


@pytest.mark.parametrize("players", [2, 24])
def test_a_table_fits_the_page_however_many_and_long_the_names(players: int):
    """24 players with names of 120 characters: smaller letters, then folded names."""
    name = "Maximilian-Alexander " * 6
    head = ("Nr.", "Navn", *(str(n) for n in range(players)), "Point")
    rows = tuple((f"{n}.", name, *("½",) * players, "12½") for n in range(players))
    assert as_pdf(letter(b.Grid("", head, rows, heads=1)), "da", "T", DATED).startswith(b"%PDF-")


@pytest.mark.parametrize("lang", ["da", "en"])
def test_the_start_letter_has_what_6_5_2_1_names_on_paper_too(lang: str):
    """§ 6.5.2.1: group, start, numbers, names, addresses, colours, the regulation."""
    words = Words.load(lang)
    start = START
    text = as_text(start_page(start, words), lang)
    for entrant in start.players:
        assert entrant.person.name in text
        assert (entrant.person.email or "") in text
    assert start.group.name in text
    assert words("letters.start.plan") in text and "1–2" in text
    assert words("letters.start.lots", seed="7f") in " ".join(text.split())
    assert as_pdf(start_page(start, words), lang, "S", DATED).startswith(b"%PDF-")


def test_the_mailed_start_letter_leads_to_its_pdf(envelope):
    text = as_text(write(START, WORDS, envelope), "da")
    assert "https://skak.example.org/groups/K-26-01/start.pdf" in text


def test_a_pdf_is_tagged_dated_and_says_its_language_and_title():
    pdf = as_pdf(letter(b.Para("a")), "en", "A title", DATED)
    for told in (b"/Marked true", b"/Lang (en)", b"/DisplayDocTitle true", b"D:20261125000000"):
        assert told in pdf, told


@pytest.mark.parametrize("lines", range(28, 40))
def test_no_heading_is_left_at_a_pages_foot_and_a_tables_head_is_read_once(lines: int):
    rows = tuple((f"{n}.", "Małgorzata Wiśniewska-Dąbrowska", "0") for n in range(60))
    long = b.Grid("Lang", GRID.head[:3], rows, heads=1)
    written = letter(*[b.Para("Linje")] * lines, b.Heading("Afsnit"), long, b.Para("x " * 5000))
    found = elements(as_pdf(written, "da", "T", DATED))
    roles = [role for role, _ in found]
    for heading in ("H2", "H3"):
        place = roles.index(heading)
        assert found[place][1] == found[place + 1][1][:1], "it stands where what it heads begins"
    assert [len(pages) for role, pages in found if role == "TH"] == [1] * (3 + 60)
    assert max(len(pages) for role, pages in found if role == "P") > 1, "one paragraph, two pages"
