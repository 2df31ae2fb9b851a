"""Batches: what waits is taken together; nobody is kept waiting for those who may come."""

import asyncio
from collections.abc import Sequence

from server.usecases.games.writer import Batcher


async def test_what_came_while_one_batch_was_at_work_is_the_next_and_nothing_waits_for_more() -> (
    None
):
    sizes, begun, may_end = list[int](), asyncio.Event(), asyncio.Event()

    async def work(items: Sequence[int]) -> Sequence[int]:
        sizes.append(len(items))
        begun.set()
        await may_end.wait()
        return items

    batcher = Batcher(work, 4)
    first = asyncio.create_task(batcher.submit(0))
    await begun.wait()
    others = [asyncio.create_task(batcher.submit(number)) for number in range(1, 8)]
    await asyncio.sleep(0)
    may_end.set()
    assert await asyncio.gather(first, *others) == list(range(8))
    assert sizes == [1, 4, 3], "all that waited, at most four at a time"
    assert await batcher.submit(8) == 8
    await batcher.close()
    assert sizes == [1, 4, 3, 1]


async def test_those_who_ask_again_at_once_are_taken_together() -> None:
    sizes = list[int]()

    async def work(items: Sequence[int]) -> Sequence[int]:
        sizes.append(len(items))
        return items

    batcher = Batcher(work, 8)

    async def ask(turns: int) -> None:
        for turn in range(turns):
            assert await batcher.submit(turn) == turn

    await asyncio.gather(*(ask(3) for _ in range(4)))
    await batcher.close()
    assert sizes == [4, 4, 4]
