"""`kskak serve` and `kskak demo`: the server, and one with a sample federation to look at."""

import argparse
import asyncio
import logging
import signal
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

from server.app import ROLES, RunningServer, run_server, spare_collector
from server.cli import InputError, command, option
from server.cli.config import CONFIG, settings_of
from server.core import open_core
from server.machine import JsonLines, keep_heap_whole, raise_limit
from server.settings import Settings
from server.store.engine.connection import StoreConflict, StoreError
from server.store.engine.sqlite import fault_of_library
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, Role
from server.usecases.account import signin
from server.usecases.context import Core
from server.usecases.demo import Demo, fill
from server.usecases.desks.database_care import is_public
from server.usecases.mail.mailbox import KeyFault

# `kskak serve`: web, API, inbound mail, outbox and daily duties in one process.

UNSENT = (
    "!!! NO MAIL IS SENT: web.public_url is public, but mail.out.host is empty. Nobody gets a\n"
    "!!! letter or a sign-in link. Set mail.out.host; until then only an administrator who is\n"
    "!!! signed in sees the letters, at /mailbox."
)


@command(
    "serve",
    CONFIG,
    option(
        "--only",
        metavar="ROLE,ROLE",
        default=",".join(ROLES),
        help=f"what this process does, on PostgreSQL: some of {', '.join(ROLES)} (default: all)",
    ),
)
def run_serve(args: argparse.Namespace) -> int:
    """Exit 0 when stopped; 2 if it can't start."""
    settings, roles = settings_of(args), args.only.split(",")
    if unknown := sorted(set(roles) - set(ROLES)):
        raise InputError(f"--only {unknown[0]}: name some of {','.join(ROLES)}")
    if set(roles) != set(ROLES) and settings.database.url.startswith("sqlite"):
        raise InputError("--only: a SQLite file has one server, which does it all; use PostgreSQL")
    start_logging(settings)
    raise_limit()
    keep_heap_whole()
    try:
        asyncio.run(serve(settings, roles))
    except (StoreError, OSError, KeyFault) as error:
        raise InputError(str(error)) from error
    return 0


def start_logging(settings: Settings) -> None:
    """Lines on stderr, as plain text, to which a service manager adds the time, or as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if settings.log.format == "json" else plain)
    logging.basicConfig(handlers=[handler], level=settings.log.level.upper())
    logging.getLogger("alembic").setLevel(logging.WARNING)  # its parts, and a line a step


async def serve(settings: Settings, roles: Collection[str]) -> None:
    """Run until a signal arrives."""
    stop = install_stop_signal()
    async with run_server(settings, roles=roles) as server:
        if "web" in roles:
            await announce(server)
        else:
            print(f"This process  {', '.join(roles)}", flush=True)
        spare_collector()
        await stop.wait()
        print("kskak stops: finishing what was accepted", flush=True)


def install_stop_signal() -> asyncio.Event:
    """Set by a signal: a terminal that is closed (SIGHUP) ends the server as gently as SIGTERM.

    Where that is ignored from the start (``nohup``), it goes on being ignored.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


async def announce(server: RunningServer) -> None:
    """Say where everything is, and how the first person signs in."""
    core = server.core
    if server.notes:
        print(f"Database      brought to revision {server.notes[-1]}")
    fault = fault_of_library() if core.store.dialect == "sqlite" else None
    if fault is not None:
        print(f"Database: {fault}", file=sys.stderr)
    print(f"Web and API   {public(server)}/   (API: /api/v1/openapi.json)")
    print(f"Mail in       {core.command_address} on port {server.smtp_port}")
    out = core.settings.mail.out
    if out.host:
        print(f"Mail out      {out.host}:{out.port}")
    else:
        print(f"Mail out      nothing leaves this machine; letters: {public(server)}/mailbox")
        if is_public(public(server)):
            print(UNSENT, file=sys.stderr, flush=True)
    print(f"Sign in       {await _way_in(core)}", flush=True)


def public(server: RunningServer) -> str:
    """The address people use, with the real port if the settings ask for any free one."""
    return server.core.settings.web.site


async def _way_in(core: Core) -> str:
    """A link, on a terminal or until an administrator has signed in: a journal would keep it."""
    is_known = await core.store.query(person_rows.has_been_signed_in, Role.ADMIN)
    if is_known and not _is_terminal():
        return f"kskak login-link {core.settings.responsible_email}"
    return await first_link(core)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


async def first_link(core: Core) -> str:
    """A sign-in link for the operator, who is registered as a person on the first start."""
    try:
        person_id = await _count_registered(core)
    except StoreConflict:  # by another process that starts at the same instant
        person_id = await _count_registered(core)
    return await signin.make_link(core, person_id)


async def _count_registered(core: Core) -> int:
    email = core.settings.responsible_email
    async with core.store.write() as conn:
        found = await person_rows.by_email(conn, email)
        if found is not None:
            return found.id
        name = core.settings.official.name
        new = NewPerson(name=name, email=email, created_us=core.now_us, role=Role.ADMIN)
        return await person_rows.add_person(conn, new)


# `kskak demo`: a sample federation on a throw-away database, with every mail in a mailbox.


@command("demo", CONFIG)
def run_demo(args: argparse.Namespace) -> int:
    """Exit 0 when stopped."""
    settings = settings_of(args)
    start_logging(settings)
    with tempfile.TemporaryDirectory(prefix="kskak-demo-") as folder:
        asyncio.run(_demo(_thrown_away(settings, Path(folder))))
    return 0


def _thrown_away(settings: Settings, folder: Path) -> Settings:
    """The same settings on a fresh database, with no way out for mail."""
    database = settings.database.model_copy(
        update={"url": f"sqlite:///{folder / 'demo.db'}", "backups": folder}
    )
    mail = settings.mail.model_copy(
        update={"out": settings.mail.out.model_copy(update={"host": ""})}
    )
    return settings.model_copy(update={"database": database, "mail": mail})


async def _demo(settings: Settings) -> None:
    stop = install_stop_signal()
    print("Playing the demonstration's games …", flush=True)
    async with open_core(settings) as core:  # before anything polls: nothing falls due meanwhile
        demo = await fill(core)
    async with run_server(settings) as server:
        print(f"Web           {public(server)}/")
        print(f"Every mail    {public(server)}/mailbox")
        print(f"Mail in       {server.core.command_address} on port {server.smtp_port}")
        await _links(server.core, demo)
        print("Stop with Ctrl-C; nothing is kept.", flush=True)
        await stop.wait()


async def _links(core: Core, demo: Demo) -> None:
    for role, email in demo.roles:
        person = await core.store.query(person_rows.by_email, email)
        assert person is not None
        print(f"{role.capitalize():18}{person.name:14} {await signin.make_link(core, person.id)}")
