"""The table of all API endpoints with those of operators (/healthz, /readyz, /metrics), and adding
them to an aiohttp application.

Those of operators are open to all and contain nothing personal (/metrics: as the mailbox page).
"""

import asyncio
import json
import subprocess
import sys
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal

from aiohttp import web
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from kskak.ledger.ledger_files import JsonObject
from server.api.account import ACCOUNT
from server.api.archive import ARCHIVE
from server.api.board import BOARD
from server.api.cases.case_calls import CASES
from server.api.cup import CUPS
from server.api.entries import ENTRIES
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
    Parameter,
    describe,
    digest_of,
)
from server.api.frame.game_models import ApiAnswer, answer_model, json_response
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import make_fallback_handler, make_handler
from server.api.groups import GROUPS
from server.api.league import LEAGUE, TEAM_ENTRIES
from server.api.office import CONTROLLER
from server.api.play import PLAY
from server.api.rating import RATINGS
from server.api.register import REGISTER
from server.store.account import sign_in as access
from server.store.account.sign_in import TokenOwner, TokenScope
from server.store.engine.connection import StoreError
from server.store.engine.rows import SECOND_US
from server.store.mail.inbox import backlogs
from server.store.mail.outages import MAILBOX, open_since
from server.store.tables import base as base_tables
from server.usecases.account import signin
from server.usecases.context import Core
from server.usecases.desks.database_care import is_here
from server.usecases.games.writer import Batcher
from server.usecases.play.open_pages import Hub
from server.usecases.rights import rights

# Liveness, readiness and metrics: /healthz, /readyz, /metrics.


class Check(ApiAnswer):
    """One check."""

    ok: bool
    pending: int | None = None
    oldest_seconds: float | None = None
    dead: int | None = None
    behind_seconds: int | None = None


Health = answer_model("Health", "Whether the process is up.", status=Literal["ok"])


class Readiness(ApiAnswer):
    """Whether the server can do its work: 200 if so, else 503."""

    status: Literal["ready", "not_ready"]
    checks: dict[str, Check]


ANSWER_S = 3.0
"""Seconds in which `/readyz` answers, whatever the database does: who asks waits five or ten."""
LONGEST_WAIT = 3600.0
"""Seconds that mail may wait before the server reports itself not ready."""


async def healthz(call: Call) -> web.Response:
    """GET /healthz: if it answers, the process is up."""
    return json_response({"status": "ok"})


async def readyz(call: Call) -> web.Response:
    """GET /readyz: the database was written in the last few seconds, no mail has waited too long.

    Nor may the mailbox have been shut as long, nor the machine's clock be behind the newest event
    of the games. A database that does not answer in ``ANSWER_S`` is not waited for: the checks go
    on by themselves, and end.
    """
    checking = asyncio.ensure_future(_run_checks(call.api))
    await asyncio.wait({checking}, timeout=ANSWER_S)
    found = checking.result() if checking.done() else None
    ok, checks = found or (False, {"database": {"ok": False}})
    value: JsonObject = {"status": "ready" if ok else "not_ready", "checks": checks}
    return json_response(value, 200 if ok else 503)


async def _run_checks(api: Api) -> tuple[bool, JsonObject] | None:
    """Whether the server can do its work, and each check; None when the database can't be used."""
    core = api.core
    try:
        queues = await core.store.query(backlogs)
        behind = await api.clock_watch.behind_by(core)
        shut_s = await _shut_for(core)
    except StoreError:
        return None
    if not await api.proof.is_good(core):
        return None
    checks: JsonObject = {"database": {"ok": True}, "clock": {"ok": behind is None}}
    ok = behind is None
    if behind is not None:
        checks["clock"] = {"ok": False, "behind_seconds": int(behind.total_seconds())}
    if shut_s is not None:
        ok = ok and shut_s <= LONGEST_WAIT
        checks["mailbox"] = {"ok": shut_s <= LONGEST_WAIT, "oldest_seconds": int(shut_s)}
    for queue in queues:
        age = queue.oldest_seconds(core.now_us)
        ok = ok and age <= LONGEST_WAIT
        checks[queue.queue] = dict[str, Any](
            ok=age <= LONGEST_WAIT, pending=queue.pending, oldest_seconds=age, dead=queue.dead
        )
    return ok, checks


async def _shut_for(core: Core) -> float | None:
    """For how many seconds the mailbox could not be read, 0 if it can; None if there is none."""
    if not core.settings.mail.imap.host:
        return None
    since = await core.store.query(open_since, MAILBOX)
    return 0.0 if since is None else max(0, core.now_us - since) / SECOND_US


async def metrics(call: Call) -> web.Response:
    """GET /metrics: for who sits at the machine, and for administrators; else 404."""
    core = call.api.core
    await _only_here(call)
    queues, meters = await core.store.query(backlogs), call.api.meters
    behind = await call.api.clock_watch.behind_by(core)
    meters.note("database_bytes", "What the database takes", await core.store.octets())
    proved = await core.store.query(base_tables.get, base_tables.COPY_PROVED)
    if proved is not None:
        age = (core.now_us - int(proved)) / SECOND_US
        meters.note("backup_age_seconds", "Age of the newest copy that was proved", age)
    late = 0.0 if behind is None else behind.total_seconds()
    meters.note("clock_behind_seconds", "How far the clock is behind the newest event", late)
    meters.note("clock_seconds", "The time by the machine's clock", core.now_us / SECOND_US)
    return web.Response(
        body=meters.page(queues, core.now_us), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4}
    )


async def _only_here(call: Call) -> None:
    """The mailbox page's question: at a machine that nobody else reaches, or an administrator."""
    core, request = call.api.core, call.request
    if is_here(core.settings.web.site, request.remote, request.host, request.headers):
        return
    try:
        caller = await call.api.doors.let_in(request, asyncio.get_running_loop().time())
    except ApiProblem:
        raise ApiProblem(ApiProblemKind.NOT_FOUND) from None
    if not (await rights(core, caller.person)).is_admin:
        raise ApiProblem(ApiProblemKind.NOT_FOUND)


# The table of all API endpoints: routed below, described by frame/endpoints.py.

PREFIX = "/api/v1"
OPERATION: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", "/healthz", "healthz", healthz, "Is the process up?",
        Health, guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", "/readyz", "readyz", readyz, "Can the server do its work?",
        Readiness, guard=Guard.OPEN, unready=Readiness,
    ),
    Endpoint(
        "GET", "/metrics", "metrics", metrics, "Counters for Prometheus",
        PLAIN, guard=Guard.OPEN,
    ),
)  # fmt: skip
ENDPOINTS: tuple[Endpoint, ...] = (
    *PLAY, *ACCOUNT, *BOARD, *GROUPS, *CASES, *ENTRIES,
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
    hub: Hub | None = None,
) -> Api:
    """Add the API to an application.

    ``cookie`` is the name of the web session's cookie, ``address`` gives a request's client;
    ``hub`` has who listens to changes, for streams.
    """
    api = Api(core, _doors(core, cookie, address), meters, hub=hub or Hub())
    endpoints = (*ENDPOINTS, _description())
    for endpoint in endpoints:
        path = endpoint.path.replace("{id}", r"{id:\d{1,18}}")
        app.router.add_route(endpoint.method, path, make_handler(endpoint, api), name=endpoint.name)
    net = make_fallback_handler(endpoints, api)
    app.router.add_route("*", r"/{tail:(?:api|game/export)/[\s\S]*}", net)
    return api


_EVENTS = Endpoint(
    "GET", "/events", "events", healthz, "What changes in your games, while it happens",
    "text/event-stream", scope=TokenScope.READ, tag="play",
    query=(Parameter("game", "integer", "One game, for those who may see its page"),
           Parameter("after", "string", "The id of the last event that you have")),
    description="Server-sent events: `game` with `{\"game\": 1, \"seq\": 2}` whenever one has "
    "changed, `missed` when something was missed and all is to be asked for again, `known` at "
    "first. Ends after a quarter of an hour, or with its token: open it again with the last id.",
)  # fmt: skip
"""The stream of the pages, which programs may hear too; the web answers it."""


@cache
def _description() -> Endpoint:
    """openapi.json, which also describes itself; the same for every application in a process."""

    kept: list[bytes] = []
    making = asyncio.Lock()

    def body() -> bytes:
        command = [sys.executable, "-m", __name__]
        made = subprocess.run(command, stdout=subprocess.PIPE, timeout=600, check=True)
        return zlib.compress(made.stdout)  # 60 kB are kept in place of 500

    async def handler(call: Call) -> web.Response:
        # When first asked for, by one process of its own: what describes all models is 6 MB, which
        # a server would never give back, and neither every start nor other requests wait.
        async with making:
            if not kept:
                kept.append(await asyncio.to_thread(body))
        text = zlib.decompress(kept[0])
        return web.Response(body=text, content_type=JSON, headers={"Cache-Control": "max-age=300"})

    return Endpoint(
        "GET", f"{PREFIX}/openapi.json", "openapi", handler, "This description", JSON,
        guard=Guard.OPEN,
    )  # fmt: skip


def _doors(core: Core, cookie: str, address: Callable[[web.Request], str]) -> ApiAuthenticator:
    async def owners(digests: Sequence[bytes]) -> list[TokenOwner | None]:
        now_us = core.now_us
        found = await core.store.look(lambda conn: access.owners_of_tokens(conn, digests, now_us))
        return [found.get(digest) for digest in digests]

    asked: Batcher[bytes, TokenOwner | None] = Batcher(owners, TOGETHER)

    async def by_token(token: str) -> Caller | None:
        digest = digest_of(token)
        owner = await asked.submit(digest)
        if owner is None:
            return None
        core.token_days.note(digest, core.today(core.settings.clock.zone).isoformat())
        return Caller(owner.person, digest, token=owner)

    async def by_session(request: web.Request) -> Caller | None:
        secret = request.cookies.get(cookie)
        if not secret or not secret.isascii():
            return None
        visitor = await signin.visitor(core, secret)
        if visitor is None or visitor.must_prove:
            return None
        session = visitor.session
        return Caller(visitor.person, session.digest, session.csrf)

    return ApiAuthenticator(by_token, by_session, core.settings.web.site, address)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(describe((*ENDPOINTS, _EVENTS, _description()))))
