"""A mail's moves in small letters, capitals and figurines: the same grammar, never another move."""

import chess
import pytest

from mail.grammar.keyword_lines import ParsedText, ProblemKind, WriterPosition
from mail.grammar.read_text import read_text
from tests.fakes.machinery.each import each
from tests.mail.games import TODAY

START = WriterPosition(chess.Board(), my_turn=True)


def _after(*moves: str) -> WriterPosition:
    board = chess.Board()
    for move in moves:
        board.push_san(move)
    return WriterPosition(board.copy(stack=False), my_turn=True, ply=len(moves))


def read(text: str, position: WriterPosition = START) -> ParsedText:
    return read_text(text, position, today=TODAY)


@each("text", ["sf3", "1. sf3", "nf3", "♘f3", "1. ♘f3", "Mit træk: sf3", "Kære Bo\n\nsf3\n\nHej"])
def test_it_is_a_move_where_one_lawful_move_fits(text: str) -> None:
    found = read(text)
    assert [move.uci() for move in found.moves] == ["g1f3"]
    assert found.problem is None


def test_a_series_may_be_written_so() -> None:
    found = read("1. E4 0E5 2. sf3")
    assert [move.uci() for move in found.moves] == ["e2e4"]
    assert [move.uci() for move in found.proposes] == ["e7e5", "g1f3"]


@pytest.mark.parametrize("text", ["sf5", "H5", "dd8"])
def test_elsewhere_it_is_asked_about_and_no_illegal_move(text: str) -> None:
    """§ 6.8.6: nobody is charged for what no notation has."""
    found = read(text)
    assert found.moves == ()
    assert found.problem is not None and found.problem.kind is ProblemKind.NOT_UNDERSTOOD


def test_a_capture_that_no_pawn_can_make_is_asked_about_where_the_queen_can() -> None:
    found = read("dxe5", _after("e4", "e5", "a3", "a6"))
    assert found.problem is not None and found.problem.kind is ProblemKind.ILLEGAL, "no queen can"
    found = read("dxe5", _after("e4", "e5", "Qh5", "a6"))
    assert found.moves == ()
    assert found.problem is not None and found.problem.kind is ProblemKind.AMBIGUOUS
    assert [move.uci() for move in found.problem.candidates] == ["h5e5"]


@pytest.mark.parametrize("text", ["Trykt på A4 papir", "H4 og H5 er huse"])
def test_it_is_no_move_among_other_words(text: str) -> None:
    found = read(text)
    assert found.moves == ()
    assert found.problem is None
