"""Ways that several tests go: to a game in which the player is to move.

Not for what is asked of a page (looking.py).
"""

import json
import re

from playwright.async_api import Page


async def game_to_move(page: Page) -> str:
    """The path of a game in which the player of the page is to move; it is opened."""
    await page.goto("/")
    links = await page.eval_on_selector_all("main a[href]", "all => all.map(e => e.pathname)")
    for path in dict.fromkeys(link for link in links if re.fullmatch(r"/games/\d+", link)):
        await page.goto(path)
        if await page.locator("#text").count():
            return str(path)
    raise AssertionError("no game in which the player is to move")


async def lawful_move(page: Page) -> str:
    """A lawful move as the field takes it, known by the page's own board."""
    moves = json.loads(await page.locator("#board").get_attribute("data-moves") or "[]")
    return str(moves[0][1])
