"""A game set back by a ruling: the wrong card is found when it has been answered (FIDE 7.5)."""

import base64
import re

import aiohttp
import pytest

from kskak.cases.case import CloseHearing
from kskak.cases.case_events import GameOrder
from kskak.game import game_events as ev
from kskak.ledger.ledger_files import clock_json, ledger_json, read_ledger
from kskak.regulation.editions import Side
from kskak.statement.account import account
from server.usecases.cases import case_actions
from server.usecases.cases.decision_preparing import Order
from tests.fakes.cases import decided, only_case, seen_by
from tests.fakes.disputes import case_of
from tests.fakes.machinery.browser import browser
from tests.fakes.postal import PNG, begin_postal, call, enter
from tests.fakes.world import ANNA, BO, CAPTAIN, TL, World
from tests.scenarios.postal.test_corrected_cards import THIRD, on, pawns

WHITE, BLACK = Side


async def _case(world: World) -> int:
    """Five cards, the third typed wrongly; Anna says so once it has been answered."""
    await begin_postal(world)
    world.clock.go(on(20))
    scan = base64.b64encode(PNG).decode()
    for by, text, received, postmark in (
        ("white", "5254", None, 3),
        ("black", "5755", 5, 6),
        ("white", "7163", 7, 9),
        ("black", "2836", 11, 12),
        ("white", "6134", 16, 17),
    ):
        days = {"received": on(received)} if received else {}
        extra = {"scan": scan, "note": "Der står 2133"} if text == "7163" else {}
        await enter(world, by, text, postmark=on(postmark), who=TL, **days, **extra)
    await case_actions.object_to(
        world.core,
        await world.person(ANNA),
        world.game,
        case_actions.CaseKind.OTHER,
        "Jeg skrev 2133.",
    )
    await world.pump()
    return await only_case(world)


def _order(world: World, *effects: ev.RulingEffect) -> Order:
    games = tuple(GameOrder(world.game, one) for one in effects)
    return Order(paragraphs=("6.4.1",), reasons="Kortet siger 2133.", games=games)


@pytest.mark.both_engines
async def test_set_back_played_on_exported_and_annulled(world: World) -> None:
    case = await _case(world)
    before = (await world.row()).state()
    back = _order(world, ev.GameResumed(on(20)), ev.GameSetBack(2))
    done = await decided(world, TL, case, back)
    row = await world.row()
    assert (row.ply, row.result) == (2, None) and row.state().receipt == on(20)
    assert await world.total(WHITE) == 1, "as it was then"
    for who in (ANNA, BO):
        assert any("Kortet siger 2133." in one.said for one in world.letters(who))
    assert any("stilles tilbage" in one.said for one in world.letters(ANNA))
    world.clock.go(on(23))
    await enter(world, "white", "2133", received=on(20), postmark=on(22), who=ANNA)
    terms, events = row.terms, [one.event for one in await world.events()]
    exported = read_ledger(ledger_json(terms, events))
    accounts = [account(terms, one, on(25)) for one in (events, exported.events)]
    shown = [clock_json(one) for one in accounts]
    for one in shown:
        one.pop("warnings")
    assert shown[0] == shown[1]
    assert [one.san for one in accounts[0].rows] == ["e4", "e5", "Nc3"]
    await world.assert_whole()
    latest = done.state.latest
    assert latest is not None
    why = "Kortet siger alligevel 7163."
    undo = Order(paragraphs=("6.4.1",), reasons=why, annuls=(latest.ref,))
    await decided(world, TL, case, undo)
    assert (await world.row()).state().position == before.position
    await world.assert_whole()


async def test_the_case_page_has_card_scan_and_words_and_the_ruling_is_made_on_it(lite: World):
    world = lite
    case = await _case(world)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        await case_actions.act(world.core, await world.person(TL), case, CloseHearing("hørt"))
        path = next(link for link in (await tl.get("/desk")).links if "/desk/cases/" in link)
        page = await tl.get(path)
        assert "Der står 2133" in page.text and "/scan" in page.html
        assert "Jeg skrev 2133." in page.text
        assert "FIDE 7.3, 2018" in page.text and "forfra" in page.text
        fields = {f"back-{world.game}": "2", "reasons": "Kortet siger 2133.", "step": "draft"}
        drafted = await tl.submit(page, "/decide", **fields)
        assert "stilles tilbage til stillingen efter træk 1... af Bo Berg" in drafted.text
        await tl.submit(drafted, "/decide", step="send", confirm="1")
        await world.pump()
        assert (await world.row()).ply == 2
        assert "ugyldigt" in (await tl.get(path)).text
        assert "Ugyldigt: det er rettet" in (await tl.get(f"/games/{world.game}/card")).text
    assert case


async def _answered(world: World) -> int:
    """1615 was typed for 2625, White has answered it, and Bo objects: the case."""
    await pawns(world)
    await enter(world, "white", "6134", received=on(19), postmark=on(20), who=TL)
    objection = (world.game, case_actions.CaseKind.OTHER, "Jeg skrev 2625.")
    await case_actions.object_to(world.core, await world.person(BO), *objection)
    await world.pump()
    return await only_case(world)


async def _right_card(world: World) -> None:
    """Black's card is entered as he wrote it, and the game goes on from it."""
    days = {"received": "2026-11-20", "postmark": "2026-11-20"}
    status, got = await call(world, TL, "cards", {**THIRD, **days, "text": "2625"})
    assert (status, [one["san"] for one in got["moves"]]) == (200, ["b5"])
    await enter(world, "white", "6134", received=on(20), postmark=on(20), who=ANNA)
    sans = [row.san for row in account((await world.row()).terms, await _events(world)).rows]
    assert sans == ["e4", "a6", "d4", "b6", "Nf3", "b5", "Bc4"]
    await world.assert_whole()


async def _events(world: World) -> list[ev.Event]:
    return [one.event for one in await world.events()]


async def test_1615_typed_for_2625_and_answered_is_set_back_by_the_api(lite: World):
    """The very input of the report, once it is too late for «Ret kortet» (§ 6.2.4, § 6.4.1)."""
    world = lite
    case = await _answered(world)
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/cases/{case}/decisions"
    effects = ({"kind": "set_back", "ply": 5}, {"kind": "resume", "on": "2026-11-20"})
    body = {"paragraphs": ["6.2.4"], "reasons": "Kortet siger 2625."}
    body |= {"games": [{"game": world.game, "effect": one} for one in effects]}
    await case_actions.act(world.core, await world.person(TL), case, CloseHearing("hørt"))
    headers = {"Authorization": f"Bearer {await world.token(TL)}"}
    async with aiohttp.ClientSession(headers=headers) as http, http.post(url, json=body) as got:
        assert got.status == 200, await got.text()
    await world.pump()
    state = (await world.row()).state()
    assert (state.position.ply, state.mover) == (5, BLACK)
    await _right_card(world)


async def test_1615_typed_for_2625_and_answered_is_set_back_on_the_page(lite: World):
    world = lite
    await _answered(world)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        path = next(link for link in (await tl.get("/desk")).links if "/desk/cases/" in link)
        page = await tl.get(path)
        fields = {f"back-{world.game}": "5", "reasons": "Kortet siger 2625."}
        drafted = await tl.submit(page, "/decide", **fields, step="draft")
        assert "stilles tilbage til stillingen efter træk 3. af Anna" in drafted.text
        await tl.submit(drafted, "/decide", step="send", confirm="1")
    await world.pump()
    assert (await world.row()).ply == 5
    await _right_card(world)


@pytest.mark.parametrize(
    ("begin", "said", "answer", "rows"),
    [
        (_case, "", "Kortet er læst rigtigt.", ["2. 7163"]),
        (_answered, "", "Der står 1615.", ["3… 1615"]),
        (_answered, "Det var 3... b6-b5 og ikke 1615.", "Jeg har 16-15 her.", ["3… 1615"]),
        (_answered, "", "3. Sf3 er rigtigt, og 4. Lc4 med.", ["3. 7163", "3… 1615", "4. 6134"]),
    ],
)
async def test_the_wrong_card_its_picture_and_both_accounts_stand_together(
    lite, begin, said, answer, rows
):
    """§ 6.2.4, § 6.4.1: for everybody in the case, whoever named the move and however."""
    world = lite
    case = await begin(world)
    claims, answers = (ANNA, BO) if begin is _case else (BO, ANNA)
    for who, text in ((claims, said), (answers, answer)):
        if text:
            await case_actions.speak(world.core, await world.person(who), case, text)
    _, path = await case_of(world)
    for who in (TL, ANNA, BO):
        async with browser(world) as reader:
            await reader.sign_in(who)
            page = await reader.get(path)
        shown = page.html.partition('<div class="dispute">')[2].partition('<nav class="series')[0]
        heads = [_plain(one) for one in re.findall(r'<th scope="row">(.*?)<br>', shown, re.S)]
        assert len(heads) == len(rows), heads
        for head, (number, digits) in zip(heads, map(str.split, rows), strict=True):
            assert head.startswith(number) and head.endswith(digits), (who, heads)
        assert shown.count("/scan") == 2, "the one picture and its address"
        for told in ("Jeg skrev 2133." if begin is _case else "Jeg skrev 2625.", said, answer):
            assert told in shown, (who, told)
    async with browser(world) as stranger:
        await stranger.sign_in(CAPTAIN)
        assert (await stranger.get(path)).status == 404


async def test_a_case_that_names_no_move_has_no_move_in_dispute(lite: World) -> None:
    """Nor has one about days that names a move: there its date is what counts."""
    world = lite
    await pawns(world)
    texts = (
        (case_actions.CaseKind.OTHER, "Han svarer uforskammet."),
        (case_actions.CaseKind.DAYS, "3... 1615"),
    )
    for kind, text in texts:
        objection = (world.game, kind, text)
        opened = await case_actions.object_to(world.core, await world.person(BO), *objection)
        view = await seen_by(world, TL, opened.id)
        assert view.games[0].evidence == (), text


def _plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", "", html)).strip()


async def test_begun_anew_by_the_api(lite: World):
    """FIDE 7.2: the game begins anew; without the day of the time it is refused."""
    world = lite
    case = await _case(world)
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/cases/{case}/decisions"
    headers = {"Authorization": f"Bearer {await world.token(TL)}"}
    back = {"game": world.game, "effect": {"kind": "set_back", "ply": 0}}
    resume = {"game": world.game, "effect": {"kind": "resume", "on": "2026-11-20"}}
    body = {"paragraphs": ["6.4.1"], "reasons": "Forkert stilling."}
    await case_actions.act(world.core, await world.person(TL), case, CloseHearing("hørt"))
    async with aiohttp.ClientSession(headers=headers) as http:
        async with http.post(url, json=body | {"games": [back]}) as got:
            assert (got.status, (await got.json())["type"]) == (
                422,
                "/problems/case-set-back-undated",
            )
        async with http.post(url, json=body | {"games": [back, resume]}) as got:
            assert got.status == 200, await got.text()
    state = (await world.row()).state()
    assert state.position.ply == 0 and (state.white.total, state.black.total) == (0, 0)
