"""How a poller ends: what is under way is finished, what never ends is broken off."""

import asyncio

import pytest

from server.jobs import runner
from server.jobs.runner import Poller


async def test_what_is_under_way_is_finished():
    begun, done = asyncio.Event(), list[str]()

    async def work() -> bool:
        begun.set()
        await asyncio.sleep(0.05)
        done.append("whole")
        return True

    poller = Poller("slow", work, 60)
    poller.start()
    await begun.wait()
    await poller.stop()
    assert done == ["whole"]


async def test_what_does_not_end_is_broken_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(runner, "GRACE_S", 0.05)
    begun, ends = asyncio.Event(), list[str]()

    async def work() -> bool:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ends.append("rolled back")
        return False

    poller = Poller("endless", work, 60)
    poller.start()
    await begun.wait()
    async with asyncio.timeout(5):
        await poller.stop()
    assert ends == ["rolled back"]


async def test_one_that_was_not_started_ends_at_once():
    async def work() -> bool:
        raise AssertionError

    await Poller("idle", work, 60).stop()
