"""/metrics counts the moves of every channel, each once, and nothing that made no move."""

import asyncio
from collections import Counter

import aiohttp

from server.store.engine.store import Store
from server.usecases.games.writer import Writer
from tests.fakes.machinery.browser import Browser
from tests.fakes.machinery.player import Player
from tests.fakes.play import Move, start_games
from tests.fakes.postal import begin_postal, call, enter
from tests.fakes.world import BO, CAPTAIN, World, make_administrator


async def counted(world: World) -> dict[str, float]:
    """Moves accepted by channel, as Prometheus reads them."""
    url = f"http://127.0.0.1:{world.server.web_port}/metrics"
    await make_administrator(world)
    shown = {"Authorization": f"Bearer {await world.token(CAPTAIN)}"}
    async with aiohttp.ClientSession() as http, http.get(url, headers=shown) as answer:
        assert answer.headers["Server"] == "kskak", "no version"
        lines = (await answer.text()).splitlines()
    name = "kskak_moves_accepted_total{channel="
    rows = [line.removeprefix(name).split("} ") for line in lines if line.startswith(name)]
    return {channel.strip('"'): float(count) for channel, count in rows}


async def test_moves_by_mail_by_web_and_by_api_are_counted_where_they_are_written(
    world: World, anna: Player, bo_web: Browser
) -> None:
    assert await counted(world) == {}
    assert await anna.reply("e4") == "moved"
    await bo_web.move("e5")
    assert await call(world, BO, "moves", {"text": "d5"}) != 200, "it is not his turn"
    assert await anna.reply("Ke8") != "moved", "illegal"
    assert await anna.reply("ferie 8/12 9/12") != "moved"
    assert await counted(world) == {"mail": 1, "web": 1}
    assert await anna.reply("Sf3") == "moved"
    await call(world, BO, "moves", {"text": "Nc6"})
    await call(world, BO, "moves", {"text": "Nc6"})
    assert await world.kinds() != []
    assert await counted(world) == {"mail": 2, "web": 1, "api": 1}


async def test_a_card_that_was_entered_is_counted_by_how_it_was_entered(lite: World) -> None:
    await begin_postal(lite)
    await enter(lite, "white", "e4", postmark=lite.clock.today)
    assert await counted(lite) == {"api": 1}


async def test_only_what_is_durable_is_counted(store: Store) -> None:
    games = await start_games(store, 3)
    found: Counter[str] = Counter()
    writer = Writer(store, entered=lambda channel, count: found.update({channel: count}))
    tried = [Move(game, "e2e4") for game in games] + [Move(games[0], "e7e5"), Move(77, "e2e4")]
    answers = await asyncio.gather(*map(writer.submit, tried), return_exceptions=True)
    assert sum(isinstance(answer, Exception) for answer in answers) == 1
    assert sum(found.values()) == 4
    await writer.close()
