"""What the simulated players put on the board: lines that end on the board, and long ones.

Well-known opening moves, continued by random legal moves; and a few short games that end on the
board. Moves are facts; nothing else is taken from a source. Not for who wins (plans.py).
"""

from dataclasses import dataclass
from random import Random

import chess

from kskak.regulation.editions import Result

LONGEST = 110
"""Plies of a long line; a game that is played out uses half to nearly all of it."""
_LINES_EACH = 4
_OPENINGS = (
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O",
    "e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7",
    "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5",
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5",
    "Nf3 d5 g3 Nf6 Bg2 e6 O-O Be7",
)
_WHITE_MATES = (
    "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#",
    "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#",
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 "
    "Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",
)
_BLACK_MATES = (
    "e4 e5 Nf3 Nc6 Bc4 Nd4 Nxe5 Qg5 Nxf7 Qxg2 Rf1 Qxe4+ Be2 Nf3#",
    "f4 e5 g3 exf4 gxf4 Qh4#",
)
_STALEMATES = ("e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6",)
_SHUFFLE = "Nf3 Nf6 Ng1 Ng8"


@dataclass(frozen=True, slots=True)
class Pool:
    """The lines by use; ``endings`` by the result they lead to on the board."""

    long: tuple[tuple[chess.Move, ...], ...]
    endings: dict[Result, tuple[tuple[chess.Move, ...], ...]]
    shuffle: tuple[chess.Move, ...]
    """Four moves that repeat the position, again and again (FIDE 9.2, FIDE 9.6)."""


def make_pool(random: Random) -> Pool:
    """The lines of a simulation: each opening continued at random, several times."""
    long = [_carried_on(random, opening) for opening in _OPENINGS for _ in range(_LINES_EACH)]
    return Pool(
        long=tuple(long),
        endings={
            Result.WHITE_WINS: tuple(_read(text) for text in _WHITE_MATES),
            Result.BLACK_WINS: tuple(_read(text) for text in _BLACK_MATES),
            Result.DRAW: tuple(_read(text) for text in _STALEMATES),
        },
        shuffle=_read(_SHUFFLE) * 6,
    )


def _read(text: str) -> tuple[chess.Move, ...]:
    board = chess.Board()
    return tuple(board.push_san(word) for word in text.split())


def _carried_on(random: Random, opening: str) -> tuple[chess.Move, ...]:
    """An opening followed by random legal moves, none of which ends the game."""
    board = chess.Board()
    for move in _read(opening):
        board.push(move)
    while len(board.move_stack) < LONGEST:
        legal = sorted(board.legal_moves, key=str)
        while legal:
            board.push(legal.pop(random.randrange(len(legal))))
            if not board.is_game_over() and not board.is_repetition(2):
                break
            board.pop()
        else:
            return _carried_on(random, opening)
    return tuple(board.move_stack)
