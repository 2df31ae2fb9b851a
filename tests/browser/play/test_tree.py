"""A player's tree of variations on the board: by keys and mouse, saved, reloaded, proposed.

One PGN text a player and game. Two screens' trees are laid over each other: what one deleted
while the other had it comes back, and nothing is lost.
"""

from pathlib import Path

from playwright.async_api import Page, expect

from kskak.archive.past_game import past_pgn
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.table_import import Watch
from tests.browser.conftest import Stage
from tests.browser.looking import faults, too_wide
from tests.browser.playing import centre, open_game, picture, play, stands
from tests.fakes.history import past_game
from tests.fakes.site import Site

SAVED = "Gemt."


async def _tries(page: Page, name: str = "Prøv træk på brættet") -> None:
    await page.get_by_role("button", name=name).click()
    await expect(page.locator("#trying")).to_be_visible()


async def _presses(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def test_a_tree_is_built_by_mouse_and_keys_kept_reloaded_and_proposed(stage: Stage):
    anna = await stage.page(viewport={"width": 1280, "height": 900})
    await stage.signed_in("anna@example.org", anna)
    await open_game(anna, "Bent Bæk")
    await _tries(anna)
    await play(anna, "e2e4", "c7c5", "g1f3")
    await anna.locator("nav.steps").get_by_text("Tilbage").click()
    await play(anna, "b1c3")
    tree, state = anna.locator("#trying-lines"), anna.locator("#tree-state")
    await expect(tree.locator("> li")).to_have_text(["1. e4 c5 2. Sf3 2. Sc3"])
    await anna.get_by_role("button", name="Gør til hovedvariant").click()
    await expect(tree.locator("> li")).to_have_text(["1. e4 c5 2. Sc3 2. Sf3"])
    # Noted at the move: sign, value, words, an arrow by the right button, a circle by its field.
    await anna.get_by_label("Mærke ved trækket").select_option("5")
    await anna.get_by_label("Vurdering").select_option("14")
    await anna.get_by_label("Bemærkning til trækket").fill("Som Åse Ærø {1994}")
    await anna.mouse.move(*await centre(anna, "f1"))
    await anna.mouse.down(button="right")
    await anna.mouse.move(*await centre(anna, "c4"))
    await anna.mouse.up(button="right")
    shapes = anna.get_by_label("Pile og felter")
    await expect(shapes).to_have_value("f1c4")
    await shapes.fill("f1c4 Rd4")
    await shapes.press("Enter")
    await expect(anna.locator(".marks > *")).to_have_count(2)
    await anna.get_by_role("button", name="Planlagt svar").click()
    await expect(state).to_have_text(SAVED)
    for unfolded in await anna.locator("#trying summary").all():
        await unfolded.click()
    await picture(anna, "tree")
    assert await faults(anna, "tree") + await too_wide(anna, "tree") == []

    await anna.reload()
    await _tries(anna, "Dine varianter på brættet")
    current = tree.locator("[aria-current]")
    await tree.get_by_role("button").first.focus()
    await _presses(anna, "Home", "ArrowRight", "ArrowRight", "ArrowRight")
    await expect(current).to_have_text(
        "2. Sc3!? interessant træk ⩲ lidt bedre for hvid ⚑ planlagt svar"
    )
    await expect(current).to_be_focused()
    await expect(anna.get_by_label("Bemærkning til trækket")).to_have_value("Som Åse Ærø |1994|")
    await expect(anna.locator(".marks > *")).to_have_count(2)
    await _presses(anna, "ArrowDown")
    await expect(current).to_have_text("2. Sf3")
    await _presses(anna, "Delete")
    await expect(tree.get_by_role("button")).to_have_count(3)
    await anna.get_by_role("button", name="Fortryd sletningen").click()
    await expect(current).to_have_text("2. Sf3")
    await stands(anna, "f3:wn", "c5:bp")
    await anna.get_by_role("button", name="Foreslå linjen som trækserie").click()
    await expect(anna.locator("#text")).to_have_value("1. 5254 03735 2. 7163")
    await expect(anna.locator("#propose-says")).to_contain_text(
        "ser din modstander hele trækserien"
    )
    await expect(state).to_have_text(SAVED)
    assert stage.faults == []


async def test_two_screens_and_a_lost_line_lose_nothing_and_the_plan_comes(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    one = await stage.page(viewport={"width": 390, "height": 844}, has_touch=True)
    await stage.signed_in("anna@example.org", one)
    await one.goto(f"/games/{game.id}")
    other = await one.context.new_page()
    await other.goto(f"/games/{game.id}")
    for page in (one, other):
        await page.wait_for_selector("#board svg.cm-chessboard")
        await _tries(page)
    await play(one, "e2e4", "e7e5")
    await expect(one.locator("#tree-state")).to_have_text(SAVED)
    await play(other, "d2d4")
    await expect(other.locator("#tree-state")).to_contain_text("begge udgaver er lagt sammen")
    await expect(other.locator("#trying-lines > li")).to_have_text(["1. d4", "1. e4 e5"])
    await other.close()
    await one.reload()
    await _tries(one, "Dine varianter på brættet")
    await one.locator("#trying-lines").get_by_role("button", name="e5").click()
    await one.context.set_offline(True)
    await play(one, "g1f3")
    await one.get_by_role("button", name="Planlagt svar").click()
    await expect(one.locator("#tree-state")).to_contain_text("Ingen forbindelse")
    stage.faults.clear()
    await one.get_by_role("button", name="Tegn pile og felter").click()
    x, y = await centre(one, "e5")
    await one.touchscreen.tap(x, y)
    await expect(one.get_by_label("Pile og felter")).to_have_value("e5")
    await picture(one, "tree-phone")
    await one.context.set_offline(False)
    await expect(one.locator("#tree-state")).to_have_text(SAVED)
    await site.play(game, "e4")
    await site.play(game, "e5")
    await one.goto(f"/games/{game.id}")
    await expect(one.locator("#own-plan")).to_have_text(
        "Din egen plan står i feltet: 2. Sf3. Intet er sendt."
    )
    await expect(one.locator("#text")).to_have_value("Sf3")
    await stands(one, "f3:wn")
    await picture(one, "plan-phone")
    # What he types goes before the plan, also after a reload.
    await one.locator("#text").fill("f4")
    await one.reload()
    await expect(one.locator("#text")).to_have_value("f4")
    assert stage.faults == []


async def test_the_archives_openings_are_played_on_in_place(stage: Stage, tmp_path: Path):
    (tmp_path / "old.pgn").write_text(past_pgn(past_game()), encoding="utf-8")
    await import_past(stage.server.core, sources([tmp_path]), Watch(), dry_run=False)
    anna = await stage.page(viewport={"width": 1280, "height": 900})
    await stage.signed_in("anna@example.org", anna)
    await open_game(anna, "Bent Bæk")
    await anna.get_by_role("tab", name="Åbning").click()
    book = anna.locator("#book")
    await expect(book).to_contain_text("1 parti i arkivet har haft stillingen")
    await picture(anna, "book")
    assert await faults(anna, "book") + await too_wide(anna, "book") == []
    await book.get_by_role("button", name="1. e4").click()
    await stands(anna, "e4:wp")
    await expect(book.get_by_role("button")).to_have_text("1… e5")
    await expect(anna.locator("#shown")).to_contain_text("Dit eget forsøg: 1. e4")
    await play(anna, "h7h6")
    await expect(book).to_contain_text("0 partier i arkivet har haft stillingen")
    await anna.set_viewport_size({"width": 390, "height": 844})
    await picture(anna, "book-phone")
    assert await too_wide(anna, "book-phone") == []
    assert stage.faults == []
