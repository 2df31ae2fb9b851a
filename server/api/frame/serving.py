"""Turns an endpoint into an aiohttp handler: authentication, errors, timing.

A wrapper rather than middleware: the web's requests do not pay for it, and nothing else stands
between aiohttp and the handler. Not for any single call's work.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from typing import TypeVar

from aiohttp import web

from kskak.cases.case import CaseRefusal
from kskak.game.game_commands import Command, Refusal
from kskak.ledger.ledger_files import JsonObject
from kskak.ledger.stored_events import UnreadEntry
from kskak.play.game_state import GameState
from kskak.regulation.editions import Side
from mail.text.catalogue import DEFAULT_LANGUAGE, Words
from server import machine
from server.api.frame import problems
from server.api.frame.endpoints import (
    OURS,
    REPLAYED,
    Api,
    Call,
    Endpoint,
    Guard,
    read_idempotency_key,
)
from server.api.frame.game_models import (
    bad_fields,
    has_version,
    json_response,
    text_response,
    write_command_result,
)
from server.api.frame.problems import (
    ApiProblem,
    ApiProblemKind,
    build_case_refusal_problem,
    build_refusal_problem,
    unread,
)
from server.store.cases.cases import UnknownCase
from server.store.engine.connection import AGAIN_S, AsyncConnection, StoreUnavailable, UnknownGame
from server.store.engine.rows import dump_json
from server.store.play import requests as request_rows
from server.store.play.games import SeenPosition
from server.store.play.requests import IdempotencyKey, StoredResponse
from server.usecases.cases.case_decisions import HasBegun
from server.usecases.cases.case_views import unread_case
from server.usecases.games.case_opening import UnreadCase
from server.usecases.games.game_units import KeyReused
from server.usecases.play.game_requests import (
    GameRequest,
    GameRequestOutcome,
    NotYours,
    Respond,
    TextProblem,
    ask,
)
from server.usecases.play.game_views import unread_ledger
from server.usecases.preferences import choose_language
from server.usecases.rights import NoSuch, NotAllowed

logger = logging.getLogger(__name__)

_ALLOWED_WHEN_UNREADABLE = frozenset({"game", "ledger"})
"""The calls that answer an official with what can be read of a broken ledger."""
_CASE = "case"
"""The call that does the same for a case."""


AiohttpHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_handler(endpoint: Endpoint, api: Api) -> AiohttpHandler:
    """The aiohttp handler of an endpoint."""
    guarded, handler, name = endpoint.guard is Guard.SIGNED_IN, endpoint.handler, endpoint.name
    observe = api.meters.observe

    async def handle(request: web.Request) -> web.StreamResponse:
        clock = asyncio.get_running_loop().time
        begun = clock()
        call = Call(api, request)
        try:
            if "%00" in request.raw_path:
                _check_query(endpoint, request)
                raise _nul(request)
            if guarded:
                call.caller = await api.doors.let_in(request, begun)
                call.caller.check_scope(endpoint.scope)
            _check_query(endpoint, request)
            response: web.StreamResponse = await handler(call)
        except UnreadEntry as error:
            response = await _unread(error, call, endpoint)
        except UnreadCase as error:
            response = await _unread_case(error, call, endpoint)
        except Exception as error:
            response = _respond_to_error(error, call)
        if call.caller is not None:
            response.headers.update(api.doors.limits(call.caller, begun))
        if endpoint.is_public:
            response.headers.update(FOR_ALL)
        response = _unless_known(endpoint, request, response)
        observe(name, response.status, clock() - begun)
        return response

    return handle


FOR_ALL = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Retry-After",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""What nobody has to sign in for may be read by the pages of other sites (CORS)."""
_PREFLIGHT = FOR_ALL | {
    "Access-Control-Allow-Methods": "GET",
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Max-Age": "86400",
}


def _check_query(endpoint: Endpoint, request: web.Request) -> None:
    """Raises ApiProblem for a query name that the call does not have, with those that it has."""
    if not endpoint.path.startswith(OURS):
        return
    lawful = [one.name for one in endpoint.query]
    unknown = sorted(set(request.query) - set(lawful))
    if unknown:
        said = {"names": ", ".join(one[:40] for one in unknown), "lawful": ", ".join(lawful)}
        more: JsonObject = {"lawful": list(lawful)}
        faults = [(one[:40], "extra_forbidden") for one in unknown]
        raise ApiProblem(ApiProblemKind.UNKNOWN_QUERY, more, values=said, faults=faults)


def _unless_known(
    endpoint: Endpoint, request: web.Request, response: web.StreamResponse
) -> web.StreamResponse:
    """The answer with its ETag; 304 where the caller has just this one."""
    body = response.body if isinstance(response, web.Response) else None
    if not endpoint.has_etag or response.status != DONE or not isinstance(body, bytes):
        return response
    etag = response.headers.setdefault("ETag", f'"{blake2b(body, digest_size=12).hexdigest()}"')
    if not has_version(request, etag):
        return response
    kept = ("ETag", "Cache-Control", "Vary", "Link", *FOR_ALL)
    headers = {name: response.headers[name] for name in kept if name in response.headers}
    return web.Response(status=304, headers=headers)


def _nul(request: web.Request) -> ApiProblem:
    """The problem with a NUL character, which no name of ours has and no database keeps."""
    at = [(name, "not_allowed") for name, value in request.query.items() if "\0" in value]
    return bad_fields(at) if at else ApiProblem(ApiProblemKind.NOT_FOUND)


async def _unread(error: UnreadEntry, call: Call, endpoint: Endpoint) -> web.Response:
    """A game that can't be read: its entries for an official who asks for it, else the problem."""
    logger.error("api: a ledger can't be read: %s: %s", call.request.path, error)
    if endpoint.name in _ALLOWED_WHEN_UNREADABLE and call.caller is not None:
        found = await unread_ledger(call.api.core, call.caller.person, call.game_id)
        if found is not None:
            return json_response(found.as_json())
    return problems.answer(ApiProblem(ApiProblemKind.UNREAD_LEDGER), load_words(call))


async def _unread_case(error: UnreadCase, call: Call, endpoint: Endpoint) -> web.Response:
    """A case that can't be read: for an official who asks for it as it is kept, else the problem.

    Who may not know of it does not learn that it is there.
    """
    logger.error("api: a case can't be read: %s: %s", call.request.path, error)
    person = None if call.caller is None else call.caller.person
    is_known, found = await unread_case(call.api.core, person, error.case_id)
    if found is not None and endpoint.name == _CASE:
        return json_response(found.as_json())
    is_hidden = not is_known and "/cases/{id}" in endpoint.path
    problem = ApiProblem(ApiProblemKind.NOT_FOUND if is_hidden else ApiProblemKind.UNREAD_CASE)
    return problems.answer(problem, load_words(call))


def _respond_to_error(error: Exception, call: Call) -> web.Response:
    """The problem document for any exception; unexpected ones are logged, not disclosed."""
    match error:
        case ApiProblem():
            problem = error
        case StoreUnavailable():
            logger.warning("api: %s", error)
            problem = ApiProblem(ApiProblemKind.UNAVAILABLE, headers={"Retry-After": str(AGAIN_S)})
        case _:
            logger.exception("api: %s %s", call.request.method, call.request.path)
            problem = ApiProblem(ApiProblemKind.INTERNAL)
    return problems.answer(problem, load_words(call))


def load_words(call: Call) -> Words:
    """The texts in the caller's language."""
    own = DEFAULT_LANGUAGE if call.caller is None else call.caller.person.lang
    return Words.load(choose_language(call.request.headers.get("Accept-Language", ""), own))


def make_fallback_handler(endpoints: tuple[Endpoint, ...], api: Api) -> AiohttpHandler:
    """The handler under the API's prefix for paths without an endpoint: 404, or 405."""

    async def handle(request: web.Request) -> web.StreamResponse:
        call = Call(api, request)
        methods = sorted({e.method for e in endpoints if _is_at(e.path, request.path)})
        if request.method == "OPTIONS" and any(
            one.is_public and _is_at(one.path, request.path) for one in endpoints
        ):
            return web.Response(status=204, headers=_PREFLIGHT)
        if not methods or request.method in methods:  # such as an id that is too long
            return problems.answer(ApiProblem(ApiProblemKind.NOT_FOUND), load_words(call))
        listed = ", ".join(methods)
        problem = ApiProblem(
            ApiProblemKind.BAD_METHOD, values={"methods": listed}, headers={"Allow": listed}
        )
        return problems.answer(problem, load_words(call))

    return handle


def _is_at(template: str, path: str) -> bool:
    """Whether a path matches a template such as ``/games/{id}``."""
    expected, given = template.split("/"), path.split("/")
    return len(expected) == len(given) and all(
        step == got
        or (step == "{id}" and got.isascii() and got.isdigit())
        or (step.startswith("{") and step != "{id}")
        for step, got in zip(expected, given, strict=True)
    )


# POSTs outside the games' writer, executed once whatever the network does.

DONE = 200
R = TypeVar("R")
Do = Callable[[], Awaitable[JsonObject | CaseRefusal]]
Answered = Callable[[], Awaitable[tuple[int, str]]]


async def respond_once(call: Call, raw: bytes, do: Do) -> web.Response:
    """Do it once and answer with the result, which may be a refusal."""
    return await answered_once(call, raw, lambda: _answer_call(call, do))


async def answered_once(call: Call, raw: bytes, answered: Answered) -> web.Response:
    """The same for callers that build status and body themselves."""
    core = call.api.core
    key = read_idempotency_key(call.request, call.signed_in.person.id, raw)
    if key is None:
        return text_response(*await answered())
    async with core.writer.together() as conn:
        known = await _find_stored_response(conn, key)
        if known is not None:
            return text_response(known.status, known.body, {REPLAYED: "true"})
        status, text = await answered()
        machine.reach_crash_point("answer-before-keep")
        await request_rows.keep(conn, key, StoredResponse(status, text, core.now_us, key.request))
    machine.reach_crash_point("answer-after-commit")
    return text_response(status, text)


async def _answer_call(call: Call, do: Do) -> tuple[int, str]:
    try:
        done = await call_use_case(do)
        return DONE, dump_json(done)
    except ApiProblem as problem:
        return _write_problem(call, problem)


def _write_problem(call: Call, problem: ApiProblem) -> tuple[int, str]:
    """Its status and document, in the caller's language."""
    return problem.status, dump_json(problems.document(problem, load_words(call)))


_RAISED: dict[type[Exception], ApiProblemKind] = {
    UnknownCase: ApiProblemKind.NOT_FOUND,
    UnknownGame: ApiProblemKind.NOT_FOUND,
    NotAllowed: ApiProblemKind.NOT_ALLOWED,
    HasBegun: ApiProblemKind.HAS_BEGUN,
}


async def call_use_case(do: Callable[[], Awaitable[R | CaseRefusal]]) -> R:
    """The result. Raises Problem for every way in which it was refused."""
    try:
        done = await do()
    except NoSuch as error:
        raise ApiProblem(ApiProblemKind.NO_SUCH, values={"what": str(error)}) from None
    except tuple(_RAISED) as error:
        raise ApiProblem(_RAISED[type(error)]) from None
    if isinstance(done, CaseRefusal):
        raise build_case_refusal_problem(done)
    return done


async def _find_stored_response(
    conn: AsyncConnection, key: IdempotencyKey
) -> StoredResponse | None:
    """The answer already given for this key. Raises Problem if the key belongs to another request.

    If two processes use the same key at once, one waits for the other's commit.
    """
    await request_rows.lock(conn, key)
    known = await request_rows.find_stored_answer(conn, key)
    if known is None:
        return None
    if known.request != key.request:
        raise ApiProblem(ApiProblemKind.KEY_REUSED)
    return known


# One command to one game, executed once whatever the network does; its answer is kept.

CHANNEL = "api"
Built = Command | Refusal | TextProblem
Build = Callable[[GameState, Side], Built]


WayOn = Callable[[GameRequestOutcome], JsonObject]
"""What a refusal's document says besides the reason: how to proceed."""


def _no_way(_: GameRequestOutcome) -> JsonObject:
    return {}


async def ask_once(
    call: Call,
    raw: bytes,
    build: Build,
    message: str = "",
    way_on: WayOn = _no_way,
    seen: SeenPosition | None = None,
) -> web.Response:
    """Send a command to a game, which was seen at ``seen``.

    Raises Problem for an unknown game or a reused key.
    """
    person = call.signed_in.person
    key = read_idempotency_key(call.request, person.id, raw)

    def answered(answer: GameRequestOutcome) -> tuple[int, str]:
        side = answer.game.side_of(person.id)
        assert side is not None, "only players are answered"
        return respond(call, answer, side, way_on)

    asked = GameRequest(
        call.game_id, person.id, CHANNEL, build, message, idempotency=key,
        respond=None if key is None else answered, seen=seen,
    )  # fmt: skip

    def counted(answer: GameRequestOutcome) -> tuple[int, str]:
        problem = problem_of(answer)
        if problem is not None:
            call.api.meters.refused(CHANNEL, problem.kind)
        return answered(answer)

    return await answer_outcome(ask(call.api.core, asked), counted)


async def answer_outcome(
    asking: Awaitable[GameRequestOutcome | StoredResponse], respond: Respond
) -> web.Response:
    """The answer to what came of it. Raises Problem for an unknown game or a reused key."""
    try:
        answer = await asking
    except (NotYours, UnknownGame):
        raise ApiProblem(ApiProblemKind.NOT_FOUND) from None
    except KeyReused:
        raise ApiProblem(ApiProblemKind.KEY_REUSED) from None
    if isinstance(answer, StoredResponse):
        return text_response(answer.status, answer.body, {REPLAYED: "true"})
    return text_response(*respond(answer))


def respond(
    call: Call, answer: GameRequestOutcome, side: Side, way_on: WayOn = _no_way
) -> tuple[int, str]:
    """Status and body of an answer, including a refusal, in the caller's language.

    ``side``: whose days are told; ``way_on``: what a refusal says besides the reason.
    """
    problem = problem_of(answer)
    if problem is None:
        return DONE, dump_json(write_command_result(answer, side))
    problem.more |= way_on(answer)
    return _write_problem(call, problem)


def problem_of(answer: GameRequestOutcome) -> ApiProblem | None:
    """The problem that prevented the command; None if it was carried out."""
    if answer.problem is not None:
        return unread(answer.problem)
    return None if answer.refusal is None else build_refusal_problem(answer.refusal)
