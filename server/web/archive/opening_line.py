"""A game's opening on its page, and a link to other games with the position shown.

For games on the server and in the archive. Not for finding the opening
(kskak.board.openings).
"""

from dataclasses import dataclass

from aiohttp import web

from kskak.archive.past_index import INDEXED_PLIES
from kskak.board.openings import Opening
from mail.text.languages import FACTS
from server.web.archive.search_form import position_address
from server.web.board.step_viewer import Stepping
from server.web.frame.context import words


@dataclass(frozen=True, slots=True)
class OpeningLine:
    """«B12 Caro-Kann», "" without one; ``same``: a search link for the position, or ""."""

    code: str
    name: str
    same: str


def line_of(request: web.Request, opening: Opening | None, shown: Stepping) -> OpeningLine:
    """The line for a game at the position shown."""
    same = position_address(shown.board) if shown.ply <= INDEXED_PLIES else ""
    if opening is None:
        return OpeningLine("", "", same)
    return OpeningLine(opening.code, opening.name(FACTS[words(request).lang].openings), same)
