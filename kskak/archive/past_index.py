"""What a finished game can be found by: the positions that occurred in it, and its opening.

A position is the 64 bits of its key, which fit a database integer. The chance that any two of
eight million positions share a key is about 2 in a million, so a key stands for its position.
Not for storage or queries (server/store/archive/index.py).
"""

from dataclasses import dataclass

import chess

from kskak.archive.past_game import unpacked
from kskak.board.moves import position_key
from kskak.board.openings import MOST_PLIES, Opening, OpeningTable

INDEXED_PLIES = MOST_PLIES
"""A game's positions are indexed up to here: later ones hardly ever occur in two games, and twice
as many rows would take twice the space."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """The keys of the positions, including the one before the first move, and the opening."""

    keys: tuple[int, ...]
    opening: Opening | None


def number_of(key: str) -> int:
    """A position's key as a signed integer of 64 bits."""
    return int.from_bytes(bytes.fromhex(key), "big", signed=True)


def key_of(board: chess.Board) -> int:
    """A position's key: the same for what FIDE 9.2 calls the same position."""
    return number_of(position_key(board))


def index(table: OpeningTable, fen: str | None, moves: bytes) -> Indexed:
    """Index a game in one pass over its packed moves (kskak.archive.past_game)."""
    board = chess.Board() if fen is None else chess.Board(fen)
    key = position_key(board)
    keys, opening = [number_of(key)], table.by_key.get(key)
    for move in unpacked(moves[: 2 * INDEXED_PLIES]):
        board.push(move)
        key = position_key(board)
        keys.append(number_of(key))
        opening = table.by_key.get(key) or opening
    return Indexed(tuple(keys), opening)
