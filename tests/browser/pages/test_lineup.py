"""A line-up is put in order by its buttons and by dragging, and sent as it stands.

Not for what a line-up must be (tests/server/web/league).
"""

from playwright.async_api import Page

from tests.browser.conftest import Federation


async def _lineup(page: Page) -> list[str]:
    chosen = page.locator(".lineup").last.locator("option:checked")
    return [text.split(" (")[0] for text in await chosen.all_text_contents()]


async def test_boards_change_places_by_button_and_by_dragging(federation: Federation) -> None:
    page = await federation.page("team captain")
    # The whole line-up in sight: a page that scrolls under a pressed mouse is no drag.
    await page.set_viewport_size({"width": 1280, "height": 1600})
    await page.goto("/team-entry")
    first, second, third, fourth = await _lineup(page)
    await page.get_by_role("button", name="Flyt et bræt ned").first.click()
    assert await _lineup(page) == [second, first, third, fourth]
    said = page.locator(".lineup").last.get_by_role("status")
    assert f"{first} " in str(await said.text_content()), "and it is said"
    at = await page.evaluate(
        "document.activeElement.closest('fieldset').querySelector('select').id"
    )
    assert at == "player-2", "the same key moves him on"
    await page.keyboard.press("Enter")
    assert await _lineup(page) == [second, third, first, fourth]
    boards = page.locator(".lineup").last.locator("fieldset")
    # Taken by its words: a drag that begins on a button is a press of the button.
    taken = boards.nth(3).locator("legend")
    await taken.drag_to(boards.nth(0), source_position={"x": 6, "y": 8})
    order = [fourth, second, third, first]
    assert await _lineup(page) == order
    await page.get_by_role("button", name="Tilmeld holdet").click()
    kept = await page.locator("#entries article ol li").all_text_contents()
    assert [line.split(". ", 1)[1].rsplit(" ", 1)[0] for line in kept] == order
