"""The list of players, a page at a time and by words: who plays or played K-skak.

Readings: only what tables, lists and club pages already show is here (name, club, ratings); a
member who does not play, or only leads, is not found. Two queries whatever is searched for, and
neither reads on when it has what is shown. Not for a player's own page (player_pages.py) nor for
the register (usecases/register).
"""

from dataclasses import dataclass

from server.store.register import named_people
from server.store.register.named_people import Player
from server.usecases.core.context import Core
from server.usecases.core.paging import page_asked, pages_of

PAGE = 50
"""Players on a page."""
COUNTED = 1_000
"""Players that are counted: of more it is only said that there are more."""
MOST_WORDS = 8


@dataclass(frozen=True, slots=True)
class PlayerList:
    """A page of the players that match; pages are counted from 1.

    ``is_more``: there are more than ``count``, and it is not known how many.
    """

    players: tuple[Player, ...]
    count: int
    page: int
    is_more: bool
    has_next: bool

    @property
    def pages(self) -> int:
        """How many pages there are at least, and at least one."""
        return pages_of(self.count, PAGE)


async def player_list(core: Core, text: str, page: int) -> PlayerList:
    """A page of the players with all words of a text in name or club; "": of all, by name."""
    page = page_asked(page)
    words = tuple(text.split()[:MOST_WORDS])
    async with core.store.read() as conn:
        count = await named_people.count_players(conn, words, COUNTED + 1)
        is_more, portion = count > COUNTED, ((page - 1) * PAGE, PAGE + 1)
        rows = await named_people.players(conn, words, portion, are_many=is_more)
        if is_more and not rows:  # beyond the last page, which is to be named
            count, is_more = await named_people.count_players(conn, words, None), False
    known = COUNTED if is_more else count
    return PlayerList(rows[:PAGE], known, page, is_more, has_next=len(rows) > PAGE)
