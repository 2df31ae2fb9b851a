"""An overstep that a card makes is found when the card is entered; a refused claim can be a case.

§ 6.3.3.5, § 6.4.1, Kendelse 38, Kendelse 107.
"""

from datetime import date

import aiohttp
import pytest

from kskak.cases.case_events import GameOrder
from kskak.game import game_events as ev
from kskak.regulation.editions import Result
from server.store.cases import cases as case_rows
from server.usecases.cases.decision_preparing import Order
from tests.fakes.cases import decided, seen_by
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.postal import call
from tests.fakes.world import ANNA, BO, TL, World
from tests.regulation.record import line


async def _tenth_card(world: World, **dates: str) -> dict[str, object]:
    """White's tenth move by card, entered by the leader."""
    card = {"by": "white", "text": line(18).uci(), "received": "2026-12-07", "ply": 18}
    status, value = await call(world, TL, "cards", card | dates)
    assert status == 200, value
    await world.pump()
    return value


async def _cases(world: World) -> list[int]:
    async with world.core.store.read() as conn:
        return [case.id for case in await case_rows.list_game_cases(conn, world.game)]


async def test_6_3_3_5_the_case_is_open_and_all_are_told_when_the_card_is_entered(tenth):
    """31 of 30 days: nobody has claimed; both and the leader know, and the file has the account."""
    before = {who: len(tenth.letters(who)) for who in (ANNA, BO, TL)}
    value = await _tenth_card(tenth, postmark="2026-12-08")
    assert value["overstep"]["finding"] == "open"  # type: ignore[index]
    (case,) = await _cases(tenth)
    view = await seen_by(tenth, TL, case)
    assert (view.case.kind, view.state.opened.question) == ("overstep", "@overstep_white")
    assert [paper.kind for paper in view.papers] == ["evidence"]
    assert view.state.opened.claimant is None and not view.state.claims
    for who, count in before.items():
        said = " ".join(letter.said for letter in tenth.letters(who, count))
        assert "overskredet tiden" in said or "overstepped the time" in said, who
    assert (await call(tenth, BO, "claim", {}))[0] == 200
    assert await _cases(tenth) == [case], "the claim goes into the case that is open"
    assert (await seen_by(tenth, TL, case)).state.claims
    await tenth.assert_whole()


async def test_a_card_of_exactly_the_limit_opens_nothing(tenth: World) -> None:
    """§ 6.3.3.1: 30 of 30 is in time."""
    await _tenth_card(tenth, postmark="2026-12-07")
    assert await _cases(tenth) == []
    assert not [row for row in await tenth.outbox("overstep") if row.game_id == tenth.game]


@pytest.fixture
async def doubtful(tenth: World) -> World:
    """Kendelse 107: the postmark can't be read, so the stated day counts, and nothing is over."""
    value = await _tenth_card(tenth, stated="2026-12-07")
    assert value["overstep"] is None
    return tenth


async def _is_raised(world: World) -> None:
    (case,) = await _cases(world)
    view = await seen_by(world, TL, case)
    assert view.case.kind == "overstep"
    assert view.state.opened.paragraphs == ("6.3.2", "6.3.3.1", "6.3.3.5")
    assert (await world.row()).state().to_move is not None, "the game goes on meanwhile"
    found = ev.DispatchCorrected(19, date(2026, 12, 9), None, "", "")
    won = ev.ResultRuled(Result.BLACK_WINS, world.clock.today, "", "")
    order = Order(
        paragraphs=("6.3.2",),
        reasons="Datoen i poststemplet må lægges til grund.",
        games=(GameOrder(world.game, found), GameOrder(world.game, won)),
    )
    await decided(world, TL, case, order)
    assert (await world.row()).result == Result.BLACK_WINS
    await world.assert_whole()


async def test_ruling_107_by_api_the_refusal_says_what_to_send(doubtful: World) -> None:
    status, problem = await call(doubtful, BO, "claim", {})
    assert (status, problem["type"]) == (409, "/problems/no-overstep")
    way = problem["raise_case"]
    assert way["href"] == "/api/v1/cases"
    assert way["paragraphs"] == ["6.3.2", "6.3.3.1", "6.3.3.5"]
    assert way["body"]["kind"] == "overstep" and "30 days" in way["body"]["text"]
    headers = {"Authorization": f"Bearer {await doubtful.token(BO)}"}
    url = f"http://127.0.0.1:{doubtful.server.web_port}{way['href']}"
    async with (
        aiohttp.ClientSession() as http,
        http.post(url, json=way["body"], headers=headers) as made,
    ):
        assert made.status in (200, 201), await made.text()
    await _is_raised(doubtful)


async def test_ruling_107_by_mail_the_letter_leads_to_a_case(doubtful: World) -> None:
    """The claim is answered with what to write; those words open the case, with the letter."""
    bo = Player(doubtful, BO)
    assert await bo.reply("tid") == "no_overstep"
    letter = bo.letters[-1]
    assert "raise a case" in letter.said and "§ 6.3.2" in letter.said
    assert letter.link("/games/").endswith("/object?kind=overstep")
    assert await bo.reply("Raise a case\n\nThe mark says the 9th.", letter) == "case_raised"
    (case,) = await _cases(doubtful)
    said = (await seen_by(doubtful, ANNA, case)).statements
    assert "The mark says the 9th." in said[-1].text
    assert any("The mark says the 9th." in one.said for one in doubtful.letters(ANNA))
    assert (
        "rejst" in doubtful.letters(TL)[-1].said
        or "oprettet en sag" in doubtful.letters(TL)[-1].said
    )
    await _is_raised(doubtful)


async def test_ruling_107_on_the_web_the_page_leads_to_a_case(doubtful: World) -> None:
    world = doubtful
    async with browser(world) as bo:
        await bo.sign_in(BO)
        asked = await bo.get(f"/games/{world.game}/end/time")
        assert f"/games/{world.game}/object?kind=overstep" in asked.html
        shown = await bo.get(f"/games/{world.game}/object?kind=overstep")
        assert '<option value="overstep" selected>' in shown.html
        text = shown.html.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
        assert "§ 6.3.2" in text and "30 days" in text and "move 10" in text
        done = await bo.submit(shown, "/object", kind="overstep", text=text)
        assert done.path.startswith("/desk/cases/")
    await _is_raised(world)
