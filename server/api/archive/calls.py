"""GET /archive: finished games by names, years, opening and position.

The same search as the page. Not for a game itself (its page, its PGN).
"""

import json
import re

import chess
from aiohttp import web

from kskak.archive.past_game import PastPlayer, unpacked
from kskak.board.fen_and_san import fen
from server.api.frame.body import bad_fields
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import text_response
from server.api.groups.calls import Plain
from server.store.archive.positions import Branch, Branches
from server.store.archive.reading import Mark, PastRow
from server.usecases.archive import views as looking
from server.usecases.archive.found_by import opening_of
from server.usecases.archive.search_form import Asked, understood

FIELDS = ("player", "event", "year", "until", "opening", "position", "person")
_MARK = re.compile(r"(\d{4}-\d\d-\d\d)\.(\d{1,18})")
_BYTES = 2


async def listed(call: Call) -> web.Response:
    """GET /archive. Raises Problem for a field that can't be read."""
    given = call.request.query
    asked = understood(Asked(**{name: given.get(name, "") for name in FIELDS}))
    after, sort = given.get("after", ""), given.get("sort", "new")
    mark = _MARK.fullmatch(after)
    wrong = [*asked.wrong, *(["after"] if after and mark is None else [])]
    wrong += ["sort"] if sort not in ("new", "old") else []
    if wrong:
        raise bad_fields([(name, "not_allowed") for name in wrong])
    start: Mark | None = None if mark is None else (mark[1], int(mark[2]))
    found = await looking.search(call.api.core, asked.wanted, start, is_oldest_first=sort == "old")
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
    game, opening = row.game, opening_of(row)
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
        "move": unpacked(packed)[0].uci() if branch.move else None,
        "games": branch.games,
        "white": branch.white,
        "draws": branch.draws,
        "black": branch.black,
    }
