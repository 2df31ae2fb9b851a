"""POST /leave: personal leave in all the caller's running games, or in none (§ 6.3.6, § 6.8.8).

Not for what leave costs (kskak.leave) nor for whom it is told to (usecases.leave).
"""

from aiohttp import web

from server.api import problems
from server.api.asking import CHANNEL
from server.api.bodies import LeaveBody, parse
from server.api.building import dumps, text_response
from server.api.endpoints import Call
from server.api.keys import REPLAYED, key_of
from server.api.once import kept
from server.api.problems import Kind, Problem, refused
from server.api.serving import words_of
from server.store import idempotency
from server.store.idempotency import StoredResponse
from server.usecases.leave import Booked, Leave, NotBooked, book

DONE = 200


async def leave(call: Call) -> web.Response:
    """Book leave. One at a time: a repeat with the same key waits for the first and repeats it."""
    raw = await call.body()
    body = parse(LeaveBody, raw)
    person, core = call.signed_in.person, call.api.core
    key = key_of(call.request, person.id, raw)
    async with call.api.leave_lock:
        known = await kept(call, key)
        if known is not None:
            return text_response(known.status, known.body, {REPLAYED: "true"})
        asked = Leave(person.id, body.first, body.last, CHANNEL, core.clock.now())
        status, text = _answer(call, asked, await book(core, asked))
        if key is not None:
            async with core.store.write() as conn:
                await idempotency.keep(conn, key, StoredResponse(status, text, core.now_us))
    return text_response(status, text)


def _answer(call: Call, asked: Leave, outcome: Booked | NotBooked) -> tuple[int, str]:
    if isinstance(outcome, Booked):
        days = {"from": asked.first.isoformat(), "to": asked.last.isoformat()}
        return DONE, dumps({**days, "groups": list(outcome.groups), "games": outcome.games})
    if outcome.refusal is None:
        problem = Problem(Kind.NO_GAMES)
    else:
        problem = refused(outcome.refusal)
        problem.more["game"] = outcome.game
    call.api.meters.refused(CHANNEL, problem.kind)
    return problems.status_of(problem.kind), dumps(problems.document(problem, words_of(call)))
