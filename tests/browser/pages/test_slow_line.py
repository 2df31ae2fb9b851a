"""A game over a slow line: read after two round trips, and moved in without waiting for script.

The pages' letters (Source Serif 4, one family for everything) swap in when they come; until then a
serif of the machine stands there, sized to ours, so that nothing moves.

Counted in octets and round trips, not seconds: 400 kbit/s with 400 ms is the line, and at that
one second carries 50,000 octets. Not for what a page weighs in all (test_every_page.py).
"""

from playwright.async_api import Page, Request, expect

from tests.browser.conftest import Federation
from tests.browser.looking import shifts, watch
from tests.browser.slow_phone import LETTERS
from tests.browser.visiting import game_to_move, lawful_move

LINE = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
FIRST = 50_000
"""Octets on the line before the page can be read: a second of it."""
LATER = "link[rel=preload], script[src]"
"""What a page is read without: fetched beside the style sheets it would take the line from them."""
MOVE = 200_000
"""Octets to send a move from the open page: preview, sending and the page after it."""


def _blocks(request: Request) -> bool:
    """Whether the browser waits for an answer before it paints."""
    return request.resource_type in ("document", "stylesheet")


async def _sizes(requests: list[Request]) -> int:
    total = 0
    for request in requests:
        sizes = await request.sizes()
        total += sizes["responseBodySize"] + sizes["responseHeadersSize"]
    return total


async def _scripts_that_block(page: Page) -> list[str]:
    return list(
        await page.eval_on_selector_all(
            "script[src]",
            "all => all.filter(e => e.type !== 'module' && !e.defer && !e.async).map(e => e.src)",
        )
    )


async def test_a_game_is_read_and_moved_in_over_a_slow_line(federation: Federation) -> None:
    page = await federation.page("player")
    game = await game_to_move(page)
    move = await lawful_move(page)
    await page.close()
    context = federation.contexts.opened[-1]
    page = await context.new_page()
    await watch(page)
    seen: list[Request] = []
    page.on("requestfinished", lambda request: seen.append(request))
    line = await context.new_cdp_session(page)
    await line.send("Network.enable")
    await line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    await line.send("Network.emulateNetworkConditions", LINE)

    await page.goto(game, wait_until="load")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    first = [request for request in seen if _blocks(request)]
    named = await page.eval_on_selector_all("link[rel=stylesheet]", "all => all.map(e => e.href)")
    assert {request.url for request in first} == {page.url, *named}, "two round trips: no imports"
    assert await _scripts_that_block(page) == []
    assert (
        await page.eval_on_selector_all(LATER, "all => all.map(e => e.fetchPriority)")
        == ["low"] * 5
    )
    assert await _sizes(first) <= FIRST
    assert await shifts(page) == [], "nothing moves when script and letters are there at last"
    assert await page.evaluate(LETTERS) == 1, "late letters are shown"

    await line.send("Network.setCacheDisabled", {"cacheDisabled": False})
    seen.clear()
    await page.locator("#text").fill(move)
    await page.get_by_role("button", name="Se og send").click()
    await page.get_by_role("button", name="Send trækket").click()
    await expect(page.get_by_role("status").first).to_contain_text("Dit træk er sendt")
    assert await _sizes(seen) <= MOVE


async def test_what_moves_by_itself_is_seen(federation: Federation) -> None:
    page = await federation.page()
    await watch(page)
    await page.goto("/about")
    assert await shifts(page) == []
    await page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('afterbegin', '<p>late</p>'.repeat(9))"
    )
    assert len(await shifts(page)) == 1
