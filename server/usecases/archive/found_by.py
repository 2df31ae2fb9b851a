"""What a game of the archive is found by, from its moves and the server's table of openings.

Not for keeping it (store/archive/index.py).
"""

from functools import cache

from kskak.archive.past_index import index, number_of
from kskak.board.openings import Opening
from server.store.archive.index import Entry, Kept
from server.store.archive.reading import PastRow
from server.usecases.play.openings import openings


def entry_of(game: Kept) -> Entry:
    """The game with its positions and its opening; the same each time for one table."""
    found = index(openings(), game.fen, game.moves)
    opening = found.opening
    if opening is None:
        return Entry(game, found.keys, "", None)
    return Entry(game, found.keys, opening.code, keys_of()[opening])


@cache
def keys_of() -> dict[Opening, int]:
    """Each named position's key; one of them where several bear the same name and code."""
    return {opening: number_of(key) for key, opening in openings().by_key.items()}


@cache
def by_number() -> dict[int, Opening]:
    """The openings by what the database keeps of them."""
    return {number: opening for opening, number in keys_of().items()}


def opening_of(row: PastRow) -> Opening | None:
    """A game's opening by its moves; None for none, and before the game is indexed."""
    return None if row.opening is None else by_number().get(row.opening)
