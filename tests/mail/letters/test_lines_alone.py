"""No line of our letters reads as a move or a command by itself, if it comes back without marks."""

import re
from datetime import date

import pytest

from mail.compose import write
from mail.grammar.keywords import read_keyword
from mail.grammar.move_lines import read_move_line
from mail.outgoing.rendering import as_text
from mail.samples.cast import ENVELOPE
from mail.text.languages import LANGUAGES
from mail.text.words import Words
from tests.mail.letters.test_every_letter import ALL

TODAY = date(2026, 12, 1)


def _is_read(line: str) -> bool:
    return read_keyword(line, TODAY) is not None or read_move_line(line) is not None


def _cut(line: str, width: int) -> list[str]:
    """A line as a mail program wraps it when it quotes."""
    lines = [""]
    for word in line.split(" "):
        whole = f"{lines[-1]} {word}" if lines[-1] else word
        lines[-1:] = [lines[-1], word] if lines[-1] and len(whole) > width else [whole]
    return lines


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_line_as_we_send_it_is_a_move_or_a_command(lang):
    """Such as `h2`, `help.` and `1. e4 e5 2. Sf3`, each of which stood alone."""
    words = Words.load(lang)
    for name, letter in ALL.items():
        lines = as_text(write(letter, words, ENVELOPE), lang).split("\n")
        assert [line for line in lines if _is_read(line)] == [], name


@pytest.mark.parametrize("width", [60, 66, 72])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_cut_line_is_squares_or_moves_already_played(lang, width):
    """The list of pieces and the game's moves; what a wrap leaves of a sentence may be a move."""
    words = Words.load(lang)
    for name, letter in ALL.items():
        for line in as_text(write(letter, words, ENVELOPE), lang).split("\n"):
            for part in _cut(line, width):
                is_of_lists = line.startswith("| ") or re.search(r"[a-h][1-8],", part)
                assert not (is_of_lists and _is_read(part)), (name, part)
