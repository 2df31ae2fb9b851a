"""GET /archive: finished games by name, year, opening and position.

The same search as on the web page. Not for a game itself (its page, its PGN).
"""

import json
import re

import chess
from aiohttp import web

from kskak.archive.past_game import PastPlayer, unpack_moves
from kskak.board.positions import fen
from kskak.regulation.editions import Result
from server.api.frame.endpoints import Call, Endpoint, Guard, Parameter
from server.api.frame.game_models import ApiAnswer, bad_fields, text_response
from server.api.groups import Plain
from server.store.archive.index import Branch, Branches
from server.store.archive.reading import Mark, PastRow
from server.usecases.archive import archive_views
from server.usecases.archive.archive_views import ArchiveSearchForm, understood
from server.usecases.archive.game_import import find_stored_opening

FIELDS = ("player", "event", "year", "until", "opening", "position", "person")
_MARK = re.compile(r"(\d{4}-\d\d-\d\d)\.(\d{1,18})")
_BYTES = 2


async def search_archive(call: Call) -> web.Response:
    """GET /archive. Raises Problem when a field can't be parsed."""
    given = call.request.query
    asked = understood(ArchiveSearchForm(**{name: given.get(name, "") for name in FIELDS}))
    after, sort = given.get("after", ""), given.get("sort", "new")
    mark = _MARK.fullmatch(after)
    wrong = [*asked.wrong, *(["after"] if after and mark is None else [])]
    wrong += ["sort"] if sort not in ("new", "old") else []
    if wrong:
        raise bad_fields([(name, "not_allowed") for name in wrong])
    start: Mark | None = None if mark is None else (mark[1], int(mark[2]))
    found = await archive_views.search(
        call.api.core, asked.wanted, start, is_oldest_first=sort == "old"
    )
    board, tree = asked.board, found.branches
    told: Plain = {
        "games": [_game(row, found.plies.get(row.id)) for row in found.games],
        "after": None if found.after is None else f"{found.after[0]}.{found.after[1]}",
        "games_in_all": found.count,
        "unread": found.unread,
        "position": None if board is None or tree is None else _position(board, tree),
    }
    return text_response(200, json.dumps(told, ensure_ascii=False, separators=(",", ":")))


def _game(row: PastRow, ply: int | None) -> Plain:
    game, opening = row.game, find_stored_opening(row)
    return {
        "id": row.id,
        "game": row.own_id,
        "event": game.event,
        "round": game.round,
        "day": game.day,
        "white": _side(game.white, row.white_person),
        "black": _side(game.black, row.black_person),
        "result": game.result.value,
        "eco": row.code,
        "opening": None if opening is None else opening.english,
        "plies": game.plies,
        "ply": ply,
    }


def _side(player: PastPlayer, person: int | None) -> Plain:
    return {"name": player.name, "person": person, "rating": player.elo}


def _position(board: chess.Board, found: Branches) -> Plain:
    moves: list[Plain] = [_move(one) for one in found.moves]
    return {"fen": fen(board), "complete": not found.is_cut, "moves": moves}


def _move(branch: Branch) -> Plain:
    packed = branch.move.to_bytes(_BYTES, "little")
    return {
        "move": unpack_moves(packed)[0].uci() if branch.move else None,
        "games": branch.games,
        "white": branch.white,
        "draws": branch.draws,
        "black": branch.black,
    }


class ArchiveSide(ApiAnswer):
    """A player of a finished game; `person` is null for somebody not in the register."""

    name: str
    person: int | None
    rating: int | None


class ArchiveGame(ApiAnswer):
    """A finished game; unknown parts of `day` are 00; `eco` comes from its moves, "" for none.

    `game` is its number on this server, null for older games. `ply`: the number of half-moves
    after which it reached the requested position.
    """

    id: int
    game: int | None
    event: str
    round: str
    day: str
    white: ArchiveSide
    black: ArchiveSide
    result: Result
    eco: str | None
    opening: str | None
    plies: int
    ply: int | None


class ArchiveMove(ApiAnswer):
    """A move played in the position, in UCI; null counts the games that ended there."""

    move: str | None
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


PREFIX = "/api/v1"
_SEARCH = (
    Parameter("player", "string", "Words of a player's name"),
    Parameter("event", "string", "Words of a tournament's name"),
    Parameter("year", "string", "The first year, or the only one"),
    Parameter("until", "string", "The last year"),
    Parameter("opening", "string", "An ECO code, some (`B1`, `B12-B19`), or words of a name"),
    Parameter("position", "string", "A FEN, or a game's first moves"),
    Parameter("person", "string", "The number of a player of this server"),
    Parameter("sort", "string", "The newest games first, or the oldest", allowed=("new", "old")),
    Parameter("after", "string", "`after` of the page before"),
)

ARCHIVE: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/archive", "archive", search_archive,
        "Finished games by players, tournament, years, opening and position, by pages",
        ArchiveList, guard=Guard.OPEN, query=_SEARCH,
    ),
)  # fmt: skip
