"""The third look of a letter: PDF; and tables in text and HTML."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import chess
import pytest

from kskak.regulation.editions import Side
from mail.compose import write
from mail.looks import design
from mail.outgoing import blocks as b
from mail.outgoing.blocks import as_html, as_text
from mail.outgoing.papers import draw_paper
from mail.outgoing.pdf import as_pdf
from mail.samples import NOTICES
from mail.text.catalogue import Words

WORDS = Words.load("da")
DAY = date(2026, 11, 25)
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


def letter(*blocks: b.Block) -> b.LetterContent:
    return b.LetterContent("Emne", blocks, ("Fod <x>",))


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
        b.LeadLine("<b>&amp;"),
        b.Heading("Grupper"),
        b.Heading("Del", 3),
        "To\nlinjer",
        b.DueLine("Frist"),
        b.SmallPrint("Småt"),
        b.Bullets(("Et", "To")),
        b.FactList((("Navn", "Å\nB"),)),
        b.FactList(()),
        b.Example((("e4", "træk"),)),
        b.FixedLines("a  b"),
        GRID,
        b.Quote("Citat"),
        b.LinkLine("Se", "https://example.org/?a=1&b=<2>"),
        b.AddressLine("Til", "a@example.org"),
        board,
    )
    first = as_pdf(written, "da", "Titel <1>", DAY)
    assert first.startswith(b"%PDF-") and first == as_pdf(written, "da", "Titel <1>", DAY)


@pytest.mark.parametrize("players", [2, 24])
def test_a_table_fits_the_page_however_many_and_long_the_names(players: int):
    """24 players with names of 120 characters: smaller letters, then folded names."""
    name = "Maximilian-Alexander " * 6
    head = ("Nr.", "Navn", *(str(n) for n in range(players)), "Point")
    rows = tuple((f"{n}.", name, *("½",) * players, "12½") for n in range(players))
    assert as_pdf(letter(b.Grid("", head, rows, heads=1)), "da", "T", DAY).startswith(b"%PDF-")


@pytest.mark.parametrize("lang", ["da", "en"])
def test_the_start_letter_has_what_6_5_2_1_names_on_paper_too(lang: str):
    """§ 6.5.2.1: group, start, numbers, names, addresses, colours, the regulation."""
    words = Words.load(lang)
    start = START
    text = as_text(start.on_paper(words), lang)
    for entrant in start.players:
        assert entrant.person.name in text
        assert (entrant.person.email or "") in text
    assert start.group.name in text
    assert words("letters.start.plan") in text and "1–2" in text
    assert words("letters.start.lots", seed="7f") in " ".join(text.split())
    assert as_pdf(start.on_paper(words), lang, "S", DAY).startswith(b"%PDF-")


def test_the_mailed_start_letter_leads_to_its_pdf(envelope):
    text = as_text(write(START, WORDS, envelope), "da")
    assert "https://skak.example.org/groups/K-26-01/start.pdf" in text


@contextmanager
def own_looks(folder: Path) -> Iterator[None]:
    (folder / design.SHEET).write_text(":root { --name: 'Hold-Skak' }")
    design.use(folder)
    try:
        yield
    finally:
        design.use(None)


def test_a_paper_is_drawn_elsewhere_and_the_same_with_the_sites_own_looks(tmp_path: Path):
    board = b.BoardView(chess.Board(), None, Side.BLACK, "Stilling", ("Hvid: a", "Sort: b"), "K")
    told = letter("Łukasz <b> «æøå»", board, GRID)
    usual = draw_paper("letter", told, "da", "Emne", DAY)
    assert usual == as_pdf(told, "da", "Emne", DAY)
    with own_looks(tmp_path):
        own = draw_paper("letter", told, "da", "Emne", DAY)
        assert own == as_pdf(told, "da", "Emne", DAY)
    assert own != usual
    assert usual == draw_paper("letter", told, "da", "Emne", DAY)


def test_what_cant_be_drawn_is_an_error_here_and_the_next_is_drawn():
    with pytest.raises(subprocess.CalledProcessError):
        draw_paper("letter", "no letter", "da", "Emne", DAY)
    with pytest.raises(subprocess.CalledProcessError):
        draw_paper("poster")
    assert draw_paper("letter", letter(), "da", "Emne", DAY).startswith(b"%PDF")


def test_a_process_that_has_a_paper_drawn_does_not_load_what_draws():
    program = (
        "import sys; from datetime import date; from mail.outgoing.papers import draw_paper;"
        "from mail.outgoing.blocks import LetterContent;"
        "made = draw_paper('letter', LetterContent('a', (), ()), 'da', 'a', date(2026, 11, 25));"
        "print(made[:4], 'reportlab' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert told.stdout.split() == [b"b'%PDF'", b"False"]
