"""Killed for real at every named point, started again: nothing is lost, nothing doubled."""

import asyncio
import os
import signal
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from server import machine
from server.machine import CRASH_POINTS, VARIABLE
from server.store.engine.migrate import migrate
from server.store.engine.store import Store
from server.store.tables.base import events, inbox, outbox
from server.usecases.desks.database_care import verify
from tests.fakes.machinery import crash_child
from tests.fakes.machinery.forks import fork
from tests.fakes.play import start_games

ROOT = Path(__file__).parents[2]


async def _carry(url: str, crash_at: str | None) -> tuple[int, list[str]]:
    """The child's exit status and the letters that it sent."""
    env = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if crash_at is not None:
        env[VARIABLE] = crash_at
    with tempfile.NamedTemporaryFile("r", prefix="kskak-said-") as out:
        name = crash_child.__name__
        process = await fork([url], cwd=ROOT, env=env, out=out.name, err=os.devnull, module=name)
        async with asyncio.timeout(60):
            status = await process.wait()
        return status, [line.split()[1] for line in out]


@pytest.mark.parametrize("point", CRASH_POINTS)
async def test_a_process_killed_there_loses_and_doubles_nothing(sqlite_url, point):
    store = await Store.open(sqlite_url)
    await migrate(store, None)
    await start_games(store)
    await store.close()
    status, sent = await _carry(sqlite_url, point)
    assert status == -signal.SIGKILL, f"{point} was not reached"
    store = await Store.open(sqlite_url)
    async with store.write() as conn:  # the leases of the dead process run out
        await conn.execute(update(inbox).values(due_us=0))
        await conn.execute(update(outbox).values(due_us=0))
    await store.close()
    status, sent_later = await _carry(sqlite_url, None)
    assert status == 0
    store = await Store.open(sqlite_url)
    async with store.read() as conn:
        for table in (events, inbox, outbox):
            count = (await conn.execute(select(func.count()).select_from(table))).scalar()
            assert count == 1, table.name
        assert (await conn.execute(select(outbox.c.state))).scalar() == "sent"
        assert (await conn.execute(select(inbox.c.outcome))).scalar() == "moved"
    assert (await verify(store)).is_sound
    await store.close()
    assert set(sent + sent_later) == {"<1001.1@example.org>"}
    assert len(sent + sent_later) == (2 if point == "outbox-before-mark-sent" else 1)


@pytest.mark.parametrize("name", ["nowhere", "outbox-claimed:x"])
def test_a_wrong_name_is_told_and_kills_nobody(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(VARIABLE, name)
    with pytest.raises(ValueError, match=VARIABLE):
        machine.reach_crash_point("outbox-claimed")
