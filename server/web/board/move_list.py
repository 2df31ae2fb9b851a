"""A game's moves as listed on a page, with dates and days. Not for the account itself."""

from collections.abc import Iterable
from dataclasses import dataclass

import chess

from kskak.play.account_log import Dates, Row
from kskak.regulation.quantities import Side
from kskak.statement.account import Account
from mail.text.facts import MoveText, move_texts
from server.memory import kept


@dataclass(frozen=True, slots=True)
class Ply:
    """One ply: the move in every notation, and its row of the account."""

    move: MoveText
    row: Row


@dataclass(frozen=True, slots=True)
class Step:
    """One ply of a score sheet; ``ply`` counts from 1. Archive games have no dates."""

    ply: int
    move: MoveText
    dates: Dates | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A full move: White's ply and Black's; either may be missing at the game's start or end."""

    number: int
    white: Step | None
    black: Step | None


def opening(account: Account) -> chess.Board:
    """The starting position of a game."""
    return chess.Board(account.terms.fen) if account.terms.fen else chess.Board()


def plies(account: Account) -> tuple[Ply, ...]:
    """All plies of a game, oldest first."""
    texts = texts_of(account.terms.fen, tuple(row.move for row in account.rows))
    return tuple(Ply(text, row) for text, row in zip(texts, account.rows, strict=True))


@kept(2 << 20, lambda fen, moves: 500 + 450 * len(moves))
def texts_of(fen: str | None, moves: tuple[chess.Move, ...]) -> tuple[MoveText, ...]:
    """The moves in every notation; cached, as pages and their readers ask for them repeatedly."""
    return move_texts(chess.Board(fen) if fen else chess.Board(), moves)


def steps(account: Account) -> tuple[Step, ...]:
    """The plies of a game for a score sheet."""
    return tuple(Step(ply, one.move, one.row.dates) for ply, one in enumerate(plies(account), 1))


def paired(listed: Iterable[Step]) -> tuple[Pair, ...]:
    """The score sheet, one full move per line."""
    lines: list[Pair] = []
    for step in listed:
        is_white = step.move.by is Side.WHITE
        if is_white or not lines:
            halves = (step, None) if is_white else (None, step)
            lines.append(Pair(step.move.number, *halves))
        else:
            lines[-1] = Pair(lines[-1].number, lines[-1].white, step)
    return tuple(lines)
