"""The archive's search in an address: the form's fields, the order, where a page ended.

Not for what the fields mean (usecases/archive/search_form.py).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode

import chess
from aiohttp import web

from kskak.board.fen_and_san import fen
from kskak.board.printing import numeric
from server.store.archive.reading import Mark
from server.usecases.archive.search_form import Asked

OLDEST = "old"
_FIELDS = tuple(field.name for field in fields(Asked))
_MARK = re.compile(r"(\d{4}-\d\d-\d\d)\.(\d{1,18})")


@dataclass(frozen=True, slots=True)
class Query:
    """A search and its order."""

    asked: Asked
    is_oldest_first: bool = False

    def address(self, after: Mark | None = None) -> str:
        """The address of the games with this search."""
        asked = {name: getattr(self.asked, name) for name in _FIELDS}
        if self.is_oldest_first:
            asked["sort"] = OLDEST
        if after is not None:
            asked["after"] = mark_text(after)
        query = urlencode({name: value for name, value in asked.items() if value})
        return f"/archive?{query}" if query else "/archive"

    @property
    def turned(self) -> str:
        """The same search in the other order."""
        return replace(self, is_oldest_first=not self.is_oldest_first).address()

    def at(self, position: str) -> str:
        """The same search for a position, as it is typed."""
        return replace(self, asked=replace(self.asked, position=position)).address()

    def after_moves(self, moves: Iterable[chess.Move]) -> str:
        """The same search for the position after a game's first moves, which stay to be told."""
        return self.at(" ".join(map(numeric, moves)))

    def after_move(self, board: chess.Board, move: chess.Move) -> str:
        """The same search for the position after a move."""
        after = board.copy(stack=False)
        after.push(move)
        return self.at(fen(after))


def query_of(request: web.Request) -> Query:
    """The search in an address, its texts as typed."""
    given = request.query
    names = ("player", "event", "year", "until", "opening", "person")
    texts = {name: given.get(name, "") for name in names}
    position = given.get("position", "")
    return Query(Asked(**texts, position=position), given.get("sort") == OLDEST)


def after_of(request: web.Request) -> Mark | None:
    """Where the previous page ended."""
    found = _MARK.fullmatch(request.query.get("after", ""))
    return None if found is None else (found[1], int(found[2]))


def mark_text(mark: Mark) -> str:
    """A page's end as written in an address."""
    return f"{mark[0]}.{mark[1]}"


def position_address(board: chess.Board) -> str:
    """The search for a position."""
    return Query(Asked(position=fen(board))).address()
