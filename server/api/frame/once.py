"""POSTs outside the games' writer, executed once whatever the network does.

A repeat with the same key gets the first answer; of two simultaneous requests, one waits.
The answer is kept in the action's own transaction: with a key, all that it reads and writes
joins one transaction (store/engine/joining.py), so that after a crash either both are there or
neither, however many transactions the use case has (a statement that also ends an absence,
leave in several games). What a use case itself rolls back, as for a refusal, is undone alone; an
unexpected failure undoes everything. Not for game commands, kept by the writer (ask_game.py).
"""

from collections.abc import Awaitable, Callable

from aiohttp import web

from kskak.cases.refusals import CaseRefusal
from kskak.ledger.ledger_out import JsonObject
from server import crash
from server.api.frame import problems
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import dumps, text_response
from server.api.frame.keys import REPLAYED, key_of
from server.api.frame.problems import Kind, Problem, case_refused
from server.api.frame.serving import words_of
from server.store.cases.cases_and_events import UnknownCase
from server.store.engine.connection import AsyncConnection
from server.store.engine.errors import UnknownGame
from server.store.play import idempotency
from server.store.play.idempotency import IdempotencyKey, StoredResponse
from server.usecases.cases.withdrawals import HasBegun
from server.usecases.core.offices import NoSuch, NotAllowed

DONE = 200
Do = Callable[[], Awaitable[JsonObject | CaseRefusal]]
Answered = Callable[[], Awaitable[tuple[int, str]]]


async def once(call: Call, raw: bytes, do: Do) -> web.Response:
    """Do it once and answer with the result, which may be a refusal."""
    return await answered_once(call, raw, lambda: _answered(call, do))


async def answered_once(call: Call, raw: bytes, answered: Answered) -> web.Response:
    """The same for callers that build status and body themselves."""
    core = call.api.core
    key = key_of(call.request, call.signed_in.person.id, raw)
    if key is None:
        return text_response(*await answered())
    async with core.writer.together() as conn:
        known = await _kept(conn, key)
        if known is not None:
            return text_response(known.status, known.body, {REPLAYED: "true"})
        status, text = await answered()
        crash.reach("answer-before-keep")
        await idempotency.keep(conn, key, StoredResponse(status, text, core.now_us))
    crash.reach("answer-after-commit")
    return text_response(status, text)


async def _answered(call: Call, do: Do) -> tuple[int, str]:
    try:
        done = await told(do)
        return DONE, dumps(done)
    except Problem as problem:
        document = problems.document(problem, words_of(call))
        return problems.status_of(problem.kind), dumps(document)


async def told(do: Do) -> JsonObject:
    """The result. Raises Problem for every way in which it was refused."""
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


async def _kept(conn: AsyncConnection, key: IdempotencyKey) -> StoredResponse | None:
    """The answer already given for this key. Raises Problem if the key belongs to another request.

    If two processes use the same key at once, one waits for the other's commit.
    """
    await idempotency.lock(conn, key)
    known = await idempotency.find(conn, key)
    if known is None:
        return None
    if known.request != key.request:
        raise Problem(Kind.KEY_REUSED)
    return known.response
