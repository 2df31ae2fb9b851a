"""The link from a game to the next one that is waiting for the player's move.

After a move is sent the next game is named; otherwise a link leads on and skips the game just left
if it is his move there. Not for choosing the game (usecases/people/my_games.py).
"""

from dataclasses import dataclass

from aiohttp import web

from server.usecases.people.my_games import Next, next_game, opened, others
from server.usecases.play.game_views import GameSummary, GameView
from server.web.frame.context import core, viewer, words
from server.web.reflection.my_games_words import MineWords


@dataclass(frozen=True, slots=True)
class Onward:
    """``waiting``: other games where it is the player's move; ``found`` after sending a move."""

    m: MineWords
    waiting: int
    is_my_move: bool
    is_news: bool
    found: Next | None = None

    @property
    def next(self) -> GameSummary | None:
        """The game to continue with, if it is named."""
        return None if self.found is None else self.found.game


async def onward_of(request: web.Request, view: GameView) -> Onward | None:
    """The way on from a player's own game; None for non-players. Reads only."""
    person = viewer(request)
    if person is None or view.side_of(person.id) is None:
        return None
    rest = await others(core(request), person.id, view.game)
    is_my_move = view.game.to_move_id == person.id
    found = None
    if request.query.get("sent"):
        found = await next_game(core(request), person.id, view.game.id)
    m = MineWords(words(request).words)
    return Onward(m, rest.waiting, is_my_move, rest.is_news, found)


async def keep_opened(request: web.Request, view: GameView, onward: Onward | None) -> None:
    """Mark what was new in the game as seen, once the page is read (Store.note)."""
    person = viewer(request)
    if person is not None and onward is not None and onward.is_news:
        await opened(core(request), person.id, view.game)
