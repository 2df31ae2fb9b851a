"""Two browsers at one game: what one does shows in the other, and takes nothing from it."""

from playwright.async_api import Page, Route, expect

from server.usecases.groups import leader_letter as group_leading
from server.usecases.play import private_side
from server.usecases.play.open_pages import PER_VISITOR
from tests.browser.conftest import Stage
from tests.fakes.site import Site


async def test_a_move_shows_in_the_other_browser_and_what_is_typed_there_stays(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    bent = await stage.signed_in("bent@example.org")
    table = await bent.context.new_page()
    await bent.goto(f"/games/{game.id}")
    await table.goto("/")
    await expect(table).to_have_title("Mine partier · K-skak")
    await expect(bent.get_by_text("Anna Andersen er i trækket")).to_be_visible()

    # A mark that lives as long as the page does: what comes is shown without loading it anew.
    await bent.evaluate("window.isTheSamePage = true")
    await site.play(game, "e4")
    await bent.bring_to_front()
    await expect(bent.locator(".live-says")).to_have_text("Anna Andersen har trukket: 1. e4 Luk")
    await expect(bent.locator("#move-form")).to_be_visible()
    await expect(bent.locator("table.score .last")).to_have_text("e4")
    assert await bent.evaluate("window.isTheSamePage")
    await expect(table).to_have_title("(1) Mine partier · K-skak")

    await bent.get_by_role("button", name="Luk").click()
    await expect(bent.locator(".live-says")).to_be_empty()

    # Anna's page says that it is busy, as one does where somebody tries moves out. Bent has begun
    # to write a move when another one comes from him by mail.
    anna = await stage.signed_in("anna@example.org")
    await anna.goto(f"/games/{game.id}")
    await anna.evaluate(
        "document.addEventListener('kskak:game',"
        " (event) => { window.told = event.detail; event.preventDefault() })"
    )
    await bent.locator("#text").fill("Sf6")
    await site.play(game, "e5")
    kept = bent.locator(".live-says")
    await kept.get_by_role("link", name="Vis").click()
    await expect(kept.get_by_role("link", name="Vis i et nyt vindue")).to_be_focused()
    await expect(bent.locator("#text")).to_have_value("Sf6")
    notice = anna.locator(".live-says")
    await expect(notice).to_contain_text("Bent Bæk har trukket: 1… e5")
    assert await anna.evaluate("window.told.game") == game.id
    await expect(anna.locator("#move-form")).to_have_count(0)
    await notice.get_by_role("link", name="Vis").click()
    await expect(anna.locator("#move-form")).to_be_visible()
    assert stage.faults == []


async def _follows(page: Page, site: Site, text: str) -> None:
    """Anna's or Bent's move by mail shows on the open page."""
    async with page.expect_response("**/games/*"):
        await site.play(await site.game("K-26-01/1"), text)
    await expect(page.locator("table.score .last")).to_have_text(text)


async def test_who_turns_many_pages_quickly_still_sees_the_move_on_the_last_one(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    bent = await stage.signed_in("bent@example.org")
    for _ in range(PER_VISITOR + 3):
        async with bent.expect_response("**/events?*") as stream:
            await bent.goto(f"/games/{game.id}")
        assert (await stream.value).status == 200
    await _follows(bent, site, "e4")
    assert stage.faults == []


async def test_a_page_that_was_refused_asks_again_by_itself(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    bent = await stage.signed_in("bent@example.org")
    asked: list[str] = []

    async def full_at_first(route: Route) -> None:
        asked.append(route.request.url)
        await (route.fulfill(status=503) if len(asked) == 1 else route.continue_())

    await bent.route("**/events?*", full_at_first)
    await bent.goto(f"/games/{game.id}")
    async with bent.expect_response(lambda one: "/events?" in one.url and one.ok):
        pass
    await _follows(bent, site, "e4")
    assert len(asked) == 2


async def test_a_message_of_the_opponent_shows_by_itself_and_one_in_writing_stays(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    bent = await stage.signed_in("bent@example.org")
    anna = await stage.signed_in("anna@example.org")
    await bent.goto(f"/games/{game.id}")
    await anna.goto(f"/games/{game.id}")
    await bent.get_by_role("tab", name="Beskeder").click()
    await bent.locator("#thread summary").click()
    await bent.locator("#quiet-message").fill("Jeg skriver lige nu")
    fault = await private_side.write(site.core, game, game.white_id, "Hej Bent", "k1")
    assert fault is None
    notice = bent.locator(".live-says")
    await expect(notice).to_contain_text("Anna Andersen har skrevet til dig")
    await notice.get_by_role("link", name="Vis").click()
    await expect(bent.locator("#thread")).to_contain_text("Hej Bent")
    await expect(bent.locator("#quiet-message")).to_have_value("Jeg skriver lige nu")
    await expect(anna.locator("#thread")).to_contain_text("Hej Bent")
    assert stage.faults == []


# A stranger follows a running game: he finds it, sees a move arrive, and is shut out again.


async def test_a_stranger_finds_a_running_game_and_sees_a_move_arrive(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    tove = await site.person("tove@example.org")
    await group_leading.switch(site.core, tove, game.group_id, is_on=True)
    page = await stage.page()
    await page.goto("/")
    await expect(page.get_by_text("kan følges")).to_be_visible()
    await page.get_by_role("link", name="Kvalifikationsklassen").click()
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
