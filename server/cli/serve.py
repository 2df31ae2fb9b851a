"""`kskak serve` and `kskak demo`: the server, and one with a sample federation to look at."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

from server.cli import InputError, command, explain, hush, lazily, option
from server.cli.config import CONFIG, settings_of
from server.machine import ROLES, JsonLines, keep_heap_whole, raise_limit

with lazily():
    from server import app, settings
    from server.store.engine import connection, sqlite
    from server.store.play import people as person_rows
    from server.usecases import context, demo
    from server.usecases.account import signin
    from server.usecases.desks import database_care
    from server.usecases.mail import mailbox

log = logging.getLogger(__name__)

# `kskak serve`: web, API, inbound mail, outbox and daily duties in one process.


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
    settings, roles = settings_of(args, makes=True), args.only.split(",")
    if unknown := sorted(set(roles) - set(ROLES)):
        raise InputError(f"--only {unknown[0]}: name some of {','.join(ROLES)}")
    if set(roles) != set(ROLES) and settings.database.url.startswith("sqlite"):
        raise InputError("--only: a SQLite file has one server, which does it all; use PostgreSQL")
    start_logging(settings)
    raise_limit()
    keep_heap_whole()
    try:
        has_migrated = asyncio.run(serve(settings, roles))
    except (connection.StoreError, OSError, mailbox.KeyFault) as error:
        raise InputError(explain(error)) from error
    if has_migrated:
        config = ["--config", str(args.config)] if args.config else []
        again = ["-m", "server", "serve", "--only", args.only, *config]
        os.execv(sys.executable, [sys.executable, *again])
    return 0


def start_logging(settings: settings.Settings) -> None:
    """Lines on stderr, as plain text, to which a service manager adds the time, or as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if settings.log.format == "json" else plain)
    logging.basicConfig(handlers=[handler], level=settings.log.level.upper())
    logging.getLogger("alembic").setLevel(logging.WARNING)  # its parts, and a line a step


async def serve(settings: settings.Settings, roles: Collection[str]) -> bool:
    """Run until a signal arrives; True at once if the database was migrated first.

    What migrates is 18 MB, which a process that goes on serving would keep: it begins anew.
    """
    stop = install_stop_signal()
    async with app.run_server(settings, roles=roles) as server:
        if server.notes and not stop.is_set():
            _tell(f"Database      brought to revision {server.notes[-1]}")
            return True
        if "web" in roles:
            await announce(server)
        else:
            _tell(f"This process  {', '.join(roles)}")
        app.spare_collector()
        await stop.wait()
        _tell("kskak stops: finishing what was accepted")
    return False


def _tell(line: str) -> None:
    """Print a line, if anybody can read it, or has room for it: no server ends for that."""
    try:
        print(line, flush=True)
    except OSError:
        hush()


def install_stop_signal() -> asyncio.Event:
    """Set by a signal: a terminal that is closed (SIGHUP) ends the server as gently as SIGTERM.

    Where that is ignored from the start (``nohup``), it goes on being ignored.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


async def announce(server: app.RunningServer) -> None:
    """Say where everything is, and how the first person signs in."""
    core, site = server.core, server.core.settings.web.site
    fault = sqlite.fault_of_library() if core.store.dialect == "sqlite" else None
    if fault is not None:
        log.warning("%s", fault)
    _tell(f"Web and API   {site}/   (API: /api/v1/openapi.json)")
    _tell(f"Mail in       {core.command_address} on port {server.smtp_port}")
    out = core.settings.mail.out
    if out.host:
        _tell(f"Mail out      {out.host}:{out.port}")
    else:
        _tell(f"Mail out      nothing leaves this machine; letters: {site}/mailbox")
        if database_care.is_public(site):
            log.error(
                "NO MAIL IS SENT: web.public_url is public, but mail.out.host is empty; until it "
                "is set, only an administrator who is signed in sees letters, at /mailbox"
            )
    _tell(f"Sign in       {await connection.insist(lambda: _way_in(core))}")


async def _way_in(core: context.Core) -> str:
    """A link, on a terminal or until an administrator has signed in: a journal would keep it."""
    is_known = await core.store.query(person_rows.has_been_signed_in, person_rows.Role.ADMIN)
    if is_known and not sys.stdout.isatty():
        return f"kskak login-link {core.settings.responsible_email}"
    return await first_link(core)


async def first_link(core: context.Core) -> str:
    """A sign-in link for the operator, who is registered as a person on the first start."""
    try:
        person_id = await _count_registered(core)
    except connection.StoreConflict:  # by another process that starts at the same instant
        person_id = await _count_registered(core)
    return await signin.make_link(core, person_id)


async def _count_registered(core: context.Core) -> int:
    email = core.settings.responsible_email
    async with core.store.write() as conn:
        found = await person_rows.by_email(conn, email)
        if found is not None:
            return found.id
        name = core.settings.official.name
        new = person_rows.NewPerson(
            name=name, email=email, created_us=core.now_us, role=person_rows.Role.ADMIN
        )
        return await person_rows.add_person(conn, new)


# `kskak demo`: a sample federation on a throw-away database, with every mail in a mailbox.


@command("demo", CONFIG)
def run_demo(args: argparse.Namespace) -> int:
    """Exit 0 when stopped."""
    settings = settings_of(args, makes=True)
    start_logging(settings)
    with tempfile.TemporaryDirectory(prefix="kskak-demo-") as folder:
        asyncio.run(_demo(_thrown_away(settings, Path(folder))))
    return 0


def _thrown_away(settings: settings.Settings, folder: Path) -> settings.Settings:
    """The same settings on a fresh database, with no way out for mail."""
    database = settings.database.model_copy(
        update={"url": f"sqlite:///{folder / 'demo.db'}", "backups": folder}
    )
    mail = settings.mail.model_copy(
        update={"out": settings.mail.out.model_copy(update={"host": ""})}
    )
    return settings.model_copy(update={"database": database, "mail": mail})


async def _demo(settings: settings.Settings) -> None:
    from server.core import open_core

    stop = install_stop_signal()
    print("Playing the demonstration's games …", flush=True)
    async with open_core(settings) as core:  # before anything polls: nothing falls due meanwhile
        filled = await demo.fill(core)
    async with app.run_server(settings) as server:
        site = server.core.settings.web.site
        print(f"Web           {site}/")
        print(f"Every mail    {site}/mailbox")
        print(f"Mail in       {server.core.command_address} on port {server.smtp_port}")
        await _links(server.core, filled)
        print("Stop with Ctrl-C; nothing is kept.", flush=True)
        await stop.wait()


async def _links(core: context.Core, demo: demo.Demo) -> None:
    for role, email in demo.roles:
        person = await core.store.query(person_rows.by_email, email)
        assert person is not None
        print(f"{role.capitalize():18}{person.name:14} {await signin.make_link(core, person.id)}")
