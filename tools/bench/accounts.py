"""The account of a game beside python-chess replaying its moves with the rules of chess alone.

Not for the database: both work in memory.
"""

from datetime import date
from time import perf_counter

import chess

from kskak.game.game_events import Event
from kskak.play.game_state import Terms
from kskak.statement.account import account
from tools.bench.figures import Figure, Goal, Report, Spread
from tools.bench.lines import Line, events, lines, terms

ACCOUNT_GOAL = Goal(40.0, is_floor=False)
LENGTHS = (80, 200)
_LINES = 4


def measure_accounts(today: date, rounds: int, repeats: int, report: Report) -> None:
    """The cost per ply for games of 80 and of 200 plies."""
    for plies in LENGTHS:
        report.figures.append(_measure(plies, today, rounds, repeats))


def _measure(plies: int, today: date, rounds: int, repeats: int) -> Figure:
    some, game = lines(_LINES, plies), terms("B-26/1", today)
    histories = [events(line, today, plies) for line in some]
    ours: list[float] = []
    bare: list[float] = []
    for index in range(rounds + 1):
        own = bare_seconds = 0.0
        for _ in range(repeats):
            for line, history in zip(some, histories, strict=True):
                bare_seconds += _replayed(line)
                own += _accounted(game, history)
        if index:
            each = 1_000_000 / (repeats * len(some) * plies)
            ours.append(own * each)
            bare.append(bare_seconds * each)
    return Figure(
        name=f"the account of a game of {plies} plies",
        unit="µs a ply",
        ours=Spread.of(ours),
        ceiling_name="python-chess replay",
        ceiling=Spread.of(bare),
        verdict_name="more",
        verdict=Spread.of([a - b for a, b in zip(ours, bare, strict=True)]),
        goal=ACCOUNT_GOAL,
    )


def _replayed(line: Line) -> float:
    begun = perf_counter()
    board = chess.Board()
    for move in line.moves:
        if not board.is_legal(move):
            raise ValueError(move.uci())
        board.push(move)
    return perf_counter() - begun


def _accounted(game: Terms, history: list[Event]) -> float:
    begun = perf_counter()
    account(game, history)
    return perf_counter() - begun
