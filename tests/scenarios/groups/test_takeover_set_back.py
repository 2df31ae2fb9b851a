"""A game taken over with a wrong move: from the file through the ruling to a played move.

FIDE 7.5, § 6.2.4, § 6.4.1.
"""

import aiohttp
import pytest

from kskak.cases.case import CloseHearing
from kskak.game import game_events as ev
from kskak.regulation.editions import Side
from kskak.statement.account import account
from server.usecases.cases import case_actions
from tests.fakes.cases import only_case, seen_by
from tests.fakes.disputes import case_of
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.takeovers import ON, PLAYED, group_file, ledger, move, take_over
from tests.fakes.world import BO, TL, World

LEDGER = ledger([*PLAYED, move("black", "2836", "2026-10-30")])
"""Anna's 2. 7163 should have been 2133."""
SHORT_FILE = b"""
white = "Anna Ager"
black = "Bo Berg"
moves = "1. e4 e5 2. Nf3 Nc6"
sent = 2026-10-20
received = 2026-10-22
totals = { white = 21, black = 17 }
"""
BACK = 2
"""The plies that both agree on."""


async def _objected(world: World, name: str, text: bytes) -> int:
    """The game is taken over, and Anna objects by mail to a move in it; Bo says what he has."""
    await take_over(world, {"group.toml": group_file(), name: text})
    anna = Player(world)
    said = "indsigelse\n\nMit træk var 2. 2133 og ikke 7163."
    assert await anna.reply(said, anna.letters[0]) == "objection"
    case = await only_case(world)
    bo = await world.person(BO)
    await case_actions.speak(world.core, bo, case, "Jeg har 7163 på mit kort.")
    await case_actions.act(world.core, await world.person(TL), case, CloseHearing("hørt"))
    return case


async def _sans(world: World) -> list[str]:
    events = [one.event for one in await world.events()]
    return [row.san for row in account((await world.row()).terms, events).rows]


async def _played_on(world: World) -> None:
    """The right move by mail, the answer by mail; the old ones are kept and void."""
    assert (await world.row()).ply == BACK
    assert (await world.row()).state().mover is Side.WHITE
    anna, bo = Player(world), Player(world, BO, layout="outlook", lang="en")
    for player in (anna, bo):
        assert "Kortet siger 2133." in player.letters[-1].said
    assert await anna.reply("2. 2133") == "moved"
    assert await bo.reply("2... Nf6") == "moved"
    assert await _sans(world) == ["e4", "e5", "Nc3", "Nf6"]
    moves = [one for one in await world.events() if isinstance(one.event, ev.MoveSent)]
    assert [one.channel for one in moves].count("mail") == 2 and len(moves) > 2, "the old ones too"
    await world.assert_whole()


async def _ruled_by_api(world: World, case: int) -> None:
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/cases/{case}/decisions"
    effects = ({"kind": "set_back", "ply": BACK}, {"kind": "resume", "on": ON.isoformat()})
    body = {"paragraphs": ["6.2.4"], "reasons": "Kortet siger 2133."}
    body |= {"games": [{"game": world.game, "effect": one} for one in effects]}
    headers = {"Authorization": f"Bearer {await world.token(TL)}"}
    async with aiohttp.ClientSession(headers=headers) as http, http.post(url, json=body) as got:
        assert got.status == 200, await got.text()
    await world.pump()


FILES = [("1.json", LEDGER), ("1.toml", SHORT_FILE)]


@pytest.mark.both_engines
@pytest.mark.parametrize(("name", "text"), FILES)
async def test_a_wrong_move_in_the_file_is_set_back_by_the_api(world, name, text):
    case = await _objected(world, name, text)
    await _ruled_by_api(world, case)
    await _played_on(world)


@pytest.mark.parametrize(("name", "text"), FILES)
async def test_a_wrong_move_in_the_file_is_set_back_on_the_page(lite, name, text):
    """The move stands in the block of what is disputed, with both players' words."""
    world = lite
    case = await _objected(world, name, text)
    (game,) = (await seen_by(world, TL, case)).games
    assert game.disputed == {3}
    _, path = await case_of(world)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        page = await tl.get(path)
        shown = page.html.partition('<div class="dispute">')[2].partition('<nav class="series')[0]
        for told in ("7163", "Mit træk var 2. 2133", "Jeg har 7163 på mit kort."):
            assert told in shown, told
        fields = {f"back-{world.game}": str(BACK), "reasons": "Kortet siger 2133."}
        drafted = await tl.submit(page, "/decide", **fields, step="draft")
        assert "stilles tilbage til stillingen efter træk 1... af Bo Berg" in drafted.text
        await tl.submit(drafted, "/decide", step="send", confirm="1")
    await world.pump()
    await _played_on(world)
