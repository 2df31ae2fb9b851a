"""Several processes behind PgBouncer in transaction mode, each with a part of the server to do.

Skipped where PgBouncer is not installed.
"""

import asyncio
import os
import pwd
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from server.store.engine.connection import StoreError, StoreOvertaken, StoreUnavailable
from server.store.engine.store import Store
from server.usecases.desks.database_care import verify
from server.usecases.games.writer import Writer
from tests.fakes.machinery.child import ROOT, Child
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.ports import free_port
from tests.fakes.machinery.smarthost import smarthost
from tests.fakes.machinery.streams import listening
from tests.fakes.play import RUY, Move, start_games
from tests.fakes.world import ANNA, BO, settings_of, world_on
from tests.scenarios.account.test_live import Two, _cookie

PATH = f"{os.environ.get('PATH', '')}:/usr/sbin"
INI = """
[databases]
* = host={host} port={port} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
auth_type = any
pool_mode = transaction
default_pool_size = 6
server_reset_query =
{more}
"""


@asynccontextmanager
async def bouncer(url: str, folder: Path, more: str = "") -> AsyncIterator[str]:
    """The address of the same database through a PgBouncer of its own."""
    program = shutil.which("pgbouncer", path=PATH)
    if program is None:
        pytest.skip("no pgbouncer")
    to, listen = make_url(url), free_port()
    there = {"host": to.host or to.query["host"], "port": to.port or 5432}
    ini = INI.format(**there, user=to.username or "postgres", listen=listen, more=more)
    (folder / "pgbouncer.ini").write_text(ini)
    owner = pwd.getpwuid(os.stat(str(there["host"])).st_uid).pw_name
    as_user = ["-u", owner] if os.geteuid() == 0 else []  # it refuses to run as root
    for part in (folder, *folder.parents[:2]):
        part.chmod(part.stat().st_mode | 0o055)
    with (folder / "pgbouncer.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            program, *as_user, str(folder / "pgbouncer.ini"), stdout=log, stderr=log
        )
    try:
        async with asyncio.timeout(10):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", listen)
                    break
                except OSError:
                    assert process.returncode is None, (folder / "pgbouncer.log").read_text()
                    await asyncio.sleep(0.05)
        writer.close()
        yield f"postgresql+asyncpg://postgres@127.0.0.1:{listen}/{to.database}"
    finally:
        process.kill()
        await process.wait()


@pytest.mark.parametrize(
    "more", ["", "ignore_startup_parameters = statement_timeout,synchronous_commit,"
    "idle_in_transaction_session_timeout,tcp_keepalives_idle,tcp_keepalives_interval,"
    "tcp_keepalives_count,tcp_user_timeout"],
)  # fmt: skip
async def test_without_being_told_of_it_the_start_is_refused_with_what_to_write(
    postgres_url: str, tmp_path: Path, more: str
) -> None:
    async with bouncer(postgres_url, tmp_path, more) as url:
        with pytest.raises(StoreError, match=r"add \?pooled=yes"):
            await Store.open(url, serves=True)


async def test_transactions_are_durable_have_an_end_and_never_meet_anothers_statements(
    postgres_url: str, tmp_path: Path
) -> None:
    async with bouncer(postgres_url, tmp_path) as url:
        stores = [await Store.open(f"{url}?pooled=yes", serves=True) for _ in range(3)]
        async with stores[0].write() as conn:
            said = [(await conn.execute(text(f"SHOW {name}"))).scalar_one() for name in (
                "synchronous_commit", "statement_timeout", "idle_in_transaction_session_timeout",
            )]  # fmt: skip
        assert said == ["on", "5s", "4s"]
        with pytest.raises(StoreUnavailable):
            async with stores[0].write() as conn:
                await conn.execute(text("SELECT pg_sleep(7)"))
        async with stores[0].read() as conn:
            with pytest.raises(Exception, match="read-only"):
                await conn.execute(text("UPDATE people SET name = name"))
        ids = await start_games(stores[0], 12)
        writers = [Writer(store) for store in stores]
        for uci in RUY[:6]:
            await asyncio.gather(
                *(writers[n % 3].submit(Move(game, uci)) for n, game in enumerate(ids))
            )
        report = await verify(stores[1])
        assert (report.games, report.events, report.is_sound) == (12, 72, True)
        await asyncio.gather(*(store.close() for store in stores))


async def test_three_processes_each_do_their_part_and_a_page_hears_of_moves_by_asking(
    postgres_url: str, tmp_path: Path
) -> None:
    """Two take moves and mail and send nothing; the third sends all letters and listens nowhere."""
    async with smarthost() as host, bouncer(postgres_url, tmp_path) as url:
        settings = settings_of(postgres_url, host, str(tmp_path), zone=midday_zone())
        async with world_on(settings, host, real_day(settings.clock.zone)) as world:
            game = await world.begin()
            tokens, cookies = {ANNA: await world.token(ANNA)}, {BO: await _cookie(world, BO)}
        pooled = {"KSKAK_DATABASE__URL": f"{url}?pooled=yes"}
        children = []
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            words = ("--only", "web,mail-in")
            children.append(Child(settings, tmp_path / name, also=pooled, words=words))
        before = len(host.to(BO))
        await asyncio.gather(*(child.start() for child in children))
        environment = {**children[0]._environment(None), "PYTHONPATH": str(ROOT)}
        other = [sys.executable, "-m", "server", "serve", "--only", "mail-out,daily"]
        third = None
        try:
            two = Two(children[0], children[1], game, tokens, cookies, b"", "")
            async with two.browser(BO) as bo, listening(bo, two.stream(game)) as page:
                await page.named("known")
                await two.move(ANNA, "e4")
                assert (await page.named("game")).data == {"game": game, "seq": 1}
            assert len(host.to(BO)) == before, "nobody sends yet"
            third = await asyncio.create_subprocess_exec(*other, env=environment, cwd=tmp_path)
            async with asyncio.timeout(30):
                while len(host.to(BO)) == before:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
        finally:
            if third is not None:
                third.terminate()
                assert await third.wait() == 0
            for child in children:
                assert await child.stop() == 0


async def test_a_transaction_that_another_was_put_before_is_tried_again(postgres_url, monkeypatch):
    """As a database does that runs all transactions as if in turn (SQLSTATE 40001)."""
    store, tries = await Store.open(postgres_url), list[int]()
    (game, *_) = await start_games(store, 1)
    entered, transact = list[tuple[str, int]](), Store.transact

    async def overtaken(self: Store, work: object) -> object:
        tries.append(1)
        if len(tries) > failures:
            return await transact(self, work)  # type: ignore[arg-type]

        def late(conn: object) -> None:
            work(conn)  # type: ignore[operator]
            raise_40001(conn)

        return await transact(self, late)

    def raise_40001(conn: object) -> None:
        conn.execute(text("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$"))  # type: ignore[attr-defined]

    monkeypatch.setattr(Store, "transact", overtaken)
    writer = Writer(store, entered=lambda channel, count: entered.append((channel, count)))
    failures = 2
    await writer.submit(Move(game, RUY[0]))
    assert len(tries) == 3 and [count for _, count in entered] == [1], "counted once"
    tries.clear()
    failures = 9
    with pytest.raises(StoreOvertaken):
        await writer.submit(Move(game, RUY[1]))
    assert len(tries) == 4
    await store.close()
    assert asyncpg.SerializationError.sqlstate == "40001"
