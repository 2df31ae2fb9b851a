"""Copy, restore, verify: what an operator relies on."""

import asyncio
import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select, text, update

from server.__main__ import main
from server.store.engine import migrate as copying
from server.store.engine.chain import genesis, link
from server.store.engine.connection import StoreError
from server.store.engine.migrate import migrate
from server.store.engine.rows import to_us
from server.store.engine.store import Store
from server.store.play import games as game_rows
from server.store.tables import base as base_tables
from server.store.tables.base import events, games
from server.usecases.desks import database_care
from server.usecases.desks.database_backup import backup, keep_copy, keys_of, restore
from server.usecases.desks.database_care import verify
from server.usecases.games.writer import Writer
from tests.fakes.play import RUY, Move, start_games

pytestmark = pytest.mark.usefixtures("own_postgres_tools")


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


async def test_a_snapshot_as_it_was_written_until_2026_is_what_the_events_give(store):
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
async def test_every_tampering_is_found_and_placed(store, sql, game, seq):
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


async def test_a_copy_made_while_moves_come_in_is_one_sound_moment(store, tmp_path):
    (game_id, *_) = await _played(store)
    writer = Writer(store)
    moves = [writer.submit(Move(game_id, uci)) for uci in RUY[5:]]
    await asyncio.gather(backup(store, tmp_path / "copy"), *moves)
    assert (await verify(store)).events == 26
    with pytest.raises(StoreError, match="there already"):
        await backup(store, tmp_path / "copy")


@pytest.mark.both_engines
async def test_backup_and_restore_bring_the_same_database_back(store, tmp_path):
    (game_id, *_) = await _played(store)
    await backup(store, tmp_path / "copy")
    await Writer(store).submit(Move(game_id, RUY[5]))
    url = store.url.render_as_string(hide_password=False)
    with pytest.raises(StoreError, match="3 games: nothing is overwritten"):
        await restore(tmp_path / "copy", url, tmp_path)
    assert (await verify(store)).events == 16
    async with store.write() as conn:  # as a newer program's: what refers to ours was in the way
        await conn.execute(text("CREATE TABLE newer (id integer REFERENCES people (id))"))
    await store.close()
    call = ["restore", str(tmp_path / "copy"), "--force", "--config", str(tmp_path / "own.toml")]
    (tmp_path / "own.toml").write_text(
        f'[database]\nurl = "{url.replace(":@", "@")}"\nbackups = "{tmp_path}"\n'
    )
    assert await asyncio.to_thread(main, call) == 0
    again = await Store.open(url)
    report = await verify(again)
    assert (report.games, report.events, report.is_sound) == (3, 15, True)
    assert await migrate(again, None) == []
    if store.path is None:
        async with again.write() as conn:
            await conn.execute(text("DROP SCHEMA public CASCADE"))
            await conn.execute(text("CREATE SCHEMA public"))
        await again.close()
        call[1] = str(tmp_path / "before-restore-1.dump")  # what was replaced, on a new machine
        assert await asyncio.to_thread(main, [one for one in call if one != "--force"]) == 0
        again = await Store.open(url)
        assert (await verify(again)).events == 16
    await again.close()


@pytest.mark.both_engines
async def test_of_the_copies_kept_the_newest_stay_each_proved_and_noted(store, tmp_path):
    await _played(store)
    (tmp_path / "before-0042-1.db").touch()
    for hour in range(4):
        now = datetime(2026, 12, 1, hour, tzinfo=UTC)
        made = await keep_copy(store, tmp_path, 2, now)
        keys_of(made).touch()
    kept = [name[:18] for name in sorted(os.listdir(tmp_path)) if name.startswith("kept-")]
    assert kept == ["kept-2026-12-01-02"] * 2 + ["kept-2026-12-01-03"] * 2, "copies, and their keys"
    assert (tmp_path / "before-0042-1.db").exists(), "only what it made itself is removed"
    noted = await store.query(base_tables.get, base_tables.COPY_PROVED)
    assert noted == str(to_us(now))
    with pytest.raises(StoreError, match=r"can't be kept in .*File exists.*: move away"):
        await keep_copy(store, tmp_path / "before-0042-1.db", 2, now)


async def test_a_copy_that_does_not_hold_is_not_noted_and_costs_no_older_one(sqlite_url, tmp_path):
    store = await Store.open(sqlite_url)
    await migrate(store, None)
    await _played(store)
    await keep_copy(store, tmp_path, 1, datetime(2026, 12, 1, tzinfo=UTC))
    async with store.write() as connection:
        await connection.execute(text("UPDATE events SET at_us = 0 WHERE seq = 1"))
    with pytest.raises(StoreError, match="does not hold"):
        await keep_copy(store, tmp_path, 1, datetime(2026, 12, 2, tzinfo=UTC))
    assert (tmp_path / "kept-2026-12-01-000000.db").exists()
    noted = await store.query(base_tables.get, base_tables.COPY_PROVED)
    assert noted == str(to_us(datetime(2026, 12, 1, tzinfo=UTC)))
    await store.close()


async def test_a_database_that_is_not_there_yet_is_restored_without_force(sqlite_url, tmp_path):
    store = await Store.open(sqlite_url)
    await migrate(store, None)
    await _played(store)
    await backup(store, tmp_path / "copy")
    await store.close()
    url = f"sqlite+aiosqlite:///{tmp_path / 'new.db'}"
    await restore(tmp_path / "copy", url, tmp_path)
    again = await Store.open(url)
    assert (await verify(again)).events == 15
    await again.close()


@pytest.mark.parametrize("damage", [b"no database" * 5_000, None], ids=["junk", "damaged"])
async def test_a_copy_replaces_a_broken_database_which_is_kept(sqlite_url, tmp_path, damage):
    store, path = await Store.open(sqlite_url), tmp_path / "kskak.db"
    await migrate(store, None)
    await _played(store)
    await backup(store, tmp_path / "copy")
    await store.close()
    whole = (tmp_path / "copy").read_bytes()
    broken = damage or whole[: 4096 * 20] + b"x" * 4096 * 40 + whole[4096 * 60 :]
    path.write_bytes(broken)
    with pytest.raises(StoreError, match="`kskak restore"):
        await restore(tmp_path / "copy", sqlite_url, tmp_path)
    assert path.read_bytes() == broken
    await restore(tmp_path / "copy", sqlite_url, tmp_path, force=True)
    assert path.with_name("kskak.db.before-restore").read_bytes() == broken
    again = await Store.open(sqlite_url)
    assert (await verify(again)).events == 15
    await again.close()
    assert not list(tmp_path.glob("*.part"))
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match="is a folder"):
        await restore(tmp_path / "copy", sqlite_url, tmp_path, force=True)


async def test_a_damaged_or_tampered_copy_is_refused_and_nothing_is_changed(sqlite_url, tmp_path):
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
            await restore(tmp_path / name, sqlite_url, tmp_path, force=True)
    assert (tmp_path / "kskak.db").read_bytes() == (tmp_path / "before").read_bytes()


LATER = """
import sqlalchemy as sa
from alembic import op

revision = "9998"
down_revision = "{}"


def upgrade() -> None:
    op.create_table("later", sa.Column("id", sa.Integer(), primary_key=True))
"""


async def test_a_copy_that_an_earlier_program_made_is_brought_up_and_proved(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the copy before a migration is; until then the database is told from a damaged one."""
    store = await Store.open(sqlite_url)
    await migrate(store, None)
    await _played(store)
    older, scripts = copying.head_revision(), tmp_path / "migrations"
    shutil.copytree(copying.SCRIPTS, scripts)
    (scripts / "versions" / "9998_later.py").write_text(LATER.format(older))
    monkeypatch.setattr(copying, "SCRIPTS", scripts)
    with pytest.raises(StoreError, match=f"revision {older}, not 9998"):
        await verify(store)
    await backup(store, tmp_path / "copy")
    await store.close()
    url = f"sqlite:///{tmp_path / 'new.db'}"
    await restore(tmp_path / "copy", url, tmp_path)
    again = await Store.open(url)
    assert (await verify(again)).is_sound
    await again.close()


async def _chain_as_before(store: Store) -> None:
    """Every game as it was chained until 2026: its terms and its events' texts alone."""
    async with store.write() as conn:
        for row in [row async for row in game_rows.all_rows(conn)]:
            head = genesis(row.id, row.terms)
            for one in await game_rows.history(conn, row.id):
                head = link(head, row.id, one.seq, one.at_us, one.body)
                of_event = (events.c.game_id == row.id) & (events.c.seq == one.seq)
                await conn.execute(update(events).where(of_event).values(hash=head))
            await conn.execute(update(games).where(games.c.id == row.id).values(head=head))


async def test_a_chain_of_before_the_upgrade_holds_and_goes_on_with_who_and_how(store):
    ids = await _played(store)
    await _chain_as_before(store)
    assert (await verify(store)).is_sound
    await Writer(store).submit(Move(ids[0], RUY[5]))
    assert (await verify(store)).is_sound
    async with store.write() as conn:
        new = (events.c.game_id == ids[0]) & (events.c.seq == 6)
        await conn.execute(update(events).where(new).values(channel="mail"))
    found = (await verify(store)).findings
    assert [(one.game, one.seq) for one in found] == [("K-26-01/1", 6)]


async def test_an_event_chained_as_before_after_others_were_not_is_found(store: Store) -> None:
    """Else who made the last one could be changed by leaving it out of the hash."""
    (game_id, *_) = await _played(store)
    async with store.write() as conn:
        *_, before, last = await game_rows.history(conn, game_id)
        head = link(bytes(before.hash), game_id, last.seq, last.at_us, last.body)
        of_event = (events.c.game_id == game_id) & (events.c.seq == last.seq)
        await conn.execute(update(events).where(of_event).values(hash=head, actor_id=None))
        await conn.execute(update(games).where(games.c.id == game_id).values(head=head))
    assert [one.seq for one in (await verify(store)).findings] == [last.seq]


async def test_verify_holds_no_transaction_open_and_tells_how_far_it_is(store, monkeypatch):
    """A long one would let SQLite's log grow as long as the server writes beside it."""
    await _played(store)
    monkeypatch.setattr(database_care, "_AT_ONCE", 2)
    told = list[tuple[int, int]]()

    def progress(done: int, of: int) -> None:
        assert not store.is_joined
        told.append((done, of))

    assert (await verify(store, progress)).games == 3
    assert told == [(2, 3), (3, 3)]
