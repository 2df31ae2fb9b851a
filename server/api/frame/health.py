"""Liveness, readiness and metrics: /healthz, /readyz, /metrics.

Open to all, and contains nothing personal (/metrics: as the mailbox page). Not for repairs.
"""

import asyncio
from typing import Any, Literal

from aiohttp import web
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from kskak.ledger.ledger_files import JsonObject
from server.api.frame.endpoints import Api, Call
from server.api.frame.game_models import ApiAnswer, json_response
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.store.engine.connection import StoreError
from server.store.engine.rows import SECOND_US
from server.store.mail.inbox import backlogs
from server.store.mail.outages import MAILBOX, open_since
from server.usecases.context import Core
from server.usecases.desks.database_care import is_here
from server.usecases.rights import rights

# Response models of /healthz and /readyz. Not for the checks themselves (health.py).


class Check(ApiAnswer):
    """One check."""

    ok: bool
    pending: int | None = None
    oldest_seconds: float | None = None
    dead: int | None = None
    behind_seconds: int | None = None


class Health(ApiAnswer):
    """Whether the process is up."""

    status: Literal["ok"]


class Readiness(ApiAnswer):
    """Whether the server can do its work: 200 if so, else 503."""

    status: Literal["ready", "not_ready"]
    checks: dict[str, Check]


# Liveness, readiness and metrics: /healthz, /readyz, /metrics.

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
    return _readiness(*(found or (False, {"database": {"ok": False}})))


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


def _readiness(ok: bool, checks: JsonObject) -> web.Response:
    value: JsonObject = {"status": "ready" if ok else "not_ready", "checks": checks}
    return json_response(value, 200 if ok else 503)


async def metrics(call: Call) -> web.Response:
    """GET /metrics: for who sits at the machine, and for administrators; else 404."""
    core = call.api.core
    await _only_here(call)
    queues = await core.store.query(backlogs)
    return web.Response(
        body=call.api.meters.page(queues, core.now_us),
        headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4},
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
