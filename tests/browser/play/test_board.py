"""The board beyond one's own move: stepping, trying lines, series, taking positions along.

Each story is one visit of one person, with what is seen and heard on the way.
"""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import chess
from playwright.async_api import Page, expect

from kskak.archive.past_game import past_pgn
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.table_import import Watch
from tests.browser.conftest import Stage
from tests.browser.looking import shifts, watch
from tests.browser.playing import centre, open_game, picture, play, send, stands
from tests.fakes.history import past_game

BOARD = "#board svg.cm-chessboard"


async def _press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def _drag(page: Page, start: str, end: str) -> None:
    await page.locator("#board").scroll_into_view_if_needed()
    await page.mouse.move(*await centre(page, start))
    await page.mouse.down()
    await page.mouse.move(*await centre(page, end), steps=4)
    await page.mouse.up()


async def test_lines_are_tried_and_kept_over_a_reload(stage: Stage):
    anna = await stage.page(viewport={"width": 1100, "height": 1000})
    await watch(anna)
    await stage.signed_in("anna@example.org", anna)
    await open_game(anna, "Bent Bæk")
    assert await shifts(anna) == [], "the script's board takes the room of the drawn one"
    loaded = "performance.getEntriesByType('resource').map(one => one.name).join()"
    assert "chess.js/" not in await anna.evaluate(loaded), "the rules come when they are needed"

    button = anna.get_by_role("button", name="Prøv træk på brættet")
    await button.click()
    await expect(anna.locator("#trying-says")).to_contain_text("Flyt en brik")
    await play(anna, "e2e4", "c7c5", "g1f3")
    await expect(anna.locator("#shown")).to_have_text("Dit eget forsøg: 2. Sf3. Det er ikke sendt.")
    await expect(anna.locator("#text")).to_have_value("")
    await anna.reload()
    await expect(anna.locator("#try")).to_have_accessible_name("Dine varianter på brættet")
    assert await shifts(anna) == []
    await anna.locator("#try").click()
    lines = anna.locator("#trying-lines li")
    await expect(lines).to_have_text("1. e4 c5 2. Sf3")
    await lines.get_by_role("button", name="c5").click()
    await stands(anna, "c5:bp", "e4:wp", "g1:wn")
    await anna.get_by_text("Hent fra et andet skakprogram").click()
    for text, said in (
        ("1. d4 {[%clk 0:10:00][%eval 0.2] ro} d5 2. c4 *", "Varianten begynder her"),
        (chess.Board().fen(), "Stillingen er fra partiet"),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1", "begynder ikke som partiet"),
        ("vrøvl", "»vrøvl« kan ikke spilles"),
    ):
        await anna.get_by_label("Stilling (FEN) eller parti (PGN)").fill(text)
        await anna.get_by_role("button", name="Læs det").click()
        await expect(anna.locator("#trying-read-says")).to_contain_text(said)
    await expect(lines.last).to_have_text(re.compile(r"1\. d4\W+ro\W+(1… )?d5 2\. c4"))
    assert stage.faults == []


async def test_a_series_is_built_by_keyboard_and_sent(stage: Stage):
    anna, bent = await stage.page(), await stage.page()
    await stage.signed_in("anna@example.org", anna)
    await open_game(anna, "Bent Bæk")
    await anna.locator("#propose").focus()
    await _press(anna, "Enter")
    says = anna.locator("#propose-says")
    await expect(says).to_contain_text("Spil først dit eget træk")
    await anna.locator(BOARD).focus()
    heard = anna.locator("#board .cm-chessboard-keyboard-live-region")
    await expect(heard).to_have_text("e1 hvid konge")
    told = re.compile("Hvid konge e1, .* bonde h2 Sort konge e8.*går pilene fra felt")
    await expect(anna.locator(BOARD)).to_have_accessible_description(told)
    for keys, moved in (
        (["ArrowUp", "Enter", "ArrowUp", "ArrowUp", "Enter"], "e4:wp"),
        (["ArrowUp"] * 3 + ["Enter", "ArrowDown", "ArrowDown", "Enter"], "e5:bp"),
        (
            ["ArrowRight", "ArrowRight"]
            + ["ArrowDown"] * 4
            + ["Enter", "ArrowLeft", "ArrowUp", "ArrowUp", "Enter"],
            "f3:wn",
        ),
    ):
        await _press(anna, *keys)
        await stands(anna, moved)
    await expect(says).to_contain_text("Dit træk: 1. e4. Du foreslår: 1… e5 2. Sf3.")
    await expect(anna.locator("#text")).to_have_value("1. 5254 05755 2. 7163")
    await anna.get_by_role("button", name="Tag det sidste tilbage").click()
    await expect(anna.locator("#text")).to_have_value("e4")
    await play(anna, "b1c3")
    await expect(anna.locator("#text")).to_have_value("1. 5254 05755 2. 2133")
    await picture(anna, "series")
    await anna.get_by_role("button", name="Se og send").click()
    await expect(anna.get_by_role("main")).to_contain_text("1… e5 2. Sc3")
    await anna.get_by_role("button", name="Send trækket").click()
    await expect(anna.get_by_role("status").first).to_contain_text("Dit træk er sendt")

    await stage.signed_in("bent@example.org", bent)
    await open_game(bent, "Anna Andersen")
    await bent.get_by_role("link", name="Til og med").click()
    await bent.wait_for_selector(BOARD)
    await stands(bent, "c3:wn", "e5:bp")
    await bent.get_by_role("button", name="Foreslå en trækserie").click()
    await expect(bent.locator("#propose-says")).to_contain_text("Spil først")
    await play(bent, "b8c6", "f1c4", "g8f6")
    await expect(bent.locator("#text")).to_have_value("1. 5254 5755 2. 2133 2836 3. 06134 7866")
    await send(bent, "1… e5 2. Sc3 Sc6")
    assert stage.faults == []


async def test_a_running_game_is_stepped_through_and_one_press_returns(stage: Stage):
    anna, bent = await stage.page(), await stage.page()
    await stage.signed_in("anna@example.org", anna)
    await open_game(anna, "Bent Bæk")
    await _drag(anna, "e2", "e4")
    await send(anna, "1. e4")
    await stage.signed_in("bent@example.org", bent)
    await open_game(bent, "Anna Andersen")
    shown = bent.locator("#shown")
    await expect(shown).to_contain_text("1. e4 · Anna Andersen")
    await bent.get_by_role("navigation", name="Gå gennem partiet").get_by_text("Første").click()
    await expect(shown).to_have_text("Begyndelsesstillingen")
    await expect(bent.get_by_text("Det er ikke stillingen nu")).to_be_visible()
    await stands(bent, "e2:wp")
    assert bent.url.endswith("?ply=0")
    await _drag(bent, "e7", "e5")
    await expect(bent.locator("#text")).to_have_value("")
    await picture(bent, "not-now")
    await bent.get_by_role("link", name="Vis stillingen nu").click()
    await expect(bent.get_by_text("Det er ikke stillingen nu")).to_be_hidden()
    await _drag(bent, "e7", "e5")
    await expect(bent.locator("#text")).to_have_value("e5")
    await bent.get_by_role("link", name="Vend brættet").click()
    await expect(bent.locator(".player .name").first).to_contain_text("Bent Bæk")
    assert bent.url.endswith("?flip=1")
    # A page whose main part is replaced starts anew, and only once; what was entered is kept.
    await bent.locator("#text").fill("")
    await bent.evaluate("""async () => {
        const script = document.querySelector("script[src$='/board.js']").src
        const text = await (await fetch(location.href)).text()
        const page = new DOMParser().parseFromString(text, "text/html")
        document.getElementById("main").replaceWith(page.getElementById("main"))
        const board = await import(script)
        board.start()
    }""")
    heard = "document.dispatchEvent(new CustomEvent('kskak:game', {cancelable: true}))"
    assert await bent.evaluate(heard) is True, "nothing is under way: the page may change"
    await bent.locator("nav.steps").get_by_text("Tilbage").click()
    await expect(shown).to_have_text("Begyndelsesstillingen")
    assert await bent.evaluate(heard) is False
    await bent.locator("nav.steps").get_by_text("Frem").click()
    await expect(shown).to_contain_text("1. e4")
    await _drag(bent, "e7", "e5")
    await expect(bent.locator("#text")).to_have_value("e5")
    await send(bent, "1… e5")
    assert stage.faults == []


async def test_a_watcher_replays_a_game_and_takes_the_position_along(stage: Stage, tmp_path: Path):
    (tmp_path / "old.pgn").write_text(past_pgn(past_game()), encoding="utf-8")
    await import_past(stage.server.core, sources([tmp_path]), Watch(), dry_run=False)
    page = await stage.page(color_scheme="dark", viewport={"width": 390, "height": 844})
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.goto("/archive/1?ply=0")
    await page.wait_for_selector(BOARD)
    await page.get_by_role("link", name="e4", exact=True).focus()
    await _press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    await expect(page.locator("#shown")).to_contain_text("2. Sf3")
    await expect(page.locator("#score a:focus")).to_have_text("Sf3")
    assert page.url.endswith("/archive/1?ply=3")
    await page.locator(BOARD).focus()
    heard = page.locator("#board .cm-chessboard-keyboard-live-region")
    await _press(page, "ArrowUp", "ArrowRight")
    await expect(heard).to_have_text("f2 hvid bonde")
    await _press(page, "PageUp")
    await stands(page, "g1:wn", "e5:bp")
    await page.mouse.click(*await centre(page, "d4"))
    await _press(page, "ArrowRight")
    await stands(page, "f3:wn")
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    # As a finger does: nothing points at the link before it is clicked.
    await page.locator(".opening a[rel]").dispatch_event("click")
    await page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get("position") == [fen])
    await page.go_back()
    await page.wait_for_selector(BOARD)
    await page.get_by_text("Hent stillingen eller partiet").click()
    await expect(page.get_by_label("Stillingen som FEN")).to_have_value(fen)
    await page.get_by_text("Stillingen med ord").click()
    await expect(page.locator(".position-words dd").first).to_contain_text("springer f3, bonde a2")
    await expect(page.locator(".position-words .fen")).to_have_text(f"FEN: {fen}")
    await page.get_by_role("button", name="Kopiér FEN").click()
    await expect(page.locator("#taking-says")).to_contain_text(fen)
    assert await page.evaluate("navigator.clipboard.readText()") == fen
    await page.get_by_role("button", name="Kopiér billedet").click()
    await expect(page.locator("#taking-says")).to_have_text("Billedet er kopieret.")
    kinds = "navigator.clipboard.read().then(all => JSON.stringify(all[0].types))"
    assert json.loads(await page.evaluate(kinds)) == ["image/png"]
    await page.get_by_role("button", name="Kopiér PGN").click()
    await expect(page.locator("#taking-says")).to_have_text("PGN er kopieret.")
    assert "1. e4 e5 2. Nf3" in await page.evaluate("navigator.clipboard.readText()")
    await page.get_by_role("button", name="Prøv træk på brættet").click()
    await expect(page.locator("#trying-says")).to_contain_text("Flyt en brik")
    await play(page, "d7d5")
    await picture(page, "watcher")
    assert stage.faults == []


async def test_the_links_for_stepping_follow_a_position_that_was_pasted(stage, tmp_path):
    (tmp_path / "old.pgn").write_text(past_pgn(past_game()), encoding="utf-8")
    await import_past(stage.server.core, sources([tmp_path]), Watch(), dry_run=False)
    page = await stage.page(viewport={"width": 1100, "height": 1000})
    await page.goto("/archive/1?ply=3")
    await page.get_by_role("button", name="Prøv træk på brættet").click()
    await page.get_by_text("Hent fra et andet skakprogram").click()
    field = page.get_by_label("Stilling (FEN) eller parti (PGN)")
    back = page.locator("nav.steps [data-step=back]")
    for moves, is_first, marked in (((), "true", []), (("e2e4",), "false", ["e4"])):
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
        await field.fill(board.fen())
        await page.get_by_role("button", name="Læs det").click()
        await expect(back).to_have_attribute("aria-disabled", is_first)
        shown = await page.locator("#score [aria-current]").all_inner_texts()
        assert shown == marked
    await page.locator("nav.steps").get_by_text("Frem").click()
    await stands(page, "e4:wp", "e5:bp")
    await page.get_by_role("button", name="Læs det").click()
    await expect(back).to_have_attribute("aria-disabled", "false")
    await page.get_by_role("button", name="Slut med at prøve træk").click()
    await expect(page.locator("#score [aria-current]")).to_have_text("e5")
    await stands(page, "g1:wn", "e5:bp")
    assert stage.faults == []


async def test_without_script_nobody_is_told_to_move_pieces_on_the_board(stage: Stage):
    for has_script in (True, False):
        page = await stage.page(java_script_enabled=has_script)
        await stage.signed_in("anna@example.org", page)
        await page.goto("/")
        await page.get_by_role("link", name="Bent Bæk").first.click()
        await expect(page.locator("#text")).to_be_visible()
        said = await page.locator("#main").inner_text()
        assert ("Flyt din brik" in said, "på brættet" in said) == (has_script, has_script)
        assert (await page.locator("#move-hint").inner_text()).startswith("Skriv trækket:")
