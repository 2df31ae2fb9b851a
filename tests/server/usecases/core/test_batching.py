"""Batches: who is answered together is waited for, though not for long; who is alone is not."""

import asyncio
from collections.abc import Sequence

import pytest

from server.usecases.games import writer
from server.usecases.games.writer import Batcher

HALF = 4


SEEN = 6


def _counting(sizes: list[int], seen: asyncio.Event, *, gathers: bool) -> Batcher[int, int]:
    async def work(items: Sequence[int]) -> Sequence[int]:
        sizes.append(len(items))
        if len(sizes) == SEEN:
            seen.set()
        await asyncio.sleep(0.03)  # longer than what is on the wire
        return items

    return Batcher(work, 2 * HALF, gathers=gathers)


@pytest.mark.parametrize("gathers", [True, False])
async def test_two_halves_that_take_turns_become_one_batch(
    gathers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PAUSE_S", 60.0)
    sizes, seen = list[int](), asyncio.Event()
    batcher = _counting(sizes, seen, gathers=gathers)

    async def ask(turns: int) -> None:
        for _ in range(turns):  # the second half comes while the first is at work
            await asyncio.sleep(0)
        while True:
            await batcher.submit(turns)
            for _ in range(3):  # the answer, and the next question, go over the wire
                await asyncio.sleep(0)

    asking = [asyncio.create_task(ask(turns)) for turns in (0, 2) for _ in range(HALF)]
    await seen.wait()
    for task in asking:
        task.cancel()
    assert sizes[:SEEN] == ([HALF, *[2 * HALF] * (SEEN - 1)] if gathers else [HALF] * SEEN)


async def test_one_alone_waits_for_nobody_and_the_next_no_longer_than_the_last_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = list[int]()
    batcher = _counting(sizes, asyncio.Event(), gathers=True)
    monkeypatch.setattr(writer, "PAUSE_S", 60.0)
    for number in range(3):
        assert await asyncio.wait_for(batcher.submit(number), 5) == number
    assert await asyncio.gather(*map(batcher.submit, range(3))) == [0, 1, 2]
    assert await asyncio.wait_for(batcher.submit(3), 5) == 3
    await batcher.close()
    assert sizes == [1, 1, 1, 3, 1]
