"""The store's entry point: opening a database, read transactions, write transactions.

SQLite: many readers, one writer behind a lock. PostgreSQL: the same calls on two pools. Not
for creating tables (migrate.py) nor for queries (the query modules).
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from server.store.engine import sqlite
from server.store.engine.connection import AsyncConnection
from server.store.engine.errors import StoreError, StoreUnavailable, translated
from server.store.engine.joining import Joined, Joint, entered, joint_of
from server.store.engine.lending import Hands, opened
from server.store.engine.sqlite_direct import quick
from server.store.engine.transaction import driven
from server.store.engine.turns import FEDERATION, hold

if TYPE_CHECKING:
    from server.store.engine.postgres import Pools

T = TypeVar("T")
Dialect = Literal["sqlite", "postgresql"]


def parse_url(text_url: str) -> URL:
    """The URL of a database we can use. StoreError otherwise."""
    try:
        url = make_url(text_url)
    except ArgumentError as error:
        raise StoreError("database.url: this is no URL") from error
    if url.drivername not in ("sqlite+aiosqlite", "postgresql+asyncpg"):
        raise StoreError(
            f"database.url: {url.drivername} is neither sqlite+aiosqlite nor postgresql+asyncpg"
        )
    return url


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """An open database. Created by ``open``, closed by ``close``; belongs to one event loop."""

    url: URL
    dialect: Dialect
    _ways: "Hands | Pools"
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    holder: str = field(default_factory=lambda: secrets.token_hex(8))
    """Identifies this process as the holder of its claimed work (mail/processes.py)."""

    @staticmethod
    async def open(url: str, *, read_pool: int = 4, serves: bool = False) -> "Store":
        """Open and check a database. StoreError when it is unusable or unsafe.

        ``serves``: people wait for its answers, so that no statement may take long (PostgreSQL).
        """
        parsed = parse_url(url)
        if parsed.get_backend_name() == "sqlite":
            return await _checked(_open_sqlite(parsed, read_pool))
        return await _checked(_open_postgres(parsed, read_pool, serves=serves))

    @property
    def path(self) -> Path | None:
        """The file of a SQLite database, None for PostgreSQL."""
        return sqlite.path_of(self.url) if self.dialect == "sqlite" else None

    @property
    def engines(self) -> tuple[Engine, Engine]:
        """What reads and what writes, for whoever watches the statements."""
        return self._ways.engines

    def read(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that can't write and sees one snapshot."""
        joint = joint_of(self)
        return self._reading() if joint is None else Joined(joint.connection)

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        with translated():
            async with self._ways.read() as connection:
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that commits durably at the end, or not at all.

        A cancelled caller never leaves a commit half done: it is completed first.
        """
        if (joint := joint_of(self)) is not None:
            async with joint.write() as connection:
                yield connection
            return
        with translated():
            async with self.exclusive(), self._ways.write() as connection:
                yield connection

    @asynccontextmanager
    async def deciding(self, *names: str) -> AsyncIterator[AsyncConnection]:
        """``write`` holding the named locks (turns.py; default: the federation's affairs)."""
        async with self.write() as connection:
            await connection.run_sync(hold, *(names or (FEDERATION,)))
            yield connection

    async def look(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in one read transaction: one hop to a thread on SQLite.

        For frequent reads; ``read`` hops for every statement.
        """
        if (joint := joint_of(self)) is not None:
            async with Joined(joint.connection) as connection:
                return await connection.run_sync(work)
        if not isinstance(self._ways, Hands):
            async with self.read() as connection:
                return await connection.run_sync(work)
        return await self._ways.looker.give(lambda connection: work(quick(connection)))

    async def reading(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run ``work`` with all its reads in one transaction: one hop to a thread on SQLite.

        It may await reads of this store only (else AwaitsElse), and must never write.
        """
        if joint_of(self) is not None:
            return await work()
        return await _whole(self, work)

    async def note(self, work: Callable[[Connection], object]) -> None:
        """Write something no response depends on: now, or after the read transaction under way.

        When it can't be written, it is dropped.
        """
        joint = joint_of(self)
        if joint is not None and joint.is_reading:
            joint.later.append(work)
            return
        with suppress(StoreError):
            await self.transact(work)

    async def transact(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in one write transaction: one hop to a thread on SQLite.

        ``work`` is synchronous; on PostgreSQL its statements are awaited underneath.
        """
        if (joint := joint_of(self)) is not None:
            return await joint.transact(work)
        if isinstance(self._ways, Hands):
            async with self._lock:
                return await self._ways.writer.carry(work)
        async with self.write() as connection:
            return await connection.run_sync(work)

    async def writing(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run ``work`` as ``together`` does: one hop to a thread on SQLite.

        It may await this store only (else AwaitsElse); nobody else writes meanwhile.
        """
        if joint_of(self) is not None:
            return await work()
        if not isinstance(self._ways, Hands):
            async with self.together():
                return await work()
        async with self._lock:
            return await self._ways.writer.carry(lambda connection: driven(self, connection, work))

    @asynccontextmanager
    async def together(self) -> AsyncIterator[AsyncConnection]:
        """One transaction for everything this task reads and writes until the block ends."""
        async with self.write() as connection:
            with entered(Joint(self, connection)):
                yield connection

    @property
    def is_joined(self) -> bool:
        """Whether this task is inside such a block."""
        return joint_of(self) is not None

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """On SQLite, keep out this process's other writers. PostgreSQL locks rows instead."""
        if self.dialect != "sqlite":
            yield
            return
        async with self._lock:
            yield

    @asynccontextmanager
    async def patient(self) -> AsyncIterator["Store"]:
        """The same database, for statements that may take minutes; on SQLite it is this one."""
        if self.dialect == "sqlite":
            yield self
            return
        store = _open_postgres(self.url, 1, serves=False)
        try:
            yield store
        finally:
            await store.close()

    async def ping(self) -> None:
        """StoreError unless read and write transactions can be opened now."""
        async with self.read() as connection:
            await connection.execute(text("SELECT 1"))
        async with self.write() as connection:
            await connection.execute(text("SELECT 1"))

    async def close(self) -> None:
        """Close every connection once pending writes are done."""
        await self._ways.close()


async def _checked(store: Store) -> Store:
    """The store, if it can be used; else it is closed. StoreUnavailable."""
    try:
        with translated():
            await store._ways.check()
        await store.ping()
    except (StoreError, OSError) as error:
        await store.close()
        where = store.url.render_as_string(hide_password=True)
        raise StoreUnavailable(f"{where} can't be opened: {error}") from error
    return store


async def _whole(store: Store, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run ``work`` in a read transaction of its own, then write what it wanted noted."""
    later: list[Callable[[Connection], object]] = []
    if isinstance(store._ways, Hands):
        value = await store._ways.next_reader.give(
            lambda connection: driven(store, connection, work, later)
        )
    else:
        async with store.read() as connection:
            with entered(Joint(store, connection, is_reading=True, later=later)):
                value = await work()
    for one in later:
        await store.note(one)
    return value


def _open_sqlite(url: URL, read_pool: int) -> Store:
    path = sqlite.path_of(url)
    if not path.parent.is_dir():
        raise StoreError(f"database.url: there is no folder {path.parent}")
    return Store(url, "sqlite", opened(url, path, read_pool))


def _open_postgres(url: URL, pool: int, *, serves: bool) -> Store:
    from server.store.engine import postgres  # and all that SQLAlchemy loads for it

    patience = postgres.SERVING if serves else postgres.ALONE
    ways = postgres.Pools(
        postgres.reader(url, pool, patience), postgres.writer(url, pool, patience)
    )
    return Store(url, "postgresql", ways)
