"""Our FEN is python-chess's on random games and odd positions."""

import random

import chess
import pytest

from kskak.board.positions import fen
from tests.fakes.machinery.each import each

ODD = [
    "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 12 99",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/8/KPp4r/8/8/8/7k w - c6 0 1",
]


def _boards(seed: int):
    rng, board = random.Random(seed), chess.Board()
    while not board.is_game_over() and board.ply() < 200:
        yield board
        board.push(rng.choice(list(board.legal_moves)))
    yield board


@each("seed", range(8))
def test_random_games_are_written_as_python_chess_does(seed):
    for board in _boards(seed):
        assert fen(board) == board.fen()


@pytest.mark.parametrize("text", ODD)
def test_odd_positions_are_written_as_python_chess_does(text):
    board = chess.Board(text)
    assert fen(board) == board.fen()
