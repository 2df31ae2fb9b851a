"""A POST outside the games' writer, done once whatever the network does.

Asked again with the same key it is answered as the first time; asked twice at once, one waits.
The answer is kept in the deed's own transaction: with a key, all that the deed reads and writes
joins one (store/engine/joining.py), and who comes after a crash finds both or neither, whatever
number of transactions the use case has (a word that also ends an absence, leave over several
games). What a use case undoes by itself, a refusal's, is undone alone; a failure nobody foresaw
undoes all. Not for a game's commands, whose answer the games' writer keeps (ask_game.py).
"""

from collections.abc import Awaitable, Callable

from aiohttp import web
from sqlalchemy.ext.asyncio import AsyncConnection

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
from server.store.engine.errors import UnknownGame
from server.store.play import idempotency
from server.store.play.idempotency import IdempotencyKey, StoredResponse
from server.usecases.cases.withdrawals import HasBegun
from server.usecases.core.offices import NoSuch, NotAllowed

DONE = 200
Do = Callable[[], Awaitable[JsonObject | CaseRefusal]]
Answered = Callable[[], Awaitable[tuple[int, str]]]


async def once(call: Call, raw: bytes, do: Do) -> web.Response:
    """Do it once, and say what came of it, a refusal too."""
    return await answered_once(call, raw, lambda: _answered(call, do))


async def answered_once(call: Call, raw: bytes, answered: Answered) -> web.Response:
    """The same for who words his answer himself: status and body."""
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


async def _kept(conn: AsyncConnection, key: IdempotencyKey) -> StoredResponse | None:
    """The answer that was given for this key. Raises Problem when it was another request's.

    Of two processes with the same key at once, one waits for the other's commit.
    """
    await idempotency.lock(conn, key)
    known = await idempotency.find(conn, key)
    if known is None:
        return None
    if known.request != key.request:
        raise Problem(Kind.KEY_REUSED)
    return known.response
