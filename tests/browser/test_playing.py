"""A game in a real browser: signed in by the mailed link, moves by mouse, keyboard, touch, hand."""

import os
from pathlib import Path

from playwright.async_api import Page, expect

from server.usecases.group_file import read_group_file
from server.usecases.start_group import start_group
from tests.browser.conftest import Stage
from tests.fakes.site import group_text

PICTURES = os.environ.get("KSKAK_TEST_PICTURES", "")
"""A folder for pictures of the pages, to be looked at; "": none are taken."""


async def _picture(page: Page, name: str) -> None:
    if PICTURES:
        await page.screenshot(path=str(Path(PICTURES) / f"{name}.png"), full_page=True)


async def _sign_in(page: Page, email: str) -> None:
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


async def _centre(page: Page, square: str) -> tuple[float, float]:
    rect = page.locator(f"#board rect[data-square='{square}']").first
    box = await rect.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def _send(page: Page, shown: str) -> None:
    """Step 2: what is shown, and the button."""
    await page.get_by_role("button", name="Se, hvad der bliver sendt").click()
    await expect(page.locator(".sending")).to_have_text(shown)
    await page.get_by_role("button", name="Send trækket").click()
    await expect(page.get_by_role("status").first).to_contain_text("Dit træk er sendt")


async def _open(page: Page, opponent: str) -> None:
    await page.goto("/")
    await page.get_by_role("link", name=opponent).first.click()
    await page.wait_for_selector("#board svg.cm-chessboard")
    await page.locator("#board").scroll_into_view_if_needed()


async def test_a_game_by_mouse_and_by_keyboard(stage: Stage):
    anna, bent = await stage.page(), await stage.page()
    await _sign_in(anna, "anna@example.org")
    await _open(anna, "Bent Bæk")
    start, end = await _centre(anna, "e2"), await _centre(anna, "e4")
    await anna.mouse.move(*start)
    await anna.mouse.down()
    await anna.mouse.move(*end, steps=5)
    await anna.mouse.up()
    await expect(anna.locator("#text")).to_have_value("e4")
    await expect(anna.locator("#board-says")).to_contain_text("Trækket e4 står i feltet")
    await _picture(anna, "moved-by-mouse")
    await _send(anna, "1. e4")

    await _sign_in(bent, "bent@example.org")
    await _open(bent, "Anna Andersen")
    await bent.locator("#board svg.cm-chessboard").focus()
    # Black sits below: from a1 the arrows lead left to higher files and down to higher ranks.
    for key in ["ArrowLeft"] * 4 + ["ArrowDown"] * 6 + ["Enter"]:
        await bent.keyboard.press(key)
    await _picture(bent, "moving-by-keyboard")
    for key in ["ArrowUp"] * 2 + ["Enter"]:
        await bent.keyboard.press(key)
    await expect(bent.locator("#text")).to_have_value("e5")
    await _send(bent, "1… e5")
    assert stage.faults == []


async def test_a_click_twice_plays_and_a_touch_of_a_piece_takes_back(stage: Stage):
    anna = await stage.page(has_touch=True, viewport={"width": 390, "height": 844})
    await _sign_in(anna, "anna@example.org")
    await _open(anna, "Bent Bæk")
    await anna.touchscreen.tap(*await _centre(anna, "g1"))
    await anna.touchscreen.tap(*await _centre(anna, "f3"))
    await expect(anna.locator("#text")).to_have_value("Sf3")
    await expect(anna.locator("#board")).to_have_attribute("data-shown", "g1f3")
    await anna.mouse.click(*await _centre(anna, "f3"))
    await expect(anna.locator("#text")).to_have_value("")
    await expect(anna.locator("#board")).to_have_attribute("data-shown", "")
    await anna.mouse.click(*await _centre(anna, "d2"))
    await anna.mouse.click(*await _centre(anna, "d4"))
    await expect(anna.locator("#text")).to_have_value("d4")
    await _picture(anna, "phone")
    assert stage.faults == []


async def test_without_script_the_same_page_plays(stage: Stage):
    anna = await stage.page(java_script_enabled=False)
    await _sign_in(anna, "anna@example.org")
    await anna.get_by_role("link", name="Bent Bæk").first.click()
    await expect(anna.locator("#board svg use")).to_have_count(32)
    await anna.locator("#text").fill("5254")
    await _send(anna, "1. e4")
    await expect(anna.get_by_text("Bent Bæk er i trækket")).to_be_visible()
    await _picture(anna, "without-script")


async def test_a_pawn_is_promoted_by_keyboard_to_the_piece_chosen(stage: Stage):
    lone = group_text("P-26-01", extra='fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1"')
    await start_group(stage.server.core, read_group_file(lone.replace('"K"', '"theme"')))
    anna = await stage.page()
    await _sign_in(anna, "anna@example.org")
    await anna.goto("/groups/P-26-01")
    await anna.locator("td.cell a").first.click()
    await anna.wait_for_selector("#board svg.cm-chessboard")
    await anna.locator("#board svg.cm-chessboard").focus()
    for key in ["ArrowUp"] * 6 + ["Enter", "ArrowUp", "Enter"]:
        await anna.keyboard.press(key)
    await expect(anna.get_by_role("button", name="Dronning")).to_be_focused()
    await _picture(anna, "promotion")
    await anna.keyboard.press("ArrowDown")
    await anna.keyboard.press("Enter")
    await expect(anna.locator("#text")).to_have_value("a8T")
    await _send(anna, "1. a8T")
    assert stage.faults == []
