"""An old page, another tab, a double click, a repeated call: refused kindly or done once."""

import aiohttp
import pytest

from tests.fakes.machinery.browser import Browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, World


async def test_a_page_from_before_the_move_is_refused_and_keeps_what_was_typed(world, anna, bo_web):
    await anna.reply("e4")
    shown = await bo_web.preview("c5")
    other_tab = await bo_web.preview("e5", message="Held og lykke")
    await bo_web.submit(shown, "/move")
    old = await bo_web.submit(other_tab, "/move")
    assert old.status == 409
    assert "e5" in old.html
    assert await world.kinds() == ["MoveSent", "MoveSent"]
    await world.pump()
    assert len(await world.outbox("relay")) == 2


async def test_an_old_preview_is_refused_before_anything_is_shown(world, anna, bo_web):
    await anna.reply("e4")
    page = await bo_web.get(f"/games/{world.game}")
    await Player(world, BO, lang="en").reply("1... c5")
    await anna.reply("2. Sf3")
    old = await bo_web.submit(page, "/preview", text="d5")
    assert old.status == 409
    assert (await world.row()).ply == 3


async def test_a_double_click_sends_once(world: World, anna: Player, bo_web: Browser) -> None:
    await anna.reply("e4")
    shown = await bo_web.preview("c5")
    for _ in range(3):
        sent = await bo_web.submit(shown, "/move")
        assert sent.status == 200
    assert await world.kinds() == ["MoveSent", "MoveSent"]


async def test_a_form_without_its_token_changes_nothing(world, anna, bo_web):
    await anna.reply("e4")
    shown = await bo_web.preview("c5")
    fields = shown.form("/move").fields | {"csrf": "made-up"}
    refused = await bo_web.post(shown.form("/move").action, fields)
    assert refused.status == 403
    assert (await world.row()).ply == 1


@pytest.mark.both_engines
async def test_the_api_refuses_a_stale_ply_and_does_a_repeated_key_once(world: World) -> None:
    base = f"http://127.0.0.1:{world.server.web_port}/api/v1/games/{world.game}/moves"
    head = {"Authorization": f"Bearer {await world.token(ANNA)}"}
    async with aiohttp.ClientSession(headers=head) as http:

        async def post(key: str | None = None, **body: object) -> tuple[int, dict[str, object]]:
            given = {} if key is None else {"Idempotency-Key": key}
            async with http.post(base, json=body, headers=given) as answer:
                return answer.status, await answer.json()

        first = await post("k1", text="e4", ply=0)
        assert first[0] == 200
        assert await post("k1", text="e4", ply=0) == first
        status, problem = await post("k1", text="d4", ply=0)
        assert status in (409, 422)
        status, problem = await post(text="d4", ply=0)
        assert status == 409
        assert problem["paragraph"] in ("6.2.4", "6.2.1")
    await world.pump()
    assert await world.kinds() == ["MoveSent"]
    assert len(await world.outbox("relay")) == 1
    await world.assert_whole()


async def test_an_illegal_move_on_web_and_api_is_refused_and_costs_nothing(world, anna, bo_web):
    await anna.reply("e4")
    shown = await bo_web.preview("Ke5")
    assert shown.status == 422
    base = f"http://127.0.0.1:{world.server.web_port}/api/v1/games/{world.game}/moves"
    head = {"Authorization": f"Bearer {await world.token(BO)}"}
    async with (
        aiohttp.ClientSession(headers=head) as http,
        http.post(base, json={"text": "Ke5"}) as answer,
    ):
        assert answer.status == 422
    assert await world.kinds() == ["MoveSent"]
