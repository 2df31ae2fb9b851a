"""The migrations: up, down and up again, and no difference to the tables of the code."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from server.store.engine.connection import StoreError
from server.store.engine.migrate import (
    UNRELEASED,
    alembic_config,
    check_sqlite,
    head_revision,
    list_dump,
    lock_for_migration,
    migrate,
)
from server.store.engine.store import Store
from server.store.tables.all_tables import seals

metadata = seals.metadata


def _tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


def _down(connection: Connection) -> None:
    command.downgrade(alembic_config(connection), "base")


async def test_up_down_and_up_again_gives_all_tables_then_none_then_all(
    database_url: str, tmp_path: Path
) -> None:
    store = await Store.open(database_url)
    assert (await migrate(store, tmp_path / "kept"))[-1] == head_revision()
    assert not (tmp_path / "kept").exists(), "an empty database needs no copy"
    async with store.read() as connection:
        assert await connection.run_sync(_tables) == set(metadata.tables)
    async with lock_for_migration(store) as connection:
        await connection.run_sync(_down)
        assert await connection.run_sync(_tables) == set()
    assert (await migrate(store, None))[-1] == head_revision()
    async with store.read() as connection:
        assert await connection.run_sync(_tables) == set(metadata.tables)
    await store.close()


def _drift(connection: Connection) -> list[object]:
    context = MigrationContext.configure(
        connection, opts={"compare_type": True, "compare_server_default": True}
    )
    return list(compare_metadata(context, metadata))


async def test_the_scripts_build_exactly_the_tables_of_the_code(store: Store) -> None:
    async with store.read() as connection:
        assert await connection.run_sync(_drift) == []


async def test_a_second_migration_does_nothing(store: Store) -> None:
    assert await migrate(store, None) == []


async def test_a_newer_database_is_refused_by_name_and_left_alone(store: Store) -> None:
    async with store.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="newer .revision 9999"):
        await migrate(store, None)


async def test_a_database_from_before_the_first_release_is_told_what_to_run(store: Store) -> None:
    async with store.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '0021'"))
    with pytest.raises(StoreError, match=f"revision 0021, .* commit {UNRELEASED} on it once"):
        await migrate(store, None)
    async with store.read() as connection:
        assert await connection.run_sync(_tables) == set(metadata.tables)


async def test_a_database_of_another_program_is_refused(database_url: str) -> None:
    store = await Store.open(database_url)
    async with store.write() as connection:
        await connection.execute(text("CREATE TABLE others (id INTEGER)"))
    with pytest.raises(StoreError, match="another program"):
        await migrate(store, None)
    await store.close()


@pytest.mark.usefixtures("own_postgres_tools")
async def test_an_older_database_is_copied_before_it_changes(store, tmp_path, monkeypatch):
    here = head_revision()
    monkeypatch.setattr("server.store.engine.migrate._upgrade", lambda connection: None)
    monkeypatch.setattr("server.store.engine.migrate._missing", lambda current: ["9999"])
    monkeypatch.setattr("server.store.engine.migrate.head_revision", lambda: "9999")
    kept = tmp_path / "kept"
    for _ in range(3):  # as tries that were killed before the revision was noted down
        assert await migrate(store, kept) == ["9999"]
        assert [one.stem for one in kept.iterdir()] == [f"before-9999-{here}-1"]
    async with store.write() as connection:
        await connection.execute(text("INSERT INTO settings (name, value) VALUES ('new', '1')"))
    assert await migrate(store, kept) == ["9999"]
    assert len(list(kept.iterdir())) == 2
    for copy in kept.iterdir():
        check_sqlite(copy) if store.dialect == "sqlite" else await list_dump(copy)


async def test_a_failing_migration_leaves_the_old_tables_and_foreign_keys_on(
    store: Store, tmp_path, monkeypatch
) -> None:
    def broken(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE half_way (id INTEGER)"))
        raise RuntimeError("broken")

    monkeypatch.setattr("server.store.engine.migrate._upgrade", broken)
    monkeypatch.setattr("server.store.engine.migrate._missing", lambda current: ["9999"])
    monkeypatch.setattr("server.store.engine.migrate.head_revision", lambda: "9999")
    with pytest.raises(RuntimeError):
        await migrate(store, tmp_path / "kept" if store.dialect == "sqlite" else None)
    assert not any((tmp_path / "kept").glob("*")), "each try would leave a copy"
    async with store.read() as connection:
        assert await connection.run_sync(_tables) == set(metadata.tables)
    if store.dialect == "sqlite":
        async with store.write() as connection:
            assert (await connection.execute(text("PRAGMA foreign_keys"))).scalar() == 1
