"""Commands that must not work beside a server: they refuse while one lives, and keep others out.

What a server acknowledges meanwhile could be lost, or contradict what the command writes. Not for
commands that add a little, or only read: those work beside a server.
"""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from server.cli.problems import InputError
from server.clock import SystemClock
from server.jobs.presence import living
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.store.engine.named_file import held
from server.store.engine.sqlite import path_of
from server.store.engine.store import Store, parse_url
from server.store.engine.types import to_us


@contextmanager
def alone(settings: Settings, command: str) -> Iterator[None]:
    """No server works on the database inside. InputError, in one line, while one does."""
    with ExitStack() as stack:
        try:
            url = parse_url(settings.database.url)
            if url.get_backend_name() == "sqlite":
                stack.enter_context(held(path_of(url), f"kskak {command}"))
            elif count := asyncio.run(_serving(settings.database.url)):
                where = url.render_as_string(hide_password=True)
                raise InputError(f"{where} is served by {count} running server(s): stop them first")
        except StoreError as error:
            raise InputError(str(error)) from error
        yield


async def _serving(url: str) -> int:
    store = await Store.open(url)
    try:
        return await living(store, to_us(SystemClock().now()))
    finally:
        await store.close()
