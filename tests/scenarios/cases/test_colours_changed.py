"""A game begun anew with the colours changed over by a ruling (FIDE 7.3; 7.2 in 2009)."""

import aiohttp
import pytest

from kskak.game.events import GameResumed, GameSetBack, Ruled
from server.usecases.cases import deeds
from server.usecases.cases.deeds import Objection
from server.usecases.cases.order import Order
from server.usecases.cases.transaction import CHANNEL, EventsUnit
from server.usecases.core.context import poster_of
from server.usecases.desks import database_care
from server.usecases.play.ask import Origin
from tests.fakes.cases import decided, only_case, seen_by
from tests.fakes.league import begin_division, board_game, game_row
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.postal import begin_postal, enter
from tests.fakes.world import ANNA, BO, TL, World

WHY = "Spillerne har fra begyndelsen haft hinandens farver."


async def _heard(world: World) -> int:
    anna = await world.person(ANNA)
    objection = Objection(world.game, deeds.CaseKind.OTHER, "Jeg skulle have haft sort.")
    await deeds.object_to(world.core, anna, objection)
    await world.pump()
    case = await only_case(world)
    await deeds.close_hearing(world.core, await world.person(TL), case, "hørt")
    return case


async def _decide(world: World, case: int, *effects: dict[str, object]) -> tuple[int, dict]:
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/cases/{case}/decisions"
    headers = {"Authorization": f"Bearer {await world.token(TL)}"}
    games = [{"game": world.game, "effect": one} for one in effects]
    body = {"paragraphs": ["6.4.1"], "reasons": WHY, "games": games}
    async with aiohttp.ClientSession(headers=headers) as http, http.post(url, json=body) as got:
        value = await got.json(content_type=None)
    await world.pump()
    return got.status, value


async def _players(world: World) -> tuple[str, str]:
    row = await world.row()
    state_names = row.state().terms.white, row.state().terms.black
    assert state_names == (row.white, row.black)
    by_id = {(await world.person(one)).id: one for one in (ANNA, BO)}
    return by_id[row.white_id], by_id[row.black_id]


@pytest.mark.both_engines
async def test_by_the_api_then_played_by_mail_and_annulled(world: World) -> None:
    anna, bo = Player(world), Player(world, BO, lang="en")
    first = anna.newest
    await anna.reply("e4")
    await bo.reply("e5")
    case = await _heard(world)
    today = world.clock.today.isoformat()
    swap = {"kind": "set_back", "ply": 0, "swaps_colours": True}
    resume = {"kind": "resume", "on": today}
    totals = {"kind": "set_time", "white": 3, "black": None}
    assert (await _decide(world, case, swap | {"ply": 1}, resume))[0] == 422
    status, told = await _decide(world, case, swap, resume, totals)
    assert (status, told["type"]) == (422, "/problems/case-colours-alone")
    assert await _players(world) == (ANNA, BO) and (await world.row()).ply == 2
    status, told = await _decide(world, case, swap, resume)
    assert status == 200, told
    assert await _players(world) == (BO, ANNA)
    assert any("Bo Berg har nu hvid" in one.said for one in world.letters(ANNA))
    assert any("Bo Berg now has White" in one.said for one in world.letters(BO))
    row = await world.row()
    assert (row.ply, row.to_move_id) == (0, row.white_id)
    await anna.reply("d4", first)
    assert (await world.row()).ply == 0, "an old letter of the first move is another's"
    await bo.reply("d4")
    assert [(await world.row()).ply, (await _players(world))[0]] == [1, BO]
    await anna.reply("d5")
    assert (await world.row()).ply == 2
    await world.assert_whole()
    decision = (await _case_refs(world, case))[-1]
    undo = Order(paragraphs=("6.4.1",), reasons="De havde de rette farver.", annuls=(decision,))
    await decided(world, TL, case, undo)
    assert await _players(world) == (ANNA, BO)
    assert (await world.row()).ply == 2 and (await world.row()).state().mover.value == "white"
    await anna.reply("Nf3")
    assert (await world.row()).ply == 3
    await world.assert_whole()


async def _case_refs(world: World, case: int) -> list[str]:
    return [row.decision.ref for row in (await seen_by(world, TL, case)).state.decided]


async def test_on_the_page_of_a_case_with_the_void_card_under_its_senders_name(lite: World) -> None:
    world = lite
    await begin_postal(world)
    await enter(world, "white", "5254", postmark=world.clock.today, note="Annas", who=TL)
    await _heard(world)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        path = next(link for link in (await tl.get("/desk")).links if "/desk/cases/" in link)
        page = await tl.get(path)
        fields = {f"back-{world.game}": "swapped", "reasons": WHY}
        drafted = await tl.submit(page, "/decide", **fields, step="draft")
        assert "Bo Berg har nu hvid, og Anna" in drafted.text
        await tl.submit(drafted, "/decide", step="send", confirm="1")
        await world.pump()
        assert await _players(world) == (BO, ANNA)
        shown = (await tl.get(path)).text
        assert "spillerne bytter farver" in shown
        assert "Et kort uden træk Anna Ager ugyldigt" in shown
    await enter(world, "white", "4244", postmark=world.clock.today, who=BO)
    assert (await world.row()).ply == 1
    await world.assert_whole()


@pytest.mark.both_engines
async def test_in_the_league_the_teams_change_colours_with_their_players(world: World) -> None:
    core = world.core
    await begin_division(core, "DIV-1", ("Nord", "Syd"), start=world.clock.today.isoformat())
    line = await board_game(core, "DIV-1", 1, "Nord")
    before = await game_row(core, line.game_id)
    swap = Ruled("1/2026/1", GameSetBack(0, swaps_colours=True))
    new = (swap, Ruled("1/2026/1", GameResumed(world.clock.today)))
    origin = Origin(world.clock.at, None, CHANNEL)
    await core.writer.submit(EventsUnit(line.game_id, new, origin, poster_of(core)))
    after, turned = await game_row(core, line.game_id), await board_game(core, "DIV-1", 1, "Nord")
    assert (after.white, after.black) == (before.black, before.white)
    assert (turned.white_team, turned.black_team) == (line.black_team, line.white_team)
    report = await database_care.verify(core.store)
    assert report.is_sound, report.findings
