"""A player's private side of a game, as shown on the game's page and its own page.

Not for what the forms do (own_side_page.py, delayed_move.py).
"""

from dataclasses import dataclass

from aiohttp import web

from server.usecases.play.game_views import GameView
from server.usecases.play.own_side import Beside, beside, has_seen
from server.web.frame.context import core, viewer
from server.web.frame.pages import new_key

_NOTICES = frozenset({"saved", "noted", "said", "changed", "undone"})


@dataclass(frozen=True, slots=True)
class OwnSide:
    """What a page shows. ``notice``: what was just done; ``key``: the next message's key."""

    has: Beside
    notice: str
    key: str


async def own_side(request: web.Request, view: GameView) -> OwnSide | None:
    """The private side for a game's page; None for non-players."""
    person = viewer(request)
    found = None if person is None else await beside(core(request), view, person.id)
    if found is None:
        return None
    done = request.query.get("done", "")
    return OwnSide(found, done if done in _NOTICES else "", new_key())


async def keep_seen(request: web.Request, view: GameView, own: OwnSide | None) -> None:
    """Mark what the reader sees as no longer new, once the page is read (Store.note)."""
    person = viewer(request)
    if person is not None and own is not None:
        await has_seen(core(request), view.game.id, person.id, own.has)
