"""A POST outside the games' writer, done once whatever the network does.

Asked again with the same key it is answered as the first time; asked twice at once, one waits.
The answer is kept after the deed, not in its transaction: a desk's use case owns its transactions,
some have two (a word that also ends an absence, leave over several games), and the answer is made
of what they return. A crash in between lets a repeat be done; the case itself refuses the second
decision, appeal or end.
Not for a game's commands, whose answer is kept in their own transaction (asking.py).
"""

from collections.abc import Awaitable, Callable

from aiohttp import web

from kskak.case_refusals import CaseRefusal
from kskak.ledger_out import JsonObject
from server.api import problems
from server.api.building import dumps, text_response
from server.api.endpoints import Call
from server.api.keys import REPLAYED, key_of
from server.api.problems import Kind, Problem, case_refused
from server.api.serving import words_of
from server.store import idempotency
from server.store.cases import UnknownCase
from server.store.errors import UnknownGame
from server.store.idempotency import IdempotencyKey, StoredResponse
from server.usecases.offices import NoSuch, NotAllowed
from server.usecases.withdrawals import HasBegun

DONE = 200
Do = Callable[[], Awaitable[JsonObject | CaseRefusal]]


async def once(call: Call, raw: bytes, do: Do) -> web.Response:
    """Do it once, and say what came of it, a refusal too."""
    core = call.api.core
    key = key_of(call.request, call.signed_in.person.id, raw)
    async with call.api.leave_lock:
        known = await kept(call, key)
        if known is not None:
            return text_response(known.status, known.body, {REPLAYED: "true"})
        status, text = await _answered(call, do)
        if key is not None:
            async with core.store.write() as conn:
                await idempotency.keep(conn, key, StoredResponse(status, text, core.now_us))
    return text_response(status, text)


async def _answered(call: Call, do: Do) -> tuple[int, str]:
    try:
        done = await told(do)
        return DONE, dumps(done)
    except Problem as problem:
        document = problems.document(problem, words_of(call))
        return problems.status_of(problem.kind), dumps(document)


async def told(do: Do) -> JsonObject:
    """What was done. Raises Problem for every way in which it was not."""
    try:
        done = await do()
    except (UnknownCase, UnknownGame):
        raise Problem(Kind.NOT_FOUND) from None
    except NotAllowed:
        raise Problem(Kind.NOT_ALLOWED) from None
    except NoSuch as error:
        raise Problem(Kind.NO_SUCH, values={"what": str(error)}) from None
    except HasBegun:
        raise Problem(Kind.HAS_BEGUN) from None
    if isinstance(done, CaseRefusal):
        raise case_refused(done)
    return done


async def kept(call: Call, key: IdempotencyKey | None) -> StoredResponse | None:
    """The answer that was given for this key. Raises Problem when it was another request's."""
    if key is None:
        return None
    async with call.api.core.store.read() as conn:
        known = await idempotency.find(conn, key)
    if known is None:
        return None
    if known.request != key.request:
        raise Problem(Kind.KEY_REUSED)
    return known.response
