"""The moves of a game as a page lists them, with dates and days. Not for the account itself."""

from dataclasses import dataclass
from functools import lru_cache

import chess

from kskak.log import Row
from kskak.printing import numeric
from kskak.quantities import Side
from kskak.statement import Account
from mail.facts import MoveText, move_texts


@dataclass(frozen=True, slots=True)
class Ply:
    """One ply: the move in every notation, and its row of the account."""

    move: MoveText
    row: Row


@dataclass(frozen=True, slots=True)
class Pair:
    """A full move: White's ply and Black's, either may be missing at an end of the game."""

    number: int
    white: Ply | None
    black: Ply | None


def plies(account: Account) -> tuple[Ply, ...]:
    """All plies of a game, oldest first."""
    texts = texts_of(account.terms.fen, tuple(row.move for row in account.rows))
    return tuple(Ply(text, row) for text, row in zip(texts, account.rows, strict=True))


@lru_cache(maxsize=256)
def texts_of(fen: str | None, moves: tuple[chess.Move, ...]) -> tuple[MoveText, ...]:
    """The moves in every notation: a page asks for them three times, its readers in turns."""
    return move_texts(chess.Board(fen) if fen else chess.Board(), moves)


def pairs(account: Account) -> tuple[Pair, ...]:
    """The score sheet, a line a full move."""
    lines: list[Pair] = []
    for ply in plies(account):
        if ply.row.by is Side.WHITE or not lines:
            white = ply if ply.row.by is Side.WHITE else None
            black = ply if ply.row.by is Side.BLACK else None
            lines.append(Pair(ply.row.number, white, black))
        else:
            lines[-1] = Pair(lines[-1].number, lines[-1].white, ply)
    return tuple(lines)


def board_before_last(account: Account) -> chess.Move | None:
    """The last move on the board, to be marked; None before the first."""
    return account.rows[-1].move if account.rows else None


def legal_moves(board: chess.Board) -> tuple[tuple[str, str, str], ...]:
    """Every lawful move as (uci, numeric, SAN): what a board in the browser may play."""
    return tuple((move.uci(), numeric(move), board.san(move)) for move in board.legal_moves)
