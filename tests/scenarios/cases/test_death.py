"""A player dies: nothing more is sent to him, and his games go to the leader (§ 6.2.8).

And what a player who leaves tells his leader stays there.
"""

from datetime import timedelta

import pytest

from kskak.regulation.editions import Result
from server.store.cases import cases as case_rows
from server.usecases.cases import case_actions
from server.usecases.cases.case_views import case_view
from tests.fakes.cases import seen_by
from tests.fakes.desk import CARLA, DAN, Desk, desk_scene
from tests.fakes.disputes import press
from tests.fakes.machinery.browser import Page, browser
from tests.fakes.world import ANNA, BO, KC, TL

desk = desk_scene(ANNA, BO, CARLA, DAN)
"""A group of four: each has six games."""


async def _die(desk: Desk, who: str, **filled: str) -> Page:
    """The controller records the death on the member's page."""
    number = await desk.id_of(who)
    async with browser(desk.world) as kc:
        await kc.sign_in(KC)
        page = await kc.get(f"/desk/members/{number}")
        assert "Partierne i" in page.text, "what he holds is shown first"
        done = await kc.submit(page, "/death", **filled)
    await desk.world.pump()
    return done


async def _cases(desk: Desk) -> list[case_rows.CaseRow]:
    async with desk.world.core.store.read() as conn:
        return list(await case_rows.list_cases(conn))


@pytest.mark.both_engines
async def test_his_games_rest_the_leader_rules_and_nothing_reaches_him(desk: Desk) -> None:
    """The opponents are told once each, the ruling has the valid reason, and no letter is his."""
    world = desk.world
    today = world.clock.today.isoformat()
    before = {who: len(world.letters(who)) for who in (ANNA, BO, CARLA, DAN, TL)}
    unsure = await _die(desk, CARLA, died=today)
    assert unsure.status == 422 and not await _cases(desk), "it is confirmed first"
    await _die(desk, CARLA, died=today, sure="1")
    (case,) = await _cases(desk)
    carla = await desk.id_of(CARLA)
    assert (case.person_id, case.question) == (carla, "@death")
    view = await seen_by(world, TL, case.id)
    assert len(view.state.suspended) == 6 and carla not in view.state.may_appeal
    for who in (ANNA, BO, DAN):
        told = [one.said for one in world.letters(who, before[who])]
        assert sum("er død" in one or "has died" in one for one in told) == 1, (who, told)
    world.clock.go(world.clock.today + timedelta(days=60))
    await world.pump()
    about = [one for one in await _cases(desk) if carla in (one.person_id, *one.standing)]
    assert [one.id for one in about] == [case.id], "no silence of the dead becomes a case"
    path = f"/desk/cases/{case.number}"
    async with browser(world) as tl:
        await tl.sign_in(TL)
        letter = await press(tl, await tl.get(path), 0, "/rule", "draft")
        text = letter.form("/rule").fields["letter"]
        assert "gyldig grund" in text and "har mistet retten til præmie" not in text
        sent = await press(tl, letter, 0, "/rule", "send")
        assert sent.status in (200, 422)
        if sent.status == 422:
            fields = letter.form("/rule").fields | {"confirm": "1", "step": "send"}
            assert (await tl.post(f"{path}/rule", fields)).status == 200
    await world.pump()
    listed = await desk.call(TL, "GET", "/games?all=1")
    own = [one for one in listed["games"] if "Carla" in one["white"] + one["black"]]
    assert len(own) == 6
    rows = [await world.row(one["id"]) for one in own]
    assert {row.result for row in rows} <= {Result.WHITE_WINS.value, Result.BLACK_WINS.value}
    assert all(row.result for row in rows)
    assert not world.letters(CARLA, before[CARLA])
    until = view.today + timedelta(days=120)
    world.clock.go(until)
    await world.pump()
    assert (await seen_by(world, TL, case.id)).state.stage.value == "final", "nobody waits for him"


async def test_a_death_is_recorded_once_and_not_for_tomorrow(desk: Desk) -> None:
    day = desk.world.clock.today
    late = await _die(desk, DAN, died=(day + timedelta(days=1)).isoformat(), sure="1")
    assert late.status == 422 and not await _cases(desk)
    await _die(desk, DAN, died=day.isoformat(), sure="1")
    again = await _die(desk, DAN, died=day.isoformat(), sure="1")
    assert again.status == 422 and len(await _cases(desk)) == 1


async def test_what_he_tells_his_leader_is_in_no_letter_to_opponents(desk: Desk) -> None:
    """«kræft»: not in a notice, on the opponents' page, nor drafted into the ruling."""
    world, secret = desk.world, "Jeg har fået kræft og kan ikke mere."
    group = (await world.row()).group_id
    case = (await desk.call(CARLA, "POST", f"/groups/{group}/withdrawals", {"text": secret}))["id"]
    await case_actions.speak(world.core, await world.person(CARLA), case, f"{secret} Igen.")
    await world.pump()
    assert any(secret in one.said for one in world.letters(TL))
    number = (await _cases(desk))[0].number
    async with browser(world) as tl:
        await tl.sign_in(TL)
        page = await tl.get(f"/desk/cases/{number}")
        assert secret in page.text, "the leader reads it"
        assert secret not in page.form("/rule").fields["text"]
    for who in (ANNA, BO, DAN):
        assert not any(secret in one.said for one in world.letters(who)), who
        seen = await case_view(world.core, await world.person(who), case)
        assert not [one for one in seen.papers if one.text and secret in one.text]
    own = await case_view(world.core, await world.person(CARLA), case)
    assert [one for one in own.papers if one.text and secret in one.text]
