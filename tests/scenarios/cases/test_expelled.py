"""Somebody is expelled: his games follow, in every group of the tournament (§ 6.4.2, § 6.2.8)."""

import pytest
from sqlalchemy import update

from kskak.regulation.editions import Result
from server.store.tables.base import groups
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.desk import CARLA, DAN, GROUP, PLAYER, Desk, desk_scene
from tests.fakes.world import ANNA, BO, NAMES, TL

REASONED = {"paragraphs": ["6.4.2"], "reasons": "Groft usportsligt."}


desk = desk_scene(ANNA, BO, CARLA, DAN)
"""A group of four, double round: each has six games."""


async def _mine(desk: Desk, who: str) -> list[int]:
    listed = await desk.call(who, "GET", "/games")
    return sorted(game["id"] for game in listed["games"] if game["mine"])


async def _case_against(desk: Desk, who: str) -> int:
    row = await desk.world.row()
    body = {"group": row.group_id, "person": await desk.id_of(who), "kind": "conduct", "text": "X."}
    case = (await desk.call(TL, "POST", "/cases", body))["id"]
    await desk.hear(TL, case)
    return case


async def _expel(desk: Desk, case: int, who: str, **order: object) -> dict:
    expelled = [{"person": await desk.id_of(who), "kind": "expulsion"}]
    return await desk.decide(TL, case, **REASONED, sanctions=expelled, **order)


async def _other_group(desk: Desk, tournament: str) -> int:
    """Bo and Erik play a game in another group."""
    text = GROUP.format(regulation="email", start="2026-01-05", double="false")
    text = text.replace('"P-1"', '"P-2"').replace('"Pokal"', f'"{tournament}"')
    text += PLAYER.format(name=NAMES[BO], email=BO)
    text += PLAYER.format(name="Łukasz Żak", email="lukasz@example.org")
    started = await start_group(desk.world.core, read_group_file(text))
    async with desk.world.core.store.write() as conn:
        await conn.execute(update(groups).where(groups.c.id == started.id).values(seed=None))
    await desk.world.pump()
    return started.id


async def test_more_than_half_finished_the_rest_is_adjudicated_until_the_expulsion_is_annulled(
    desk: Desk,
) -> None:
    """§ 6.2.8: four of six; the two others stand still before the leader; § 6.4.3: free again."""
    mine = await _mine(desk, BO)
    for game in mine[:4]:
        await desk.call(BO, "POST", f"/games/{game}/resign")
    case = await _case_against(desk, BO)
    seen = await _expel(desk, case, BO)
    assert seen["decisions"][0]["paragraphs"] == ["6.4.2", "6.2.8"]
    listed = (await desk.call(TL, "GET", "/cases?desk=1"))["cases"]
    judged = [one for one in listed if one["kind"] == "adjudication"]
    assert len(judged) == 2 and all(one["is_suspended"] for one in judged)
    assert [(await desk.world.row(game)).result for game in mine[4:]] == [None, None]
    await desk.appeal(BO, case)
    await desk.decide("kc@example.org", case, **REASONED, annuls=["2026/1/1"])
    listed = (await desk.call(TL, "GET", "/cases?desk=1"))["cases"]
    stages = {one["stage"] for one in listed if one["kind"] == "adjudication"}
    assert stages == {"settled"}
    assert not any(one["is_suspended"] for one in listed)
    await desk.world.assert_whole(also=(CARLA, DAN))


async def test_a_result_that_the_decider_writes_himself_goes_before_the_half_rule(desk):
    """§ 6.2.8 is proposed: five of six end by it, one as he says."""
    mine = await _mine(desk, BO)
    case = await _case_against(desk, BO)
    drawn = {"kind": "result", "result": "1/2-1/2", "on": "2026-01-05"}
    await _expel(desk, case, BO, games=[{"game": mine[0], "effect": drawn}])
    found = [(await desk.world.row(game)).result for game in mine]
    assert found[0] == Result.DRAW and Result.DRAW not in found[1:] and None not in found
    await desk.world.assert_whole(also=(CARLA, DAN))


@pytest.mark.parametrize("tournament", ["Pokal", "Sommer"])
async def test_the_games_in_the_tournaments_other_groups_follow_and_no_others(desk, tournament):
    """§ 6.4.2: from the tournament; another tournament's games go on."""
    other = await _other_group(desk, tournament)
    elsewhere = [g for g in await _mine(desk, BO) if (await desk.world.row(g)).group_id == other]
    case = await _case_against(desk, BO)
    await _expel(desk, case, BO)
    (game,) = elsewhere
    row, told = await desk.world.row(game), desk.world.letters("lukasz@example.org")
    assert (row.result is not None) is (tournament == "Pokal")
    is_told = any("bortvises fra turneringen" in " ".join(one.said.split()) for one in told)
    assert is_told is (tournament == "Pokal")
