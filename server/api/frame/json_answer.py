"""Answers as plain JSON values, built from a state or a view; shapes are in game_answers.py.

Not for deciding who may see what (the use cases).
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

import chess
from aiohttp import web

from kskak.board.fen_and_san import fen
from kskak.board.moves import side_to_move
from kskak.board.notation import numeric
from kskak.game.events import Event, MoveSent
from kskak.ledger.ledger_out import JsonObject, JsonValue
from kskak.play.recent import RecentPly
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from server.api.frame.problems import MEDIA_TYPE as PROBLEM
from server.store.engine.types import text_of
from server.store.play.games import GameRow
from server.usecases.play.ask import Answer

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
NOTHING: Mapping[str, str] = {}


def json_response(value: JsonObject, status: int = 200) -> web.Response:
    """An answer that must not be cached."""
    return text_response(status, dumps(value))


def text_response(status: int, body: str, headers: Mapping[str, str] = NOTHING) -> web.Response:
    """An answer with a finished body; a problem document if it is a refusal."""
    return web.Response(
        status=status,
        body=body.encode(),
        content_type="application/json" if status < web.HTTPBadRequest.status_code else PROBLEM,
        headers={**HEADERS, **headers},
    )


def dumps(value: JsonObject) -> str:
    """The text of an answer; an enumeration's own text in it takes a twentieth of its member."""
    return text_of(value)


def _value(word: StrEnum | None) -> str | None:
    return None if word is None else word.value


def item(game: GameRow, person_id: int) -> JsonObject:
    """A game in a list, for one reader: from its row, without reading the ledger."""
    to_move = {game.white_id: Side.WHITE, game.black_id: Side.BLACK}.get(game.to_move_id or 0)
    return {
        "id": game.id,
        "name": game.name,
        "white": game.white,
        "black": game.black,
        "ply": game.ply,
        "to_move": _value(to_move),
        "mine": _value(game.side_of(person_id)),
        "flag_on": game.flag_on,
        "result": game.result or "*",
    }


def standing(game_id: int, seq: int, state: GameState) -> JsonObject:
    """A game as it stands: computed from the state alone."""
    to_move = state.to_move
    return {
        "game": game_id,
        "seq": seq,
        "ply": state.position.ply,
        "to_move": _value(to_move),
        "result": "*" if state.result is None else state.result.value,
        "totals": {"white": state.white.total, "black": state.black.total},
        "running": _running(state),
        "proposal": [numeric(move) for move in state.proposal] if to_move is not None else [],
        "draw_offer": _value(state.draw_offer),
        "overstep": _overstep(state),
        "fen": fen(state.board),
    }


def _running(state: GameState) -> JsonValue:
    running = state.running()
    if running is None:
        return None
    return {
        "by": running.by.value,
        "since": running.since.isoformat(),
        "limit": running.limit,
        "flag_on": None if running.flag_on is None else running.flag_on.isoformat(),
    }


def _overstep(state: GameState) -> JsonValue:
    overstep = state.overstep
    if overstep is None:
        return None
    return {
        "by": overstep.by.value,
        "move": overstep.move,
        "limit": overstep.limit,
        "used": overstep.used,
        "on": overstep.on.isoformat(),
        "finding": overstep.finding.value,
    }


def done(answer: Answer, side: Side) -> JsonObject:
    """What a command did: the plies it made, the days it cost its player, the resulting game."""
    before, after = answer.before, answer.state
    return standing(answer.game.id, answer.seq, after) | {
        "moves": _made(before, after, answer.events),
        "days": after.clock(side).total - before.clock(side).total,
    }


def _made(before: GameState, after: GameState, events: Sequence[Event]) -> list[JsonValue]:
    """The plies between two states, including the bound answer of a series (§ 6.2.5)."""
    plies = after.position.ply - before.position.ply
    if not plies:
        return []
    made = after.recent.last(plies)
    if len(made) < plies:
        moves = [move for event in events if isinstance(event, MoveSent) for move in event.plies]
        made = (*_forgotten(before, moves[: plies - len(made)]), *made)
    first = before.position.ply + 1
    return [
        {
            "ply": first + offset,
            "number": ply.number,
            "by": ply.by.value,
            "move": numeric(ply.move),
            "san": ply.san,
        }
        for offset, ply in enumerate(made)
    ]


def _forgotten(before: GameState, moves: Sequence[chess.Move]) -> Iterator[RecentPly]:
    """The first plies of a dispatch that is longer than a state remembers."""
    board = before.board.copy(stack=False)
    for move in moves:
        yield RecentPly(board.fullmove_number, side_to_move(board), move, board.san(move))
        board.push(move)
