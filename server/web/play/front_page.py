"""The front page without sign-in: what this is, a sample game, results, tournaments.

It shows only what everybody may see, and leaves out what does not exist yet. Not for one's own
games (my_games.py).
"""

from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import chess
from aiohttp import web
from markupsafe import Markup

from kskak.archive.past_game import unpacked
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Side
from mail.text.languages import FACTS
from server.store.engine.types import from_us
from server.store.groups import followed as live_groups
from server.store.groups import newest_games
from server.store.groups.groups_and_seats import GroupRow
from server.store.groups.newest_games import Finished
from server.usecases.archive.found_by import by_number
from server.usecases.groups.group_file import GroupClass
from server.web.board.picture import small_board
from server.web.board.step_viewer import board_after
from server.web.frame.context import core, words
from server.web.frame.pages import page

RESULTS = 6
"""The number of finished games listed besides the one shown."""
GROUPS = 24
"""The most running groups to list."""
SHORTEST = 10
"""The preferred minimum of plies for a game whose last position is shown."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The game shown: its last position, and «B12 Caro-Kann», "" if unknown."""

    game: Finished
    board: Markup
    opening: str


def lead_of(found: tuple[Finished, ...], lang: str) -> Lead | None:
    """The newest game of sufficient length, or the newest of all if there is none."""
    games = [game for game in found if game.plies >= SHORTEST] or list(found)
    if not games:
        return None
    opening = by_number().get(games[0].opening) if games[0].opening is not None else None
    told = f"{opening.code} {opening.name(FACTS[lang].openings)}" if opening is not None else ""
    return Lead(games[0], _end(games[0].fen, games[0].moves), told)


@lru_cache(maxsize=64)
def _end(fen: str | None, packed: bytes) -> Markup:
    moves = unpacked(packed)
    board = board_after(chess.Board(fen) if fen else chess.Board(), moves)
    return small_board(board, Side.WHITE, moves[-1] if moves else None)


def ended_on(game: Finished) -> date:
    """The day a game ended, in its own zone."""
    return local_day(from_us(game.ended_us), game.zone)


def kind(group: GroupRow) -> str:
    """The catalogue's name for a group's class."""
    return GroupClass(group.class_).name.lower()


async def front_page(request: web.Request) -> web.Response:
    """The front page, with three database queries."""
    async with core(request).store.read() as conn:
        found = await newest_games.finished(conn, RESULTS + 1)
        groups = await newest_games.running(conn, GROUPS)
        live = await live_groups.all_of(conn, running=True)
    lead = lead_of(found, words(request).lang)
    return page(
        request,
        "play/front.html",
        lead=lead,
        results=[game for game in found if lead is None or game is not lead.game],
        groups=groups,
        live=live,
        ended_on=ended_on,
        kind=kind,
    )
