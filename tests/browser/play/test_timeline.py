"""The calendar of a game: a day's words by keyboard, by pointer, by finger, and without script.

On the page of § 6.8.6, whose game is the same whatever the day. Not for what a day says.
"""

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Stage
from tests.browser.looking import THEMES, faults, set_theme, shifts, too_wide, watch

PATH = "/regulation/6.8.6"
_SHOWN = """() => [...document.querySelectorAll(".days i")].filter((words) => {
  const style = getComputedStyle(words);
  return style.clipPath === "none" && style.visibility === "visible";
}).map((words) => words.textContent.replaceAll("\\u00a0", " "))"""
LAST = "mandag 19/4: 3... a6 var undervejs til Hvid (§ 6.8.6)."


async def _says(page: Page, *words: str) -> None:
    assert [text[: len(words[0])] for text in await page.evaluate(_SHOWN)] == list(words)


async def test_the_days_are_one_stop_for_tab_and_arrow_keys_go_from_day_to_day(stage):
    page = await stage.page()
    await page.goto(PATH)
    grid = page.get_by_role("grid", name="Dag for dag")
    await expect(page.locator(".days [tabindex='0']")).to_have_count(1)
    await page.locator("#days-as-list").focus()
    await page.keyboard.press("Tab")
    await _says(page, LAST)
    for key, says in (
        ("ArrowRight", "mandag 19/4:"),
        ("ArrowLeft", "søndag 18/4: Sort brugte sin 4. dag på 3... a6"),
        ("ArrowUp", "søndag 11/4: Hvids tid stod stille, ferie"),
        ("PageUp", "torsdag 11/3:"),
        ("PageUp", "mandag 1/3:"),
        ("ArrowUp", "mandag 1/3:"),
        ("PageDown", "torsdag 1/4:"),
        ("ArrowDown", "torsdag 8/4:"),
        ("Home", "mandag 1/3: 1. e4 var undervejs til Sort"),
        ("End", LAST),
    ):
        await page.keyboard.press(key)
        await _says(page, says)
    await expect(grid.locator("td:focus")).to_have_role("gridcell")
    await page.keyboard.press("Escape")
    assert await page.evaluate(_SHOWN) == []
    await page.keyboard.press("Home")
    await _says(page, "mandag 1/3:")
    await page.keyboard.press("Tab")
    assert not await page.evaluate("document.activeElement.closest('.days') !== null")
    await page.keyboard.press("Shift+Tab")
    await _says(page, "mandag 1/3:")
    assert stage.faults == []


async def test_a_day_says_what_it_was_to_the_pointer_and_to_the_finger(stage: Stage) -> None:
    page = await stage.page(has_touch=True, viewport={"width": 320, "height": 800})
    await page.goto(PATH)
    charged = page.locator(".days td.added")
    await charged.hover()
    await _says(
        page, "fredag 16/4: Sort brugte sin 2. dag på 3... a6 (§ 6.8.6). 16/4: 3 dage er lagt"
    )
    await page.locator(".days th").first.hover()
    assert await page.evaluate(_SHOWN) == []
    await page.locator(".days td.still").first.tap()
    await _says(page, "tirsdag 23/3: Sorts tid stod stille, obligatorisk ferie (§ 6.3.6.2).")
    box = await page.locator(".days td.still").first.bounding_box()
    assert box is not None and box["width"] >= 24 and box["height"] >= 24
    assert await too_wide(page, PATH) == []


@pytest.mark.parametrize("has_script", [True, False])
async def test_the_box_turns_the_days_into_a_list_with_and_without_script(stage, has_script):
    page = await stage.page(java_script_enabled=has_script, viewport={"width": 320, "height": 800})
    await page.goto(PATH)
    box = page.get_by_label("Vis dagene som en liste med ord")
    await expect(page.locator(".keys")).to_be_visible(visible=has_script)
    await box.focus()
    await page.keyboard.press("Space")
    await expect(box).to_be_checked()
    words = page.locator(".days i")
    assert await words.count() == 50
    for number in (0, 24, 49):
        shown = await words.nth(number).bounding_box()
        assert shown is not None and shown["x"] >= 0 and shown["x"] + shown["width"] <= 320
        style = "e => [getComputedStyle(e).clipPath, getComputedStyle(e).position]"
        assert not has_script or await words.nth(number).evaluate(style) == ["none", "static"]
    texts = [text.replace("\xa0", " ") for text in await words.all_inner_texts()]
    assert texts[-1] == LAST


async def test_the_calendar_is_accessible_and_still_with_words_shown_and_as_a_list(stage):
    page = await stage.page()
    await watch(page)
    found: list[str] = []
    for theme in THEMES:
        await set_theme(page, theme)
        await page.goto(PATH)
        await page.reload()
        found += await shifts(page)
        await page.locator(".days [tabindex='0']").focus()
        found += await faults(page, "a day chosen") + await too_wide(page, "a day chosen")
        await page.locator("#days-as-list").check()
        found += await faults(page, "as a list") + await too_wide(page, "as a list")
    assert found == []
