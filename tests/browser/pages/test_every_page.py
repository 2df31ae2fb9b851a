"""Every page that a visitor can reach, in both themes, on a phone and with letters of 200 %.

WCAG by axe, width, weight, and that it rests. With letters twice as large (WCAG 1.4.4, and 1.4.10
in what a narrower screen would ask) nothing lies beside the phone.

The demonstration's federation, walked by link as each of its roles, and the pages that no link
leads to. Not for what pages do.
"""

from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.browser.conftest import Federation
from tests.browser.crawling import walk
from tests.browser.looking import (
    MOST_BYTES,
    MOST_LETTER_BYTES,
    PICTURES,
    THEMES,
    Weighed,
    is_new,
    letters,
    looked_at,
    looked_at_large,
    posted,
    set_theme,
    watch,
)
from tests.browser.looking import faults as faults_of
from tests.browser.visiting import game_to_move, lawful_move

pytestmark = [pytest.mark.thinned, pytest.mark.timeout(600)]


async def _picture(page: Page, name: str) -> None:
    for theme in reversed(THEMES if PICTURES else ()):
        await set_theme(page, theme)
        plain = name.strip("/").replace("/", "_")
        await page.screenshot(path=Path(PICTURES) / f"{plain}_{theme[1]}.png", full_page=True)


@pytest.mark.parametrize(
    ("role", "least"),
    [
        ("", 11),
        ("player", 14),
        ("team captain", 14),
        ("tournament leader", 20),
        ("K-skak controller", 22),
    ],
)
async def test_every_page_of_a_role_is_accessible_fits_a_phone_is_light_and_still(
    federation: Federation, role: str, least: int
) -> None:
    page = await federation.page(role)
    letters_of = await page.context.new_cdp_session(page)
    await set_theme(page, THEMES[0])
    await watch(page)
    weighed, faults, names = Weighed(federation.origin), list[str](), list[str]()
    page.on("response", weighed.take)
    page.on("pageerror", lambda error: faults.append(f"script: {error}"))
    async for name, is_opened in walk(page, federation.origin):
        names.append(name)
        if not (is_opened and await is_new(page, name)):
            continue  # another role has seen it, made of the same parts
        faults += await looked_at(page, name)
        await _picture(page, f"{role or 'stranger'}{name}")
        faults += await looked_at_large(page, letters_of, name)
        weight = await weighed.of(page)
        if weight > MOST_BYTES:
            faults.append(f"{name}: {weight} bytes of script and style")
        if not 0 < (octets := await letters(page)) <= MOST_LETTER_BYTES:
            faults.append(f"{name}: {octets} bytes of fonts")
    assert not faults, "\n".join(faults)
    assert not weighed.foreign
    assert len(names) >= least, names


async def test_pages_that_no_link_leads_to_are_accessible_too(federation: Federation) -> None:
    """Errors, a forged form, the word that a link was sent, the preview, ends, a form's fault."""
    stranger, anna = await federation.page(), await federation.page("player")
    faults: list[str] = []
    for page in (stranger, anna):
        await watch(page)
        await set_theme(page, THEMES[0])
    game = await game_to_move(anna)
    for page, path in (
        (stranger, "/no-such-page"),
        (stranger, f"{game}"),
        (anna, "/desk/kc"),
        (anna, f"{game}/end/resign"),
        (anna, f"{game}/end/draw"),
        (anna, f"{game}/end/time"),
        (anna, f"{game}/end/accept"),
        (anna, f"{game}?done=offered"),
    ):
        await page.goto(path)
        faults += await looked_at(page, path)
    await anna.goto(game)
    for text, name in (("Zz9", "a move that is none"), (await lawful_move(anna), "the preview")):
        await anna.goto(game)
        await anna.locator("#text").fill(text)
        async with anna.expect_navigation():
            await anna.locator("#move-form").evaluate("form => form.submit()")  # as without script
        faults += await posted(anna, name)
    await anna.goto(game)
    await anna.locator("#text").fill(await lawful_move(anna))
    await anna.keyboard.press("Enter")
    await anna.locator("dialog[open]").wait_for()
    faults += await posted(anna, "the preview beside the board")
    await anna.keyboard.press("Escape")
    for tab in await anna.get_by_role("tab").all():
        await tab.click()
        faults += await posted(anna, f"the game's part {await tab.inner_text()}")
    await anna.get_by_role("tab").first.click()
    await anna.get_by_role("button", name="Prøv træk på brættet").click()
    await anna.locator("#trying").wait_for()
    faults += await posted(anna, "trying moves")
    await anna.set_viewport_size({"width": 390, "height": 800})
    await anna.get_by_role("button", name="Menu").click()
    await anna.locator("#menu:popover-open").wait_for()
    faults += await faults_of(anna, "the menu, unfolded")
    await anna.goto("/leave")
    await anna.locator("main form").first.evaluate("form => form.noValidate = true")
    await anna.locator("main form button").first.click()
    faults += await posted(anna, "leave without days")
    for name, day in (("first", "2026-12-12"), ("last", "2026-12-22")):
        await anna.locator(f"#{name}").fill(day)
    await anna.locator("main form button").first.click()
    await anna.get_by_role("button", name="Bestil ferien").wait_for()
    faults += await posted(anna, "the leave's preview")
    await stranger.goto("/signin")
    await stranger.get_by_label("Din mailadresse").fill("nobody@example.org")
    await stranger.get_by_role("button", name="Send mig et link").click()
    faults += await posted(stranger, "sign-in sent")
    await anna.goto("/settings")
    await anna.eval_on_selector_all("input[name=csrf]", "all => all.forEach(e => e.value = 'x')")
    await anna.locator("main form button").first.click()
    faults += await posted(anna, "a forged form")
    assert not faults, "\n".join(faults)
