"""What the stories in the browser have in common: signing in, opening a game, sending a move."""

import asyncio
import os
from pathlib import Path

from playwright.async_api import Page, expect

PICTURES = os.environ.get("KSKAK_TEST_PICTURES", "")
"""A folder for pictures of the pages, to be looked at; "": none are taken."""


async def picture(page: Page, name: str) -> None:
    """A picture of the page, where they are wanted."""
    if PICTURES:
        await page.screenshot(path=str(Path(PICTURES) / f"{name}.png"), full_page=True)


async def until(page: Page, script: str) -> None:
    """Until a script says yes; the page's own rules forbid to ask from within it."""
    async with asyncio.timeout(10):
        while not await page.evaluate(script):
            await page.wait_for_timeout(50)


async def sign_in(page: Page, email: str) -> None:
    """As a person does: ask for a link, read the mail, follow the link, press the button."""
    await page.goto("/signin")
    await page.get_by_label("Din mailadresse").fill(email)
    await page.get_by_role("button", name="Send mig et link").click()
    await page.goto("/mailbox")
    row = page.get_by_role("row").filter(has_text=email)
    mail = row.get_by_role("link", name="Dit link til K-skak").first
    for _ in range(40):
        if await mail.count():
            break
        await page.wait_for_timeout(250)
        await page.reload()
    await mail.click()
    await page.locator("pre a[href^='/login/']").click()
    await page.get_by_role("main").get_by_role("button", name="Log ind").click()
    await expect(page.get_by_role("heading", name="Mine partier")).to_be_visible()


async def centre(page: Page, square: str) -> tuple[float, float]:
    """Where a square lies on the screen."""
    rect = page.locator(f"#board rect[data-square='{square}']").first
    box = await rect.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def send(page: Page, shown: str) -> None:
    """Step 2: what is shown, and the button."""
    await page.get_by_role("button", name="Se og send").click()
    await expect(page.locator(".sending")).to_have_text(shown)
    await page.get_by_role("button", name="Send trækket").click()
    await expect(page.get_by_role("status").first).to_contain_text("Dit træk er sendt")


async def stands(page: Page, *squares: str) -> None:
    """On these squares, such as «e4:wp», stands what is said; «e2:» is empty."""
    for one in squares:
        square, piece = one.split(":")
        kind = f"='{piece}'" if piece else ""
        found = page.locator(f"#board g[data-piece{kind}][data-square='{square}']")
        await expect(found).to_have_count(1 if piece else 0)


async def open_game(page: Page, opponent: str) -> None:
    """The first game against somebody."""
    await page.goto("/")
    await page.get_by_role("link", name=opponent).first.click()
    await page.wait_for_selector("#board svg.cm-chessboard")
    await page.locator("#board").scroll_into_view_if_needed()


async def play(page: Page, *moves: str) -> None:
    """Moves by clicks, each when the one before stands."""
    await page.locator("#board").scroll_into_view_if_needed()
    for move in moves:
        await page.mouse.click(*await centre(page, move[:2]))
        await page.mouse.click(*await centre(page, move[2:]))
        await stands(page, f"{move[:2]}:")
