"""A game in a real browser: signed in by the mailed link, moves by mouse, keyboard, touch, hand."""

import os
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from server.store.play import people as person_rows
from server.usecases.account import signin
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.browser.conftest import Stage
from tests.browser.looking import faults, posted, shifts, watch
from tests.browser.playing import centre, open_game, picture, send, sign_in
from tests.fakes.site import group_text


async def test_a_game_by_mouse_and_by_keyboard(stage: Stage):
    anna, bent = await stage.page(), await stage.page()
    await sign_in(anna, "anna@example.org")
    await open_game(anna, "Bent Bæk")
    start, end = await centre(anna, "e2"), await centre(anna, "e4")
    await anna.mouse.move(*start)
    await anna.mouse.down()
    await anna.mouse.move(*end, steps=5)
    await anna.mouse.up()
    await expect(anna.locator("#text")).to_have_value("e4")
    await expect(anna.locator("#board-says")).to_contain_text("Trækket e4 står i feltet")
    await picture(anna, "moved-by-mouse")
    await send(anna, "1. e4")

    await stage.signed_in("bent@example.org", bent)
    await open_game(bent, "Anna Andersen")
    await bent.locator("#board svg.cm-chessboard").focus()
    # Black sits below: the arrows begin on his king and lead up to lower ranks.
    for key in ["ArrowUp", "Enter"]:
        await bent.keyboard.press(key)
    await picture(bent, "moving-by-keyboard")
    for key in ["ArrowUp"] * 2 + ["Enter"]:
        await bent.keyboard.press(key)
    await expect(bent.locator("#text")).to_have_value("e5")
    await send(bent, "1… e5")
    assert stage.faults == []


async def test_a_click_twice_plays_and_a_touch_of_a_piece_takes_back(stage: Stage):
    anna = await stage.page(has_touch=True, viewport={"width": 390, "height": 844})
    await stage.signed_in("anna@example.org", anna)
    await open_game(anna, "Bent Bæk")
    await anna.touchscreen.tap(*await centre(anna, "g1"))
    await anna.touchscreen.tap(*await centre(anna, "f3"))
    await expect(anna.locator("#text")).to_have_value("Sf3")
    await expect(anna.locator("#board")).to_have_attribute("data-shown", "g1f3")
    await anna.mouse.click(*await centre(anna, "f3"))
    await expect(anna.locator("#text")).to_have_value("")
    await expect(anna.locator("#board")).to_have_attribute("data-shown", "")
    await anna.mouse.click(*await centre(anna, "d2"))
    await anna.mouse.click(*await centre(anna, "d4"))
    await expect(anna.locator("#text")).to_have_value("d4")
    # Another piece is taken up at once: who changes his mind just plays what he means.
    await anna.touchscreen.tap(*await centre(anna, "e2"))
    await expect(anna.locator("#text")).to_have_value("")
    await anna.touchscreen.tap(*await centre(anna, "e4"))
    await expect(anna.locator("#text")).to_have_value("e4")
    await expect(anna.locator("#board")).to_have_attribute("data-shown", "e2e4")
    await picture(anna, "phone")
    assert stage.faults == []


async def test_without_script_the_same_page_plays(stage: Stage):
    anna = await stage.page(java_script_enabled=False)
    await stage.signed_in("anna@example.org", anna)
    await anna.goto("/")
    await anna.get_by_role("link", name="Bent Bæk").first.click()
    await expect(anna.locator("#board svg use")).to_have_count(32)
    await anna.locator("#text").fill("5254")
    await send(anna, "1. e4")
    await expect(anna.get_by_text("Bent Bæk er i trækket")).to_be_visible()
    await picture(anna, "without-script")


async def test_a_pawn_is_promoted_by_keyboard_to_the_piece_chosen(stage: Stage):
    lone = group_text("P-26-01", extra='fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1"')
    await start_group(stage.server.core, read_group_file(lone.replace('"K"', '"theme"')))
    anna = await stage.page()
    await stage.signed_in("anna@example.org", anna)
    await anna.goto("/groups/P-26-01")
    await anna.locator("td.cell a").first.click()
    await anna.wait_for_selector("#board svg.cm-chessboard")
    await anna.locator("#board svg.cm-chessboard").focus()
    for key in ["ArrowUp"] * 6 + ["Enter", "ArrowUp", "Enter"]:
        await anna.keyboard.press(key)
    await expect(anna.get_by_role("button", name="Dronning")).to_be_focused()
    square = await anna.locator("#board rect[data-square='a8']").first.bounding_box()
    choices = await anna.locator("#board rect.promotion-dialog").bounding_box()
    assert square and choices
    for side in ("x", "y", "width"):
        assert abs(square[side] - choices[side]) < 2, (
            "it stands on the pawn's file, from its square"
        )
    await picture(anna, "promotion")
    assert await faults(anna, "the promotion") == []
    await anna.keyboard.press("ArrowDown")
    await anna.keyboard.press("Enter")
    await expect(anna.locator("#text")).to_have_value("a8T")
    await send(anna, "1. a8T")
    assert stage.faults == []


async def test_the_king_put_on_his_rook_castles_by_click_drag_and_keyboard(stage: Stage):
    castles = group_text("P-26-01", extra='fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"')
    await start_group(stage.server.core, read_group_file(castles.replace('"K"', '"theme"')))
    anna = await stage.signed_in("anna@example.org")
    await anna.goto("/groups/P-26-01")
    await anna.locator("td.cell a").first.click()
    board = anna.locator("#board svg.cm-chessboard")
    await board.wait_for()
    await board.scroll_into_view_if_needed()
    field, shown = anna.locator("#text"), anna.locator("#board")
    await anna.mouse.click(*await centre(anna, "e1"))
    marked = anna.locator("#board .markers [data-square='a1']")
    await expect(marked).to_have_count(1)
    await anna.mouse.click(*await centre(anna, "a1"))
    await expect(field).to_have_value("0-0-0")
    await expect(shown).to_have_attribute("data-shown", "e1c1")
    for square, piece in (("c1", "wk"), ("d1", "wr"), ("a1", "")):
        found = anna.locator(f"#board g[data-piece='{piece}'][data-square='{square}']")
        await expect(found).to_have_count(1 if piece else 0)
    await anna.mouse.click(*await centre(anna, "c1"))
    await expect(field).to_have_value("")
    await expect(shown).to_have_attribute("data-shown", "")
    await anna.mouse.move(*await centre(anna, "e1"))
    await anna.mouse.down()
    await anna.mouse.move(*await centre(anna, "h1"), steps=5)
    await anna.mouse.up()
    await expect(field).to_have_value("0-0")
    await expect(shown).to_have_attribute("data-shown", "e1g1")
    await anna.reload()
    await board.wait_for()
    await field.fill("")
    await expect(shown).to_have_attribute("data-shown", "")
    await board.focus()
    for key in ["Enter"] + ["ArrowRight"] * 3 + ["Enter"]:
        await anna.keyboard.press(key)
    await expect(field).to_have_value("0-0")
    for typed, castled in (("000", "e1c1"), ("O-O", "e1g1"), ("o-o-o", "e1c1")):
        await field.fill(typed)
        await expect(shown).to_have_attribute("data-shown", castled)
    await field.fill("00")
    await send(anna, "1. 0-0")
    assert stage.faults == []


# Letters and digits of the board stand outside it, where no piece hides them, with and without
# script in the same place.


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
async def test_no_piece_stands_on_a_letter_and_nothing_moves_when_the_script_comes(stage, width):
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


# A move held, taken back, held again and sent now, in a real browser; a player's own side of it.
# The pages that only a waiting move or kept words make are looked at here: WCAG, width, both
# themes.


async def _hold(page: Page, move: str) -> None:
    await page.locator("#text").fill(move)
    await page.get_by_role("button", name="Se og send").click()
    await page.get_by_role("button", name="Send om 10 minutter").click()


async def test_hold_take_back_hold_and_send_now(stage: Stage):
    faults: list[str] = []
    page = await stage.signed_in("anna@example.org")
    await page.goto("/")
    await page.get_by_role("link", name="Bent Bæk").first.click()
    await _hold(page, "d4")
    waiting = page.locator("#delayed")
    await expect(waiting).to_contain_text("1. d4 sendes kl.")
    await expect(page.locator("#board")).to_be_in_viewport(ratio=1)
    await page.goto("/")
    await expect(waiting).to_contain_text("1. d4 sendes kl.")
    faults += await posted(page, "games-waiting")
    await waiting.get_by_role("button", name="Fortryd").click()
    await expect(page.get_by_role("status").first).to_contain_text("Der er ikke sendt noget")
    await _hold(page, "e4")
    await _write(page)
    faults += await posted(page, "game-waiting")
    await waiting.get_by_role("button", name="Send nu").click()
    await expect(page.get_by_role("status").first).to_contain_text("Dit træk er sendt")
    await expect(waiting).to_have_count(0)
    await page.get_by_role("tab", name="Noter").click()
    await page.get_by_role("link", name="Alle dine analyser og noter").click()
    faults += await posted(page, "private")
    assert stage.faults == faults == []


async def _write(page: Page) -> None:
    """A line, a note and a message, each from the game's page, without the board."""
    await page.get_by_role("tab", name="Noter").click()
    await page.get_by_text("Varianterne som tekst").click()
    tree = page.get_by_label("Dine varianter som PGN")
    await tree.fill("e4 e5 2. Nf3 Nc6 3. Bb5 {Som mod Poul i 1994. Husk 3… a6.}")
    await page.get_by_role("button", name="Gem varianterne").click()
    await expect(page.get_by_text("Varianterne er gemt.")).to_be_visible()
    await expect(tree).to_have_value(
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 { Som mod Poul i 1994. Husk 3… a6. } *"
    )
    await page.get_by_text("Skriv en note").click()
    await page.locator("#own-note").fill("Spil for slutspillet.")
    await page.get_by_role("button", name="Gem noten").click()
    await expect(page.get_by_text("Noten er gemt.")).to_be_visible()
    await page.get_by_role("tab", name="Beskeder").click()
    await page.get_by_text("Skriv til Bent Bæk uden at trække").first.click()
    await page.locator("#quiet-message").fill("Kære Bent\nJeg rejser i morgen.")
    await page.get_by_role("button", name="Send beskeden").click()
    await expect(page.locator(".letters")).to_contain_text("Jeg rejser i morgen.")


# From game to game on a telephone, by keyboard and without script; found again by a search.


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
        await _press(anna, "Se og send")
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
