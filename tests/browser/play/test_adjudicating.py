"""The board of an adjudication: its leader tries moves on the position (§ 6.2.7)."""

from playwright.async_api import expect

from server.store.cases.cases import CaseRow
from server.store.play import people as person_rows
from server.usecases.cases.expulsion import adjudicate
from tests.browser.conftest import Stage
from tests.browser.looking import faults, too_wide
from tests.browser.playing import play
from tests.fakes.site import Site


async def test_the_leader_tries_moves_on_the_position_he_is_to_judge(stage: Stage) -> None:
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    await site.play(game, "e4")
    async with site.core.store.read() as conn:
        leader = await person_rows.by_email(conn, "tove@example.org")
    assert leader is not None
    case = await adjudicate(site.core, leader, await site.game("K-26-01/1"))
    assert isinstance(case, CaseRow)
    tove = await stage.signed_in("tove@example.org")
    await tove.goto(f"/desk/cases/{case.number}")
    await tove.wait_for_selector("#board svg.cm-chessboard")
    assert await faults(tove, "adjudication") + await too_wide(tove, "adjudication") == []
    await tove.get_by_role("button", name="Prøv træk på brættet").click()
    await expect(tove.locator("#trying-says")).to_contain_text("Varianten begynder her")
    await play(tove, "c7c5", "g1f3")
    await expect(tove.locator("#trying-lines li")).to_have_text(["1… c5 2. Sf3"])
    await tove.locator("nav.steps").get_by_text("Første").click()
    await tove.locator("article", has_text="Remis").get_by_role("button").click()
    drafted = "Slutstillingen efter 1. e4 er bedømt. Den er remis."
    await expect(tove.locator("#reasons")).to_have_value(drafted)
    assert stage.faults == []
