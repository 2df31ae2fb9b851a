"""A player chooses at how many days left to the control he is reminded (§ 6.3.3.1)."""

from datetime import date

from server.store.play import people as person_rows
from server.usecases.account import signin
from tests.fakes.machinery.player import Player
from tests.fakes.world import BO, World

# Bo has his move from 3 November and 40 days to move 10: 10 are left on 3 December.


async def _choose(world: World, days: str) -> None:
    async with world.core.store.read() as conn:
        person = await person_rows.by_email(conn, BO)
    assert person is not None
    assert await signin.keep(world.core, person, {"reminders": days}) == ()


async def _warned(world: World) -> int:
    return len(await world.outbox("control_warning"))


async def test_each_number_of_days_is_said_once_on_its_day(world: World, anna: Player) -> None:
    await _choose(world, "2 10 5")
    await anna.reply("e4")
    said = []
    for day in (2, 3, 7, 8, 10, 11, 12):
        await world.wait_until(date(2026, 12, day))
        said.append(await _warned(world))
    assert said == [0, 1, 1, 2, 2, 3, 3]
    assert "2 days left to move 10" in world.letters(BO)[-1].said
    assert (await world.row()).result is None
    await world.assert_whole()


async def test_a_choice_made_while_the_move_waits_holds_from_then_on_and_repeats_nothing(lite):
    await Player(lite).reply("e4")
    await lite.wait_until(date(2026, 12, 4))
    await _choose(lite, "10, 5, 3")
    await lite.wait_until(date(2026, 12, 5))
    assert await _warned(lite) == 1, "9 days are left: less than 10, and not said yet"
    await lite.wait_until(date(2026, 12, 9))
    assert await _warned(lite) == 2
    await _choose(lite, "5")
    await lite.wait_until(date(2026, 12, 12))
    assert await _warned(lite) == 2, "5 was said; 3 is not wished for any more"


async def test_the_opponent_is_reminded_by_his_own_choice(lite: World) -> None:
    await _choose(lite, "30")
    anna = Player(lite)
    await anna.reply("e4")
    await lite.wait_until(date(2026, 11, 14))
    assert [row.person_id for row in await lite.outbox("control_warning")] == [
        (await lite.row()).black_id
    ]
    assert await Player(lite, BO).reply("e5", lite.letters(BO)[-1]) == "moved"
    await lite.wait_until(date(2026, 11, 28))
    assert await _warned(lite) == 1, "Anna has chosen nothing: 3 days"
