"""What a browser keeps for one player is gone when another sits down at it.

Lines that were tried and what was typed and not sent are private; a club's computer is everybody's.
"""

from playwright.async_api import Page, expect

from tests.browser.conftest import Stage
from tests.browser.playing import open_game, play, until
from tests.fakes.site import Site

KEPT = "Object.keys(localStorage).filter(name => name.startsWith('kskak:')).join()"


async def _try(page: Page, *moves: str) -> None:
    await page.get_by_role("button", name="Prøv træk på brættet").click()
    await expect(page.locator("#trying-says")).to_contain_text("Flyt en brik")
    await play(page, *moves)


async def test_lines_tried_are_not_shown_to_the_opponent_in_the_same_browser(stage: Stage):
    game = (await Site(stage.server.core, stage.clock, None).game("K-26-01/1")).id
    page = await stage.signed_in("anna@example.org")
    await open_game(page, "Bent Bæk")
    await _try(page, "e2e4", "c7c5")
    await page.reload()
    attempt = page.locator("#try")
    await expect(attempt).to_have_accessible_name("Dine varianter på brættet")
    # The session ends without a word, as when it is too old, and another signs in.
    await page.context.clear_cookies()
    # An error says nothing of the reader: anybody can lead a browser to one.
    await page.goto("/no-such-page")
    assert "tree" in await page.evaluate(KEPT)
    stage.faults.clear()
    await stage.signed_in("bent@example.org", page=page)
    await page.goto(f"/games/{game}")
    await page.wait_for_selector("#board svg.cm-chessboard")
    await expect(attempt).to_have_accessible_name("Prøv træk på brættet")
    assert await page.evaluate(KEPT) == ""
    assert stage.faults == []


async def test_signing_out_leaves_no_line_in_the_browser(stage: Stage):
    page = await stage.signed_in("anna@example.org")
    await open_game(page, "Bent Bæk")
    await _try(page, "e2e4")
    assert "tree" in await page.evaluate(KEPT)
    # Before any answer comes: who signs out and closes the browser has left nothing.
    await page.evaluate("""() => document.addEventListener("submit", (e) => e.preventDefault())""")
    await page.locator(".nav summary").click()
    await page.get_by_role("button", name="Log ud").click()
    assert await page.evaluate(KEPT) == ""
    await _back_in(stage, page)


async def _back_in(stage: Stage, page: Page) -> None:
    """Nor when the script saw nothing of it: the next page, made for nobody, removes them."""
    await page.reload()
    await _try(page, "d2d4")
    await page.evaluate(
        "HTMLFormElement.prototype.submit.call(document.querySelector(\"form[action='/signout']\"))"
    )
    await expect(page.get_by_role("link", name="Log ind").first).to_be_visible()
    await until(page, f"{KEPT} === ''")
    assert stage.faults == []


async def test_a_page_does_not_turn_into_that_of_who_signed_in_in_another_window(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    page = await stage.signed_in("anna@example.org")
    await page.goto(f"/games/{game.id}")
    await expect(page.locator("#move-form")).to_be_visible()
    other = await page.context.new_page()
    await stage.signed_in("bent@example.org", page=other)
    await page.bring_to_front()
    async with page.expect_response(lambda answer: answer.url.endswith(f"/games/{game.id}")):
        await site.play(game, "e4")
    await page.wait_for_timeout(300)
    await expect(page.locator("#move-form")).to_be_visible()
    await expect(page.get_by_role("main")).to_contain_text("Der er ikke trukket endnu")
