"""Sending a command from a page to a game: who sends it, under which key, with what result.

Not for the commands themselves (send_move.py, draws_and_claims.py).
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
    """Send a command to the game in the address; None if the form was already sent and carried out.

    An earlier refusal is repeated. Raises HTTPForbidden for those who play neither side.
    """
    kept = key_of(person.id, request.path, key)
    asked = pressed(int(request.match_info["game"]), kept, build, message)
    try:
        return heard(await ask(core(request), asked))
    except NotYours as error:
        raise web.HTTPForbidden from error
    except KeyReused:
        return Refusal(Reason.STALE)
