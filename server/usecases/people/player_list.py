"""The list of players, a page at a time and by words: who plays or played K-skak.

Readings: only what tables, lists and club pages already show is here (name, club, ratings); a
member who does not play, or only leads, is not found. Two queries whatever is searched for. Not
for a player's own page (player_pages.py) nor for the register (usecases/register).
"""

from dataclasses import dataclass

from server.store.register import named_people
from server.store.register.named_people import Player
from server.usecases.core.context import Core
from server.usecases.core.paging import page_asked, pages_of

PAGE = 50
"""Players on a page."""
MOST_WORDS = 8


@dataclass(frozen=True, slots=True)
class PlayerList:
    """A page of the players that match; pages are counted from 1."""

    players: tuple[Player, ...]
    count: int
    page: int

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return pages_of(self.count, PAGE)


async def player_list(core: Core, text: str, page: int) -> PlayerList:
    """A page of the players with all words of a text in name or club; "": of all, by name."""
    page = page_asked(page)
    words = tuple(text.split()[:MOST_WORDS])
    async with core.store.read() as conn:
        count, rows = await named_people.players(conn, words, (page - 1) * PAGE, PAGE)
    return PlayerList(rows, count, page)
