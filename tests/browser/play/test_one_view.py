"""A game in one view: the whole board and the bar that sends are there on arrival, and stay.

Also what a first visit asks for, and how few keys lead to the field. Not for what the board does
(test_board.py) nor for how a move is sent (test_playing.py).
"""

import json
from zoneinfo import ZoneInfo

import pytest
from playwright.async_api import FloatRect, Page, Request, expect

from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.browser.conftest import Federation, Stage
from tests.browser.looking import shifts, watch
from tests.browser.playing import centre
from tests.browser.slow_phone import LETTERS
from tests.browser.visiting import game_to_move, lawful_move
from tests.fakes.site import TurnedClock, group_text

SIZES = ((1280, 720), (1366, 768), (1920, 1080), (390, 664), (360, 640), (844, 390), (768, 1024))
LARGE = ((853, 480), (640, 360), (960, 540))
"""Windows of 1280 by 720 for who reads at 150 and 200 %, and of 1920 by 1080 at 200 %."""
MOST_REQUESTS = 12
MOST_OCTETS = 60_000
"""Of a first visit's page, styles and script, as packed; the letters come on top."""
PREVIEW = "Se og send"
ROWS = "#score tbody tr"
SEEN = """all => all.filter((row) => {
    const box = row.getBoundingClientRect()
    return [box.top + 3, box.bottom - 3].every((y) =>
        row.contains(document.elementFromPoint(box.left + 9, y)))
}).length"""
OPENED_ZONES = """window.__zones = 0
const own = Intl.DateTimeFormat
Intl.DateTimeFormat = function (...given) { window.__zones += 1; return new own(...given) }
"""
"""Counts how often a page opens the browser's own tables of zones and languages."""


async def _rect(page: Page, selector: str) -> FloatRect:
    rect = await page.locator(selector).bounding_box()
    assert rect is not None, selector
    return rect


async def _opened(federation: Federation, size: tuple[int, int]) -> Page:
    page = await federation.page("player")
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await game_to_move(page)
    await page.wait_for_selector("#board svg.cm-chessboard")
    return page


@pytest.mark.parametrize("size", SIZES + LARGE, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_whole_board_and_the_bar_are_there_on_arrival(federation, size):
    page = await _opened(federation, size)
    board, field = await _rect(page, "#board"), await _rect(page, "#text")
    button = await _rect(page, f"button:has-text('{PREVIEW}')")
    assert await page.evaluate("scrollY") == 0
    for rect in (board, field, button):
        assert rect["x"] >= 0 and rect["x"] + rect["width"] <= size[0]
        assert rect["y"] >= 0 and rect["y"] + rect["height"] <= size[1]
    bar = await _rect(page, ".send")
    is_beside = bar["x"] >= board["x"] + board["width"]
    assert is_beside or bar["y"] >= board["y"] + board["height"], "the bar hides no square"
    assert board["width"] >= min(size[0] - 64, size[1] - 130), "it fills the room there is"
    assert await page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for name in await page.locator(".player .name a").all():
        assert len(await name.evaluate("(a) => [...a.getClientRects()]")) == 1, "in one line"
    label = page.locator(".send form > label")
    cut = await label.evaluate("(one) => one.scrollWidth - one.clientWidth")
    assert cut <= 1, "the last day is read whole"


@pytest.mark.parametrize("size", LARGE, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_large_letters_leave_the_tabs_beside_a_board_that_stays(federation, size):
    page = await _opened(federation, size)
    await page.get_by_role("tab", name="Tid").click()
    account = page.get_by_role("link", name="Regnskab over tiden")
    await account.scroll_into_view_if_needed()
    await expect(account).to_be_in_viewport()
    await expect(page.locator("#board")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(1280, 720), (390, 664)], ids=["desktop", "phone"])
async def test_the_board_stays_while_moves_are_tried(federation, size):
    page = await _opened(federation, size)
    await page.get_by_role("button", name="Prøv træk på brættet").click()
    await expect(page.locator("#trying")).to_be_visible()
    await page.locator("#trying details summary").first.scroll_into_view_if_needed()
    board = await _rect(page, "#board")
    assert board["y"] >= 0 and board["y"] + board["height"] <= size[1]


async def test_a_first_visit_asks_for_little(federation: Federation) -> None:
    page = await federation.page("player")
    game = await game_to_move(page)
    context = page.context
    await page.close()
    page = await context.new_page()
    line = await context.new_cdp_session(page)
    await line.send("Network.enable")
    await line.send("Network.clearBrowserCache")
    await watch(page)
    seen: list[Request] = []
    page.on("requestfinished", lambda request: seen.append(request))
    await page.goto(game, wait_until="networkidle")
    assert len(seen) <= MOST_REQUESTS, [request.url for request in seen]
    sizes = [await one.sizes() for one in seen if one.resource_type != "font"]
    assert sum(size["responseBodySize"] for size in sizes) < MOST_OCTETS
    assert await shifts(page) == []
    assert await page.evaluate(LETTERS) == 1, "the letters are shown on the first visit"


async def test_fewer_than_ten_keys_lead_to_the_field(federation: Federation) -> None:
    page = await _opened(federation, (1280, 720))
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    pressed = 2
    while await page.evaluate("document.activeElement.id") != "text":
        await page.keyboard.press("Tab")
        pressed += 1
        assert pressed < 10


async def test_what_is_sent_is_confirmed_beside_the_board_and_taken_back_with_one_key(federation):
    page = await _opened(federation, (1280, 720))
    path, move = page.url, await lawful_move(page)
    await page.locator("#text").fill(move)
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Det her bliver sendt")
    await expect(dialog.get_by_role("button", name="Send trækket")).to_be_visible()
    assert page.url == path
    board, shown = await _rect(page, "#board"), await _rect(page, "dialog")
    assert shown["x"] >= board["x"] + board["width"], "the board is seen beside it"
    await expect(dialog.get_by_role("heading")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    assert await page.locator("#text").input_value() == move
    await page.set_viewport_size({"width": 360, "height": 640})
    await page.get_by_text("Besked, remis").click()
    await page.get_by_role("button", name=PREVIEW).click()
    await expect(dialog.get_by_role("button", name="Send trækket")).to_be_in_viewport()
    await expect(dialog.get_by_text("Det koster")).to_be_in_viewport()
    board, shown = await _rect(page, "#board"), await _rect(page, "dialog")
    assert board["y"] >= 0 and board["y"] + board["height"] <= shown["y"], (
        "a phone: all of it above"
    )
    for over in ("#text", ".stepper"):
        await expect(page.locator(over)).to_be_hidden()
    await dialog.get_by_role("button", name="Ret det").click()
    await expect(dialog).to_be_hidden()
    assert page.url == path


async def test_a_move_that_is_none_is_answered_as_without_script(federation: Federation) -> None:
    page = await _opened(federation, (390, 664))
    await page.locator("#text").fill("Zz9")
    await page.get_by_role("button", name=PREVIEW).click()
    await expect(page.locator("#move-error")).to_be_visible()
    assert await page.locator("#text").input_value() == "Zz9"


async def test_the_parts_are_tabs_by_keyboard_and_an_address_opens_its_own(federation):
    page = await _opened(federation, (1280, 720))
    side = page.locator(".side")
    await side.evaluate("(side) => side.scrollTo(0, 99)")
    read = await side.evaluate("(side) => side.scrollTop")
    assert read > 0
    await page.get_by_role("tab", name="Træk").focus()
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_role("tab", name="Tid")).to_be_focused()
    await expect(page.get_by_role("tabpanel", name="Tid")).to_be_visible()
    await expect(page.locator("#moves")).to_be_hidden()
    await page.keyboard.press("End")
    await expect(page.get_by_role("tabpanel", name="Mere")).to_be_visible()
    assert await side.evaluate("(side) => side.scrollTop") == 0, "a part is read from its beginning"
    await page.keyboard.press("Home")
    assert await side.evaluate("(side) => side.scrollTop") == read, "or from where one was"
    await page.goto(f"{page.url}#note")
    await expect(page.get_by_role("tabpanel", name="Noter")).to_be_visible()


async def test_without_script_the_parts_stand_below_each_other(federation: Federation) -> None:
    page = await federation.page("player")
    game = await game_to_move(page)
    plain = await page.context.browser.new_context(  # type: ignore[union-attr]
        java_script_enabled=False, storage_state=await page.context.storage_state()
    )
    page = await plain.new_page()
    await page.goto(federation.origin + game)
    for part in ("#moves", "#account", "#thread", "#analysis", "#more"):
        await expect(page.locator(part)).to_be_visible()
    await plain.close()


@pytest.mark.parametrize("size", [(390, 664), (360, 640), (820, 1180)], ids=str)
async def test_going_through_a_game_the_board_stays_whole_and_what_was_tapped_is_seen(
    federation: Federation, size: tuple[int, int]
) -> None:
    page = await _opened(federation, size)
    steps = page.locator("#steps")
    for name in ("Tilbage", "Tilbage", "Første", "Frem", "Sidste"):
        await steps.get_by_role("link", name=name).click()
        await _assert_whole_board_above(page, ".stepper", size)
    await page.locator("#tabs").scroll_into_view_if_needed()
    await page.mouse.wheel(0, 300)
    for move in await page.locator("#score a").all():
        await move.click()
        await expect(move).to_be_in_viewport(ratio=1)
        await _assert_whole_board_above(page, ".stepper", size)
    bar, steps_at = await _rect(page, ".send"), await _rect(page, ".stepper")
    assert abs(steps_at["y"] + steps_at["height"] - bar["y"]) <= 1, "right above the bar"
    text, button = await _rect(page, "#text"), await _rect(page, f"button:has-text('{PREVIEW}')")
    assert text["width"] > button["width"], "a wide field, a short button"


async def _assert_whole_board_above(page: Page, selector: str, size: tuple[int, int]) -> None:
    board, below = await _rect(page, "#board"), await _rect(page, selector)
    assert board["y"] >= 0 and board["y"] + board["height"] <= below["y"] + 1, selector
    assert below["y"] + below["height"] <= size[1]


async def test_after_sending_the_next_game_stands_where_the_button_was(federation):
    page = await _opened(federation, (390, 664))
    before = await _rect(page, f"button:has-text('{PREVIEW}')")
    await page.locator("#text").fill(await lawful_move(page))
    await page.get_by_role("button", name=PREVIEW).click()
    await page.get_by_role("button", name="Send trækket").click()
    onward = page.get_by_role("link", name="Næste parti")
    await expect(onward).to_be_in_viewport(ratio=1)
    after = await _rect(page, ".onward a.button")
    assert after["y"] <= before["y"] + before["height"] <= after["y"] + 2 * after["height"]
    await expect(page.get_by_text("Dit træk er sendt")).to_be_in_viewport(ratio=1)
    await expect(page.get_by_role("status").filter(has_text="sendt")).to_be_focused()
    await _assert_whole_board_above(page, ".stepper", (390, 664))


async def test_who_wishes_it_is_led_to_the_next_game_by_itself(federation: Federation) -> None:
    page = await federation.page("player")
    await page.goto("/settings/moves")
    await page.get_by_label("Gå selv videre").check()
    await page.get_by_role("button", name="Gem").click()
    game = await game_to_move(page)
    await page.locator("#text").fill(await lawful_move(page))
    await page.get_by_role("button", name=PREVIEW).click()
    await page.get_by_role("button", name="Send trækket").click()
    await expect(page.get_by_role("status").get_by_text("er sendt.")).to_be_visible()
    assert game not in page.url.partition("?")[0] and "/games/" in page.url


async def test_twelve_games_in_a_row_take_three_taps_each_and_no_scroll(stage: Stage) -> None:
    for number in range(2, 13):
        await start_group(stage.server.core, read_group_file(group_text(f"K-26-{number:02}")))
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page = await stage.signed_in("anna@example.org", **phone)
    await page.goto("/settings/moves")
    await page.get_by_label("Gå selv videre").check()
    await page.get_by_role("button", name="Gem").click()
    await page.goto("/")
    await page.get_by_role("link", name="Gå til det første parti").tap()
    seen, taps = set[str](), 0
    for left in range(11, -1, -1):
        await page.wait_for_selector("#board svg.cm-chessboard")
        seen.add(page.url.partition("?")[0])
        moves = json.loads(await page.locator("#board").get_attribute("data-moves") or "[]")
        uci = next(uci for uci, _ in moves if len(uci) == 4)
        for square in (uci[:2], uci[2:]):
            assert await page.evaluate("scrollY") == 0
            await _assert_whole_board_above(page, ".stepper", (390, 844))
            await page.touchscreen.tap(*await centre(page, square))
            taps += 1
        button = page.get_by_role("button", name="Send trækket")
        await expect(button).to_be_in_viewport(ratio=1)
        await expect(page.locator("dialog .sending")).to_be_in_viewport(ratio=1)
        await _assert_whole_board_above(page, "dialog", (390, 844))
        await button.tap()
        taps += 1
        said = "er sendt." if left else "Ingen flere partier venter på dig."
        await expect(page.get_by_role("main").get_by_text(said).first).to_be_in_viewport()
    assert len(seen) == 12 and taps == 36


async def test_ten_moves_are_in_sight_beside_the_board(federation: Federation) -> None:
    page = await _opened(federation, (1280, 720))
    await page.goto("/")
    for link in await page.eval_on_selector_all(
        "main a[href^='/games/']", "a => a.map(e => e.href)"
    ):
        await page.goto(link)
        await page.wait_for_selector("#board svg.cm-chessboard")
        is_told = await page.locator(".side > .notice").count()  # which is seen first
        if await page.locator(ROWS).count() >= 10 and not is_told:
            break
    assert await page.evaluate(f"({SEEN})([...document.querySelectorAll('{ROWS}')])") >= 10


@pytest.mark.parametrize("zone", ["Europe/Copenhagen", "America/New_York", "Asia/Kolkata"])
async def test_elsewhere_it_is_said_when_a_danish_day_ends(federation, zone):
    page = await federation.page("player", timezone_id=zone)
    await page.add_init_script(OPENED_ZONES)
    now = TurnedClock.at
    away = [now.astimezone(ZoneInfo(name)).utcoffset() for name in (zone, "Europe/Copenhagen")]
    hours, minutes = divmod(int((away[0] - away[1]).total_seconds()) // 60 % 1440, 60)
    game = await game_to_move(page)
    for path in ("/", game, "/leave", f"{game}/end/time"):
        await page.goto(path)
        note = page.locator("[data-zone]").first
        if zone == "Europe/Copenhagen":
            await expect(note).to_be_hidden()
        else:
            at = f"kl. {hours}.{minutes:02} her"
            said = f"dansk tid; {at}" if path == game else f"Dage regnes i dansk tid: til {at}."
            await expect(note).to_have_text(said)
        if path == game and zone != "Europe/Copenhagen":
            await page.set_viewport_size({"width": 320, "height": 640})
            await expect(note).to_be_in_viewport(ratio=1)
            await _assert_whole_board_above(page, ".stepper", (320, 640))
            assert (await _rect(page, ".send [data-zone]"))["height"] < 20, "in one line"
        await expect(page.locator("#main [role=rowheader], #board svg").first).to_be_attached()
        assert await page.evaluate("window.__zones") == 0, (
            "they take a phone 100 ms before it paints"
        )
