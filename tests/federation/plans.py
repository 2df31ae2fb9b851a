"""How a game will go: its line, and how it ends, given the players' strength.

The engine knows nothing of this: the end comes by resignation, agreement, claim or on the board,
and time, silence or withdrawal may come first. Not for days (playing.py).
"""

from dataclasses import dataclass
from enum import StrEnum
from random import Random

import chess

from kskak.regulation.editions import Result, Side
from tests.federation.lines import LONGEST, Pool


class End(StrEnum):
    """How a game is to end."""

    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    BOARD = "board"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The moves, and the ply from which the end is due; ``loser`` None is a draw."""

    moves: tuple[chess.Move, ...]
    end: End
    at: int
    loser: Side | None


_ADVANTAGE = 25
"""Rating points that White's first move is worth."""
_DRAWN = 0.5
"""Share of draws between players of equal strength."""
_ON_BOARD, _BY_CLAIM, _PLAYED_OUT = 0.06, 0.05, 0.12
_CLAIM_PLY, _FIVEFOLD_PLY = 7, 16


def likely_result(random: Random, white: int, black: int) -> Result:
    """A result by strength: the better player wins more often, as ratings predict (§ 4.5.7)."""
    expected = 1 / (1 + 10 ** (-(white + _ADVANTAGE - black) / 400))
    drawn = 2 * _DRAWN * min(expected, 1 - expected)
    chance = random.random()
    if chance < drawn:
        return Result.DRAW
    return Result.WHITE_WINS if chance < drawn / 2 + expected else Result.BLACK_WINS


def make_plan(
    random: Random, pool: Pool, white: int, black: int, longest: int = LONGEST
) -> GamePlan:
    """A game between two strengths; ``longest``: the ply beyond which nobody plays on."""
    result = likely_result(random, white, black)
    loser = {Result.WHITE_WINS: Side.BLACK, Result.BLACK_WINS: Side.WHITE}.get(result)
    chance = random.random()
    if chance < _ON_BOARD:
        line = random.choice(pool.endings[result])
        return GamePlan(line, End.BOARD, len(line), loser)
    if loser is None and chance < _ON_BOARD + _BY_CLAIM:
        # Some do not claim, and the game ends by itself at the fifth repetition (FIDE 9.6).
        is_claimed = random.random() < 0.7
        end, at = (End.CLAIM, _CLAIM_PLY) if is_claimed else (End.BOARD, _FIVEFOLD_PLY)
        return GamePlan(pool.shuffle, end, at, None)
    line = random.choice(pool.long)
    is_played_out = random.random() < _PLAYED_OUT
    at = random.randint(12, 34)
    if is_played_out:
        at = random.randint(longest // 2, longest - 8)
    return GamePlan(line, End.AGREEMENT if loser is None else End.RESIGNATION, at, loser)
