"""The table of all API endpoints, and adding them to an aiohttp application."""

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import cache

from aiohttp import web

from server.api.archive import ARCHIVE
from server.api.cases.case_calls import CASES
from server.api.cup import CUPS
from server.api.entries import ENTRIES
from server.api.frame import health
from server.api.frame.endpoints import (
    JSON,
    PLAIN,
    Api,
    ApiAuthenticator,
    Call,
    Caller,
    Endpoint,
    Guard,
    Meters,
    describe,
    digest_of,
)
from server.api.frame.serving import make_fallback_handler, make_handler
from server.api.groups import GROUPS
from server.api.league import LEAGUE, TEAM_ENTRIES
from server.api.office import CONTROLLER
from server.api.play import PLAY
from server.api.rating import RATINGS
from server.api.register import REGISTER
from server.store.account import sign_in as access
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.context import Core
from server.usecases.games.writer import Batcher

# The table of all API endpoints: routed below, described by frame/endpoints.py.

PREFIX = "/api/v1"
OPERATION: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", "/healthz", "healthz", health.healthz, "Is the process up?",
        health.Health, guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", "/readyz", "readyz", health.readyz, "Can the server do its work?",
        health.Readiness, guard=Guard.OPEN, unready=health.Readiness,
    ),
    Endpoint(
        "GET", "/metrics", "metrics", health.metrics, "Counters for Prometheus",
        PLAIN, guard=Guard.OPEN,
    ),
)  # fmt: skip
ENDPOINTS: tuple[Endpoint, ...] = (
    *PLAY, *GROUPS, *CASES, *ENTRIES,
    *CONTROLLER,
    *LEAGUE, *TEAM_ENTRIES, *REGISTER, *RATINGS, *CUPS, *ARCHIVE,
    *OPERATION,
)  # fmt: skip


# Adds the API to an aiohttp application: all endpoints, openapi.json, and a catch-all.

TOGETHER = 256
"""How many tokens are looked up in one statement at most."""


def add_api(
    app: web.Application,
    core: Core,
    meters: Meters,
    *,
    cookie: str,
    address: Callable[[web.Request], str],
) -> Api:
    """Add the API to an application.

    ``cookie`` is the name of the web session's cookie, ``address`` gives a request's client.
    """
    api = Api(core, _doors(core, cookie, address), meters)
    endpoints = (*ENDPOINTS, _description())
    for endpoint in endpoints:
        path = endpoint.path.replace("{id}", r"{id:\d{1,18}}")
        app.router.add_route(endpoint.method, path, make_handler(endpoint, api), name=endpoint.name)
    app.router.add_route("*", PREFIX + "/{tail:.*}", make_fallback_handler(endpoints, api))
    return api


@cache
def _description() -> Endpoint:
    """openapi.json, which also describes itself; the same for every application in a process."""

    @cache
    def body() -> bytes:
        return json.dumps(describe((*ENDPOINTS, endpoint))).encode()

    async def handler(call: Call) -> web.Response:
        # A fifth of a second when first asked for: neither every start nor other requests wait.
        text = await asyncio.to_thread(body)
        return web.Response(body=text, content_type=JSON, headers={"Cache-Control": "max-age=300"})

    endpoint = Endpoint(
        "GET", f"{PREFIX}/openapi.json", "openapi", handler, "This description", JSON,
        guard=Guard.OPEN,
    )  # fmt: skip
    return endpoint


def _doors(core: Core, cookie: str, address: Callable[[web.Request], str]) -> ApiAuthenticator:
    async def owners(digests: Sequence[bytes]) -> list[PersonRow | None]:
        found = await core.store.look(lambda conn: access.owners_of_tokens(conn, digests))
        return [found.get(digest) for digest in digests]

    asked: Batcher[bytes, PersonRow | None] = Batcher(owners, TOGETHER)

    async def by_token(token: str) -> Caller | None:
        digest = digest_of(token)
        person = await asked.submit(digest)
        if person is None:
            return None
        core.token_days.note(digest, core.today(core.settings.clock.zone).isoformat())
        return Caller(person, digest)

    async def by_session(request: web.Request) -> Caller | None:
        secret = request.cookies.get(cookie)
        if not secret or not secret.isascii():
            return None
        visitor = await signin.visitor(core, secret)
        if visitor is None:
            return None
        session = visitor.session
        return Caller(visitor.person, session.digest, session.csrf)

    return ApiAuthenticator(by_token, by_session, core.settings.web.site, address)
