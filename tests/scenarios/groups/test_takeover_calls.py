"""Objections to a takeover by API: opened, refused with paragraph, and nobody else's to make."""

from datetime import timedelta

import aiohttp
import pytest

from tests.fakes.cases import only_case, seen_by
from tests.fakes.takeovers import ON, PLAYED, group_file, ledger, take_over
from tests.fakes.world import ANNA, BO, CAPTAIN, TL, World

FILES = {"group.toml": group_file(), "1.json": ledger(PLAYED)}


async def objects(world: World, who: str, kind: str = "takeover") -> tuple[int, dict[str, object]]:
    """Status and body of a call that opens a case about the world's game."""
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/cases"
    body = {"game": world.game, "kind": kind, "text": "Min ferie mangler."}
    head = {"Authorization": f"Bearer {await world.token(who)}", "Accept-Language": "en"}
    async with aiohttp.ClientSession() as http, http.post(url, json=body, headers=head) as answer:
        return answer.status, await answer.json()


async def test_a_player_objects_by_api_and_both_share_one_case(lite: World) -> None:
    await take_over(lite, FILES)
    status, made = await objects(lite, ANNA)
    assert status == 200 and made["number"] == "2026/1"
    status, again = await objects(lite, BO)
    assert status == 200 and again["number"] == made["number"]
    view = await seen_by(lite, TL, await only_case(lite))
    assert [paper.text for paper in view.papers if paper.text].count("Min ferie mangler.") == 2
    await lite.pump()
    await lite.assert_whole()


async def test_after_the_time_the_problem_names_paragraph_and_day(lite: World) -> None:
    await take_over(lite, FILES)
    lite.clock.go(ON + timedelta(15), 12)
    status, said = await objects(lite, ANNA)
    assert status == 409 and said["paragraph"] == "6.4.5"
    assert "16 November 2026" in str(said["detail"])
    assert (await objects(lite, ANNA, "days"))[0] == 200, "a dispute has no such term"


@pytest.mark.parametrize("who", [TL, CAPTAIN])
async def test_who_does_not_play_in_the_game_objects_to_nothing(lite: World, who: str) -> None:
    await take_over(lite, FILES)
    assert (await objects(lite, who))[0] in (403, 404)


async def test_a_game_begun_here_was_not_taken_over(lite: World) -> None:
    await lite.begin()
    status, said = await objects(lite, ANNA)
    assert status == 409 and said["type"] == "/problems/case-not-taken-over"
