"""The cup's public pages: all cups with the trophy's history, and one cup by round (§ 6.6).

Public, like crosstables (CONTRACTS). Not for the leader's desk (desk.py).
"""

from datetime import date

from aiohttp import web

from mail.text.figures import halves
from server.usecases.core.offices import NoSuch
from server.usecases.cup.views import cup_list, cup_view, trophy
from server.usecases.results.tournament_home import home_of
from server.web.cup.words import cup_words
from server.web.frame.context import core, one_look
from server.web.frame.pages import page


@one_look
async def index(request: web.Request) -> web.Response:
    """Every cup, and the names on the trophy (§ 6.6.1.5)."""
    return page(
        request,
        "cup/index.html",
        c=cup_words(request),
        cups=await cup_list(core(request)),
        trophy=await trophy(core(request)),
    )


@one_look
async def show(request: web.Request) -> web.Response:
    """A cup: progress, groups, who qualifies and why; beside them what every tournament has."""
    try:
        view = await cup_view(core(request), edition=int(request.match_info["edition"]))
    except NoSuch:
        raise web.HTTPNotFound from None
    rounds = view.facts.rounds
    return page(
        request,
        "cup/cup.html",
        c=cup_words(request),
        view=view,
        rounds=[(one, view.gone_on(index)) for index, one in enumerate(rounds)],
        home=await home_of(core(request), view.facts.row.name, only_cup=True),
        day_of=date.fromisoformat,
        points=halves,
    )
