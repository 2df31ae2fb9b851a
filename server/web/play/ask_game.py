"""Asking a game from a page: who asks, under which key, and what came of it.

Not for what is asked (send_move.py, end_game.py).
"""

from aiohttp import web

from kskak.game.refusals import Reason, Refusal
from server.store.play.people import PersonRow
from server.usecases.core.game_work import KeyReused
from server.usecases.play.ask import Answer, Build, NotYours, ask
from server.usecases.play.form_keys import heard, key_of, pressed
from server.web.frame.context import core


async def ask_once(
    request: web.Request, person: PersonRow, build: Build, key: str, message: str = ""
) -> Answer | Refusal | None:
    """Ask the game of the address; None when the form had been sent before and done.

    A refusal given before comes again as such. Raises HTTPForbidden for who plays no side.
    """
    kept = key_of(person.id, request.path, key)
    asked = pressed(int(request.match_info["game"]), kept, build, message)
    try:
        return heard(await ask(core(request), asked))
    except NotYours as error:
        raise web.HTTPForbidden from error
    except KeyReused:
        return Refusal(Reason.STALE)
