"""The opening of a game: its last position that is named in a table of openings.

By position, not by moves, so that transpositions come out the same (FIDE 9.2 says which positions
are). The table is passed in as text. Not for reading its file (server/usecases/openings) nor for
the words around a name.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice

import chess

from kskak.board.moves import position_key

MOST_PLIES = 40
"""How far into a game to look: later, named positions are reached only by losing tempi."""
_FIELDS = 4
NO_LINE = "-"
"""In place of moves: the name belongs to a whole code, not to a position."""


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening: its ECO code and its names; ``english`` is what PGN has."""

    code: str
    danish: str
    english: str

    def name(self, column: str) -> str:
        """The name in a column of the table, ``danish`` or ``english``: which, a language says."""
        return self.danish if column == "danish" else self.english


@dataclass(frozen=True, slots=True)
class OpeningTable:
    """The named positions by their keys (kskak.board.moves); ``version`` changes with any of them.

    ``heads``: for each code its first line, which names the code as a whole.
    """

    by_key: Mapping[str, Opening]
    version: str
    heads: Mapping[str, Opening]

    def at(self, board: chess.Board) -> Opening | None:
        """The opening named for exactly this position, if any."""
        return self.by_key.get(position_key(board))


class BadTable(ValueError):
    """A line of the table that can't be used."""


def table_of(lines: Iterable[str]) -> OpeningTable:
    """The table in a text: code, Danish name, English name and moves in SAN, separated by tabs.

    ``-`` for the moves names a code as a whole. Empty lines and those that begin with # are
    skipped. Raises BadTable.
    """
    found: dict[str, Opening] = {}
    boards: dict[tuple[str, ...], chess.Board] = {(): chess.Board()}
    heads: dict[str, Opening] = {}
    seen = blake2b(digest_size=8)
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.rstrip("\n").split("\t")
        if len(fields) != _FIELDS:
            raise BadTable(f"line {number}: {len(fields)} fields, not {_FIELDS}")
        code, danish, english, moves = fields
        if moves == NO_LINE:
            heads[code] = Opening(code, danish, english)
            continue
        try:
            board = _played(boards, tuple(moves.split()))
        except ValueError as error:
            raise BadTable(f"line {number}: {error}") from error
        named = Opening(code, danish, english)
        if found.setdefault(position_key(board), named) is not named:
            raise BadTable(f"line {number}: the position has a name already")
        heads.setdefault(code, named)
        seen.update(line.encode())
    return OpeningTable(found, seen.hexdigest(), heads)


def _played(boards: dict[tuple[str, ...], chess.Board], moves: tuple[str, ...]) -> chess.Board:
    """The position after some moves; prefixes that lines share are played only once."""
    known = boards.get(moves)
    if known is not None:
        return known
    board = _played(boards, moves[:-1]).copy(stack=False)
    board.push_san(moves[-1])
    boards[moves] = board
    return board


def classify(table: OpeningTable, fen: str | None, moves: Iterable[chess.Move]) -> Opening | None:
    """The opening of a game; None if it leaves the named positions at once or has no moves.

    The moves must be legal from the start position or ``fen``.
    """
    last = deque(_named(table, fen, moves), maxlen=1)
    return last[0][1] if last else None


def named_plies(table: OpeningTable, fen: str | None, moves: Iterable[chess.Move]) -> Iterator[int]:
    """After how many plies, from 1, the game stood in a named position; moves as above."""
    return (ply for ply, _ in _named(table, fen, moves) if ply)


def _named(
    table: OpeningTable, fen: str | None, moves: Iterable[chess.Move]
) -> Iterator[tuple[int, Opening]]:
    """The named positions of a game, with the plies before them."""
    board = chess.Board() if fen is None else chess.Board(fen)
    for ply, move in enumerate((None, *islice(moves, MOST_PLIES))):
        if move is not None:
            board.push(move)
        if (found := table.at(board)) is not None:
            yield ply, found
