"""A player's public page. Not for one's own games (mygames.py) nor for a club (clubpage.py)."""

from aiohttp import web

from server.usecases.history.looking import of_person
from server.usecases.rating.lists import history
from server.usecases.views import (
    person_view,
)
from server.web.archivewords import ArchiveWords
from server.web.context import core, words
from server.web.cupwords import cup_words
from server.web.curve import curve_of
from server.web.pages import page
from server.web.ratings import rating_words


async def player(request: web.Request) -> web.Response:
    """A player: club, ratings with their curve, groups and games, the archive's too; no address."""
    person_id = int(request.match_info["person"])
    view = await person_view(core(request), person_id)
    told = await history(core(request), person_id)
    if view is None or told is None:
        raise web.HTTPNotFound
    today = core(request).today(core(request).settings.clock.zone)
    return page(
        request,
        "player.html",
        c=cup_words(request),
        titles=view.titles,
        person=view.person,
        groups=view.groups,
        games=view.games,
        r=rating_words(request),
        points=told.points,
        curve=curve_of(told.curve, today),
        past=await of_person(core(request), person_id),
        a=ArchiveWords(words(request).words),
    )
