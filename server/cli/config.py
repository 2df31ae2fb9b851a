"""`--config` for the commands that need settings.

Not for: what the settings are (`server.settings`).
"""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from server import machine
from server.cli import InputError, explain, lazily, option

with lazily():
    from server import clock, settings
    from server import core as cores
    from server.jobs import runner
    from server.store.engine import connection, migrate, rows, sqlite
    from server.store.engine import store as stores
    from server.usecases import context

DEFAULT = Path("config.toml")


CONFIG = option(
    "--config", type=Path, metavar="FILE", help=f"settings file (default: {DEFAULT}, if present)"
)
T = TypeVar("T")


def on_core(
    settings: settings.Settings,
    work: Callable[[context.Core], Awaitable[T]],
    about: str = "",
    *,
    migrates: bool = True,
    makes: bool = False,
) -> T:
    """What ``work`` gives on the database. InputError where that can't be used.

    ``about``: what the message begins with. ``migrates``, ``makes``: as for ``open_core``.
    """

    async def opened() -> T:
        async with cores.open_core(settings, migrates=migrates, makes=makes) as core:
            return await work(core)

    return reporting(opened, about)


def on_store(
    settings: settings.Settings,
    work: Callable[[stores.Store], Awaitable[T]],
    *,
    makes: bool = False,
) -> T:
    """The same on the database as it is: it is not brought to this program's tables."""

    async def opened() -> T:
        store = await stores.Store.open(settings.database.url)
        try:
            if not makes:
                await store.look(migrate.refuse_empty)
            return await work(store)
        finally:
            await store.close()

    return reporting(opened)


def reporting(work: Callable[[], Coroutine[Any, Any, T]], about: str = "") -> T:
    """What a coroutine gives. InputError for a database or file that can't be used."""
    try:
        return asyncio.run(work())
    except (OSError, connection.StoreError) as error:
        raise InputError(f"{about}: {explain(error)}" if about else explain(error)) from error


def settings_of(args: argparse.Namespace, *, makes: bool = False) -> settings.Settings:
    """The settings for a call; an error in them, or no database yet, is an `InputError`.

    ``makes``: the call needs none, or begins one. What the call creates from then on (databases
    with their logs, copies, exports, keys) is for its own user alone.
    """
    os.umask(0o077)
    try:
        machine.read_crash_point()  # an error here would else stop the server at its first mail
    except ValueError as error:
        raise InputError(f"environment: {error}") from error
    try:
        path = config_of(args)
        found = settings.load_settings(path)
        if not makes:
            by = f"settings: {path.absolute()}" if path else f"there is no {DEFAULT.absolute()}"
            by = "settings: KSKAK_DATABASE__URL" if "KSKAK_DATABASE__URL" in os.environ else by
            find_database(found, by)
    except (settings.SettingsError, connection.StoreError, OSError) as error:
        raise InputError(str(error)) from error
    return found


def find_database(settings: settings.Settings, by: str) -> None:
    """InputError where a SQLite file that must be there is not: a command in the wrong folder."""
    url = stores.parse_url(settings.database.url)
    if url.get_backend_name() != "sqlite" or (path := sqlite.read_sqlite_path(url)).exists():
        return
    raise InputError(
        f"there is no database {path.absolute()} ({by}): run this in the server's folder, or write "
        "--config FILE, with the whole path in it, as database.url = "
        '"sqlite:////var/lib/kskak/kskak.db"; `kskak serve` makes a new database'
    )


def config_of(args: argparse.Namespace) -> Path | None:
    """The file with the settings; None where there is none."""
    return args.config or (DEFAULT if DEFAULT.exists() else None)


# Commands that must not work beside a server: they refuse while one lives, and keep others out.


@contextmanager
def hold_database(settings: settings.Settings, command: str) -> Iterator[None]:
    """No server works on the database inside. InputError, in one line, while one does."""
    now_us = rows.to_us(clock.SystemClock().now())
    with ExitStack() as stack:
        try:
            url = stores.parse_url(settings.database.url)
            if url.get_backend_name() == "sqlite":
                path = sqlite.read_sqlite_path(url)
                stack.enter_context(sqlite.hold_database_file(path, f"kskak {command}"))
            elif count := on_store(
                settings, lambda one: runner.count_live_servers(one, now_us), makes=True
            ):
                where = url.render_as_string(hide_password=True)
                raise InputError(f"{where} is served by {count} running server(s): stop them first")
        except connection.StoreError as error:
            raise InputError(str(error)) from error
        yield
