"""Names as people have them: no page is widened by a long one, turned by one from right to left.

And what a player alone sees is not on the paper that he hands on.
"""

import re

import pytest
from playwright.async_api import expect
from sqlalchemy import update

from server.store.tables.base import people
from tests.browser.conftest import Federation, Stage
from tests.browser.looking import faults, new_faults, set_theme, too_wide
from tests.browser.playing import centre, open_game, picture, play
from tests.fakes.site import Site

pytestmark = pytest.mark.timeout(300)
ENDLESS = "Bent-" + "Wolfeschlegelsteinhausenbergerdorff" * 3
ARABIC = "محمد الخطيب"
PHONE = ("light", 360)
LANDMARKS = ("landmark-unique", "duplicate-id-aria")
"""What a page may break though each of its elements has been seen elsewhere."""


async def _named(stage: Stage, name: str) -> tuple[str, int]:
    """Anna's opponent is called so; the path of their game, and his number."""
    site = Site(stage.server.core, stage.clock, None)  # type: ignore[arg-type]
    game, bent = await site.game("K-26-01/1"), await site.person("bent@example.org")
    async with stage.server.core.store.write() as conn:
        await conn.execute(update(people).where(people.c.id == bent.id).values(name=name))
    return f"/games/{game.id}", bent.id


@pytest.mark.parametrize("name", [ENDLESS, ARABIC])
async def test_no_page_is_wider_than_a_phone_for_a_name(stage: Stage, name: str) -> None:
    game, bent = await _named(stage, name)
    anna = await stage.signed_in("anna@example.org")
    found: list[str] = []
    await set_theme(anna, PHONE)
    paths = ("/", game, f"{game}/statement", f"{game}/end/resign", "/groups/K-26-01", "/players")
    for path in (*paths, f"/players/{bent}", "/clubs", "/leave", "/ratings"):
        await anna.goto(path)
        found += await too_wide(anna, path)
        await picture(anna, f"name-{len(name)}{path.replace('/', '_')}")
    tove = await stage.signed_in("tove@example.org")
    await set_theme(tove, PHONE)
    for path in ("/desk", "/desk/groups/K-26-01", "/desk/long"):
        await tove.goto(path)
        found += await too_wide(tove, path)
    assert not found, "\n".join(found)


async def test_a_move_by_mouse_leaves_no_ring_and_the_keyboard_has_one(stage: Stage) -> None:
    anna = await stage.signed_in("anna@example.org")
    await open_game(anna, "Bent Bæk")
    board, ring = anna.locator("#board svg.cm-chessboard"), anna.locator(".keyboard-focus")
    await play(anna, "e2e4")
    assert await board.evaluate("one => one === document.activeElement")
    assert await board.evaluate("one => getComputedStyle(one).outlineStyle") == "none"
    for one in await ring.all():
        await expect(one).to_be_hidden()
    await anna.keyboard.press("ArrowUp")
    await expect(ring.first).to_be_visible()
    assert await board.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    await anna.mouse.click(*await centre(anna, "e4"))
    await expect(ring.first).to_be_hidden()


async def test_a_printed_game_has_none_of_ones_own_lines(stage: Stage) -> None:
    game, _ = await _named(stage, "Bent Bæk")
    anna = await stage.signed_in("anna@example.org")
    await anna.goto(f"{game}/private")
    await anna.locator("#own-tree").fill("1. e4 e5 2. Sf3 *")
    await anna.locator("#tree-form button").click()
    await anna.locator("#own-note").fill("Hemmelig plan")
    await anna.locator("#note-form button").click()
    await anna.goto(game)
    await expect(anna.locator("#own-tree")).to_have_value("1. e4 e5 2. Nf3 *")
    await anna.emulate_media(media="print")
    text = await anna.locator("body").inner_text()
    assert (
        "Nf3" not in text
        and "Sf3" not in text
        and "Hemmelig" not in text
        and "Min analyse" not in text
    )
    assert "Anna Andersen" in text


async def test_case_pages_have_no_two_landmarks_of_one_name(federation: Federation) -> None:
    found, seen = list[str](), set[str]()
    for role in ("tournament leader", "K-skak controller"):
        page = await federation.page(role)
        for desk in ("/desk", "/desk/kc", "/desk/board"):
            await page.goto(desk)
            links = await page.eval_on_selector_all("a[href]", "all => all.map(e => e.pathname)")
            seen |= {one for one in links if re.fullmatch(r"/desk/cases/\d+/\d+", one)}
        for case in sorted(seen):
            await page.goto(case)
            await page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            found += await faults(page, f"{role} {case}", *LANDMARKS)
            found += await new_faults(page, f"{role} {case}")
    assert seen and not found, "\n".join(found)
