"""Asking a game from a page: who asks, under which key, and what came of it.

Not for what is asked (moving.py, ending.py).
"""

from aiohttp import web

from kskak.quantities import Channel
from kskak.refusals import Reason, Refusal
from server.store.idempotency import IdempotencyKey
from server.store.people import PersonRow
from server.usecases.play import Answer, Asked, Build, NotYours, ask
from server.usecases.units import KeyReused, Replayed
from server.web.context import core

SENT = 303
REFUSED = 409


def _kept(answer: Answer) -> tuple[int, str]:
    """What is kept under the form's key, so that a second click gets the same."""
    if answer.refusal is not None:
        return REFUSED, answer.refusal.reason.value
    return (SENT if answer.problem is None else REFUSED), ""


async def ask_once(
    request: web.Request, person: PersonRow, build: Build, key: str, message: str = ""
) -> Answer | Refusal | None:
    """Ask the game of the address; None when the form had been sent before and done.

    A refusal given before comes again as such. Raises HTTPForbidden for who plays no side.
    """
    kept = IdempotencyKey.of(person.id, f"web-{key}", request.method, request.path, b"")
    asked = Asked(
        game_id=int(request.match_info["game"]),
        person_id=person.id,
        channel=Channel.WEB.value,
        build=build,
        message=message,
        idempotency=kept,
        respond=_kept,
    )
    try:
        outcome = await ask(core(request), asked)
    except NotYours as error:
        raise web.HTTPForbidden from error
    except KeyReused:
        return Refusal(Reason.STALE)
    if isinstance(outcome, Replayed):
        return None if outcome.status == SENT else Refusal(Reason(outcome.body or Reason.STALE))
    assert isinstance(outcome, Answer)
    return outcome
