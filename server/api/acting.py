"""The POSTs of one game: moves, draw, resign, claim. Each is one command, asked once.

A refused call changes nothing and costs no day: the web and the API refuse before sending
(REGULATION, "Invalid moves"). Not for what a command does (kskak.decide, usecases.play).
"""

from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web

from kskak import commands as cmd
from kskak.notation import MoveUnread, read_move
from kskak.quantities import Side
from kskak.refusals import Refusal
from kskak.state import GameState
from server.api import texts
from server.api.bodies import ClaimBody, DrawBody, MovesBody, ResignBody, bad_fields, parse
from server.api.building import ByPlayer, done, dumps
from server.api.endpoints import Call
from server.api.idempotent import fingerprint, key_of
from server.api.problems import Kind, Problem, refused
from server.usecases.texts import TextProblem, command_from_text, languages_of

EMPTY = b"{}"
Built = ByPlayer | Refusal | TextProblem
Build = Callable[[GameState, Side], Built]


async def moves(call: Call) -> web.Response:
    """POST /games/{id}/moves: a dispatch, in the grammar of the mails."""
    raw = await call.body()
    body = parse(MovesBody, raw)
    lang, today = call.signed_in.person.lang, call.api.core.today()

    def build(state: GameState, side: Side) -> Built:
        ply = state.position.ply if body.ply is None else body.ply
        return command_from_text(
            state, side, body.text, ply=ply, offers_draw=body.draw_offer, today=today, lang=lang
        )

    return await _ask(call, raw, build, body.message)
