"""Our SAN is python-chess's for every lawful move of random games and of odd positions."""

import random

import chess

from kskak.board.positions import san
from tests.fakes.machinery.each import each

ODD = [
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 12 99",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 12 99",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "1n1n3k/P1P5/8/8/8/8/8/K7 w - - 0 1",
    "7k/8/8/Q1Q5/8/Q7/8/7K w - - 0 1",
    "4r2k/8/8/8/1N6/8/4N3/4K3 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
]


def _agrees_on_every_move(board: chess.Board) -> bool:
    for move in board.legal_moves:
        after = board.copy(stack=False)
        after.push(move)
        if san(board, move, after) != board.san(move):
            return False
    return True


@each("seed", range(6))
def test_random_games_are_named_as_python_chess_names_them(seed):
    rng, board = random.Random(seed), chess.Board()
    while not board.is_game_over() and board.ply() < 160:
        assert _agrees_on_every_move(board)
        board.push(rng.choice(list(board.legal_moves)))


@each("text", ODD)
def test_odd_positions_are_named_as_python_chess_names_them(text):
    assert _agrees_on_every_move(chess.Board(text))
