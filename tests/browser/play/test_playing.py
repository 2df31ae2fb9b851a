"""A game in a real browser: signed in by the mailed link, moves by mouse, keyboard, touch, hand."""

from playwright.async_api import expect

from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.browser.conftest import Stage
from tests.browser.looking import faults
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
    # Black sits below: from a1 the arrows lead left to higher files and down to higher ranks.
    for key in ["ArrowLeft"] * 4 + ["ArrowDown"] * 6 + ["Enter"]:
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
    for key in ["ArrowRight"] * 4 + ["Enter"] + ["ArrowRight"] * 3 + ["Enter"]:
        await anna.keyboard.press(key)
    await expect(field).to_have_value("0-0")
    await send(anna, "1. 0-0")
    assert stage.faults == []
