"""The account that views ask for: the ledger's own, kept by everything it follows from."""

from dataclasses import replace
from datetime import date

import chess

from kskak.game.events import MoveSent
from kskak.ledger.stored_events import dump_event
from kskak.play.state import Terms
from kskak.regulation.quantities import Channel, Regulation, Side
from kskak.statement.account import account
from server.usecases.core.account_cache import told

TERMS = Terms("B-26/1", Regulation.EMAIL, date(2026, 9, 1), "Anna", "Bent", None, 2018)
E4 = MoveSent(
    by=Side.WHITE,
    plies=(chess.Move.from_uci("e2e4"),),
    sent=date(2026, 9, 3),
    channel=Channel.EMAIL,
)
BODIES = (dump_event(E4),)
TODAY = date(2026, 9, 10)


def test_what_is_kept_is_what_the_ledger_gives() -> None:
    for _ in range(2):
        found = told(TERMS, BODIES, TODAY)
        assert found.events == (E4,)
        assert found.account == account(TERMS, found.events, TODAY)


def test_another_day_other_terms_or_another_ledger_is_another_account() -> None:
    found = told(TERMS, BODIES, TODAY).account
    assert told(TERMS, BODIES, date(2026, 9, 11)).account != found
    assert told(replace(TERMS, white="Karen"), BODIES, TODAY).account != found
    assert told(TERMS, (), TODAY).account != found


def test_each_caller_has_a_board_of_his_own() -> None:
    one, other = told(TERMS, BODIES, TODAY), told(TERMS, BODIES, TODAY)
    one.account.state.board.push(chess.Move.from_uci("e7e5"))
    assert other.account.state.board.fen() != one.account.state.board.fen()
    assert told(TERMS, BODIES, TODAY).account.state.board.fen() == other.account.state.board.fen()
