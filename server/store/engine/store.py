"""The store's entry point: opening a database, read transactions, write transactions.

SQLite: some readers, one writer behind a lock (sqlite.py). PostgreSQL: two pools (postgres.py).
Here both are the same. Not for creating tables (migrate.py) nor for queries (the query modules).
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from server.store.engine import sqlite
from server.store.engine.connection import (
    FEDERATION,
    AsyncConnection,
    Joint,
    StoreError,
    StoreUnavailable,
    find_current_transaction,
    hold,
    hold_transaction,
    translate_errors,
)

if TYPE_CHECKING:
    from server.store.engine.postgres import Pools


T = TypeVar("T")
P = ParamSpec("P")
Dialect = Literal["sqlite", "postgresql"]


def parse_url(text_url: str) -> URL:
    """The URL of a database we can use. StoreError otherwise."""
    try:
        url = make_url(text_url)
    except ArgumentError as error:
        raise StoreError("database.url: this is no URL") from error
    if url.drivername == "sqlite+aiosqlite":  # how settings once named it
        url = url.set(drivername="sqlite")
    if url.drivername not in ("sqlite", "postgresql+asyncpg"):
        raise StoreError(f"database.url: {url.drivername} is neither sqlite nor postgresql+asyncpg")
    return url


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """An open database. Created by ``open``, closed by ``close``; belongs to one event loop."""

    url: URL
    dialect: Dialect
    _connections: "sqlite.Connections | Pools"
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    holder: str = field(default_factory=lambda: secrets.token_hex(8))
    """Identifies this process as the holder of its claimed work (mail/due_work.py)."""

    @staticmethod
    async def open(url: str, *, read_pool: int = 4, serves: bool = False) -> "Store":
        """Open and check a database. StoreError when it is unusable or unsafe.

        ``serves``: people wait for its answers, so that no statement may take long (PostgreSQL).
        """
        parsed = parse_url(url)
        if parsed.get_backend_name() == "sqlite":
            return await _check_store(
                Store(parsed, "sqlite", sqlite.Connections(parsed, read_pool))
            )
        return await _check_store(_open_postgres(parsed, read_pool, serves=serves))

    @property
    def path(self) -> Path | None:
        """The file of a SQLite database, None for PostgreSQL."""
        return sqlite.read_sqlite_path(self.url) if self.dialect == "sqlite" else None

    @property
    def engines(self) -> tuple[Engine, Engine]:
        """What reads and what writes, for whoever watches the statements."""
        return self._connections.engines

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that can't write and sees one snapshot."""
        with translate_errors():
            if (joint := find_current_transaction(self)) is not None:
                yield joint.connection
                return
            async with self._connections.read() as connection:
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that commits durably at the end, or not at all.

        A cancelled caller never leaves a commit half done: it is completed first.
        """
        if (joint := find_current_transaction(self)) is not None:
            async with joint.write() as connection:
                yield connection
            return
        with translate_errors():
            async with self.exclusive(), self._connections.write() as connection:
                yield connection

    @asynccontextmanager
    async def deciding(self, *names: str) -> AsyncIterator[AsyncConnection]:
        """``write`` holding the named locks (connection.py; default: the federation's affairs)."""
        async with self.write() as connection:
            await connection.run_sync(hold, *(names or (FEDERATION,)))
            yield connection

    async def query(
        self, work: Callable[Concatenate[AsyncConnection, P], Coroutine[Any, Any, T]],
        *args: P.args, **kwargs: P.kwargs,
    ) -> T:  # fmt: skip
        """What one query finds, in a read transaction of its own."""
        async with self.read() as connection:
            return await work(connection, *args, **kwargs)

    async def change(
        self, work: Callable[Concatenate[AsyncConnection, P], Coroutine[Any, Any, T]],
        *args: P.args, **kwargs: P.kwargs,
    ) -> T:  # fmt: skip
        """Make one change, in a write transaction of its own."""
        async with self.write() as connection:
            return await work(connection, *args, **kwargs)

    async def look(self, work: Callable[[Connection], T]) -> T:
        """Run ``work``, which is synchronous, in a read transaction of its own."""
        async with self.read() as connection:
            return await connection.run_sync(work)

    async def reading(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run ``work`` with all its reads in one transaction, that is at one moment.

        It must never write; what it wants noted is written afterwards.
        """
        if find_current_transaction(self) is not None:
            return await work()
        async with self.read() as connection:
            joint = Joint(self, connection, is_reading=True)
            with hold_transaction(joint):
                value = await work()
        for one in joint.later:
            await self.note(one)
        return value

    async def note(self, work: Callable[[Connection], object]) -> None:
        """Write something no response depends on: now, or after the read transaction under way.

        When it can't be written, it is dropped.
        """
        joint = find_current_transaction(self)
        if joint is not None and joint.is_reading:
            joint.later.append(work)
            return
        with suppress(StoreError):
            await self.transact(work)

    async def transact(self, work: Callable[[Connection], T]) -> T:
        """Run ``work``, which is synchronous, in one write transaction."""
        async with self.write() as connection:
            return await connection.run_sync(work)

    async def writing(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run ``work`` with all it reads and writes in one transaction, as ``together`` does."""
        if find_current_transaction(self) is not None:
            return await work()
        async with self.together():
            return await work()

    @asynccontextmanager
    async def together(self) -> AsyncIterator[AsyncConnection]:
        """One transaction for everything this task reads and writes until the block ends."""
        async with self.write() as connection:
            with hold_transaction(Joint(self, connection)):
                yield connection

    @property
    def is_joined(self) -> bool:
        """Whether this task is inside such a block."""
        return find_current_transaction(self) is not None

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

    async def octets(self) -> int:
        """What the database takes on its disk, SQLite's log included."""
        if (path := self.path) is not None:
            files = (path, path.with_name(path.name + "-wal"))
            return await asyncio.to_thread(
                lambda: sum(file.stat().st_size for file in files if file.exists())
            )
        async with self.read() as connection:
            size = text("SELECT pg_database_size(current_database())")
            return int((await connection.execute(size)).scalar_one())

    async def close(self) -> None:
        """Close every connection once pending writes are done."""
        await self._connections.close()


async def _check_store(store: Store) -> Store:
    """The store, if it can be used; else it is closed. StoreUnavailable."""
    try:
        with translate_errors():
            await store._connections.check()
        await store.ping()
    except (StoreError, OSError) as error:
        await store.close()
        where, why = store.url.render_as_string(hide_password=True), str(error)
        if "unsupported startup parameter" in why:
            from server.store.engine.postgres import THROUGH_PGBOUNCER

            why = f"it takes no settings: {THROUGH_PGBOUNCER}"
        raise StoreUnavailable(f"{where} can't be opened: {why}") from error
    return store


def _open_postgres(url: URL, pool: int, *, serves: bool) -> Store:
    from server.store.engine import postgres  # and all that SQLAlchemy loads for it

    patience = postgres.SERVING if serves else postgres.ALONE
    pools = postgres.Pools(
        postgres.reader(url, pool, patience), postgres.writer(url, pool, patience)
    )
    return Store(url, "postgresql", pools)
