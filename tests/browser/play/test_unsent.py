"""A move entered and not sent: it is said in sight, board and field agree, nothing is lost."""

import chess
from playwright.async_api import Locator, Page, expect

from kskak.game.game_commands import SendMoves
from kskak.regulation.editions import Side
from tests.browser.conftest import Stage
from tests.browser.looking import shifts, watch
from tests.browser.playing import open_game, picture, play, send
from tests.fakes.site import Site

PHONE = {"width": 390, "height": 844}


async def _is_in_sight(found: Locator) -> None:
    await expect(found).to_be_in_viewport(ratio=1)


async def test_on_a_phone_what_is_entered_is_said_under_the_board_with_the_way_on(stage: Stage):
    anna = await stage.page(viewport=PHONE, has_touch=True)
    await stage.signed_in("anna@example.org", page=anna)
    await open_game(anna, "Bent Bæk")
    says, preview = anna.locator("#board-says"), "Se og send"
    await expect(says).to_have_text("Flyt din brik på brættet, eller skriv trækket i feltet.")
    unsent = anna.locator("#unsent")
    await expect(unsent.get_by_role("button", name="Tag det sidste tilbage")).to_have_count(0)
    await anna.locator("#propose").click()
    await _is_in_sight(anna.locator("#propose-says"))
    await play(anna, "g2g3", "e7e5", "f1g2")
    await expect(anna.locator("#propose-says")).to_contain_text(
        "Det står i feltet og er ikke sendt"
    )
    await _is_in_sight(unsent.get_by_role("button", name="Tag det sidste tilbage"))
    await _is_in_sight(anna.get_by_role("button", name=preview))
    await expect(anna.locator("#shown")).to_be_empty()
    await picture(anna, "unsent-series")
    await anna.locator("#propose").click()
    await play(anna, "g3g3")
    await expect(anna.locator("#text")).to_have_value("")
    await play(anna, "g2g3")
    await expect(says).to_have_text("Trækket g3 står i feltet. Det er ikke sendt endnu.")
    await _is_in_sight(says)
    await expect(anna.locator("#shown")).to_be_empty()
    await picture(anna, "unsent-phone")
    await anna.get_by_role("button", name=preview).click()
    await expect(anna.locator(".sending")).to_have_text("1. g3")
    assert stage.faults == []


async def test_an_offer_of_a_draw_is_told_beside_the_field_and_leads_to_the_answers(stage: Stage):
    site = Site(stage.server.core, stage.clock, None)
    game = await site.game("K-26-01/1")
    e4 = (chess.Move.from_uci("e2e4"),)
    await site.ask(game, Side.WHITE, lambda _, by: SendMoves(by, 0, e4, offers_draw=True))
    bent = await stage.page(viewport={"width": 390, "height": 664}, has_touch=True)
    await stage.signed_in("bent@example.org", page=bent)
    await bent.goto(f"/games/{game.id}")
    await bent.wait_for_selector("#board svg.cm-chessboard")
    told = bent.get_by_role("link", name="Anna Andersen tilbyder remis")
    await _is_in_sight(told)
    await _is_in_sight(bent.locator("#board"))
    await _is_in_sight(bent.locator("#text"))
    await told.click()
    await _is_in_sight(bent.get_by_role("button", name="Nej tak"))
    await bent.set_viewport_size({"width": 1280, "height": 720})
    await bent.get_by_role("tab", name="Mere").click()
    await bent.locator(".side").evaluate("(side) => side.scrollTo(0, 999)")
    await told.click()
    await _is_in_sight(bent.get_by_role("button", name="Nej tak"))
    await bent.set_viewport_size({"width": 731, "height": 411})
    await expect(told).to_be_hidden()
    assert stage.faults == []


async def test_the_board_lives_while_a_players_own_offer_stands(stage: Stage):
    anna = await stage.page()
    await stage.signed_in("anna@example.org", page=anna)
    await open_game(anna, "Bent Bæk")
    await anna.goto(f"{anna.url.split('?')[0]}/end/draw")
    await anna.get_by_role("button", name="Ja, jeg kræver remis").click()
    await expect(anna.locator("#outcome")).to_be_focused()
    await expect(anna.locator("input[name=draw]")).to_have_count(0)
    await play(anna, "e2e4")
    await expect(anna.locator("#text")).to_have_value("e4")
    await anna.reload()
    await expect(anna.locator("#text")).to_have_value("e4")
    assert stage.faults == []


async def test_the_board_follows_what_is_typed_and_never_shows_another_move(stage: Stage):
    anna = await stage.signed_in("anna@example.org")
    await open_game(anna, "Bent Bæk")
    board, says, field = (anna.locator(f"#{name}") for name in ("board", "board-says", "text"))
    await play(anna, "g2g4")
    await field.fill("h")
    await expect(board).to_have_attribute("data-shown", "")
    await expect(says).to_have_text("Det, der står i feltet, er ikke sendt endnu.")
    for typed, shown in (("h4", "h2h4"), ("7163", "g1f3"), ("e2-e4", "e2e4"), ("e4 e5", "")):
        await field.fill(typed)
        await expect(board).to_have_attribute("data-shown", shown)
    await field.fill("Sf3")
    await expect(says).to_have_text("Trækket Sf3 står i feltet. Det er ikke sendt endnu.")
    # Who types while he builds a series has left it.
    propose = anna.locator("#propose")
    await propose.click()
    await play(anna, "e7e5")
    await field.fill("d4")
    await expect(propose).to_have_attribute("aria-pressed", "false")
    await expect(board).to_have_attribute("data-shown", "d2d4")
    await expect(anna.locator("#propose-says")).to_be_empty()
    await send(anna, "1. d4")
    assert stage.faults == []


async def test_a_reload_and_a_step_back_from_the_preview_lose_nothing(stage: Stage):
    anna = await stage.page(viewport={"width": 1100, "height": 900})
    await stage.signed_in("anna@example.org", page=anna)
    await open_game(anna, "Bent Bæk")
    await watch(anna)
    message, draw = anna.locator("#message"), anna.locator("input[name=draw][type=checkbox]")
    await anna.get_by_text("Besked, remis, trækserie").click()
    await play(anna, "g2g4")
    await message.fill("Kære Bent")
    await draw.check()
    await anna.reload()
    await _stands(anna)
    assert await shifts(anna) == []
    await anna.set_viewport_size(PHONE)  # type: ignore[arg-type]
    await anna.reload()
    await _stands(anna)
    # A slow machine paints the bar before what is restored in it, and then it grows by a line.
    assert await shifts(anna, most=0.02) == []
    await anna.get_by_role("button", name="Se og send").click()
    await expect(anna.locator(".sending")).to_have_text("1. g4")
    await anna.get_by_role("button", name="Ret det").click()
    await _stands(anna)
    # The preview as a page, as without script. What the server puts into the form goes
    # before what the browser kept: here a message less.
    await anna.locator("#move-form").evaluate("form => form.submit()")
    await anna.wait_for_url("**answer=*")
    await anna.go_back()
    await _stands(anna)
    await anna.locator("#move-form").evaluate("form => form.submit()")
    await anna.wait_for_url("**answer=*")
    await anna.locator("input[name=message]").evaluate("(field) => { field.value = '' }")
    await anna.get_by_role("button", name="Ret det").click()
    await expect(anna.locator("#text")).to_have_value("g4")
    await expect(message).to_have_value("")
    await send(anna, "1. g4")
    assert await anna.evaluate("Object.keys(localStorage).join()") == ""
    assert stage.faults == []


async def _stands(page: Page) -> None:
    """As it was entered, and said to be not sent."""
    await expect(page.locator("#text")).to_have_value("g4")
    await expect(page.locator("#board")).to_have_attribute("data-shown", "g2g4")
    await expect(page.locator("#message")).to_have_value("Kære Bent")
    # The preview that is about to close has the field too, hidden.
    await expect(page.locator("input[name=draw][type=checkbox]")).to_be_checked()
    said = "Trækket g4 står i feltet. Det er ikke sendt endnu. Beskeden følger med."
    await expect(page.locator("#board-says")).to_have_text(said)


async def test_a_move_that_waits_is_no_draft_and_another_player_finds_none(stage: Stage):
    anna = await stage.signed_in("anna@example.org")
    await open_game(anna, "Bent Bæk")
    await anna.locator("#text").fill("e4")
    await anna.get_by_role("button", name="Se og send").click()
    await anna.get_by_role("button", name="Send om 10 minutter").click()
    await expect(anna.locator("#delayed")).to_contain_text("1. e4 sendes kl.")
    await anna.wait_for_selector("#board svg.cm-chessboard")
    kept = "Object.keys(localStorage).join()"
    assert await anna.evaluate(kept) == ""
    await anna.locator("#delayed").get_by_role("button", name="Fortryd").click()
    await anna.locator("#text").fill("d4")
    assert "draft" in await anna.evaluate(kept)
    await stage.signed_in("bent@example.org", page=anna)
    assert await anna.evaluate(kept) == ""
    assert stage.faults == []
