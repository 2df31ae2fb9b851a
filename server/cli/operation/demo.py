"""`kskak demo`: a sample federation on a throw-away database, with every mail in a mailbox.

Nothing leaves the machine and nothing stays on it. Not for real play: `kskak serve`.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from server.app import opened, running
from server.cli.config import add_config_option, settings_of
from server.cli.operation.serve import public, start_logging, told_to_stop
from server.settings import Settings
from server.store.play import people as person_rows
from server.usecases.account import signin
from server.usecases.core.context import Core
from server.usecases.demo.federation import Demo, fill


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add_config_option(parser)


def run(args: argparse.Namespace) -> int:
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
    stop = told_to_stop()
    print("Playing the demonstration's games …", flush=True)
    async with opened(settings) as core:  # before anything polls: nothing falls due meanwhile
        demo = await fill(core)
    async with running(settings) as server:
        print(f"Web           {public(server)}/")
        print(f"Every mail    {public(server)}/mailbox")
        print(f"Mail in       {server.core.command_address} on port {server.smtp_port}")
        await _links(server.core, demo)
        print("Stop with Ctrl-C; nothing is kept.", flush=True)
        await stop.wait()


async def _links(core: Core, demo: Demo) -> None:
    for role, email in demo.roles:
        async with core.store.read() as conn:
            person = await person_rows.by_email(conn, email)
        assert person is not None
        print(f"{role.capitalize():18}{person.name:14} {await signin.make_link(core, person.id)}")
