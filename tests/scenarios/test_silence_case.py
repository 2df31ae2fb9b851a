"""The leader's case about a silent player: opened by the server, closed by the answer."""

from datetime import date

from sqlalchemy import select

from server.store.case_tables import cases
from tests.fakes.browser import browser
from tests.fakes.player import Player
from tests.fakes.world import BO, TL, World
from tests.scenarios.test_silence import TOLD, to


async def open_cases(world: World) -> list[tuple[str, str, bool]]:
    """Kind, state, and whether it is closed, oldest first."""
    query = select(cases.c.kind, cases.c.state, cases.c.closed_us).order_by(cases.c.id)
    async with world.core.store.read() as conn:
        rows = (await conn.execute(query)).all()
    return [(kind, state, closed is not None) for kind, state, closed in rows]


async def test_the_report_opens_the_leaders_case_and_the_answer_closes_it(
    world: World, anna: Player, bo: Player
) -> None:
    await anna.reply("e4")
    await to(world, date(2026, 11, 22))
    assert await open_cases(world) == []
    await to(world, TOLD)
    assert await open_cases(world) == [("silence", "opened", False)]
    async with browser(world) as page:
        await page.sign_in(TL)
        desk = await page.get("/desk")
        assert "K-26-01/1" in desk.text
    await bo.reply("1... c5", next(one for one in bo.letters[::-1] if "e4" in one.said))
    assert await open_cases(world) == [("silence", "settled", True)]
    await to(world, date(2026, 11, 28))
    assert len(await open_cases(world)) == 1
    await world.assert_whole()


async def test_leave_or_a_notice_is_no_answer_and_leaves_the_case_open(lite: World) -> None:
    await Player(lite).reply("e4")
    await to(lite, TOLD)
    bo = Player(lite, BO, layout=None, lang="en")
    assert await bo.write_to_server("leave 2027-01-10 2027-01-12") == "leave"
    assert await bo.reply("long think") == "long_think"
    assert await open_cases(lite) == [("silence", "opened", False)]
    assert await bo.reply("resign") == "asked_back"
    assert await bo.reply("yes") == "resigned"
    assert await open_cases(lite) == [("silence", "settled", True)]


async def test_the_leader_finds_the_decision_drafted(lite: World) -> None:
    await Player(lite).reply("e4")
    await to(lite, TOLD)
    async with browser(lite) as page:
        await page.sign_in(TL)
        shown = await page.get("/desk/cases/2026/1")
        assert '<option value="1-0" selected>' in shown.html
        assert "Partiet dømmes tabt" in shown.html
        assert "blev rykket den" in shown.html
        letter = await page.submit(shown, "/decide", step="draft")
        assert "Partiet dømmes tabt" in letter.html
        assert (await lite.row()).result is None, "a draft decides nothing"
