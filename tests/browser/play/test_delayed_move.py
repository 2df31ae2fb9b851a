"""A move held, taken back, held again and sent now, in a real browser; a player's own side of it.

The pages that only a waiting move or kept words make are looked at here: WCAG, width, both themes.
"""

from playwright.async_api import Page, expect

from tests.browser.conftest import Stage
from tests.browser.looking import posted


async def _hold(page: Page, move: str) -> None:
    await page.locator("#text").fill(move)
    await page.get_by_role("button", name="Se, hvad der bliver sendt").click()
    await page.get_by_role("button", name="Send om 10 minutter").click()


async def test_hold_take_back_hold_and_send_now(stage: Stage):
    faults: list[str] = []
    page = await stage.signed_in("anna@example.org")
    await page.goto("/")
    await page.get_by_role("link", name="Bent Bæk").first.click()
    await _hold(page, "d4")
    waiting = page.locator("#delayed")
    await expect(waiting).to_contain_text("1. d4 sendes kl.")
    await expect(page.locator("#board")).to_be_in_viewport(ratio=1)
    await page.goto("/")
    await expect(waiting).to_contain_text("1. d4 sendes kl.")
    faults += await posted(page, "games-waiting")
    await waiting.get_by_role("button", name="Fortryd").click()
    await expect(page.get_by_role("status").first).to_contain_text("Der er ikke sendt noget")
    await _hold(page, "e4")
    await _write(page)
    faults += await posted(page, "game-waiting")
    await waiting.get_by_role("button", name="Send nu").click()
    await expect(page.get_by_role("status").first).to_contain_text("Dit træk er sendt")
    await expect(waiting).to_have_count(0)
    await page.get_by_role("tab", name="Noter").click()
    await page.get_by_role("link", name="Alle dine analyser og noter").click()
    faults += await posted(page, "private")
    assert stage.faults == faults == []


async def _write(page: Page) -> None:
    """A line, a note and a message, each from the game's page, without the board."""
    await page.get_by_role("tab", name="Noter").click()
    await page.get_by_text("Varianterne som tekst").click()
    tree = page.get_by_label("Dine varianter som PGN")
    await tree.fill("e4 e5 2. Nf3 Nc6 3. Bb5 {Som mod Poul i 1994. Husk 3… a6.}")
    await page.get_by_role("button", name="Gem varianterne").click()
    await expect(page.get_by_text("Varianterne er gemt.")).to_be_visible()
    await expect(tree).to_have_value(
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 { Som mod Poul i 1994. Husk 3… a6. } *"
    )
    await page.get_by_text("Skriv en note").click()
    await page.locator("#own-note").fill("Spil for slutspillet.")
    await page.get_by_role("button", name="Gem noten").click()
    await expect(page.get_by_text("Noten er gemt.")).to_be_visible()
    await page.get_by_role("tab", name="Beskeder").click()
    await page.get_by_text("Skriv til Bent Bæk uden at trække").first.click()
    await page.locator("#quiet-message").fill("Kære Bent\nJeg rejser i morgen.")
    await page.get_by_role("button", name="Send beskeden").click()
    await expect(page.locator(".letters")).to_contain_text("Jeg rejser i morgen.")
