"""Which positions of a game are shown on its sheet: at most four, chosen without an engine.

The end of the game always; the beginning of one that did not begin as chess does. Then of each
kind its strongest position that is at least two moves away from those chosen before it: where the
material changes most, the move that was thought about longest, the last position of a named
opening. Not for how good a move was: nobody asks that here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import chess

from kskak.board.openings import OpeningTable, named_plies
from kskak.statement.account import Account

APART = 4
"""Plies between two positions that are both worth a diagram."""
_WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


class Why(StrEnum):
    """What a position is shown for; all but ``OPENING`` and ``FINAL`` are seen before the move."""

    START = "start"
    OPENING = "opening"
    MATERIAL = "material"
    THOUGHT = "thought"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class Point:
    """The position after ``ply`` plies, and what it is shown for."""

    ply: int
    why: Why


def turning_points(told: Account, table: OpeningTable) -> tuple[Point, ...]:
    """The positions to show, in the order of the game; a game without moves has its last alone."""
    fen, moves = told.terms.fen, [row.move for row in told.rows]
    chosen = [Point(len(moves), Why.FINAL)]
    kinds = (
        (Why.START, [] if fen is None else [0]),
        (Why.MATERIAL, _by_material(fen, moves)),
        (Why.THOUGHT, _by_thought(told)),
        (Why.OPENING, list(named_plies(table, fen, moves))[-1:]),
    )
    for why, plies in kinds:
        free = (at for at in plies if all(abs(at - one.ply) >= APART for one in chosen))
        chosen += [Point(at, why) for at in free][:1]
    return tuple(sorted(chosen, key=lambda one: one.ply))


def _by_thought(told: Account) -> list[int]:
    """The positions before the moves that took more than a move's share of days, longest first."""
    share = told.terms.rules.days_per_move
    took = [(-row.dates.days, row.ply - 1) for row in told.rows if row.dates.days > share]
    return [ply for _, ply in sorted(took)]


def _by_material(fen: str | None, moves: Sequence[chess.Move]) -> list[int]:
    """The positions before the captures that change the balance, the greatest change first.

    An exchange is one change: it lasts until a move neither takes nor promotes.
    """
    changes: list[tuple[int, int]] = []
    before: int | None = None
    begun = 0
    for ply, (balance, goes_on) in enumerate(_balances(fen, moves)):
        if goes_on:
            continue
        if before is not None and balance != before:
            changes.append((-abs(balance - before), begun))
        before, begun = balance, ply + 1
    return [ply for _, ply in sorted(changes)]


def _balances(fen: str | None, moves: Sequence[chess.Move]) -> Iterator[tuple[int, bool]]:
    """White's material less Black's from the start on, and whether the next move changes it."""
    board = chess.Board() if fen is None else chess.Board(fen)
    for move in moves:
        yield _balance(board), board.is_capture(move) or move.promotion is not None
        board.push(move)
    yield _balance(board), False


def _balance(board: chess.Board) -> int:
    return sum(
        worth * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
        for kind, worth in _WORTH.items()
    )
