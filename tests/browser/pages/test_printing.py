"""Pages on paper: what is read is there, what is clicked is not, and no sheet is wasted.

As Chromium prints them. Not for the PDFs that the server makes (tests/mail).
"""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.browser.conftest import Federation
from tests.browser.looking import PICTURES
from tests.browser.visiting import game_to_move

pytestmark = pytest.mark.timeout(300)
CLICKED = "nav, button, input:not([type=hidden]), select, textarea, .skip"
_SHEET = re.compile(rb"/Type\s*/Page\b(?!s)")


async def _printed(page: Page, path: str) -> tuple[str, int, list[str]]:
    """What a page's paper says, on how many sheets, and what of it is only to be clicked."""
    await page.goto(path)
    await page.emulate_media(media="print")
    text = await page.locator("body").inner_text()
    shown = await page.eval_on_selector_all(
        CLICKED,
        "all => all.filter(e => e.getClientRects().length"
        " && getComputedStyle(e).visibility !== 'hidden').map(e => e.outerHTML.slice(0, 120))",
    )
    paper = await page.pdf(format="A4", margin={"top": "2cm", "bottom": "2cm"})
    if PICTURES:
        name = path.strip("/").replace("/", "_")
        (Path(PICTURES) / f"print_{name}.pdf").write_bytes(paper)
        await page.screenshot(path=Path(PICTURES) / f"print_{name}.png", full_page=True)
    await page.emulate_media(media="screen")
    return text, len(_SHEET.findall(paper)), shown


async def test_what_is_printed_is_what_is_read(federation: Federation) -> None:
    player = await federation.page("player", viewport={"width": 800, "height": 1100})
    leader = await federation.page("tournament leader", viewport={"width": 800, "height": 1100})
    stranger = await federation.page(viewport={"width": 800, "height": 1100})
    await stranger.goto("/groups/K-demo-01")
    finished = await stranger.locator("a[href^='/games/']").first.get_attribute("href")
    game = await game_to_move(player)
    await leader.goto("/desk")
    links = await leader.eval_on_selector_all("a[href]", "all => all.map(e => e.pathname)")
    cases = {link for link in links if re.fullmatch(r"/desk/cases/\d+/\d+", link)}
    faults = []
    for page, path, says, most in (
        (player, game, "Anna Ager", 3),
        (player, f"{game}/statement", "§", 4),
        (stranger, f"{finished}/paper", "Hvid: ", 1),
        (player, "/groups/K-demo-01", "Bo Bæk", 2),
        (player, "/league/Hold-demo-1", "Vejle Skakklub", 4),
        (player, "/ratings", "Anna Ager", 2),
        *((leader, case, "§", 6) for case in sorted(cases)),
    ):
        text, sheets, clicked = await _printed(page, path)
        if says not in text:
            faults.append(f"{path}: does not say {says}")
        if not 1 <= sheets <= most:
            faults.append(f"{path}: {sheets} sheets, at most {most} were expected")
        faults += [f"{path}: prints {what}" for what in clicked]
    assert not faults, "\n".join(faults)


async def test_a_page_read_in_the_dark_is_printed_as_any_other(federation: Federation) -> None:
    """Paper is white: the dark theme's tints would print text on black."""
    colours = {}
    for theme in ("light", "dark"):
        page = await federation.page("player", color_scheme=theme)
        await game_to_move(page)
        await page.wait_for_selector("#board svg.cm-chessboard")
        await page.emulate_media(media="print", color_scheme=theme)
        colours[theme] = await page.evaluate(
            "() => [...document.querySelectorAll('body *')].map(e => [e, getComputedStyle(e)])"
            ".map(([e, s]) => `${e.tagName}.${e.className} ${s.color} ${s.backgroundColor}`)"
        )
    assert "rgb" in "".join(colours["light"])
    assert colours["dark"] == colours["light"]
