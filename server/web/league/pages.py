"""The league's public pages: seasons, and a division's tables, matches and teams (§ 6.7).

Not for the captain's desk (captain_desk.py) or the leader's (desk.py).
"""

from dataclasses import dataclass

from aiohttp import web

from kskak.regulation.quantities import Side
from server.store.groups import followed as live_groups
from server.store.league.divisions import GameLine
from server.usecases.core.offices import rights
from server.usecases.league.views import DivisionView, division_view, seasons
from server.usecases.play.who_sees import may_see
from server.web.frame.context import core, one_look, viewer, words
from server.web.frame.pages import page
from server.web.groups.beside_table import beside_of
from server.web.groups.page import beginning
from server.web.league.words import LeagueWords


@dataclass(frozen=True, slots=True)
class Line:
    """A game in a division, in the shape that ``may_see`` requires."""

    group_id: int
    game: GameLine

    @property
    def id(self) -> int:
        return self.game.game_id

    @property
    def result(self) -> str | None:
        return self.game.result

    def side_of(self, person_id: int) -> Side | None:
        sides = {self.game.white_id: Side.WHITE, self.game.black_id: Side.BLACK}
        return sides.get(person_id)


@dataclass(frozen=True, slots=True)
class Names:
    """What the names in the tables link to.

    ``people`` by the name of a board's row: who played the board, in chronological order;
    ``teams`` by the club's name.
    """

    people: dict[str, tuple[tuple[int, str], ...]]
    teams: dict[str, int]


def names_of(view: DivisionView) -> Names:
    """The links for the rows of the division's tables."""
    people: dict[str, tuple[tuple[int, str], ...]] = {}
    for one in view.teams:
        for seats in one.boards:
            players = {seat.name: seat.person_id for seat in reversed(seats)}
            names = dict.fromkeys(seat.name for seat in seats)
            row = f"{' / '.join(names)} ({one.team.club})"
            people[row] = tuple((players[name], name) for name in names)
    return Names(people, {one.team.club: one.team.id for one in view.teams})


@one_look
async def index(request: web.Request) -> web.Response:
    """Every season with its divisions."""
    found = await seasons(core(request))
    return page(request, "league/index.html", lw=LeagueWords(words(request).words), seasons=found)


@one_look
async def show(request: web.Request) -> web.Response:
    """A division."""
    view = await division_view(core(request), request.match_info["name"])
    if view is None:
        raise web.HTTPNotFound
    person = viewer(request)
    held = None if person is None else await rights(core(request), person)
    names, said = [one.team.club for one in view.teams], words(request).words
    async with core(request).store.read() as conn:
        beside = await beside_of(conn, view.games, view.group.zone, names, said)
        live = await live_groups.which_of(conn, (view.group.id,))
    lines = (Line(view.group.id, game) for game in view.games)
    return page(
        request,
        "league/division.html",
        lw=LeagueWords(said),
        view=view,
        beside=beside,
        names=names_of(view),
        seen=frozenset(line.id for line in lines if may_see(held, line, live)),
        beginning=beginning(request, view.group),
        is_live=bool(live) and not view.is_finished,
        may_lead=held is not None and held.speaks_for(view.group.id),
    )
