"""The table of openings that this server knows, read once from eco.tsv in this folder.

Not for how an opening is found (kskak.board.openings), nor for games of the archive (history).
"""

from functools import cache, lru_cache
from importlib.resources import files

import chess

from kskak.board.openings import MOST_PLIES, Opening, OpeningTable, classify, table_of
from kskak.statement.account import Account


@cache
def openings() -> OpeningTable:
    """The table; reading it takes less than a tenth of a second, once in a process."""
    text = (files("server.usecases.play") / "eco.tsv").read_text(encoding="utf-8")
    return table_of(text.splitlines())


def opening_of(told: Account) -> Opening | None:
    """The opening of a game on this server, from the moves so far; in less than a millisecond."""
    return _classified(told.terms.fen, tuple(row.move for row in told.rows[:MOST_PLIES]))


@lru_cache(maxsize=256)
def _classified(fen: str | None, moves: tuple[chess.Move, ...]) -> Opening | None:
    """Kept: a page is looked at more often than a move is made."""
    return classify(openings(), fen, moves)
