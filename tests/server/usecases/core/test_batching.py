"""Batches: what waits is taken together; nobody is kept waiting for those who may come."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

import pytest

from server.store.engine.connection import LONGEST_S
from server.store.engine.store import Store
from server.usecases.games.game_units import LockedGame, Writes
from server.usecases.games.writer import Batcher, Writer
from tests.fakes.play import Move, start_games


async def test_what_came_while_one_batch_was_at_work_is_the_next_and_nothing_waits_for_more():
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


# A batch run stage by stage does what its units did one after the other. Not for the queue.


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A unit that decides, and whose letters then can't be worked out."""

    game_id: int
    inbox_id: None = None
    idempotency: None = None

    def run(self, game: LockedGame) -> tuple[Callable[[], Writes], object]:
        def fails() -> Writes:
            raise ValueError("no letter")

        return fails, "never said"


@dataclass(frozen=True, slots=True)
class Slow:
    """A unit that decides for longer than the event loop may be held, and tells when it did."""

    game_id: int
    turn: Callable[[], int]
    inbox_id: None = None
    idempotency: None = None

    def run(self, game: LockedGame) -> tuple[Writes, int]:
        until = perf_counter() + 2 * LONGEST_S
        while perf_counter() < until:
            pass
        return Writes(), self.turn()


@pytest.mark.both_engines
async def test_others_are_served_while_a_batch_decides(store: Store) -> None:
    turns, writer = 0, Writer(store)
    units = [Slow(game_id, lambda: turns) for game_id in await start_games(store, 4)]
    answers = asyncio.gather(*map(writer.submit, units))
    while not answers.done():
        await asyncio.sleep(0)
        turns += 1
    first, *_, last = answers.result()
    assert first < last


async def test_what_follows_fails_alone_and_the_next_unit_finds_the_game_as_it_was(store):
    one, two = await start_games(store, 2)
    units = (Doubtful(one), Move(two, "e2e4"), Move(one, "d2d4"), Move(two, "e7e5"))
    writer = Writer(store)
    answers = await asyncio.gather(*map(writer.submit, units), return_exceptions=True)  # type: ignore[arg-type]
    assert isinstance(answers.pop(0), ValueError) and answers == [1, 1, 2]
