"""The account that views ask for: the ledger's own, kept by everything it follows from."""

import gc
import random
import sys
import tracemalloc
from dataclasses import replace
from datetime import date, timedelta
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

import chess

from kskak.game.game_events import MoveSent
from kskak.ledger.stored_events import dump_event
from kskak.play.game_state import Terms
from kskak.regulation.editions import Channel, Regulation, Side
from kskak.statement.account import account
from server.usecases.games.due_work import ACCOUNT_CACHE_BYTES, read_account, weight

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
        found = read_account(TERMS, BODIES, TODAY)
        assert found.events == (E4,)
        assert found == account(TERMS, found.events, TODAY)


def test_another_day_other_terms_or_another_ledger_is_another_account() -> None:
    found = read_account(TERMS, BODIES, TODAY)
    assert read_account(TERMS, BODIES, date(2026, 9, 11)) != found
    assert read_account(replace(TERMS, white="Karen"), BODIES, TODAY) != found
    assert read_account(TERMS, (), TODAY) != found


def test_each_caller_has_a_board_of_his_own() -> None:
    one, other = read_account(TERMS, BODIES, TODAY), read_account(TERMS, BODIES, TODAY)
    one.state.board.push(chess.Move.from_uci("e7e5"))
    assert other.state.board.fen() != one.state.board.fen()
    assert read_account(TERMS, BODIES, TODAY).state.board.fen() == other.state.board.fen()


def _game(plies: int) -> tuple[str, ...]:
    """A ledger of so many moves, one a day, from a game played at random."""
    chance, board, made = random.Random(1), chess.Board(), []
    for number in range(plies):
        move = chance.choice(list(board.legal_moves))
        side = Side.WHITE if board.turn else Side.BLACK
        sent = date(2026, 9, 3) + timedelta(days=number)
        made.append(MoveSent(by=side, plies=(move,), sent=sent, channel=Channel.EMAIL))
        board.push(move)
    return tuple(map(dump_event, made))


def _octets(root: object) -> int:
    """What it takes with all that it holds alone."""
    shared = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType, Enum)
    seen: set[int] = set()
    total, todo = 0, [root]
    while todo:
        one = todo.pop()
        if id(one) not in seen and not isinstance(one, shared):
            seen.add(id(one))
            total += sys.getsizeof(one)
            todo += gc.get_referents(one)
    return total


def test_a_game_is_counted_as_what_it_takes_whether_short_or_long() -> None:
    """The cache is bounded by octets: what long games take must not be told as little."""
    for plies in (0, 1, 4, 10, 40, 120):
        bodies = _game(plies)
        taken = _octets((bodies, read_account(TERMS, bodies, date(2027, 9, 1))))
        assert 0.6 < weight(TERMS, bodies, TODAY) / taken < 1.7, plies


def test_many_games_take_no_more_than_the_bound_though_each_has_only_begun() -> None:
    for first, plies in ((0, 0), (2000, 10)):
        src = _game(plies)
        gc.collect()
        tracemalloc.start()
        for number in range(first, first + ACCOUNT_CACHE_BYTES // weight(TERMS, src, TODAY) + 50):
            bodies = tuple(f"{body} "[:-1] for body in src)
            read_account(replace(TERMS, game=f"B-26/{number}"), bodies, date(2026, 10, 1))
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert taken < 1.5 * ACCOUNT_CACHE_BYTES, plies
