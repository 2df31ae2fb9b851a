"""A move held, taken back, held again and sent now, in a real browser; a player's own side of it.

The pages that only a waiting move or kept words make are looked at here: WCAG, width, both themes.
"""

import os
from pathlib import Path

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from tests.browser.conftest import Stage
from tests.browser.looking import STANDARD

PICTURES = os.environ.get("KSKAK_TEST_PICTURES", "")
"""A folder for pictures of the pages, to be looked at; "": none are taken."""


async def _looks_well(page: Page, name: str) -> None:
    """Nothing for axe in either theme, nothing wider than a phone."""
    for scheme, width in (("light", 1100), ("dark", 1100), ("light", 390), ("dark", 390)):
        await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        await page.set_viewport_size({"width": width, "height": 800})
        found = await Axe().run(page, options={"resultTypes": ["violations"], **STANDARD})
        assert found.violations_count == 0, (name, found.generate_report())
        wide = await page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, (name, wide)
        if PICTURES:
            file = Path(PICTURES) / f"{name}-{width}-{scheme}.png"
            await page.screenshot(path=str(file), full_page=True)


async def _hold(page: Page, move: str) -> None:
    await page.locator("#text").fill(move)
    await page.get_by_role("button", name="Se, hvad der bliver sendt").click()
    await page.get_by_role("button", name="Send om 10 minutter").click()


async def test_hold_take_back_hold_and_send_now(stage: Stage):
    page = await stage.signed_in("anna@example.org")
    await page.get_by_role("link", name="Bent Bæk").first.click()
    await _hold(page, "d4")
    waiting = page.locator("#delayed")
    await expect(waiting).to_contain_text("1. d4 sendes kl.")
    await page.goto("/")
    await expect(waiting).to_contain_text("1. d4 sendes kl.")
    await _looks_well(page, "games-waiting")
    await waiting.get_by_role("button", name="Fortryd").click()
    await expect(page.get_by_role("status").first).to_contain_text("Der er ikke sendt noget")
    await _hold(page, "e4")
    await _write(page)
    await _looks_well(page, "game-waiting")
    await waiting.get_by_role("button", name="Send nu").click()
    await expect(page.get_by_role("status").first).to_contain_text("Dit træk er sendt")
    await expect(waiting).to_have_count(0)
    await expect(page.locator(".own-lines")).to_contain_text("Partiet har fulgt varianten til")
    await page.get_by_role("tab", name="Noter").click()
    await page.get_by_role("link", name="Alle dine analyser og noter").click()
    await _looks_well(page, "private")
    assert stage.faults == []


async def _write(page: Page) -> None:
    """A line, a note and a message, each from the game's page, without the board."""
    await page.get_by_role("tab", name="Noter").click()
    await page.get_by_text("Gem en variant").click()
    await page.locator("#line-moves").fill("e4 e5 2. Nf3 Nc6 3. Bb5")
    await page.locator("#line-comment").fill("Som mod Poul i 1994. Husk 3… a6.")
    await page.get_by_role("button", name="Gem varianten").click()
    await expect(page.locator(".own-lines")).to_contain_text("1. e4 e5 2. Sf3 Sc6 3. Lb5")
    await page.get_by_text("Skriv en note").click()
    await page.locator("#own-note").fill("Spil for slutspillet.")
    await page.get_by_role("button", name="Gem noten").click()
    await expect(page.get_by_text("Noten er gemt.")).to_be_visible()
    await page.get_by_role("tab", name="Beskeder").click()
    await page.get_by_text("Skriv til Bent Bæk uden at trække").first.click()
    await page.locator("#quiet-message").fill("Kære Bent\nJeg rejser i morgen.")
    await page.get_by_role("button", name="Send beskeden").click()
    await expect(page.locator(".letters")).to_contain_text("Jeg rejser i morgen.")
