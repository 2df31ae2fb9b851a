"""Time that has run out: found once, both and the leader warned, nothing decided (§ 6.3.3)."""

from tests.fakes.world import ANNA, BO, TL, World

DAYS = 40
FOUND = "OverstepFound"


async def test_both_and_the_leader_are_warned_once_on_the_first_day_over(world: World) -> None:
    world.clock.wait(days=DAYS)
    await world.pump()
    assert FOUND not in await world.kinds()
    world.clock.wait(days=1)
    for _ in range(3):
        await world.pump()
    world.clock.wait(days=5)
    await world.pump()
    assert (await world.kinds()).count(FOUND) == 1
    warned = [(await world.person(email)).id for email in (ANNA, BO, TL)]
    letters = await world.outbox("overstep")
    assert sorted(row.person_id for row in letters) == sorted(warned)
    await world.assert_whole()
