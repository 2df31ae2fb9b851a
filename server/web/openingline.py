"""A game's opening on its page, and the way to other games with the position shown.

For games of the server and of the archive alike. Not for finding the opening (kskak.openings).
"""

from dataclasses import dataclass

import chess
from aiohttp import web

from kskak.openings import Opening
from kskak.past_index import INDEXED_PLIES
from server.usecases.opening import opening_of
from server.usecases.views import GameView
from server.web.archiveasking import position_address
from server.web.context import words


@dataclass(frozen=True, slots=True)
class OpeningLine:
    """«B12 Caro-Kann», "" without one; ``same``: the search for the position, or ""."""

    code: str
    name: str
    same: str


def line_of(
    request: web.Request, opening: Opening | None, board: chess.Board, ply: int
) -> OpeningLine:
    """The line for a position after ``ply`` half-moves."""
    same = position_address(board) if ply <= INDEXED_PLIES else ""
    if opening is None:
        return OpeningLine("", "", same)
    return OpeningLine(opening.code, opening.name(words(request).lang), same)


def opening_line(request: web.Request, view: GameView) -> OpeningLine:
    """The line of a game of the server, as it stands."""
    position = view.account.state.position
    return line_of(request, opening_of(view.account), position.board, position.ply)
