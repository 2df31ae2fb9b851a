"""`--config` for the commands that need settings.

Not for: what the settings are (`server.settings`).
"""

import argparse
import asyncio
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from server import machine
from server.cli import InputError
from server.clock import SystemClock
from server.jobs.runner import count_live_servers
from server.settings import Settings, SettingsError, load_settings
from server.store.engine.connection import StoreError
from server.store.engine.rows import to_us
from server.store.engine.sqlite import hold_database_file, read_sqlite_path
from server.store.engine.store import Store, parse_url

DEFAULT = Path("config.toml")


def add_config_option(parser: argparse.ArgumentParser) -> None:
    """`--config FILE`; without it `config.toml`, if there is one."""
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"settings file (default: {DEFAULT}, if present)",
    )


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings for a call; an error in them is an `InputError`.

    What the call creates from then on (databases with their logs, copies, exports, keys) is for its
    own user alone.
    """
    os.umask(0o077)
    path: Path | None = args.config or (DEFAULT if DEFAULT.exists() else None)
    try:
        machine.read_crash_point()  # an error here would else stop the server at its first mail
    except ValueError as error:
        raise InputError(f"environment: {error}") from error
    try:
        return load_settings(path)
    except SettingsError as error:
        raise InputError(str(error)) from error


# Commands that must not work beside a server: they refuse while one lives, and keep others out.


@contextmanager
def hold_database(settings: Settings, command: str) -> Iterator[None]:
    """No server works on the database inside. InputError, in one line, while one does."""
    with ExitStack() as stack:
        try:
            url = parse_url(settings.database.url)
            if url.get_backend_name() == "sqlite":
                stack.enter_context(hold_database_file(read_sqlite_path(url), f"kskak {command}"))
            elif count := asyncio.run(_serving(settings.database.url)):
                where = url.render_as_string(hide_password=True)
                raise InputError(f"{where} is served by {count} running server(s): stop them first")
        except StoreError as error:
            raise InputError(str(error)) from error
        yield


async def _serving(url: str) -> int:
    store = await Store.open(url)
    try:
        return await count_live_servers(store, to_us(SystemClock().now()))
    finally:
        await store.close()
