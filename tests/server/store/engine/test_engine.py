"""Opening a database: what is set, what is refused, what a transaction promises."""

import asyncio
import logging
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter
from traceback import format_exception
from types import SimpleNamespace
from typing import Literal

import pytest
from sqlalchemy import Connection, literal, select, text
from sqlalchemy.exc import DisconnectionError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection  # noqa: TID251

from server.store.engine import postgres, sqlite
from server.store.engine.connection import (
    LONGEST_S,
    StoreConflict,
    StoreError,
    StoreUnavailable,
    iterate_with_pauses,
    translate_errors,
)
from server.store.engine.sqlite_library import sqlite3
from server.store.engine.store import Store
from server.store.tables import base as base_tables
from tests.fakes.machinery.each import rows


@pytest.mark.parametrize("name", [pragma[0] for pragma in sqlite.PRAGMAS])
async def test_every_pragma_stands_on_readers_and_writers(sqlite_url: str, name: str) -> None:
    store = await Store.open(sqlite_url)
    expected = {n: value for n, _, value in sqlite.PRAGMAS}[name]
    async with store.read() as reader, store.write() as writer:
        for connection in (reader, writer):
            found = (await connection.execute(text(f"PRAGMA {name}"))).scalar()
            assert str(found) == expected
    found = await store.transact(lambda c: c.exec_driver_sql(f"PRAGMA {name}").scalar())
    assert str(found) == expected
    await store.close()


async def test_a_pragma_that_does_not_hold_stops_the_start(sqlite_url, monkeypatch):
    monkeypatch.setattr(sqlite, "PRAGMAS", (("synchronous", "NORMAL", "2"),))
    with pytest.raises(StoreError, match="synchronous should be NORMAL but is 1"):
        await Store.open(sqlite_url)


@rows(
    "url what",
    ("sqlite+aiosqlite://", "needs a file"),
    ("sqlite+aiosqlite:///:memory:", "needs a file"),
    ("sqlite://", "needs a file"),
    ("sqlite+pysqlite:///kskak.db", "neither sqlite nor"),
    ("mysql://a/b", "neither"),
    ("kskak.db", "no URL"),
    ("sqlite+aiosqlite:////nowhere/at/all.db", "no folder"),
    ("postgresql+asyncpg://u:secret@127.0.0.1:1/x", "can't be opened"),
)
async def test_a_url_that_can_not_be_used_is_named_without_its_password(url, what):
    with pytest.raises(StoreError, match=what) as caught:
        await Store.open(url)
    assert "secret" not in str(caught.value)


async def test_what_is_said_of_a_refusal_helps_and_holds_no_value(tmp_path: Path) -> None:
    """A secret stood in the message, and so in the journal, when the file was another user's."""
    for why, helps in (
        ("attempt to write a readonly database", "run this as the server's own user"),
        ("unable to open database file", "run this as the server's own user"),
        ("database or disk is full", "make room on its disk"),
    ):
        with pytest.raises(StoreUnavailable) as caught, translate_errors():
            raise OperationalError("X", {"v": "hush"}, sqlite3.OperationalError(why))
        assert str(caught.value).startswith(f"the database does not answer: {why}: ")
        assert helps in str(caught.value) and "hush" not in str(caught.value)
    store, word = await Store.open(f"sqlite:///{tmp_path / 'a.db'}"), "hu" + "sh"
    with pytest.raises(StoreError) as refused:
        await store.look(lambda conn: conn.execute(text("SELECT :v FROM nowhere"), {"v": word}))
    assert word not in "".join(format_exception(refused.value))
    await store.close()


async def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database at all, but long enough to look at")
    with pytest.raises(StoreError):
        await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'text.db'}")


@rows(
    "version warns",
    ((3, 40, 1), True),
    ((3, 44, 5), True),
    ((3, 44, 6), False),
    ((3, 45, 0), True),
    ((3, 50, 7), False),
    ((3, 51, 2), True),
    ((3, 51, 3), False),
    ((3, 52, 0), True),
    ((3, 53, 0), False),
)
def test_an_old_sqlite_is_told_with_what_to_do_about_it(version, warns, monkeypatch):
    monkeypatch.setattr("server.store.engine.sqlite_library.sqlite3.sqlite_version_info", version)
    for here, has_wheel in (("x86_64", True), ("aarch64", False)):
        monkeypatch.setattr(sqlite, "machine", lambda here=here: here)
        said = sqlite.fault_of_library()
        assert (said is not None) is warns
        assert said is None or "kskak backup" in said
        assert said is None or ("pip install pysqlite3" in said) is has_wheel, "none is built there"


async def test_opening_a_file_says_nothing_of_the_library(sqlite_url, monkeypatch, caplog):
    """Every command opens it; the server's start says it once."""
    monkeypatch.setattr(
        "server.store.engine.sqlite_library.sqlite3.sqlite_version_info", (3, 40, 1)
    )
    with caplog.at_level(logging.DEBUG):
        await (await Store.open(sqlite_url)).close()
    assert "3.51" not in caplog.text


async def test_postgres_flushes_every_commit(postgres_url: str) -> None:
    store = await Store.open(postgres_url)
    async with store.write() as connection:
        found = (await connection.execute(text("SHOW synchronous_commit"))).scalar()
    assert found == "on"
    await store.close()


async def test_what_is_kept_of_statements_is_bounded(sqlite_url: str) -> None:
    """SQLAlchemy lets half as many more gather before it forgets."""
    store = await Store.open(sqlite_url)
    for number in range(3 * sqlite.COMPILED):
        for opened in (store.read(), store.write()):
            async with opened as conn:
                await conn.execute(select(literal(number).label(f"a{number}")))
    for engine in store.engines:
        assert len(engine._compiled_cache or ()) <= 1.5 * sqlite.COMPILED
    await store.close()


async def test_a_reader_can_not_write(store: Store) -> None:
    with pytest.raises(StoreError):
        async with store.read() as connection:
            await base_tables.put_value(connection, "a", "b")


async def test_a_reader_sees_one_moment(store: Store) -> None:
    async with store.read() as reader:
        assert await base_tables.get(reader, "a") is None
        async with store.write() as writer:
            await base_tables.put_value(writer, "a", "b")
        assert await base_tables.get(reader, "a") is None
    async with store.read() as reader:
        assert await base_tables.get(reader, "a") == "b"


async def test_an_error_undoes_the_whole_transaction(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        async with store.write() as connection:
            await base_tables.put_value(connection, "a", "b")
            raise ZeroDivisionError
    with pytest.raises(StoreConflict):
        async with store.write() as connection:
            await base_tables.put_value(connection, "a", "b")
            await connection.execute(text("INSERT INTO seats VALUES (7, 1, 7)"))
    async with store.read() as connection:
        assert await base_tables.get(connection, "a") is None


async def test_two_that_read_then_write_lose_no_update(store: Store) -> None:
    beside = await Store.open(store.url.render_as_string(hide_password=False))
    async with store.write() as connection:
        await base_tables.put_value(connection, "n", "0")

    async def add_one(where: Store) -> None:
        async with where.write() as connection:
            lock = " FOR UPDATE" if where.dialect == "postgresql" else ""
            query = text(f"SELECT value FROM settings WHERE name = 'n'{lock}")
            value = int((await connection.execute(query)).scalar_one())
            await asyncio.sleep(0)
            await base_tables.put_value(connection, "n", str(value + 1))

    await asyncio.gather(*(add_one(where) for where in (store, beside) * 10))
    async with store.read() as connection:
        assert await base_tables.get(connection, "n") == "20"
    await beside.close()


async def test_others_are_served_while_a_transaction_goes_through_many(store: Store) -> None:
    turns = 0

    def work(conn: Connection) -> list[tuple[int, int]]:
        seen = list[tuple[int, int]]()
        for number in iterate_with_pauses(conn, range(8)):
            until = perf_counter() + 2 * LONGEST_S
            while perf_counter() < until:
                pass
            seen.append((number, turns))
        return seen

    writing = asyncio.create_task(store.transact(work))
    while not writing.done():
        await asyncio.sleep(0)
        turns += 1
    numbers, at = zip(*writing.result(), strict=True)
    assert numbers == tuple(range(8)) and at[0] < at[-1]


async def test_a_cancelled_writer_leaves_the_store_usable(store: Store) -> None:
    async def slow() -> None:
        async with store.write() as connection:
            await base_tables.put_value(connection, "a", "b")
            await asyncio.sleep(60)

    task = asyncio.create_task(slow())
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    async with store.write() as connection:
        assert await base_tables.get(connection, "a") is None


async def test_a_locked_file_is_unavailable_not_broken(sqlite_url, monkeypatch):
    short = tuple(
        ("busy_timeout", "50", "50") if p[0] == "busy_timeout" else p for p in sqlite.PRAGMAS
    )
    monkeypatch.setattr(sqlite, "PRAGMAS", short)
    one, two = await Store.open(sqlite_url), await Store.open(sqlite_url)
    async with one.write():
        with pytest.raises(StoreUnavailable):
            await two.ping()
    await two.ping()
    await one.close()
    await two.close()


async def test_the_secret_is_made_once(store: Store) -> None:
    async with store.write() as connection:
        assert await base_tables.server_secret(connection, "first") == "first"
    async with store.write() as connection:
        assert await base_tables.server_secret(connection, "second") == "first"


def _break_end(broken: pytest.MonkeyPatch, store: Store, end: str) -> None:
    """From now on no transaction of the store's ends so."""
    error = OperationalError("COMMIT", {}, sqlite3.OperationalError("disk I/O error"))

    async def postgres(_: object) -> None:
        raise error

    def lite(connection: Connection, how: Literal["commit", "rollback"]) -> None:
        if how == end:
            raise error
        usual(connection, how)

    usual = sqlite._end
    if store.dialect == "sqlite":
        broken.setattr(sqlite, "_end", lite)
    else:
        broken.setattr(AsyncConnection, end, postgres)


@pytest.mark.parametrize("end", ["commit", "rollback"])
async def test_a_connection_that_can_not_end_a_transaction_is_dropped(store, monkeypatch, end):
    """Real bad disks are in the scenarios (test_bad_disk)."""
    for _ in range(3):
        with monkeypatch.context() as broken, pytest.raises(StoreUnavailable):
            async with store.write() as connection:
                await base_tables.put_value(connection, "a", "lost")
                _break_end(broken, store, end)
                if end == "rollback":
                    raise ZeroDivisionError
        async with store.write() as connection:
            assert await base_tables.get(connection, "a") is None
    assert await store.transact(lambda c: c.exec_driver_sql("SELECT 1").scalar()) == 1


async def test_a_hand_that_can_not_commit_begins_the_next_work_on_a_new_connection(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Store.open(sqlite_url)

    def failing(connection: Connection) -> None:
        connection.exec_driver_sql("INSERT INTO settings VALUES ('a', 'lost')")
        monkeypatch.setattr(sqlite, "_end", _refused)

    end = sqlite._end

    def _refused(connection: Connection, how: sqlite.End) -> None:
        if how != "commit":  # a reader's, which may still be ending
            end(connection, how)
            return
        monkeypatch.undo()
        raise sqlite3.OperationalError("disk I/O error")

    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await store.transact(failing)
        found = await store.transact(
            lambda c: c.exec_driver_sql("SELECT count(*) FROM settings WHERE name = 'a'").scalar()
        )
        assert found == 0, "nothing of it is left, and the lock is free"
        await store.ping()
    await store.close()


async def test_a_closed_store_leaves_nothing_open_and_all_of_it_in_its_one_file(sqlite_url):
    store = await Store.open(sqlite_url)

    async def read() -> object:
        async with store.read() as connection:
            return await base_tables.get(connection, "a")

    async with store.write() as connection:
        await base_tables.put_value(connection, "a", "1")
    await asyncio.gather(*(store.reading(read) for _ in range(8)))
    await store.look(lambda c: c.exec_driver_sql("SELECT 1").scalar())
    path = store.path
    assert path is not None
    assert path.with_name(f"{path.name}-wal").exists()
    await store.close()
    assert [found.name for found in path.parent.glob(f"{path.name}*")] == [path.name]


def _log_of(store: Store) -> int:
    assert store.path is not None
    return store.path.with_name(f"{store.path.name}-wal").stat().st_size


async def _write_much(store: Store, times: int) -> None:
    for number in range(times):
        async with store.write() as connection:
            await base_tables.put_value(connection, f"long {number % 7}", f"{number}" * 8000)


@pytest.mark.parametrize("readers", [0, 1, 3])
async def test_the_write_ahead_log_is_emptied_once_no_long_reader_needs_it(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, readers: int
) -> None:
    monkeypatch.setattr(sqlite, "MOST_LOG", 200_000)
    monkeypatch.setattr(sqlite, "_LOG_PATIENCE_S", 0.01)
    store, beside = await Store.open(sqlite_url), await Store.open(sqlite_url)
    async with AsyncExitStack() as long:
        for _ in range(readers):
            connection = await long.enter_async_context(beside.read())
            await base_tables.get(connection, "a")
        await _write_much(store, 20)
        if readers:
            assert _log_of(store) > 300_000, "it holds what the reader does not see yet"
            assert await base_tables.get(connection, "long 0") is None
    await _write_much(store, 60)
    assert _log_of(store) < 300_000
    async with beside.read() as connection:
        assert await base_tables.get(connection, "long 3") == "59" * 8000
    await beside.close()
    await store.close()


async def test_a_log_that_can_not_be_emptied_stops_no_writer(sqlite_url, monkeypatch):
    monkeypatch.setattr(sqlite, "MOST_LOG", 0)
    store = await Store.open(sqlite_url)

    def broken(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr("server.store.engine.sqlite.sqlite3.connect", broken)
    async with store.write() as connection:
        await base_tables.put_value(connection, "a", "kept")
    monkeypatch.undo()
    async with store.read() as connection:
        assert await base_tables.get(connection, "a") == "kept"
    await store.close()


# SQLite's connections as they are lent to tasks: waiting for one, its end, what is left of it.


_ONE = text("SELECT 1")


@pytest.fixture
async def lite(sqlite_url: str):
    opened = await Store.open(sqlite_url, read_pool=2)
    yield opened
    await opened.close()


async def test_who_finds_all_readers_lent_waits_for_the_first_that_is_given_back(lite, monkeypatch):
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


def test_who_vanished_in_a_silence_has_left_its_locks_when_its_statement_is_given_up():
    """The two bounds are held against each other, and with a new connection within 10 s."""
    assert postgres.SERVING.idle < postgres.SERVING.statement
    assert postgres.SERVING.statement + postgres.PROOF_S + postgres.CONNECT_S <= 10


def test_after_one_silent_connection_none_that_was_last_used_before_is_asked(monkeypatch):
    now, silence = 100.0, postgres.PoolSilence()
    monkeypatch.setattr(postgres, "time", SimpleNamespace(monotonic=lambda: now))
    asked, ended = list[str](), list[str]()

    def pooled(name: str) -> tuple[SimpleNamespace, SimpleNamespace]:
        driver = SimpleNamespace(terminate=lambda: ended.append(name))
        pool = SimpleNamespace(run_async=lambda _: asked.append(name), driver_connection=driver)
        return pool, SimpleNamespace(info={})

    before, record = pooled("before")
    silence.note_use(None, record)
    now = 102.0
    silence.prove(before, record, None)
    assert (asked, ended) == (["before"], [])
    silence.found = 101.0
    with pytest.raises(DisconnectionError):
        silence.prove(before, record, None)
    assert (asked, ended) == (["before"], ["before"])
    after, record = pooled("after")
    silence.note_use(None, record)
    silence.prove(after, record, None)
    assert (asked, ended) == (["before"], ["before"]), "in use just now: it proves itself"
