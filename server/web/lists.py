"""My games and a player. Not for one game (gamepage.py) nor for a group (grouppage.py)."""

from dataclasses import dataclass
from datetime import date

from aiohttp import web

from kskak.quantities import Result, Side
from server.usecases.case_views import case_list
from server.usecases.history.looking import of_person
from server.usecases.rating.lists import history
from server.usecases.views import (
    GameSummary,
    all_groups,
    my_games,
    person_view,
)
from server.web.archivewords import ArchiveWords
from server.web.casewords import CaseWords
from server.web.context import core, one_look, viewer, words
from server.web.cupwords import cup_words
from server.web.curve import curve_of
from server.web.pages import page
from server.web.ratings import rating_words
from server.web.timebar import TimeBar, last_in_time
from server.web.words import PageWords


@dataclass(frozen=True, slots=True)
class ListedGame:
    """One of my games as a line of the list."""

    id: int
    opponent: str
    group: str
    side: Side
    is_my_move: bool
    days_left: int | None
    last_day: date | None
    last_move: str
    is_draw_offered: bool
    result: Result | None
    mine: TimeBar
    theirs: TimeBar


def listed(item: GameSummary, said: PageWords) -> ListedGame:
    """A line of the list from a summary."""
    running = item.result is None
    mine = TimeBar(item.side, item.my_total, item.my_limit, 0, running and item.is_my_move, None)
    theirs = TimeBar(
        item.side.other,
        item.opponent_total,
        item.opponent_limit,
        0,
        running and not item.is_my_move,
        None,
    )
    return ListedGame(
        id=item.game.id,
        opponent=item.opponent,
        group=item.game.name.rpartition("/")[0] or item.game.name,
        side=item.side,
        is_my_move=item.is_my_move,
        days_left=item.days_left,
        last_day=last_in_time(item.flag_on),
        last_move=said.san(item.last_san) if item.last_san else "",
        is_draw_offered=item.is_draw_offered,
        result=item.result,
        mine=mine,
        theirs=theirs,
    )


@one_look
async def front(request: web.Request) -> web.Response:
    """My games; for who is not signed in, what this place is."""
    person = viewer(request)
    if person is None:
        return page(request, "front.html", groups=await all_groups(core(request).store))
    games = [listed(item, words(request)) for item in await my_games(core(request), person.id)]
    return page(
        request,
        "games.html",
        d=CaseWords(words(request).words),
        cases=await case_list(core(request), person, is_open=True),
        mine=[game for game in games if not game.result and game.is_my_move],
        theirs=[game for game in games if not game.result and not game.is_my_move],
        ended=[game for game in games if game.result],
    )


@one_look
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
