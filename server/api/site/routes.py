"""Adds the API to an aiohttp application: all endpoints, openapi.json, and a catch-all.

The package's only entry point. Not for opening databases or reading settings (server.app).
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import cache

from aiohttp import web

from server.api.frame.doors import Caller, Doors, digest_of
from server.api.frame.endpoints import JSON, Api, Call, Endpoint, Guard
from server.api.frame.metrics import Meters
from server.api.frame.openapi import describe
from server.api.frame.serving import astray, served
from server.api.site.table import ENDPOINTS, PREFIX
from server.store.account import ways_in as access
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.core.batching import Batcher
from server.usecases.core.context import Core

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
        app.router.add_route(endpoint.method, path, served(endpoint, api), name=endpoint.name)
    app.router.add_route("*", PREFIX + "/{tail:.*}", astray(endpoints, api))
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


def _doors(core: Core, cookie: str, address: Callable[[web.Request], str]) -> Doors:
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

    return Doors(by_token, by_session, core.settings.web.site, address)
