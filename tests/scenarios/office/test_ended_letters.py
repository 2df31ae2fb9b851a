"""A letter's row ends with its text, but for what still points to it."""

import pytest
from sqlalchemy import select

from server.jobs.daily_duties import DailyJob
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.tables.base import outbox
from server.usecases.desks.readiness import overview
from tests.fakes.cases import claimed_case
from tests.fakes.machinery.player import Player
from tests.fakes.world import BO, World

ZONE = "Europe/Copenhagen"


async def of_games(world: World) -> list[OutboxRow]:
    return [row for row in await world.outbox() if row.game_id is not None]


async def first_of_each(world: World) -> dict[int | None, str]:
    """The letter that starts each reader's thread, which was sent."""
    found: dict[int | None, str] = {}
    for row in await of_games(world):
        if row.sent_us is not None:
            found.setdefault(row.person_id, row.message_id)
    return found


async def finished(world: World) -> None:
    anna, bo = Player(world), Player(world, BO)
    await anna.reply("e4")
    await bo.reply("e5")
    await anna.reply("opgiver")
    await anna.reply("ja")
    world.clock.wait(days=1)
    await world.pump()


async def to_the_last_day(world: World) -> None:
    (term,) = await overview(world.core.store, ZONE, world.clock.today)
    assert term.until is not None
    world.clock.go(term.until)
    await DailyJob(world.core).work()


@pytest.mark.both_engines
async def test_rows_of_letters_end_12_months_after_the_tournament_and_not_a_day_before(world):
    await finished(world)
    before, threads = await of_games(world), await first_of_each(world)
    assert len(before) > 2 * len(threads) > 2
    await to_the_last_day(world)
    assert [row.id for row in await of_games(world)] == [row.id for row in before]
    world.clock.wait(days=1)
    await world.pump()
    left = await of_games(world)
    assert {row.person_id: row.message_id for row in left} == threads
    assert all(row.raw is None and row.to_addr == "" for row in left)
    assert (await world.outbox())[-1].id >= before[-1].id, "no number is given a second time"
    for _ in range(3):
        world.clock.wait(days=30)
        await world.pump()
    assert await of_games(world) == left, "nothing of the game is written again"
    again = outbox_rows.NewOutbox(
        message_id="<later@x>", kind="relay", to_addr="", created_us=0, due_us=0,
        game_id=left[0].game_id, person_id=left[0].person_id,
    )  # fmt: skip
    async with world.core.store.write() as conn:
        await outbox_rows.enqueue(conn, [again])
        later = await outbox_rows.by_message_id(conn, "<later@x>")
        assert later is not None
        assert await outbox_rows.first_sent(conn, later) == left[0].message_id


async def test_a_game_that_was_in_a_case_keeps_its_letters_rows(lite: World) -> None:
    """Its file lists them, with when they left."""
    await claimed_case(lite, Player(lite))
    rows = {row.id for row in await of_games(lite)}
    async with lite.core.store.write() as conn:
        await outbox_rows.end(conn, sorted(rows))
        kept = set((await conn.execute(select(outbox.c.id))).scalars())
    assert rows <= kept and len(rows) > 3
