"""The league's public pages: seasons, a division with its tables, matches and teams (§ 6.7).

Not for the captain's desk (captaindesk.py) nor the leader's (leaguedesk.py).
"""

from aiohttp import web

from server.usecases.league_views import division_view, seasons
from server.web.context import core, one_look, words
from server.web.grouppage import beginning
from server.web.leaguewords import LeagueWords
from server.web.pages import page


@one_look
async def index(request: web.Request) -> web.Response:
    """Every season with its divisions."""
    found = await seasons(core(request))
    return page(request, "league_index.html", lw=LeagueWords(words(request).words), seasons=found)


@one_look
async def show(request: web.Request) -> web.Response:
    """A division."""
    view = await division_view(core(request), request.match_info["name"])
    if view is None:
        raise web.HTTPNotFound
    return page(
        request,
        "league.html",
        lw=LeagueWords(words(request).words),
        view=view,
        beginning=beginning(request, view.group),
    )
