"""The one place that wires it all together: settings, store, use cases, web, API, mail, jobs.

``run_server`` starts all of it in one process and stops it in order: nothing new is accepted, what
was accepted is finished. Not for any decision.
"""

import asyncio
import gc
import logging
import os
from asyncio import get_running_loop
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from aiohttp import web, web_response

from mail.incoming.smtp_in import ListenerSettings, SmtpServer, start_smtp
from server.api.frame.endpoints import Meters
from server.api.frame.problems import explain_problems
from server.api.site import add_api
from server.clock import SystemClock, TimeSource
from server.core import open_serving_core
from server.jobs.daily_duties import DailyJob, DeadlineJob
from server.jobs.mail_jobs import InboxJob, OutboxJob, read_mailbox_while_open
from server.jobs.notify import follow_changes, push_notifications
from server.jobs.runner import Poller, PresenceJob, make_job_poller
from server.machine import ROLES, give_back_heap, share_guards, smtp_connections
from server.settings import Settings
from server.store.engine.connection import insist
from server.usecases.archive import archive_views
from server.usecases.context import Core
from server.usecases.desks.readiness import warn_of_clock
from server.usecases.mail.parsed_mail import Intake, MailTaker, is_relay, own_mail
from server.usecases.mail.sort_mail import is_made_up
from server.usecases.play.open_pages import Hub
from server.web import help as help_pages
from server.web import site
from server.web.frame.context import client_address, cookie_name
from server.web.frame.middleware import PatientHandler
from server.xfcc.service import add_xfcc

REST_S = 60.0
"""Seconds after which a job works even if nobody has woken it."""
DAILY_S = 60.0
HEAP_S = 600.0
ARCHIVE_S = 60.0
"""Seconds within which a finished game can be found in the archive."""
PRESENCE_S = 10.0
"""Seconds between two heartbeats, and between two checks for dead processes."""
STOP_S = 10.0
KEEPALIVE_S = 300.0
"""Seconds that a connection may be idle between requests: longer than proxies keep theirs, which
would else send a request as we close."""
BACKLOG = 128
"""Connections that may wait to be accepted."""
MAX_BODY = 1024 * 1024


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A running server: where it listens, and its core for whoever started it."""

    core: Core
    web_port: int
    smtp_port: int
    notes: tuple[str, ...]


class _Bell:
    """Wakes whoever waits for commits; silent until they have registered.

    ``meters`` count what is entered.
    """

    def __init__(self) -> None:
        self.rings: list[Callable[[], None]] = []
        self.meters = Meters()

    def ring(self) -> None:
        """Something was committed."""
        for ring in self.rings:
            ring()


@asynccontextmanager
async def run_server(
    settings: Settings,
    clock: TimeSource | None = None,
    *,
    polls: bool = True,
    roles: Collection[str] = ROLES,
) -> AsyncIterator[RunningServer]:
    """The server in one process, until the caller leaves the block.

    ``polls`` False: the jobs are not started; a test in virtual time does their work by hand.
    ``roles``: what this process does of it; other processes do the rest (PostgreSQL).
    """
    bell = _Bell()
    opened = open_serving_core(settings, clock or SystemClock(), bell.ring, bell.meters.accepted)
    async with (
        opened as (core, notes),
        follow_changes(core, is_on=polls and "web" in roles) as live,
        push_notifications(core, is_on=polls and "mail-out" in roles),
    ):
        presence, outbox = PresenceJob(core), OutboxJob(core, counted=bell.meters.letter)
        await warn_of_clock(core)
        await insist(presence.work)  # another server may start at the same instant
        inbox = Poller("inbox", InboxJob(core).work, REST_S)
        sending = Poller("outbox", outbox.work, REST_S)
        bell.rings += [sending.wake, live.ring]
        pollers = [Poller("presence", presence.work, PRESENCE_S)]
        pollers += _list_pollers(core, inbox, sending, roles)
        try:
            pages = _site(core, bell.meters, live.hub)
            async with _open_doors(core, pages, inbox.wake, roles, polls=polls) as ports:
                for poller in pollers if polls else ():
                    poller.start()
                yield RunningServer(core, *ports, notes)
        finally:
            # Together: where the database is silent, each may wait for its own statement.
            await asyncio.gather(*(poller.stop() for poller in pollers))
            await outbox.close()
            await presence.leave()


@asynccontextmanager
async def _open_doors(
    core: Core,
    pages: web.Application,
    kept: Callable[[], None],
    roles: Collection[str],
    *,
    polls: bool,
) -> AsyncIterator[tuple[int, int]]:
    """Listens for what the roles are there for, until the block ends; both ports, 0 for none."""
    async with AsyncExitStack() as doors:
        port = smtp_port = 0
        if "web" in roles:
            port = await doors.enter_async_context(_serving(core, pages))
        if "mail-in" in roles:
            smtp_port = await doors.enter_async_context(_receiving(core, kept, polls=polls))
        yield port, smtp_port


def _list_pollers(
    core: Core, inbox: Poller, sending: Poller, roles: Collection[str]
) -> list[Poller]:
    """The jobs of a process with these roles, the mail's among them."""
    due = Poller("deadlines", DeadlineJob(core).work, REST_S)
    daily = Poller("daily", DailyJob(core).work, DAILY_S)
    archive = Poller("archive", partial(archive_views.keep_up, core), ARCHIVE_S)
    jobs = {"mail-in": [inbox], "mail-out": [sending], "daily": [due, daily, archive]}
    watch = make_job_poller(core, inbox.wake, sending.wake, due.wake)
    mine = [poller for role in roles for poller in jobs.get(role, ())]
    return [watch, Poller("heap", give_back_heap, HEAP_S), *mine]


@asynccontextmanager
async def _receiving(core: Core, kept: Callable[[], None], *, polls: bool) -> AsyncIterator[int]:
    """Takes mail in, by SMTP and from a mailbox, until the block ends; yields the SMTP port."""
    intake = Intake(core.store)
    smtp = await _listen(core, MailTaker(intake, kept))
    try:
        async with read_mailbox_while_open(core, kept, is_on=polls):
            yield smtp.port
    finally:
        await smtp.close()
        await intake.close()


@asynccontextmanager
async def _serving(core: Core, app: web.Application) -> AsyncIterator[int]:
    """Serves the web until the block ends; yields the port in use."""
    # aiohttp tells its version and Python's, also where it refuses a request by itself
    web_response.SERVER_SOFTWARE = "kskak"  # type: ignore[attr-defined]
    runner, loop = web.AppRunner(app, shutdown_timeout=STOP_S), get_running_loop()
    host, asked = core.settings.web.host, core.settings.web.port
    await runner.setup()
    assert runner.server is not None
    handler = partial(
        PatientHandler,
        runner.server,
        loop=loop,
        access_log=cast(Any, None),
        keepalive_timeout=KEEPALIVE_S,
    )
    try:
        if path := core.settings.web.socket:
            with _explain_port_errors("web.socket"):
                port = await loop.create_unix_server(handler, path, backlog=BACKLOG)
                os.chmod(path, 0o660)  # its user, and the proxy's group
        else:
            with _explain_port_errors("web.host, web.port"):
                port = await loop.create_server(handler, host, asked, backlog=BACKLOG)
        try:
            yield 0 if path else int(port.sockets[0].getsockname()[1])
        finally:
            port.close()
    finally:
        await runner.cleanup()


def spare_collector() -> None:
    """Exclude everything loaded so far from garbage collection.

    Modules, templates and routes live as long as the process. Scanning them again and again
    took a third of a move's time. Before, what takes memory for nothing goes. For a process that
    only serves; call it once it is running.
    """
    gc.unfreeze()  # what the command left alone when it had imported all this
    share_guards()
    gc.collect()
    gc.freeze()


def _site(core: Core, meters: Meters, hub: Hub) -> web.Application:
    app = web.Application(client_max_size=MAX_BODY)
    site.setup(app, core, hub)
    cookie = cookie_name(core.settings)
    add_api(app, core, meters, cookie=cookie, address=client_address, hub=hub)
    app[help_pages.PROBLEMS] = help_pages.ProblemTable(explain_problems)
    add_xfcc(app, core, address=client_address, help_page=help_pages.show)
    return app


async def _listen(core: Core, taker: MailTaker) -> SmtpServer:
    settings = core.settings.mail
    listener = ListenerSettings(
        domain=settings.domain,
        host=settings.in_.smtp_host,
        port=settings.in_.smtp_port,
        max_size=settings.in_.max_bytes,
        in_all=smtp_connections(),
        is_relay=partial(is_relay, core),
    )
    # aiosmtpd names recipients at INFO, and ours carry reply keys.
    logging.getLogger("mail.log").setLevel(logging.WARNING)
    with _explain_port_errors("mail.in.smtp_host, mail.in.smtp_port"):
        made_up = partial(is_made_up, own_mail(core))
        return await start_smtp(taker, listener, core.clock.now, made_up)


@contextmanager
def _explain_port_errors(keys: str) -> Iterator[None]:
    """A port in use or an invalid host is a wrong setting: OSError that says which."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{keys}: can't listen there: {error.strerror or error}") from error
