"""Every page on a phone whose reader has set the letters twice as large: nothing lies beside it.

At 390 px with 32 px letters: WCAG 1.4.4, and 1.4.10 in what a narrower screen would ask. The
pages are walked by link as a stranger, a player and officials. Not for what else is asked of a
page (test_every_page.py).
"""

from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.browser.conftest import SWITCHES, Federation
from tests.browser.crawling import walk
from tests.browser.looking import PICTURES, too_wide

pytestmark = pytest.mark.timeout(600)
LARGE = "--blink-settings=defaultFontSize=32"
PHONE = {"width": 390, "height": 844}
_OUT = """() => {
  const screen = document.documentElement.clientWidth;
  const closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((one) => { one.open = true; });
  const found = new Set();
  const scrolls = (e) => e && (["auto", "scroll"].includes(getComputedStyle(e).overflowX)
    || getComputedStyle(e).clipPath !== "none" || scrolls(e.parentElement));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const holder = text.parentElement, range = document.createRange();
    if (!text.data.trim() || !holder.checkVisibility({ visibilityProperty: true })) continue;
    if (holder.closest(".skip") || scrolls(holder)) continue;
    range.selectNodeContents(text);
    const right = Math.max(...[...range.getClientRects()].map((one) => one.right));
    const box = holder.closest("a, button, .button");
    const drawn = box && getComputedStyle(box).borderRightStyle !== "none";
    const edge = drawn ? Math.min(screen, box.getBoundingClientRect().right) : screen;
    if (right > edge + 1) found.add(`${text.data.trim().slice(0, 40)} (${right - edge} px)`);
  }
  closed.forEach((one) => { one.open = false; });
  return [...found];
}"""


@pytest.fixture
def switches() -> tuple[str, ...]:
    """Chromium as a reader has set it who wants letters of 200 %."""
    return (*SWITCHES, LARGE)


@pytest.mark.parametrize(
    "role", ["", "player", "team captain", "tournament leader", "K-skak controller"]
)
async def test_no_page_of_a_role_lies_beside_the_phone_with_letters_of_200_per_cent(
    federation: Federation, role: str
) -> None:
    page = await federation.page(role, viewport=PHONE)
    faults: list[str] = []
    async for name in walk(page, federation.origin):
        faults += await too_wide(page, name)
        faults += [f"{name}: beside its box: {text}" for text in await page.evaluate(_OUT)]
        await _picture(page, f"{role or 'stranger'}{name}")
    assert not faults, "\n".join(faults)


async def _picture(page: Page, name: str) -> None:
    if PICTURES:
        plain = name.strip("/").replace("/", "_")
        await page.screenshot(path=Path(PICTURES) / f"{plain}_large.png", full_page=True)
