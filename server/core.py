"""Opens a core: the store on a migrated database, the writer of ledgers, the server's secret.

Commands need no more than that, and don't wait for a web server. Not for listening (app.py).
"""

import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from mail.looks.design import use
from server.clock import SystemClock, TimeSource
from server.settings import Settings
from server.store.engine.connection import StoreError, insist
from server.store.engine.migrate import migrate, refuse_empty
from server.store.engine.rows import to_us
from server.store.engine.sqlite import hold_database_file
from server.store.engine.store import Store
from server.store.tables import base as base_tables
from server.usecases.context import Core
from server.usecases.games.outbox_letters import mark_of, secret_of
from server.usecases.games.writer import Writer

log = logging.getLogger(__name__)

_SECRET_BYTES = 32


@asynccontextmanager
async def open_core(
    settings: Settings,
    clock: TimeSource | None = None,
    *,
    migrates: bool = True,
    makes: bool = True,
) -> AsyncIterator[Core]:
    """A core on a migrated database, without listening anywhere: for commands and tests.

    ``migrates`` False: on the database as it is, beside a server that may be older.
    ``makes`` False: not on an empty one, which a command in the wrong folder would fill.
    """
    store, clock = await Store.open(settings.database.url), clock or SystemClock()
    how = {"migrates": migrates, "makes": makes}
    async with core_on(store, settings, clock, Writer(store), **how) as (core, _):
        yield core


@asynccontextmanager
async def open_serving_core(
    settings: Settings,
    clock: TimeSource,
    committed: Callable[[], None],
    entered: Callable[[str, int], None],
) -> AsyncIterator[tuple[Core, tuple[str, ...]]]:
    """The core of a server, alone on its SQLite file; with what the migration has to say.

    ``committed`` and ``entered`` as the writer calls them.
    """
    store = await Store.open(settings.database.url, serves=True)
    writer = Writer(store, committed=committed, entered=entered)
    async with core_on(store, settings, clock, writer, serves=True) as opened:
        yield opened


@asynccontextmanager
async def core_on(
    store: Store,
    settings: Settings,
    clock: TimeSource,
    writer: Writer,
    *,
    serves: bool = False,
    migrates: bool = True,
    makes: bool = True,
) -> AsyncIterator[tuple[Core, tuple[str, ...]]]:
    """The core on a store that is open, which is closed at the end."""
    use(Path(settings.web.looks) if settings.web.looks else None)
    with ExitStack() as only:
        try:
            if serves and store.path is not None:
                only.enter_context(hold_database_file(store.path, "a server"))
            if not makes:
                await store.look(refuse_empty)
            notes = await migrate(store, Path(settings.database.backups)) if migrates else []
            if await store.query(base_tables.get, base_tables.COPIED_FROM) is not None:
                raise StoreError("a copy into this database is not whole: run `kskak copy` again")
            try:
                secret = await _secret(store, settings)
                if serves:
                    await insist(lambda: _remember(store, secret, to_us(clock.now())))
                yield Core(store, writer, clock, settings, secret), tuple(notes)
            finally:
                await writer.close()
        finally:
            await store.close()


async def _secret(store: Store, settings: Settings) -> bytes:
    """What signs reply keys: from the environment, else generated once and kept in the database."""
    given = settings.secret.key.get_secret_value()
    if given:
        return secret_of(given)
    async with store.write() as conn:
        fresh = secrets.token_hex(_SECRET_BYTES)
        return secret_of(await base_tables.server_secret(conn, fresh))


async def _remember(store: Store, secret: bytes, now_us: int) -> None:
    """Keep which secret serves, that a mistaken one is noticed: it makes every address void that
    stands in people's letters. The one before, put back, is no change."""
    mark = mark_of(secret)
    async with store.write() as conn:
        known = await base_tables.ensure(conn, base_tables.SECRET_MARK, f"{mark} - 0")
        current, former, _ = known.split()
        if mark == current:
            return
        since = f"{mark} - 0" if mark == former else f"{mark} {current} {now_us}"
        await base_tables.put_value(conn, base_tables.SECRET_MARK, since)
    log.warning("the secret key is another than before: answers to earlier letters are not known")
