"""What was meant for a position before a game was set back is played through no door (FIDE 7.5).

The plies are as many again, and the move is legal in both positions.
"""

import re

import aiohttp
import pytest

from server.usecases.account import signin
from server.xfcc.service import PATH
from tests.fakes.cases import set_back
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.machinery.chess_programs import SCID_HEADERS, scid
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.postal import begin_postal, call, enter
from tests.fakes.world import ANNA, BO, TL, World

CHANGED = "The position has changed since you opened the page"


async def _replaced(world: World, first: str = "d4") -> None:
    """The game is set back to its start, and another move takes the place of 1. e4."""
    await set_back(world, 0)
    assert await Player(world, ANNA).reply(first) == "moved"
    assert (await world.row()).ply == 1


async def _pages(bo: Browser, game: int) -> dict[str, tuple[Page, str]]:
    """Every page of Bo's with a form that is for the position, and how its form's address ends."""
    shown = await bo.get(f"/games/{game}")
    preview = await bo.submit(shown, "/preview", text="e5", message="Hej Anna")
    ends = {kind: (await bo.get(f"/games/{game}/end/{kind}"), "") for kind in ("resign", "draw")}
    return {"preview": (shown, "/preview"), "move": (preview, "/move"), **ends}


@pytest.mark.parametrize("door", ["preview", "move", "hold", "resign", "draw"])
async def test_a_form_of_a_page_opened_before_plays_nothing(lite: World, door: str) -> None:
    await Player(lite, ANNA).reply("e4")
    async with browser(lite) as bo:
        await bo.sign_in(BO)
        old = await _pages(bo, lite.game)
        await _replaced(lite)
        before = await lite.row()
        page, ending = old["move" if door == "hold" else door]
        form = page.form(ending)
        typed = {"text": "e5", "message": "Hej Anna"} if door == "preview" else {}
        to = f"/games/{lite.game}/hold" if door == "hold" else form.action or page.path
        answer = await bo.post(to, form.fields | typed | {"minutes": "10"})
        assert CHANGED in answer.text
        assert answer.status in (409, 422)
        row = await lite.row()
        assert (row.ply, row.seq, row.result) == (1, before.seq, None)
        if door in ("preview", "move", "hold"):
            assert "Hej Anna" in answer.html and 'value="e5"' in answer.html, "nothing is lost"
            sent = await bo.submit(await bo.submit(answer, "/preview", text="d5"), "/move")
            assert sent.status == 200 and (await lite.row()).ply == 2


async def test_a_page_opened_after_a_set_back_plays_and_a_form_of_old_without_stamp_does_not(lite):
    """A stamp is the plies alone until a game is set back: so were those of pages before this."""
    await Player(lite, ANNA).reply("e4")
    async with browser(lite) as bo:
        await bo.sign_in(BO)
        shown = await bo.get(f"/games/{lite.game}")
        old = shown.form("/preview").fields
        assert old["ply"] == "1"
        await _replaced(lite)
        now = (await bo.get(f"/games/{lite.game}")).form("/preview").fields
        assert re.fullmatch(r"1-\d+", now["ply"])
        for stamp in ("1", "1-0", "01" + now["ply"][1:], "1-99", "-1", "x", ""):
            answer = await bo.post(
                f"/games/{lite.game}/preview", now | {"ply": stamp, "text": "e5"}
            )
            assert CHANGED in answer.text, stamp
        assert (await bo.move("d5")).status == 200
        assert (await lite.row()).ply == 2


async def test_a_program_that_looked_before_is_refused_and_told_what_to_send(lite: World) -> None:
    """By ``seq`` it is known; by the plies alone it is not, where another position had as many."""
    await Player(lite, ANNA).reply("e4")
    looked = await lite.row()
    await _replaced(lite)
    now = await lite.row()
    for old in ({"ply": 1}, {"ply": 1, "seq": looked.seq}, {"seq": looked.seq}):
        status, value = await call(lite, BO, "moves", {"text": "e5", **old})
        assert (status, value["type"]) == (409, "/problems/stale"), value
    assert (await lite.row()).seq == now.seq
    status, value = await call(lite, BO, "moves", {"text": "d5", "ply": 1, "seq": now.seq})
    assert status == 200, value
    assert (await call(lite, ANNA, "moves", {"text": "c4"}))[0] == 200, "now, whatever it is"


async def test_without_a_set_back_the_plies_are_enough(lite: World) -> None:
    await Player(lite, ANNA).reply("e4")
    assert (await call(lite, BO, "moves", {"text": "e5", "ply": 0}))[0] == 409
    assert (await call(lite, BO, "moves", {"text": "e5", "ply": 1}))[0] == 200


async def test_a_card_read_against_the_position_before_is_not_entered(lite: World) -> None:
    """By the API and on the page: 5755 is legal after 5254 and after 4244."""
    await begin_postal(lite)
    day = lite.clock.today
    card = (await enter(lite, "white", "5254", postmark=day, who=TL))["card"]
    looked = await lite.row()
    async with browser(lite) as bo:
        await bo.sign_in(BO)
        page = await bo.get(f"/games/{lite.game}/card")
        await enter(lite, "white", "4244", postmark=day, corrects=card, who=TL)
        body: dict[str, object] = {"by": "black", "text": "5755", "postmark": day.isoformat()}
        for old in ({"ply": 1}, {"seq": looked.seq}):
            status, value = await call(lite, BO, "cards", body | old)
            assert (status, value["type"]) == (409, "/problems/stale"), value
        typed = {"text": "5755", "kind": "move", "by": "black"}
        typed |= {"postmark": day.isoformat(), "received": day.isoformat()}
        answer = await bo.submit(page, "/card", **typed)
        assert CHANGED in answer.text and (await lite.row()).ply == 1
        fresh = await bo.get(f"/games/{lite.game}/card")
        shown = await bo.submit(fresh, "/card", **typed)
        assert shown.status == 200 and CHANGED not in shown.text, shown.text


async def _xfcc(world: World, operation: str, keys: tuple[str, str], **fields: object) -> str:
    url = f"http://127.0.0.1:{world.server.web_port}{PATH}"
    body = scid(operation, *keys, **fields)
    async with (
        aiohttp.ClientSession() as http,
        http.post(url, data=body, headers=SCID_HEADERS) as got,
    ):
        return await got.text()


@rows("fetches wish", (False, {}), (False, {"resign": 1}), (False, {"claimDraw": 1}), (True, {}))
async def test_a_chess_program_is_told_before_a_move_of_its_is_taken(lite, fetches, wish):
    """The protocol has the number and the move alone: 1... e5 is lawful after both first moves."""
    person = await lite.person(BO)
    keys = (signin.xfcc_user(person.id), await signin.make_xfcc_key(lite.core, person))
    await Player(lite, ANNA).reply("e4")
    listed = await _xfcc(lite, "GetMyGames", keys)
    (game,) = re.findall(r"<id>(\d+)</id>", listed)
    move = {"gameId": game, "movecount": 1, "myMove": "e5"}
    await _replaced(lite)
    if fetches:
        assert "1.d4" in await _xfcc(lite, "GetMyGames", keys), "now it knows"
    else:
        assert "InvalidMoveNumber" in await _xfcc(lite, "MakeAMove", keys, **(move | wish))
        assert (await lite.row()).ply == 1 and (await lite.row()).result is None
        assert "Fetch the list again" in await _xfcc(lite, "GetMyGames", keys)
    assert "Success" in await _xfcc(lite, "MakeAMove", keys, **move)
    await lite.pump()
    assert await Player(lite, ANNA).reply("2. Sf3") == "moved"
    answer = await _xfcc(lite, "MakeAMove", keys, gameId=game, movecount=2, myMove="Nc6")
    assert "Success" in answer, "told once, not at each move"
