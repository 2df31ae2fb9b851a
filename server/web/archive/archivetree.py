"""What was played in a position, for the archive's page: the moves named, shares and links.

Not for counting them (store/archive/positions.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import chess

from kskak.archive.past_game import unpacked
from mail.text.facts import MoveText, move_texts
from server.store.archive.positions import Branch, Branches
from server.web.archive.search_form import Query

_BYTES = 2


@dataclass(frozen=True, slots=True)
class Line:
    """A move of the tree; ``move`` None: the games ended here. ``link``: the position after it."""

    move: MoveText | None
    link: str
    branch: Branch


def lines(query: Query, board: chess.Board, found: Branches) -> tuple[Line, ...]:
    """The moves out of the position, the most played first."""
    return tuple(_lines(query, board, found))


def _lines(query: Query, board: chess.Board, found: Branches) -> Iterator[Line]:
    for branch in found.moves:
        if not branch.move:
            yield Line(None, "", branch)
            continue
        (move,) = unpacked(branch.move.to_bytes(_BYTES, "little"))
        if board.is_legal(move):  # two positions with one key would have other moves
            (text,) = move_texts(board, (move,))
            yield Line(text, query.after_move(board, move), branch)


def total(found: Branches) -> Branch:
    """All of it together: the position's own count and results."""
    names = ("games", "white", "draws", "black")
    return Branch(0, *(sum(getattr(one, name) for one in found.moves) for name in names))
