"""The table of openings that this server knows, read once from eco.tsv in this folder.

Not for how an opening is found (kskak.board.openings), nor for games of the archive (history).
"""

from functools import cache
from importlib.resources import files

from kskak.board.openings import Opening, OpeningTable, classify, table_of
from kskak.statement.account import Account


@cache
def openings() -> OpeningTable:
    """The table; reading it takes less than a tenth of a second, once in a process."""
    text = (files("server.usecases.play") / "eco.tsv").read_text(encoding="utf-8")
    return table_of(text.splitlines())


def opening_of(told: Account) -> Opening | None:
    """The opening of a game on this server, from the moves so far; in less than a millisecond."""
    return classify(openings(), told.terms.fen, (row.move for row in told.rows))
