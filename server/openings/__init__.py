"""The table of openings that this server knows, read once from the file beside (eco.tsv).

Not for what an opening of a game is (kskak.openings).
"""

from functools import cache
from importlib.resources import files

from kskak.openings import OpeningTable, table_of


@cache
def openings() -> OpeningTable:
    """The table; reading it takes a tenth of a second, once in a process."""
    text = (files("server.openings") / "eco.tsv").read_text(encoding="utf-8")
    return table_of(text.splitlines())
