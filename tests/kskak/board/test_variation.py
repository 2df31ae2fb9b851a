"""A thought line: read in any notation, and how the game went beside it."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.board.notation import Language, MoveError
from kskak.board.variation import Following, LineUnread, following, read_line

MOVES = tuple(chess.Move.from_uci(uci) for uci in ("e2e4", "e7e5", "g1f3", "b8c6", "d2d4"))
SPANISH = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1")
DANISH = (Language.DA, Language.NUMERIC)
some_moves = st.lists(st.sampled_from(MOVES), max_size=12)


@pytest.mark.parametrize(
    "text",
    [
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1",
        "1. e4 e5 2. Sf3! Sc6 3.Lb5 a6?! 4. 0-0",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O",
        "5254 5755 7163 2836 6125 1716 5171",
        "1. e4, e5; 2. Sf3 Sc6\n3. Lb5 a6\n4. 0-0",
    ],
)
def test_one_line_in_many_notations(text: str):
    read = read_line(chess.Board(), text, DANISH)
    assert isinstance(read, tuple)
    assert tuple(move.uci() for move in read) == SPANISH


def test_a_line_from_black_on_begins_after_the_dots():
    board = chess.Board()
    board.push_san("e4")
    read = read_line(board, "1… c5 2. Sf3 1... d6", DANISH)
    assert isinstance(read, tuple)
    assert [move.uci() for move in read] == ["c7c5", "g1f3", "d7d6"]


@pytest.mark.parametrize(
    ("text", "error", "after"),
    [
        ("e4 e5 Lb6", MoveError.ILLEGAL, 2),
        ("e4 måske", MoveError.NOT_UNDERSTOOD, 1),
        ("e4 d5 Sc3 d4 Sce2 e6 Sf3 a6 Sxd4", MoveError.AMBIGUOUS, 8),
    ],
)
def test_the_first_move_that_is_none_is_named_with_what_came_before(
    text: str, error: MoveError, after: int
):
    read = read_line(chess.Board(), text, DANISH)
    assert isinstance(read, LineUnread)
    assert (read.error, read.after) == (error, after)


@given(some_moves, some_moves, st.integers(0, 6))
def test_following_counts_the_common_beginning_and_nothing_else(line, played, start):
    """What it counts is the same in both; the next of each, if both have one, differs."""
    after = played[start:]
    found = following(start, line, played)
    assert line[: found.count] == after[: found.count]
    both = min(len(line), len(after))
    assert found.is_left == (found.count < both)
    if found.is_left:
        assert line[found.count] != after[found.count]


@given(some_moves, some_moves, st.integers(0, 6))
def test_a_game_that_goes_on_never_unfollows_and_never_comes_back(line, played, start):
    """A move more: the count stays or grows by one, and a line that was left stays left."""
    for end in range(start, len(played)):
        before, now = (following(start, line, played[:n]) for n in (end, end + 1))
        assert now.count - before.count in ((0,) if before.is_left else (0, 1))
        assert now.is_left or not before.is_left
        if now.count == before.count and not before.is_left and before.count < len(line):
            assert now.is_left


def test_a_line_that_the_game_has_not_reached_is_neither_followed_nor_left():
    assert following(3, MOVES, MOVES[:3]) == Following(0, False)
    assert following(9, MOVES, MOVES[:3]) == Following(0, False)
    assert following(0, (), MOVES) == Following(0, False)
