"""SQLite's connections as they are lent to tasks: waiting for one, its end, what is left of it."""

import asyncio

import pytest
from sqlalchemy import text

from server.store.engine import sqlite
from server.store.engine.connection import StoreConflict, StoreError, StoreUnavailable
from server.store.engine.store import Store
from server.store.tables import base as base_tables

_ONE = text("SELECT 1")


@pytest.fixture
async def lite(sqlite_url: str):
    opened = await Store.open(sqlite_url, read_pool=2)
    yield opened
    await opened.close()


async def test_who_finds_all_readers_lent_waits_for_the_first_that_is_given_back(
    lite: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read() -> object:
        async with lite.read() as connection:
            return (await connection.execute(_ONE)).scalar_one()

    async with lite.read():
        async with lite.read():
            waiting = [asyncio.create_task(read()) for _ in range(3)]
            await asyncio.sleep(0.01)
            assert not any(task.done() for task in waiting)
        assert await asyncio.gather(*waiting) == [1, 1, 1]
        async with lite.read():
            monkeypatch.setattr(sqlite, "PATIENCE_S", 0.01)
            with pytest.raises(StoreUnavailable, match="all readers are busy"):
                await read()
    assert await read() == 1


async def test_what_was_read_is_there_when_another_has_the_connection(lite: Store) -> None:
    numbers = text("WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n LIMIT 500) "
                   "SELECT k FROM n")  # fmt: skip
    async with lite.read() as connection:
        found = await connection.execute(numbers)
    async with lite.read() as one, lite.read() as other:
        for connection in (one, other):
            await connection.execute(_ONE)
        assert [row.k for row in found] == list(range(1, 501))


async def test_a_transaction_that_is_over_says_so(lite: Store) -> None:
    async with lite.read() as reader, lite.write() as writer:
        pass
    await asyncio.sleep(0.01)
    for connection in (reader, writer):
        with pytest.raises(StoreError, match="is over"):
            await connection.execute(_ONE)


async def test_a_savepoint_is_undone_alone(lite: Store) -> None:
    async with lite.together() as connection:
        await base_tables.put_value(connection, "a", "kept")
        with pytest.raises(StoreConflict):
            async with lite.write() as inner:
                await base_tables.put_value(inner, "a", "undone")
                await inner.execute(text("INSERT INTO seats VALUES (7, 1, 7)"))
    async with lite.read() as connection:
        assert await base_tables.get(connection, "a") == "kept"


async def test_who_is_cancelled_while_a_statement_runs_keeps_nothing(lite: Store) -> None:
    slow = text("WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n LIMIT 300000) "
                "SELECT count(*) FROM n")  # fmt: skip

    async def write() -> None:
        async with lite.write() as connection:
            await base_tables.put_value(connection, "a", "lost")
            await connection.execute(slow)

    task = asyncio.create_task(write())
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with lite.write() as connection:
        assert await base_tables.get(connection, "a") is None
