"""Games to play in a benchmark: legal, long, and the same in every run.

Not for good chess: moves are drawn by a generator with a seed.
"""

import random
from dataclasses import dataclass
from datetime import date
from functools import cache

import chess

from kskak.board.positions import Position
from kskak.game.game_events import Event, MoveSent
from kskak.play.game_state import Terms
from kskak.regulation.editions import LAWS, Channel, Regulation, Side

LAWS_YEAR = 2018
_SEED = 6


@dataclass(frozen=True, slots=True)
class Line:
    """The moves of a game that is not yet over after them."""

    moves: tuple[chess.Move, ...]


@cache
def lines(count: int, plies: int) -> tuple[Line, ...]:
    """``count`` different games of ``plies`` plies."""
    draw = random.Random(_SEED)
    found: list[Line] = []
    while len(found) < count:
        moves = _play(draw, plies)
        if len(moves) == plies:
            found.append(Line(moves))
    return tuple(found)


def _play(draw: random.Random, plies: int) -> tuple[chess.Move, ...]:
    """A random game; shorter than asked if it ended on the board."""
    position = Position.start(None)
    moves: list[chess.Move] = []
    laws = LAWS[LAWS_YEAR]
    while len(moves) < plies:
        move = draw.choice(list(position.board.legal_moves))
        position = position.after(move)
        if position.ending(laws) is not None:
            break
        moves.append(move)
    return tuple(moves)


def terms(name: str, start: date) -> Terms:
    """The terms of a benchmark game."""
    return Terms(name, Regulation.EMAIL, start, "Hvid", "Sort", None, LAWS_YEAR)


def events(line: Line, start: date, plies: int) -> list[Event]:
    """The first plies of a line as events, all on one day."""
    return [
        MoveSent(
            by=Side.BLACK if index % 2 else Side.WHITE,
            plies=(move,),
            sent=start,
            channel=Channel.EMAIL,
        )
        for index, move in enumerate(line.moves[:plies])
    ]
