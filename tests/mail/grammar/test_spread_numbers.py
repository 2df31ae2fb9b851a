"""Moves in numbers with blanks, dots or a bare move number, as players write them (§ 6.2.2)."""

import pytest

from mail.grammar.keyword_lines import ParsedText, ProblemKind
from mail.grammar.read_text import read_text
from tests.fakes.machinery.each import each
from tests.mail.games import P4711, TODAY

SPREAD = (
    *("7 1 6 3", "7.1.6.3", "71.63", "71 63", "71 - 63", "7 1 - 6 3", "7 1  6 3", "7.1 6.3"),
    *("2 7163", "2 71 63", "2 71-63", "2. 7 1 6 3", "2.7.1.6.3", "2.71.63", "2. 71.63"),
    *("2) 71.63", "2 . 7163", "2 7 1 6 3", "Mit træk: 7 1 6 3", "71.63 :-)"),
)


def read(text: str) -> ParsedText:
    return read_text(text, P4711, today=TODAY)


@each("text", SPREAD)
def test_it_is_the_move(text: str) -> None:
    found = read(text)
    assert [move.uci() for move in found.moves] == ["g1f3"]
    assert found.problem is None and found.rest == ()


@each("text", ["12.11", "3.4.56", "1 2 3 4", "3 5254", "24.12", "12 34 56"])
def test_what_fits_no_move_costs_nothing(text: str) -> None:
    """A date, a score, a number of his own: perhaps our misreading."""
    found = read(text)
    assert found.moves == ()
    assert found.problem is not None and not found.problem.is_invalid


@pytest.mark.parametrize("text", ["7174", "2. 7174", "71-74", "2. 71-74"])
def test_a_plain_try_is_read_as_before(text: str) -> None:
    problem = read(text).problem
    assert problem is not None and problem.kind is ProblemKind.ILLEGAL


@pytest.mark.parametrize("text", ["Ring 12 34 56 78", "12 34 56 78", "12.11.2026", "15254", "7 1"])
def test_telephone_numbers_and_dates_are_no_move(text: str) -> None:
    assert read(text).moves == ()
    assert read(f"2. Nf3\n\n{text}").moves == read("2. Nf3").moves
