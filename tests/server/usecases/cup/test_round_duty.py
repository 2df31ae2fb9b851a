"""§ 6.6.3, § 6.4.5: a cup's next round that can be drawn: a duty, and one letter to the leader."""

from datetime import date, timedelta

import pytest

from kskak.cup import CupStage
from server.store.mail.outbox import OutboxRow
from server.usecases.context import today_of
from server.usecases.cup import cup_views
from server.usecases.cup.cup_rounds import CupRoundRequest
from server.usecases.cup.cup_views import facts_in
from server.usecases.desks.desk_overview import controller_desk
from server.usecases.results import publishing
from server.usecases.results.publishing import DutyKind, OfficialDuty, duties_for
from server.usecases.rights import rights
from tests.fakes.cups import CupScene
from tests.fakes.federation import address
from tests.server.usecases.cup.test_rounds import begun, facts, played

SEMI = CupStage.SEMIFINAL


async def duties(scene: CupScene, who: str) -> list[OfficialDuty]:
    held = await rights(scene.core, scene.people[who])
    found = await duties_for(scene.core, held)
    return [one for one in found if one.kind is DutyKind.CUP_ROUND]


async def told(scene: CupScene) -> list[OutboxRow]:
    """A day's work, three times over; then the letters about cups."""
    await publishing.daily(scene.core)
    for _ in range(3):
        await cup_views.daily(scene.core)
    return (await scene.written("cup_round"))[::-1]


@pytest.mark.both_engines
async def test_6_6_3_a_round_that_is_over_is_a_duty_when_the_time_to_object_is_out(scene, clock):
    """Objections until the 14th day after publication (§ 6.4.5); then once, to the leader alone."""
    await played(scene)
    ended = today_of(scene.core)
    assert await told(scene) == [] and await duties(scene, "leader") == []
    clock.go(ended + timedelta(days=14))
    assert await told(scene) == [] and await duties(scene, "leader") == [], "the last day to object"
    clock.go(ended + timedelta(days=15))
    (letter,) = await told(scene)
    assert letter.person_id == scene.people["leader"].id
    due = ended + timedelta(days=15)
    for who in ("leader", "kc"):
        assert [(one.due, one.cup) for one in await duties(scene, who)] == [
            (due, (scene.cup, 2026))
        ]
    assert await duties(scene, "S01") == []
    held = await rights(scene.core, scene.people["kc"])
    on_desk = (await controller_desk(scene.core, held)).duties
    assert [one.kind for one in on_desk] == [DutyKind.CUP_ROUND]
    message = await scene.composed(letter)
    body = message.get_body(("plain",))
    assert body is not None
    text = str(body.get_content())
    assert "den indledende runde er færdigspillet" in text and "(§ 6.6.3)" in text
    assert f"/desk/cups/{scene.cup}" in text
    clock.go(ended + timedelta(days=40))
    assert len(await told(scene)) == 1, "once a round, however long it waits"


async def test_6_6_3_a_drawn_round_ends_the_duty_and_its_own_end_is_told_anew(scene, clock):
    await played(scene)
    ended = today_of(scene.core)
    await told(scene)
    clock.go(ended + timedelta(days=15))
    assert len(await told(scene)) == 1
    await scene.draw(CupRoundRequest(SEMI, places=3, added=(address("S07"),), reason="Fyldt op."))
    assert await duties(scene, "leader") == [] and len(await told(scene)) == 1
    async with scene.core.store.read() as conn:
        row = (await facts(scene)).row
        semi = (await facts_in(conn, row)).rounds[-1]
    for one in semi.groups:
        await scene.play_out(one.group.name)
    clock.go(ended + timedelta(days=16))
    await told(scene)
    clock.go(ended + timedelta(days=32))
    assert len(await told(scene)) == 2
    assert len(await duties(scene, "leader")) == 1


async def test_6_6_1_1_after_the_final_nothing_is_to_be_drawn(scene, clock):
    """With few entries the semi-final is left out, and the final is the last round."""
    await played(scene)
    await scene.draw(CupRoundRequest(CupStage.FINAL, places=3, reason="Få tilmeldinger."))
    assert await duties(scene, "leader") == []
    await scene.play_out((await facts(scene)).rounds[-1].groups[0].group.name)
    await told(scene)
    clock.go(today_of(scene.core) + timedelta(days=30))
    assert await told(scene) == [] and await duties(scene, "leader") == []


async def test_6_6_3_while_one_group_plays_nothing_can_be_drawn(scene, clock):
    await begun(scene)
    first, *_ = (await facts(scene)).rounds[0].groups
    await scene.play_out(first.group.name)
    clock.go(date(2027, 6, 1))
    assert await told(scene) == [] and await duties(scene, "leader") == []
