"""Letters and digits of the board stand outside it, where no piece hides them, with and without
script in the same place.
"""

import pytest
from playwright.async_api import Page

from tests.browser.conftest import Stage
from tests.browser.looking import shifts, watch
from tests.browser.playing import open_game

NEAR = 2.0
"""Pixels by which the script's letters may stand elsewhere than the server's."""
_PLACES = """() => {
    const board = document.getElementById("board").getBoundingClientRect()
    return [...document.querySelectorAll("#board .coordinate")].map((e) => {
        const r = e.getBoundingClientRect()
        const [x, y] = [(r.left + r.right) / 2 - board.left, (r.top + r.bottom) / 2 - board.top]
        return [e.textContent, x, y,
            r.right <= board.left + 1 || r.top >= board.bottom - 4, r.left >= 0, r.height]
    })
}"""
Place = tuple[str, float, float, bool, bool, float]


async def _places(page: Page) -> dict[str, Place]:
    found = [tuple(one) for one in await page.evaluate(_PLACES)]
    return {one[0]: one for one in found}


@pytest.mark.parametrize("width", [320, 390, 1100])
async def test_no_piece_stands_on_a_letter_and_nothing_moves_when_the_script_comes(
    stage: Stage, width: int
) -> None:
    viewport = {"width": width, "height": 800}
    page = await stage.signed_in("anna@example.org", viewport=viewport)
    await watch(page)
    await open_game(page, "Bent Bæk")
    plain = await stage.signed_in("anna@example.org", viewport=viewport, java_script_enabled=False)
    await plain.goto(page.url)
    await page.wait_for_selector("#board svg.cm-chessboard")
    scripted, drawn = await _places(page), await _places(plain)
    assert scripted.keys() == drawn.keys() == set("abcdefgh12345678")
    for text, place in scripted.items():
        other = drawn[text]
        assert abs(place[1] - other[1]) < NEAR and abs(place[2] - other[2]) < NEAR, (place, other)
        assert place[3] and place[4], f"{text} is beside the board and on the screen"
    assert await shifts(page) == []
