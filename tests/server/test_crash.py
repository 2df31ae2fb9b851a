"""Killed for real at every named point, started again: nothing is lost, nothing doubled."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from server import machine
from server.machine import CRASH_POINTS, VARIABLE
from server.store.engine.migrate import migrate
from server.store.engine.store import Store
from server.store.tables.base import events, inbox, outbox
from server.usecases.desks.database_care import verify
from tests.fakes.play import start_games

ROOT = Path(__file__).parents[2]


def _carry(url: str, crash_at: str | None) -> tuple[int, list[str]]:
    """The child's exit status and the letters that it sent."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop(VARIABLE, None)
    if crash_at is not None:
        environment[VARIABLE] = crash_at
    done = subprocess.run(
        [sys.executable, "-m", "tests.fakes.machinery.crash_child", url],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, [line.split()[1] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("point", CRASH_POINTS)
async def test_a_process_killed_there_loses_and_doubles_nothing(
    sqlite_url: str, point: str
) -> None:
    store = await Store.open(sqlite_url)
    await migrate(store, None)
    await start_games(store)
    await store.close()
    status, sent = await asyncio.to_thread(_carry, sqlite_url, point)
    assert status == -signal.SIGKILL, f"{point} was not reached"
    store = await Store.open(sqlite_url)
    async with store.write() as conn:  # the leases of the dead process run out
        await conn.execute(update(inbox).values(due_us=0))
        await conn.execute(update(outbox).values(due_us=0))
    await store.close()
    status, sent_later = await asyncio.to_thread(_carry, sqlite_url, None)
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
