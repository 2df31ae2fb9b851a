"""My games, a group with its crosstable, a player. Not for one game (gamepage.py)."""

from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

from aiohttp import web

from kskak.quantities import Result, Side
from server.store.groups import CrossRow
from server.usecases.case_views import case_list
from server.usecases.views import (
    GameSummary,
    GroupView,
    Standing,
    all_groups,
    group_view,
    my_games,
    person_view,
    points_of,
)
from server.web.casewords import CaseWords
from server.web.context import core, viewer, words
from server.web.pages import page
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


@dataclass(frozen=True, slots=True)
class CrossGame:
    """A game in a cell: the row's player's score («1», «½», «0», "" while it runs), his colour."""

    id: int
    score: str
    side: Side


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A player's line; a cell is None on the diagonal."""

    number: int
    person_id: int
    name: str
    points: str
    cells: tuple[tuple[CrossGame, ...] | None, ...]


def halves(points: float) -> str:
    """A score as chess writes it: 2½."""
    whole, half = divmod(round(points * 2), 2)
    return f"{whole or ''}½" if half else str(whole)


def _game(row: CrossRow, person_id: int) -> CrossGame:
    score = "" if row.result is None else halves(points_of(row, person_id))
    return CrossGame(row.game_id, score, Side.WHITE if row.white_id == person_id else Side.BLACK)


def _line(standing: Standing, numbers: list[int]) -> CrossLine:
    seat = standing.seat
    cells = tuple(
        None
        if number == seat.number
        else tuple(_game(row, seat.person_id) for row in standing.cells.get(number, ()))
        for number in numbers
    )
    points = halves(standing.points)
    return CrossLine(seat.number, seat.person_id, seat.name, points, cells)


def crosstable(view: GroupView) -> tuple[CrossLine, ...]:
    """The lines by number."""
    numbers = [standing.seat.number for standing in view.standings]
    return tuple(_line(standing, numbers) for standing in view.standings)


async def group(request: web.Request) -> web.Response:
    """A group: crosstable with colours, leader, dates."""
    view = await group_view(core(request), request.match_info["name"])
    if view is None:
        raise web.HTTPNotFound
    if view.group.class_ == "league":
        raise web.HTTPSeeOther(f"/league/{quote(view.group.name)}")
    start = date.fromisoformat(view.group.start)
    return page(request, "group.html", view=view, lines=crosstable(view), start=start)


async def player(request: web.Request) -> web.Response:
    """A player: club, ratings, groups and games; no address."""
    view = await person_view(core(request), int(request.match_info["person"]))
    if view is None:
        raise web.HTTPNotFound
    return page(request, "player.html", person=view.person, groups=view.groups, games=view.games)
