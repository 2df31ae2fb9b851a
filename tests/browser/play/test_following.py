"""A stranger follows a running game: he finds it, sees a move arrive, and is shut out again."""

from playwright.async_api import expect

from server.usecases.groups import leader_letter as group_leading
from tests.browser.conftest import Stage
from tests.fakes.site import Site


async def test_a_stranger_finds_a_running_game_and_sees_a_move_arrive(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    tove = await site.person("tove@example.org")
    await group_leading.switch(site.core, tove, game.group_id, is_on=True)
    page = await stage.page()
    await page.goto("/")
    await expect(page.get_by_text("kan følges")).to_be_visible()
    await page.get_by_role("link", name="K-26-01").click()
    await expect(page.get_by_text("Partierne kan følges, mens de spilles")).to_be_visible()
    await page.locator("table.cross a[href^='/games/']").first.click()
    await expect(page.get_by_text("Anna Andersen er i trækket.")).to_be_visible()
    await expect(page.locator("main form:visible")).to_have_count(0)

    # A mark that lives as long as the page does: what comes is shown without loading it anew.
    await page.evaluate("window.isTheSamePage = true")
    await site.play(game, "e4")
    await expect(page.locator(".live-says")).to_contain_text("Anna Andersen har trukket: 1. e4")
    await expect(page.locator("table.score .last")).to_have_text("e4")
    await expect(page.get_by_text("Bent Bæk er i trækket.")).to_be_visible()
    await site.play(await site.game("K-26-01/1"), "e5")
    await expect(page.locator("table.score .last")).to_have_text("e5")
    assert await page.evaluate("window.isTheSamePage")
    await page.get_by_role("link", name="Første").first.click()
    assert stage.faults == []

    # Shut again: nothing more comes, and who asks for the page is led to sign in.
    await group_leading.switch(site.core, tove, game.group_id, is_on=False)
    await page.wait_for_timeout(1500)
    await site.play(await site.game("K-26-01/1"), "Sf3")
    await page.wait_for_timeout(1500)
    await expect(page.locator("table.score .last")).to_have_text("e5")
    await page.reload()
    assert page.url.startswith(f"{stage.address}/signin?next="), page.url
