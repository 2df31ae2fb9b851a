"""Letters on a phone: none is wider than its screen, and nothing in one is cut off."""

from dataclasses import replace
from datetime import date, timedelta
from random import Random

import chess
import pytest

from kskak.game import game_events as ev
from kskak.regulation.editions import Side
from kskak.statement.account import account
from mail.compose import compose
from mail.game_letters.cast import GAME, TERMS
from mail.game_letters.move_letters import Relay
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import Words
from mail.text.letter_facts import Dispatch, Person, move_texts
from tests.browser.conftest import Contexts
from tests.mail.conftest import envelope as envelope

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


@pytest.mark.parametrize("width", [320, 390])
async def test_every_letter_lays_out_within_a_phone(
    contexts: Contexts, envelope: object, width: int
) -> None:
    context = await contexts.new(viewport={"width": width, "height": 800})
    page = await context.new_page()
    for name, letter in {**GAME_LETTERS, **NOTICES, "long": long_game()}.items():
        mail = compose(letter, Words.load("da"), envelope)
        await page.set_content(mail.get_body(("html",)).get_content())
        assert await page.evaluate(TOO_WIDE) == [], name
