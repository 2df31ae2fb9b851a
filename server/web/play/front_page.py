"""The front page without sign-in: what this is, a game to step through, the federation's news.

It shows only what everybody may see, and leaves out what does not exist yet. Not for one's own
games (my_games.py).
"""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

import chess
from aiohttp import web
from markupsafe import Markup

from kskak.archive.past_game import unpacked
from kskak.office.season_lists import Kind, year_named
from kskak.office.year import Item, plan_of_year
from kskak.office.year import Step as YearStep
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Side
from mail.text.languages import FACTS
from server.store.engine.types import from_us
from server.store.entries import lists as list_rows
from server.store.entries.lists import ListRow
from server.store.groups import followed as live_groups
from server.store.groups import newest_games
from server.store.groups.groups_and_seats import GroupRow
from server.store.groups.newest_games import Finished
from server.store.office import bulletins as bulletin_rows
from server.store.office import year as year_rows
from server.store.office.year import DeedRow
from server.usecases.archive.found_by import by_number
from server.usecases.groups.group_file import GroupClass
from server.usecases.office.year import deed_of
from server.web.board.move_list import Step, texts_of
from server.web.board.picture import small_board
from server.web.board.step_viewer import Stepping, asked_ply
from server.web.frame.context import core, one_look, words
from server.web.frame.pages import page

RESULTS = 6
"""The number of finished games listed besides the one shown."""
GROUPS = 24
"""The most running groups to list."""
SHORTEST = 10
"""The preferred minimum of plies for the game that is shown."""
WEEK = 7
"""Days ahead whose dates are listed."""
PUBLIC = (YearStep.ANNOUNCEMENT, YearStep.DEADLINE, YearStep.START)
"""Steps of a season that concern players."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The game shown, as stepped through, and «B12 Caro-Kann», "" if unknown."""

    game: Finished
    shown: Stepping
    board: Markup
    opening: str


def lead_of(request: web.Request, found: tuple[Finished, ...]) -> Lead | None:
    """The newest game of sufficient length, or the newest of all if there is none."""
    games = [game for game in found if game.plies >= SHORTEST] or list(found)
    if not games:
        return None
    return _lead(games[0], asked_ply(request, games[0].plies), words(request).lang)


@lru_cache(maxsize=32)
def _lead(game: Finished, ply: int, lang: str) -> Lead:
    """Kept: every visitor is shown the same game until another has ended."""
    opening = by_number().get(game.opening) if game.opening is not None else None
    told = f"{opening.code} {opening.name(FACTS[lang].openings)}" if opening is not None else ""
    shown = _stepping(game, ply)
    last = shown.moves[shown.ply - 1] if shown.ply else None
    return Lead(game, shown, small_board(shown.board, Side.WHITE, last), told)


def _stepping(game: Finished, ply: int) -> Stepping:
    moves = unpacked(game.moves)
    texts = texts_of(game.fen, moves)
    return Stepping(
        key=f"games-{game.id}",
        base="/",
        names=(game.white, game.black),
        start=chess.Board(game.fen) if game.fen else chess.Board(),
        moves=moves,
        listed=tuple(Step(ply, text) for ply, text in enumerate(texts, 1)),
        ply=ply,
        side=Side.WHITE,
    )


@lru_cache(maxsize=4)
def near(deeds: tuple[DeedRow, ...], lists: tuple[ListRow, ...], today: date) -> tuple[Item, ...]:
    """The dated steps for a week from today, of what the controller planned or opened (§ 6.1.2).

    A day that only the rule proposes is not told: that tournament may not be held.
    """
    last = today + timedelta(days=WEEK)
    made = [deed_of(row) for row in deeds]
    real = {(deed.form, deed.season) for deed in made}
    real |= {
        (form, season)
        for row in lists
        if (form := Kind(row.event, row.wish).form) is not None
        and (season := year_named((row.name, row.tournament), row.prefix)) is not None
    }
    items = (item for year in {today.year, last.year} for item in plan_of_year(year, made))
    kept = (
        item
        for item in items
        if (item.form, item.season) in real
        and item.step in PUBLIC
        and item.day is not None
        and today <= item.day < last
    )
    return tuple(sorted(kept, key=_day))


def _day(item: Item) -> date:
    return item.day or date.max


def ended_on(game: Finished) -> date:
    """The day a game ended, in its own zone."""
    return local_day(from_us(game.ended_us), game.zone)


def kind(group: GroupRow) -> str:
    """The catalogue's name for a group's class."""
    return GroupClass(group.class_).name.lower()


@one_look
async def front_page(request: web.Request) -> web.Response:
    """The front page, with six database queries."""
    async with core(request).store.read() as conn:
        found = await newest_games.finished(conn, RESULTS + 1)
        groups = await newest_games.running(conn, GROUPS)
        live = await live_groups.all_of(conn, running=True)
        lists = await list_rows.everything(conn, only_open=True)
        bulletin = next(iter(await bulletin_rows.issued(conn, most=1)), None)
        deeds = await year_rows.deeds(conn)
    lead = lead_of(request, found)
    return page(
        request,
        "play/front.html",
        lead=lead,
        results=[game for game in found if lead is None or game != lead.game],
        groups=sorted(groups, key=lambda group: group.id not in live),
        live=live,
        lists=lists,
        bulletin=bulletin,
        items=near(deeds, lists, core(request).today(core(request).settings.clock.zone)),
        day_of=date.fromisoformat,
        ended_on=ended_on,
        kind=kind,
    )
