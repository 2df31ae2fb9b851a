"""A person's finished games, and a search among all of the person's games: a page at a time.

No position and no ledger is read: two queries however many games there are. Not for the running
games (my_games.py) nor for the archive of other people's games (history).
"""

from dataclasses import dataclass

from server.store.play import own_games as rows
from server.store.play.own_games import Brief, Wanted
from server.usecases.core.context import Core
from server.usecases.core.paging import page_asked, pages_of

PAGE = 25
"""Games on a page."""
FEW = 5
"""How many of the last finished games are shown below the running ones."""
MOST_WORDS = 8


@dataclass(frozen=True, slots=True)
class Portion:
    """A page of games; pages are counted from 1. ``words``: what was searched for."""

    games: tuple[Brief, ...]
    count: int
    page: int
    words: tuple[str, ...] = ()

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return pages_of(self.count, PAGE)


async def ended(core: Core, person_id: int, page: int) -> Portion:
    """A page of the finished games, the newest first."""
    return await _portion(core, person_id, Wanted(ended=True), page, PAGE)


async def last_ended(core: Core, person_id: int) -> Portion:
    """The last few finished games, and how many there are."""
    return await _portion(core, person_id, Wanted(ended=True), 1, FEW)


async def search(core: Core, person_id: int, text: str, page: int) -> Portion:
    """A page of the games that match all words of a text, running ones first.

    A word matches in the opponent's, the tournament's or the group's name, or as the game's
    number.
    """
    words = tuple(text.split()[:MOST_WORDS])
    return await _portion(core, person_id, Wanted(words), page, PAGE)


async def _portion(core: Core, person_id: int, wanted: Wanted, page: int, most: int) -> Portion:
    page = page_asked(page)
    async with core.store.read() as conn:
        count, games = await rows.portion(conn, person_id, wanted, (page - 1) * most, most)
    return Portion(games, count, page, wanted.words)
