"""The site as a program without a connection: what was seen can be read, nothing can be sent.

And on a computer that several use: what is kept for one is gone when another comes.
"""

import asyncio
import re

from playwright.async_api import Page, expect

from tests.browser.conftest import Stage
from tests.browser.playing import play
from tests.fakes.site import Site

KEPT = (
    "caches.open('kskak-pages').then(c => c.keys())"
    ".then(keys => keys.map(key => new URL(key.url).pathname))"
)


async def _until(page: Page, script: str) -> None:
    """Until a script says yes; the page's own rules forbid to ask from within it."""
    async with asyncio.timeout(10):
        while not await page.evaluate(script):
            await page.wait_for_timeout(50)


async def _until_kept(page: Page, *paths: str) -> None:
    await _until(page, f"{KEPT}.then(k => {list(paths)}.every(p => k.includes(p)))")


async def test_games_are_readable_without_a_connection_and_gone_when_another_signs_in(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    anna = await stage.signed_in("anna@example.org", service_workers="allow")
    context = anna.context
    await _until(anna, "navigator.serviceWorker.controller !== null")
    await anna.goto(f"/games/{game.id}")
    await anna.goto("/")
    await _until_kept(anna, "/", f"/games/{game.id}")

    await context.set_offline(True)
    await anna.goto("/")
    seen = anna.locator("#seen")
    await expect(seen).to_contain_text(
        re.compile(r"som den så ud kl\. \d\d\.\d\d\. Intet kan sendes")
    )
    await expect(anna.get_by_text("sidste dag i tide: 11/10")).to_be_visible()
    await anna.get_by_role("link", name="Bent Bæk").first.click()
    await expect(seen).to_be_visible()
    await expect(anna.locator("#board svg")).to_be_visible()
    await expect(anna.get_by_role("button", name="Se, hvad der bliver sendt")).to_be_disabled()
    # What is not kept leads to the page that lists what is.
    await anna.goto("/leave")
    await expect(anna.get_by_role("heading", name="Ingen forbindelse")).to_be_visible()
    await expect(anna.locator("#kept li a")).to_have_text(
        ["Mine partier", "Anna Andersen – Bent Bæk"]
    )

    await context.set_offline(False)
    await anna.goto("/")
    await expect(seen).to_have_count(0)
    await anna.get_by_role("button", name="Log ud").click()
    await expect(anna.get_by_role("link", name="Log ind").first).to_be_visible()
    assert await anna.evaluate(KEPT) == []

    # The same browser, another person: the session ends without a word, as when it is too old.
    await stage.signed_in("anna@example.org", page=anna)
    await anna.goto(f"/games/{game.id}")
    await _until_kept(anna, f"/games/{game.id}")
    await context.clear_cookies()
    await stage.signed_in("bent@example.org", page=anna)
    await anna.goto("/")
    await _until_kept(anna, "/")
    assert sorted(await anna.evaluate(KEPT)) == ["/", "/kept-for"]


async def test_moves_are_tried_without_a_connection_on_a_game_that_was_seen(stage: Stage):
    game = (await Site(stage.server.core, stage.clock, None).game("K-26-01/1")).id
    anna = await stage.signed_in("anna@example.org", service_workers="allow")
    await _until(anna, "navigator.serviceWorker.controller !== null")
    await anna.goto(f"/games/{game}")
    await _until_kept(anna, f"/games/{game}")
    await _until(
        anna,
        "caches.open('kskak-files').then(c => c.keys())"
        ".then(k => k.some(one => one.url.includes('/chess.js/')))",
    )
    await anna.context.set_offline(True)
    await anna.reload()
    await anna.wait_for_selector("#board svg.cm-chessboard")
    await anna.get_by_role("button", name="Prøv træk på brættet").click()
    await expect(anna.locator("#trying-says")).to_contain_text("Flyt en brik")
    await play(anna, "e2e4", "e7e5")
    await expect(anna.locator("#trying-lines li")).to_have_text("1. e4 e5")
