"""GET /archive: finished games by name, year, opening and position.

The same search as on the web page. Not for a game itself (its page, its PGN).
"""

from dataclasses import fields
from typing import Annotated

from pydantic import BeforeValidator

from kskak.archive.past_game import unpack_moves
from kskak.regulation.editions import Result
from server.api.frame.area import Area
from server.api.frame.endpoints import Call, Parameter
from server.api.frame.game_models import ApiAnswer, bad_fields
from server.store.archive.reading import PastRow
from server.usecases.archive import archive_views
from server.usecases.archive.archive_views import (
    ArchiveSearchForm,
    find_stored_opening,
    read_mark,
    understood,
    write_mark,
)

FIELDS = tuple(field.name for field in fields(ArchiveSearchForm))
_BYTES = 2


def _uci(packed: int) -> str | None:
    """A packed move (server/store/archive/reading.py); 0: the game ended there."""
    return unpack_moves(packed.to_bytes(_BYTES, "little"))[0].uci() if packed else None


class ArchiveSide(ApiAnswer):
    """A player of a finished game; `person` is null for somebody not in the register."""

    name: str
    person: int | None
    rating: int | None


class ArchiveGame(ApiAnswer):
    """A finished game; `eco` comes from its moves, "" for none.

    `day`, on which it began, and `ended` have 00 for unknown parts. `game` is its number on this
    server, null for older games. `ply`: the number of half-moves after which it reached the
    requested position.
    """

    id: int
    game: int | None
    event: str
    round: str
    day: str
    ended: str
    white: ArchiveSide
    black: ArchiveSide
    result: Result
    eco: str | None
    opening: str | None
    plies: int
    ply: int | None


class ArchiveMove(ApiAnswer):
    """A move played in the position, in UCI; null counts the games that ended there."""

    move: Annotated[str | None, BeforeValidator(_uci)]
    games: int
    white: int
    draws: int
    black: int


class ArchivePosition(ApiAnswer):
    """The requested position; if `complete` is false, its moves come from some games only."""

    fen: str
    complete: bool
    moves: list[ArchiveMove]


class ArchiveList(ApiAnswer):
    """A page of games; pass `after` to get the next one; it is null on the last page.

    `games_in_all`: games in the archive; `unread` of them are not yet indexed by opening and
    position.
    """

    games: list[ArchiveGame]
    after: str | None
    games_in_all: int
    unread: int
    position: ArchivePosition | None


_SEARCH = (
    Parameter("player", "string", "Words of a player's name"),
    Parameter("event", "string", "Words of a tournament's name"),
    Parameter("year", "string", "The first year in which games ended, or the only one"),
    Parameter("until", "string", "The last year"),
    Parameter("opening", "string", "An ECO code, some (`B1`, `B12-B19`), or words of a name"),
    Parameter("position", "string", "A FEN, or a game's first moves"),
    Parameter("person", "string", "The number of a player of this server"),
    Parameter("sort", "string", "The newest games first, or the oldest", allowed=("new", "old")),
    Parameter("after", "string", "`after` of the page before"),
)

area = Area()


@area.get("/archive", "archive", ArchiveList, query=_SEARCH, is_open=True)
async def search_archive(call: Call) -> object:
    """Finished games by players, tournament, years, opening and position, by pages."""
    given = call.request.query
    asked = understood(ArchiveSearchForm(**{name: given.get(name, "") for name in FIELDS}))
    after, sort = given.get("after", ""), given.get("sort", "new")
    mark = read_mark(after)
    wrong = [*asked.wrong, *(["after"] if after and mark is None else [])]
    wrong += ["sort"] if sort not in ("new", "old") else []
    if wrong:
        raise bad_fields([(name, "not_allowed") for name in wrong])
    found = await archive_views.search(
        call.api.core, asked.wanted, mark, is_oldest_first=sort == "old"
    )
    position, tree = None, found.branches
    if asked.board is not None and tree is not None:
        position = {"fen": asked.board.fen(), "complete": not tree.is_cut, "moves": tree.moves}
    return {
        "games": [_game(row, found.plies.get(row.id)) for row in found.games],
        "after": None if found.after is None else write_mark(found.after),
        "games_in_all": found.count, "unread": found.unread, "position": position,
    }  # fmt: skip


def _game(row: PastRow, ply: int | None) -> dict[str, object]:
    game, opening = row.game, find_stored_opening(row)
    sides = {
        side: {"name": player.name, "person": person, "rating": player.elo}
        for side, player, person in (
            ("white", game.white, row.white_person), ("black", game.black, row.black_person)
        )
    }  # fmt: skip
    return sides | {
        "id": row.id, "game": row.own_id, "event": game.event, "round": game.round,
        "day": game.day, "ended": game.end, "result": game.result, "eco": row.code,
        "opening": opening and opening.english, "plies": game.plies, "ply": ply,
    }  # fmt: skip


ARCHIVE = tuple(area.calls)
