"""A tournament's home: its groups and who leads them, entry, rules, terms, bulletins, feeds.

A cup's home is its own page, by rounds (cup/pages.py). Not for one group's table (page.py) or a
division's (league/pages.py).
"""

from datetime import date

from aiohttp import web

from mail.text.figures import halves
from server.usecases.cup.views import cup_list
from server.usecases.results.tournament_home import home_of
from server.web.frame.context import core, one_look
from server.web.frame.pages import page


@one_look
async def show(request: web.Request) -> web.Response:
    """The tournament in the address; 404 if nothing is played or open under that name."""
    name = request.match_info["name"]
    home = await home_of(core(request), name)
    if home is None:
        raise web.HTTPNotFound
    if home.is_cup:
        for cup in await cup_list(core(request)):
            if cup.row.name == name:
                raise web.HTTPSeeOther(f"/cup/{cup.row.edition}")
    return page(
        request, "groups/tournament.html", home=home, day_of=date.fromisoformat, points=halves
    )
