"""`kskak copy`: a federation from SQLite to PostgreSQL and back is the same to the row."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import select

from server.__main__ import main
from server.core import open_core
from server.settings import Settings, settings_from
from server.store.engine.connection import StoreError
from server.store.engine.store import Store
from server.store.tables.base import metadata, processes
from server.usecases.demo import fill
from server.usecases.desks import database_copy
from server.usecases.desks.database_copy import copy_database
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.site import group_text


@asynccontextmanager
async def _both(source: str, target: str) -> AsyncIterator[tuple[Store, Store]]:
    first, second = await Store.open(source), await Store.open(target)
    try:
        yield first, second
    finally:
        await first.close()
        await second.close()


async def _rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, in an order of Python's."""
    found = {}
    async with store.read() as conn:
        for table in metadata.sorted_tables:
            if table is not processes:
                rows = [tuple(row) for row in await conn.execute(select(table))]
                found[table.name] = sorted(rows, key=repr)
    return found


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration's federation, made once."""
    folder = tmp_path_factory.mktemp("filled")

    async def make() -> None:
        async with open_core(_settings(sqlite_file(folder))) as core:
            await fill(core)

    asyncio.run(make())
    return folder / "kskak.db"


@pytest.fixture
def sqlite_url(filled: Path, tmp_path: Path) -> str:
    """A copy of it."""
    shutil.copy(filled, tmp_path / "kskak.db")
    return f"sqlite:///{tmp_path}/kskak.db"


def _settings(url: str) -> Settings:
    return settings_from({"database": {"url": url}})


@pytest.fixture
def postgres_place(postgres_url: str) -> str:
    """As an operator writes it, without a password."""
    return postgres_url.replace(":@", "@")


def _quiet(*_: object) -> None:
    """Nobody watches."""


async def test_from_sqlite_to_postgresql_and_back_every_row_is_the_same(
    sqlite_url: str, postgres_place: str, tmp_path: Path
):
    async with _both(sqlite_url, postgres_place) as (source, target):
        report = await copy_database(source, target, _quiet)
        assert report.is_sound and report.games > 10
        told = await _rows(source)
        assert await _rows(target) == told
    (tmp_path / "back").mkdir()
    async with _both(postgres_place, sqlite_file(tmp_path / "back")) as (source, target):
        assert (await copy_database(source, target, _quiet)).is_sound
        assert await _rows(target) == told
    # What is written next gets a number of its own.
    async with open_core(_settings(postgres_place)) as core:
        await start_group(core, read_group_file(group_text("K-26-99")))


async def test_stopped_halfway_no_server_starts_on_it_and_it_goes_on(
    sqlite_url: str, postgres_place: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(database_copy, "AT_ONCE", 7)
    copied: list[str] = []

    def stop(table: str, done: int, total: int) -> None:
        copied.append(table)
        if table == "events" and done > 20:
            raise KeyboardInterrupt

    async with _both(sqlite_url, postgres_place) as (source, target):
        with pytest.raises(KeyboardInterrupt):
            await copy_database(source, target, stop)
    with pytest.raises(StoreError, match="kskak copy"):
        async with open_core(_settings(postgres_place)):
            pass
    again: list[tuple[str, int]] = []
    async with _both(sqlite_url, postgres_place) as (source, target):
        report = await copy_database(
            source, target, lambda table, done, _: again.append((table, done))
        )
        assert report.is_sound and await _rows(source) == await _rows(target)
    assert "people" in copied and "people" not in dict(again)
    assert next(done for table, done in again if table == "events") > 21


async def test_a_target_that_holds_something_else_is_refused_untouched(sqlite_url, postgres_place):
    async with open_core(_settings(postgres_place)) as core:
        await start_group(core, read_group_file(group_text("K-26-01")))
    async with _both(sqlite_url, postgres_place) as (source, target):
        before = await _rows(target)
        with pytest.raises(StoreError, match="name an empty one"):
            await copy_database(source, target, _quiet)
        assert await _rows(target) == before


def test_the_command_refuses_a_wrong_address_and_says_what_came(sqlite_url, tmp_path, capsys):
    url = sqlite_url
    assert main(["copy", "--from", url, "--to", "mysql://x/y"]) == 2
    assert capsys.readouterr().err.startswith("kskak: --to")
    assert main(["copy", "--from", url, "--to", "postgresql+asyncpg://u:secret@h/x"]) == 2
    assert "PGPASSWORD" in capsys.readouterr().err
    (tmp_path / "to").mkdir()
    assert main(["copy", "--from", url, "--to", f"sqlite:///{tmp_path}/to/new.db"]) == 0
    assert "copied, 0 findings" in capsys.readouterr().out
    assert main(["copy", "--from", url, "--to", url]) == 2
    assert capsys.readouterr().err.count("\n") == 1
