"""Pages on paper: what is read is there, what is clicked is not, and no sheet is wasted.

As Chromium prints them. Not for the PDFs that the server makes (tests/mail).
"""

import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

import chess
import pytest
from playwright.async_api import Page

from kskak.game import game_events as ev
from kskak.regulation.editions import Side
from kskak.statement.account import account
from mail.compose import compose
from mail.game_letters.cast import GAME, TERMS
from mail.game_letters.move_letters import Relay
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import Words
from mail.text.letter_facts import Dispatch, Person, move_texts
from tests.browser.conftest import Federation
from tests.browser.looking import PICTURES
from tests.browser.visiting import game_to_move
from tests.mail.conftest import envelope as envelope

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


# A line-up is put in order by its buttons and by dragging, and sent as it stands.


async def _lineup(page: Page) -> list[str]:
    chosen = page.locator(".lineup").last.locator("option:checked")
    return [text.split(" (")[0] for text in await chosen.all_text_contents()]


async def test_boards_change_places_by_button_and_by_dragging(federation: Federation) -> None:
    page = await federation.page("team captain")
    # The whole line-up in sight: a page that scrolls under a pressed mouse is no drag.
    await page.set_viewport_size({"width": 1280, "height": 1600})
    await page.goto("/team-entry")
    first, second, third, fourth = await _lineup(page)
    await page.get_by_role("button", name="Flyt et bræt ned").first.click()
    assert await _lineup(page) == [second, first, third, fourth]
    said = page.locator(".lineup").last.get_by_role("status")
    assert f"{first} " in str(await said.text_content()), "and it is said"
    at = await page.evaluate(
        "document.activeElement.closest('fieldset').querySelector('select').id"
    )
    assert at == "player-2", "the same key moves him on"
    await page.keyboard.press("Enter")
    assert await _lineup(page) == [second, third, first, fourth]
    boards = page.locator(".lineup").last.locator("fieldset")
    # Taken by its words: a drag that begins on a button is a press of the button.
    taken = boards.nth(3).locator("legend")
    await taken.drag_to(boards.nth(0), source_position={"x": 6, "y": 8})
    order = [fourth, second, third, first]
    assert await _lineup(page) == order
    await page.get_by_role("button", name="Tilmeld holdet").click()
    kept = await page.locator("#entries article ol li").all_text_contents()
    assert [line.split(". ", 1)[1].rsplit(" ", 1)[0] for line in kept] == order


# Letters on a phone: none is wider than its screen, and nothing in one is cut off.


TOO_WIDE = """() => [...document.querySelectorAll("html, body, body *")]
    .filter((one) => getComputedStyle(one).display !== "inline" && one.clientWidth > 0)
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.scrollWidth} > ${one.clientWidth}: ${one.outerHTML.slice(0, 120)}`)"""


def long_game() -> Relay:
    """Sixty moves, three figures of days, and names and words without a blank."""
    rng, board, day, sent = Random(3), chess.Board(), date(2026, 12, 1), []
    while board.ply() < 120:
        before, move = board.copy(), rng.choice(list(board.legal_moves))
        by, day = (Side.WHITE if board.turn else Side.BLACK), day + timedelta(days=5)
        sent.append(ev.MoveSent(by, (move,), day))
        board.push(move)
    told = Dispatch(by, len(sent), move_texts(before, (move,)))
    game = replace(GAME, white=Person("Å" * 60, "aa@example.org"), black=Person("B" * 60))
    return Relay(game, account(TERMS, tuple(sent), None), told, "https://e.example/" + "x" * 200)


@pytest.mark.parametrize("width", [320, pytest.param(390, marks=pytest.mark.nightly)])
async def test_every_letter_lays_out_within_a_phone(contexts, envelope, width):
    context = await contexts.new(viewport={"width": width, "height": 800})
    page = await context.new_page()
    for name, letter in {**GAME_LETTERS, **NOTICES, "long": long_game()}.items():
        mail = compose(letter, Words.load("da"), envelope)
        await page.set_content(mail.get_body(("html",)).get_content())
        assert await page.evaluate(TOO_WIDE) == [], name
