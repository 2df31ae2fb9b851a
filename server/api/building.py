"""Answers as plain JSON values, made from a state or a view. The shapes are in answers.py.

Not for deciding who may see what (the use cases).
"""

import json
from collections.abc import Iterator, Sequence

import chess
from aiohttp import web

from kskak import commands as cmd
from kskak.ledger_out import JsonObject, JsonValue
from kskak.notation import numeric
from kskak.moves import side_to_move
from kskak.state import GameState, RecentPly

ByPlayer = (
    cmd.SendMoves
    | cmd.AcceptDraw
    | cmd.DeclineDraw
    | cmd.ClaimDraw
    | cmd.Resign
    | cmd.ClaimOverstep
    | cmd.WaiveOverstep
)
"""What the API asks of one game."""

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def json_response(value: JsonObject, status: int = 200) -> web.Response:
    """An answer that nobody keeps."""
    body = dumps(value).encode()
    return web.Response(
        status=status, body=body, content_type="application/json", headers=HEADERS
    )


def dumps(value: JsonObject) -> str:
    """The text of an answer."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def standing(game_id: int, seq: int, state: GameState) -> JsonObject:
    """A game as it stands: computed from the state alone."""
    to_move = state.to_move
    return {
        "game": game_id,
        "seq": seq,
        "ply": state.position.ply,
        "to_move": to_move,
        "result": "*" if state.result is None else state.result,
        "totals": {"white": state.white.total, "black": state.black.total},
        "running": _running(state),
        "proposal": [numeric(move) for move in state.proposal] if to_move is not None else [],
        "draw_offer": state.draw_offer,
        "overstep": _overstep(state),
        "fen": state.board.fen(),
    }


def _running(state: GameState) -> JsonValue:
    running = state.running()
    if running is None:
        return None
    return {
        "by": running.by,
        "since": running.since.isoformat(),
        "limit": running.limit,
        "flag_on": None if running.flag_on is None else running.flag_on.isoformat(),
    }


def _overstep(state: GameState) -> JsonValue:
    overstep = state.overstep
    if overstep is None:
        return None
    return {
        "by": overstep.by,
        "move": overstep.move,
        "limit": overstep.limit,
        "used": overstep.used,
        "on": overstep.on.isoformat(),
        "finding": overstep.finding,
    }


def done(
    game_id: int, seq: int, before: GameState, after: GameState, command: ByPlayer
) -> JsonObject:
    """What a command did: the plies it made, the days it cost its player, the game after it."""
    by = command.by
    return standing(game_id, seq, after) | {
        "moves": _made(before, after, command),
        "days": after.clock(by).total - before.clock(by).total,
    }


def _made(before: GameState, after: GameState, command: ByPlayer) -> list[JsonValue]:
    """The plies between two states, the bound answer of a series included (§ 6.2.5)."""
    plies = after.position.ply - before.position.ply
    if not plies:
        return []
    made = after.recent[-plies:]
    if len(made) < plies and isinstance(command, cmd.SendMoves):
        made = (*_forgotten(before, command.plies[: plies - len(made)]), *made)
    first = before.position.ply + 1
    return [
        {
            "ply": first + offset,
            "number": ply.number,
            "by": ply.by,
            "move": numeric(ply.move),
            "san": ply.san,
        }
        for offset, ply in enumerate(made)
    ]


def _forgotten(before: GameState, moves: Sequence[chess.Move]) -> Iterator[RecentPly]:
    """The first plies of a dispatch that is longer than what a state remembers."""
    board = before.board.copy(stack=False)
    for move in moves:
        yield RecentPly(board.fullmove_number, side_to_move(board), move, board.san(move))
        board.push(move)
