"""From game to game on a telephone, by keyboard and without script; found again by a search."""

import os
from pathlib import Path

from playwright.async_api import Page, expect

from server.store.play import people as person_rows
from server.usecases.account import signin
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.browser.conftest import Stage
from tests.fakes.site import group_text

PICTURES = os.environ.get("KSKAK_TEST_PICTURES", "")
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


async def _picture(page: Page, name: str) -> None:
    if PICTURES:
        await page.screenshot(path=str(Path(PICTURES) / f"{name}.png"), full_page=True)


async def _anna(stage: Stage) -> Page:
    core = stage.server.core
    for name in ("K-26-02", "K-26-03"):
        await start_group(core, read_group_file(group_text(name)))
    async with core.store.read() as conn:
        person = await person_rows.by_email(conn, "anna@example.org")
    assert person is not None
    link = await signin.make_link(core, person.id)
    page = await stage.page(java_script_enabled=False, **PHONE)
    await page.goto("/login/" + link.rpartition("/")[2])
    await page.get_by_role("main").get_by_role("button").click()
    await expect(page.get_by_role("heading", name="Mine partier", level=1)).to_be_visible()
    return page


async def _press(page: Page, name: str) -> None:
    """A link or button that the keyboard reaches and opens."""
    found = page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name)).first
    await found.focus()
    await page.keyboard.press("Enter")


async def test_every_game_that_waits_is_answered_or_passed_over_in_turn(stage: Stage):
    anna = await _anna(stage)
    white = await anna.get_by_text("du har Hvid").count()
    assert white > 0
    await _press(anna, "Gå til det første parti")
    for left in range(white - 1, 0, -1):
        await anna.locator("#text").fill("e4")
        await _press(anna, "Se, hvad der bliver sendt")
        await _press(anna, "Send trækket")
        await expect(anna.get_by_role("status").first).to_contain_text("Dit træk er sendt")
        await _picture(anna, f"next-{left}")
        await _press(anna, f"Næste parti: Bent Bæk ({left} tilbage)")
        await expect(anna.locator("#text")).to_be_visible()
    last = anna.url
    await anna.goto("/next?after=" + last.rpartition("/")[2])
    await expect(anna.get_by_text("Du sprang et parti over")).to_be_visible()
    await _picture(anna, "next-none")
    await _press(anna, "Begynd forfra med dem")
    await expect(anna).to_have_url(last)
    await anna.goto("/")
    await anna.locator("#q").fill("bæk 26-02")
    await anna.keyboard.press("Enter")
    await expect(anna.get_by_role("heading", level=1)).to_have_text("Søgning: bæk 26-02")
    await expect(anna.get_by_role("main").locator("tbody tr")).to_have_count(1)
    wide = await anna.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0 and stage.faults == []
