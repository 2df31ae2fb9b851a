"""The leader stops the time of a player whose mail comes back (§ 6.8.2). Not for the letters."""

from aiohttp import web

from server.usecases.mail.unreached import stop_time
from server.web.frame.context import core, signed_in
from server.web.play.game_page import seen_game


async def stop(request: web.Request) -> web.Response:
    """Stop it and go back to the game; 403 for all but its leader, or if no letter came back."""
    person, view = signed_in(request), await seen_game(request)
    if not await stop_time(core(request), person, view.game):
        raise web.HTTPForbidden
    raise web.HTTPSeeOther(f"/games/{view.game.id}")
