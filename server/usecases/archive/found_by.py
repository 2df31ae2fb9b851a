"""What an archive game can be found by, from its moves and the server's table of openings.

Not for storing it (store/archive/index.py).
"""

from functools import cache

from kskak.archive.past_index import index, number_of
from kskak.board.openings import Opening
from server.store.archive.index import Entry, Kept
from server.store.archive.reading import PastRow
from server.usecases.play.openings import openings


def entry_of(game: Kept) -> Entry:
    """The game with its positions and opening; always the same for the same table of openings."""
    found = index(openings(), game.fen, game.moves)
    opening = found.opening
    if opening is None:
        return Entry(game, found.keys, "", None)
    return Entry(game, found.keys, opening.code, keys_of()[opening])


@cache
def keys_of() -> dict[Opening, int]:
    """Each named position's key; one of them where several share a name and code."""
    return {opening: number_of(key) for key, opening in openings().by_key.items()}


@cache
def by_number() -> dict[int, Opening]:
    """The openings by the number the database keeps for them."""
    return {number: opening for opening, number in keys_of().items()}


def opening_of(row: PastRow) -> Opening | None:
    """A game's opening by its moves; None when it has none or is not indexed yet."""
    return None if row.opening is None else by_number().get(row.opening)
