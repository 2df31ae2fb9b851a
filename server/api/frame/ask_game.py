"""One command to one game, executed once whatever the network does; its answer is kept.

Not for the commands themselves (play/calls.py).
"""

from collections.abc import Callable

from aiohttp import web

from kskak.game.commands import Command
from kskak.game.refusals import Refusal
from kskak.ledger.ledger_out import JsonObject
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from server.api.frame import problems
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import done, dumps, text_response
from server.api.frame.keys import REPLAYED, key_of
from server.api.frame.problems import Kind, Problem, refused
from server.api.frame.serving import words_of
from server.api.frame.texts import unread
from server.store.engine.errors import UnknownGame
from server.usecases.core.game_work import KeyReused, Replayed
from server.usecases.play.ask import Answer, Asked, NotYours, ask
from server.usecases.play.reading import TextProblem

CHANNEL = "api"
Built = Command | Refusal | TextProblem
Build = Callable[[GameState, Side], Built]


WayOn = Callable[[Answer], JsonObject]
"""What a refusal's document says besides the reason: how to proceed."""


def _no_way(_: Answer) -> JsonObject:
    return {}


async def ask_once(
    call: Call, raw: bytes, build: Build, message: str = "", way_on: WayOn = _no_way
) -> web.Response:
    """Send a command to a game. Raises Problem for an unknown game or a reused key."""
    person = call.signed_in.person
    key = key_of(call.request, person.id, raw)

    def answered(answer: Answer) -> tuple[int, str]:
        return respond(answer, person.id, call, way_on)

    asked = Asked(
        game_id=call.game_id,
        person_id=person.id,
        channel=CHANNEL,
        build=build,
        message=message,
        idempotency=key,
        respond=None if key is None else answered,
    )
    try:
        answer = await ask(call.api.core, asked)
    except (NotYours, UnknownGame):
        raise Problem(Kind.NOT_FOUND) from None
    except KeyReused:
        raise Problem(Kind.KEY_REUSED) from None
    if isinstance(answer, Replayed):
        return text_response(answer.status, answer.body, {REPLAYED: "true"})
    problem = problem_of(answer)
    if problem is not None:
        call.api.meters.refused(CHANNEL, problem.kind)
    return text_response(*answered(answer))


def respond(answer: Answer, person_id: int, call: Call, way_on: WayOn = _no_way) -> tuple[int, str]:
    """Status and body of an answer, including a refusal, in the caller's language."""
    problem = problem_of(answer)
    if problem is not None:
        words = words_of(call)
        problem.more |= way_on(answer)
        return problems.status_of(problem.kind), dumps(problems.document(problem, words))
    side = answer.game.side_of(person_id)
    assert side is not None, "only players are answered"
    return 200, dumps(done(answer, side))


def problem_of(answer: Answer) -> Problem | None:
    """The problem that prevented the command; None if it was carried out."""
    if answer.problem is not None:
        return unread(answer.problem)
    return None if answer.refusal is None else refused(answer.refusal)
