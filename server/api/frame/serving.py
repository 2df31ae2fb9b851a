"""Turns an endpoint into an aiohttp handler: authentication, errors, timing.

A wrapper rather than middleware: the web's requests do not pay for it, and nothing else stands
between aiohttp and the handler. Not for any single call's work.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from aiohttp import web

from kskak.ledger.stored_events import UnreadEntry
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from mail.text.words import Words
from server.api.frame import problems
from server.api.frame.body import bad_fields
from server.api.frame.endpoints import Api, Call, Endpoint, Guard
from server.api.frame.json_answer import json_response
from server.api.frame.problems import Kind, Problem
from server.store.engine.errors import AGAIN_S, StoreUnavailable
from server.usecases.play.unread_ledger import unread_ledger

_MOST_RANGES = 10
_SHOWN_UNREAD = frozenset({"game", "ledger"})
"""The calls that answer an official with what can be read of a broken ledger."""


def preferred(header: str, own: str = DEFAULT_LANGUAGE) -> str:
    """The best of our languages for an Accept-Language header; ``own`` if it names none."""
    best, weight = own if own in LANGUAGES else DEFAULT_LANGUAGE, 0.0
    for part in header.split(",", _MOST_RANGES)[:_MOST_RANGES]:
        tag, _, quality = part.strip().partition(";")
        lang = tag.strip().lower().partition("-")[0]
        if lang in LANGUAGES and (q := _quality(quality)) > weight:
            best, weight = lang, q
    return best


def _quality(text: str) -> float:
    name, _, value = text.strip().partition("=")
    if not name:
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0


logger = logging.getLogger(__name__)
AiohttpHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def served(endpoint: Endpoint, api: Api) -> AiohttpHandler:
    """The aiohttp handler of an endpoint."""
    guarded, handler, name = endpoint.guard is Guard.SIGNED_IN, endpoint.handler, endpoint.name
    observe = api.meters.observe

    async def handle(request: web.Request) -> web.StreamResponse:
        clock = asyncio.get_running_loop().time
        begun = clock()
        call = Call(api, request)
        try:
            if "%00" in request.raw_path:
                raise _nul(request)
            if guarded:
                call.caller = await api.doors.let_in(request, begun)
            response = await handler(call)
        except UnreadEntry as error:
            response = await _unread(error, call, endpoint)
        except Exception as error:
            response = _failed(error, call)
        observe(name, response.status, clock() - begun)
        return response

    return handle


def _nul(request: web.Request) -> Problem:
    """The problem with a NUL character, which no name of ours has and no database keeps."""
    at = [(name, "not_allowed") for name, value in request.query.items() if "\0" in value]
    return bad_fields(at) if at else Problem(Kind.NOT_FOUND)


async def _unread(error: UnreadEntry, call: Call, endpoint: Endpoint) -> web.Response:
    """A game that can't be read: its entries for an official who asks for it, else the problem."""
    logger.error("api: a ledger can't be read: %s: %s", call.request.path, error)
    if endpoint.name in _SHOWN_UNREAD and call.caller is not None:
        found = await unread_ledger(call.api.core, call.caller.person, call.game_id)
        if found is not None:
            return json_response(found.as_json())
    return problems.answer(Problem(Kind.UNREAD_LEDGER), words_of(call))


def _failed(error: Exception, call: Call) -> web.Response:
    """The problem document for any exception; unexpected ones are logged, not disclosed."""
    match error:
        case Problem():
            problem = error
        case StoreUnavailable():
            logger.warning("api: %s", error)
            problem = Problem(Kind.UNAVAILABLE, headers={"Retry-After": str(AGAIN_S)})
        case _:
            logger.exception("api: %s %s", call.request.method, call.request.path)
            problem = Problem(Kind.INTERNAL)
    return problems.answer(problem, words_of(call))


def words_of(call: Call) -> Words:
    """The texts in the caller's language."""
    own = DEFAULT_LANGUAGE if call.caller is None else call.caller.person.lang
    return Words.load(preferred(call.request.headers.get("Accept-Language", ""), own))


def astray(endpoints: tuple[Endpoint, ...], api: Api) -> AiohttpHandler:
    """The handler under the API's prefix for paths without an endpoint: 404, or 405."""

    async def handle(request: web.Request) -> web.StreamResponse:
        call = Call(api, request)
        methods = sorted({e.method for e in endpoints if _is_at(e.path, request.path)})
        if not methods or request.method in methods:  # such as an id that is too long
            return problems.answer(Problem(Kind.NOT_FOUND), words_of(call))
        listed = ", ".join(methods)
        problem = Problem(Kind.BAD_METHOD, values={"methods": listed}, headers={"Allow": listed})
        return problems.answer(problem, words_of(call))

    return handle


def _is_at(template: str, path: str) -> bool:
    """Whether a path matches a template such as ``/games/{id}``."""
    expected, given = template.split("/"), path.split("/")
    return len(expected) == len(given) and all(
        step == got or (step == "{id}" and got.isascii() and got.isdigit())
        for step, got in zip(expected, given, strict=True)
    )
