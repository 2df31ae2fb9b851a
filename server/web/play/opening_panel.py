"""The archive's openings beside a game: what was played in the position on its board, with results,
and the two players' own games with it. A piece of a page, fetched when its tab is opened.

Not for finding a position (usecases/archive) nor for the archive's own pages (web/archive).
"""

from aiohttp import web

from kskak.archive.past_index import INDEXED_PLIES
from server.store.archive.positions import COMMON
from server.usecases.archive import views
from server.usecases.archive.search_form import Asked, understood
from server.web.archive.pages import archive_words, lines, total
from server.web.archive.search_form import Query
from server.web.frame.context import core, one_look, viewer
from server.web.frame.pages import page
from server.web.play.game_page import seen_game


@one_look
async def show(request: web.Request) -> web.Response:
    """The panel for ``?position=``, a FEN; 404 for what is none."""
    view = await seen_game(request)
    asked = understood(Asked(position=request.query.get("position", "")))
    if asked.wanted.position is None or asked.board is None:
        raise web.HTTPNotFound
    person = viewer(request)
    players = [view.white, view.black]
    players.sort(key=lambda one: person is None or one.id != person.id)
    found = await views.book(core(request), asked.wanted.position, [one.id for one in players])
    query = Query(asked=Asked(position=request.query["position"]))
    return page(
        request,
        "play/opening_panel.html",
        a=archive_words(request),
        found=found,
        own=tuple(zip(players, found.games, strict=True)),
        total=total(found.branches),
        lines=lines(query, asked.board, found.branches),
        plies_kept=INDEXED_PLIES,
        common=COMMON,
    )
