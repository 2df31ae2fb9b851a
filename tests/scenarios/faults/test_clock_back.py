"""The machine's clock is set back: dates in a game never run backwards, and the server says so."""

import logging
from datetime import timedelta

import aiohttp
import pytest

from kskak.game.game_events import MoveSent
from server.usecases.desks import database_care
from server.usecases.desks.readiness import warn_of_clock
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, World

BACK = timedelta(hours=26)


async def _by_api(world: World, who: str, text: str) -> int:
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/games/{world.game}/moves"
    head = {"Authorization": f"Bearer {await world.token(who)}"}
    async with (
        aiohttp.ClientSession(headers=head) as http,
        http.post(url, json={"text": text}) as answer,
    ):
        return answer.status


async def _ready(world: World) -> tuple[int, dict[str, object]]:
    url = f"http://127.0.0.1:{world.server.web_port}/readyz"
    async with aiohttp.ClientSession() as http, http.get(url) as answer:
        return answer.status, (await answer.json())["checks"]["clock"]


@pytest.mark.both_engines
@pytest.mark.parametrize("channel", ["mail", "api"])
async def test_6_8_6_an_answer_is_never_dated_before_the_move_that_it_answers(world, channel):
    anna, bo = Player(world), Player(world, BO, lang="en")
    world.clock.wait(days=3)
    assert await anna.reply("e4") == "moved"
    day = world.clock.today
    world.clock.at -= BACK
    if channel == "mail":
        assert await bo.reply("e5") == "moved"
    else:
        assert await _by_api(world, BO, "e5") == 200
    rows = await world.events()
    moves = [row.event for row in rows if isinstance(row.event, MoveSent)]
    assert [move.sent for move in moves] == [day, day]
    assert [row.at_us for row in rows] == sorted(row.at_us for row in rows)
    world.clock.at += BACK + timedelta(days=1)
    assert await _by_api(world, ANNA, "Sf3") == 200
    last = (await world.events())[-1].event
    assert isinstance(last, MoveSent) and last.sent == day + timedelta(days=1)
    assert (await database_care.verify(world.core.store)).is_sound


async def test_the_server_says_that_its_clock_is_behind(lite, caplog):
    anna = Player(lite)
    lite.clock.wait(days=3)
    assert await anna.reply("e4") == "moved"
    assert (await _ready(lite))[1] == {"ok": True}
    lite.clock.at -= timedelta(seconds=30)
    assert (await _ready(lite))[1] == {"ok": True}, "two machines may differ so much"
    lite.clock.at -= BACK
    status, clock = await _ready(lite)
    assert status == 503 and clock == {"ok": False, "behind_seconds": 26 * 3600.0 + 30}
    with caplog.at_level(logging.ERROR):
        await warn_of_clock(lite.core)
    assert "clock lies 1 day, 2:00:30 before the newest event" in caplog.text
