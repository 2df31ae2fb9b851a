"""No line of our letters reads as a move or a command by itself, if it comes back without marks."""

import re
import textwrap
from datetime import date
from functools import cache

import pytest

from mail.grammar.keyword_lines import read_keyword
from mail.grammar.move_lines import read_move_line
from mail.incoming.parse_mail import letter_texts
from mail.text.catalogue import LANGUAGES
from tests.fakes.machinery.draws import turns
from tests.mail.letters.test_every_letter import ALL, written

TODAY = date(2026, 12, 1)
FILLED = {
    *("7163", "c7, d7, e7, f7, g7, h7", "c7, d7, e5, f7, g7, h7", "c7, d7, e7, f6, g5, h7"),
    *("d7, e7, f7, g7, h7", "d7, e5, f7, g7, h7", "d7, e7, f6, g5, h7"),
    *("e7, f7, g7, h7", "e5, f7, g7, h7", "e7, f6, g5, h7", "f7, g7, h7", "f6, g5, h7"),
    *("g7, h7", "g5, h7"),
}
"""What is left alone where whole paragraphs are filled anew: ends of the list of pieces and of the
game's record. Asked about, never charged: tests/scenarios/mail/test_foreign_folds.py."""
HARMLESS = {"remistilbud.", "remianbud.", "mejl."}
"""An offer that goes with a move alone, and the wish to have moves by mail."""


@cache
def _is_read(line: str) -> bool:
    return read_keyword(line, TODAY) is not None or read_move_line(line) is not None


@cache
def _letters(lang: str) -> list[tuple[str, ...]]:
    """(name, text, the HTML's words) of every letter, as readers' programs show them."""
    return [(name, *letter_texts(written(name, lang).as_bytes())) for name in ALL]


def _cuts(line: str, width: int) -> list[str]:
    """The lines that mail programs make of one: its indent kept, or counted only while it lasts."""
    return textwrap.wrap(line, width) + textwrap.wrap(line.strip(), width)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_line_as_we_send_it_is_a_move_or_a_command(lang):
    """Such as `h2`, `help.` and `1. e4 e5 2. Sf3`, each of which stood alone."""
    for name, text, _ in _letters(lang):
        assert [line for line in text.split("\n") if _is_read(line)] == [], name


@pytest.mark.thinned
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nor_is_what_a_cut_leaves_of_a_line(lang):
    """Such as `(Lb5)`, `6125 1716` and `ja.`, the ends of sentences."""
    for width in turns((60, 64, 66, 68, 72), LANGUAGES.index(lang), 2):
        for name, *texts in _letters(lang):
            for line in "\n".join(texts).split("\n"):
                parts = [part for part in _cuts(line, width) if part.strip() != line.strip()]
                assert not any(map(_is_read, parts)), (name, width, parts)


@pytest.mark.parametrize("width", [60, 72])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_paragraphs_filled_anew_leave_what_is_known_alone(lang, width):
    left = {
        part
        for _, *texts in _letters(lang)
        for paragraph in "\n\n".join(texts).split("\n\n")
        for whole in (" ".join(paragraph.split()),)
        for part in textwrap.wrap(whole, width)
        if part != whole and _is_read(part)
    }
    assert left <= FILLED


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_ends_in_a_word_of_command(lang):
    for name, *texts in _letters(lang):
        for paragraph in "\n\n".join(texts).split("\n\n"):
            ends = re.findall(r"\s([^\W\d]+[.!])(?=\s|$)", paragraph)
            said = {end for end in ends if read_keyword(end, TODAY)} - HARMLESS
            assert said <= ({"no."} if lang == "en" else set()), (name, said)
