"""The main pages look as they did when somebody last looked: phone and desktop, both themes.

Pictures are in ``pictures`` beside this file. Taking them anew, after looking at the pages:
``KSKAK_TAKE_PICTURES=1 make test ARGS="tests/browser/pages/test_pictures.py -n 0"``.
"""

import os
from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import Page

from tests.browser.comparing import compared, difference, small
from tests.browser.conftest import Federation
from tests.browser.visiting import game_to_move

pytestmark = pytest.mark.timeout(300)
KEPT = Path(__file__).parents[1] / "pictures"
TAKE = os.environ.get("KSKAK_TAKE_PICTURES") == "1"
FONT = Path(__file__).parents[3] / "mail" / "fonts" / "DejaVuSerifCondensed.ttf"
SCHEMES = ("light", "dark")
SIZES = {"phone": (390, 800), "desktop": (1100, 800)}
PAGES = (
    ("front", "", "/"),
    ("my-games", "player", "/"),
    ("game", "player", "game"),
    ("statement", "player", "statement"),
    ("group", "player", "/groups/K-demo-01"),
    ("division", "player", "/league/Hold-demo-1"),
    ("settings", "player", "/settings"),
    ("desk", "tournament leader", "/desk"),
)
MOST_BYTES = 1_500_000
"""Octets of all pictures together."""


STYLE = (
    '@font-face { font-family: Fixed; src: url("/fixed.ttf"); }'
    "* { font-family: Fixed !important; animation: none !important;"
    " transition: none !important; caret-color: transparent !important; }"
)


async def _open(page: Page, path: str) -> None:
    await page.route("**/fixed.ttf", lambda route: route.fulfill(path=FONT))
    await page.goto(path)
    await page.add_style_tag(content=STYLE)
    await page.evaluate("document.fonts.load('1rem Fixed').then(() => document.fonts.ready)")
    # The first page's board is a drawing that stays one.
    if await page.locator("div.board#board").count():
        await page.wait_for_selector("#board svg.cm-chessboard")
        await page.wait_for_timeout(400)  # the board draws its pieces when it has them


@pytest.mark.parametrize("size", SIZES)
async def test_the_main_pages_look_as_they_did(federation: Federation, size: str) -> None:
    faults = []
    width, height = SIZES[size]
    options = {"viewport": {"width": width, "height": height}, "bypass_csp": True}
    options["timezone_id"] = "Europe/Copenhagen"
    roles = {role: await federation.page(role, **options) for _, role, _ in PAGES}
    game = await game_to_move(roles["player"])
    paths = {"game": game, "statement": f"{game}/statement"}
    for name, role, path in PAGES:
        page = roles[role]
        await _open(page, paths.get(path, path))
        for scheme in SCHEMES:
            await page.emulate_media(color_scheme=scheme)
            shot = await page.screenshot(full_page=True)
            kept = KEPT / f"{name}-{size}-{scheme}.png"
            if TAKE:
                kept.parent.mkdir(exist_ok=True)
                small(shot).save(kept, optimize=True)
            elif what := compared(kept, shot):
                faults.append(f"{kept.name}: {what}")
    assert not faults, "\n".join(faults)


async def test_a_layout_that_is_broken_is_seen(federation: Federation) -> None:
    page = await federation.page(viewport={"width": 390, "height": 800}, bypass_csp=True)
    await _open(page, "/")
    whole = small(await page.screenshot(full_page=True))
    await page.add_style_tag(content=".page { padding-left: 40px !important; }")
    moved = small(await page.screenshot(full_page=True))
    assert difference(whole, whole) == "" != difference(whole, moved)


def test_the_pictures_are_all_there_and_small_together() -> None:
    names = {f"{name}-{size}-{s}.png" for name, _, _ in PAGES for size in SIZES for s in SCHEMES}
    assert {path.name for path in KEPT.glob("*.png")} == names
    assert sum(path.stat().st_size for path in KEPT.glob("*.png")) < MOST_BYTES
    for path in KEPT.glob("*.png"):
        with Image.open(path) as picture:
            assert picture.mode == "P"
