"""Castling that was written without its dash: read where it is lawful, and never charged."""

import pytest

from mail.grammar.keyword_lines import ParsedText, ProblemKind
from mail.grammar.read_text import read_text
from tests.mail.games import P4711, P4712, TODAY


def read(text: str, position=P4712) -> ParsedText:
    return read_text(text, position, today=TODAY)


@pytest.mark.parametrize("text", ["OO", "5. OO", "5. OO!", "Mit træk: OO", "Kære Bo\n\nOO\n\nHej"])
def test_it_is_a_move_where_castling_is_lawful(text: str) -> None:
    found = read(text)
    assert [move.uci() for move in found.moves] == ["e1g1"]
    assert found.problem is None


@pytest.mark.parametrize(("text", "position"), [("OO", P4711), ("OOO", P4712)])
def test_elsewhere_it_is_asked_about_and_no_illegal_move(text: str, position) -> None:
    found = read(text, position)
    assert found.moves == ()
    assert found.problem is not None and found.problem.kind is ProblemKind.NOT_UNDERSTOOD


def test_the_0_of_a_series_stays_its_mark() -> None:
    """§ 6.2.5: 00 in a mail is no castling."""
    assert read("00").moves == read("000").moves == ()


@pytest.mark.parametrize("text", ["Vi ses i OO klubben", "OOOO", "FOO"])
def test_it_is_no_move_among_other_words(text: str) -> None:
    assert read(text).moves == ()
