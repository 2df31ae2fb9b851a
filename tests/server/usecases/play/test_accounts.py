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
import pytest
from sqlalchemy import update

from kskak.board.positions import Position
from kskak.board.shapes import describe
from kskak.game.game_commands import SendMoves
from kskak.game.game_events import MoveSent
from kskak.ledger.stored_events import dump_event
from kskak.play.evolve_game import open_game
from kskak.play.game_state import GameState, Terms
from kskak.regulation.editions import Channel, Regulation, Side
from kskak.statement.account import account
from server.store.engine.store import Store
from server.store.play import games as game_rows
from server.store.tables.base import games
from server.usecases.games.game_units import ACCOUNT_CACHE_BYTES, read_account, weight
from server.usecases.play.game_requests import (
    FieldReader,
    TextProblem,
    bare_move,
    parse_player_text,
)
from server.usecases.play.game_views import ByHead
from tests.fakes.machinery.each import each
from tests.fakes.play import start_games

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


# A move that stands alone is read without the grammar, and never otherwise than by it.


DAY = date(2026, 9, 1)
START = open_game(Terms("G/1", Regulation.EMAIL, DAY, "W", "B", None, 2018))


def _states(seed: int):
    rng, position = random.Random(seed), Position.start(None)
    for _ in range(30):
        yield replace(START, position=position)
        moves = list(position.board.legal_moves)
        if not moves:
            return
        position = position.after(rng.choice(moves))


def _texts(board: chess.Board):
    for move in board.legal_moves:
        forms = describe(board, move)
        yield from (forms.numeric, forms.san, forms.danish, forms.long, forms.uci)
    yield from (
        "05254",
        "5254(=)",
        "Bc4",
        "b4",
        "ja",
        "tid",
        "hej",
        "e4e5",
        "e4=",
        "O-O",
        "OO",
        "OOO",
        "--",
        "1111",
    )


@pytest.mark.parametrize("lang", ["da", "en"])
def test_what_is_read_is_what_the_grammar_reads(lang):
    read = 0
    for state in _states(7):
        side = Side.WHITE if state.board.turn else Side.BLACK
        for text in _texts(state.board):
            move = bare_move(state, text, lang)
            if move is not None:
                read += 1
                reading = parse_player_text(state, side, text, lang=lang, today=DAY)
                assert (reading.moves, reading.proposes) == ((move,), ()), text
                assert reading.problem is None
                assert reading.rest == reading.keywords == ()
    assert read > 500, "the short way is taken"


@each("text", ["1. e4", "1.e4", "5254 5755", "05254", "e4 remis?", "e5", "x"])
def test_everything_else_is_left_to_the_grammar(text):
    assert bare_move(START, text, "da") is None


def test_a_standing_series_is_left_to_the_grammar():
    state = replace(START, proposal=(chess.Move.from_uci("e2e4"), chess.Move.from_uci("e7e5")))
    assert bare_move(state, "5254", "da") is None
    assert bare_move(START, "5254", "da") == chess.Move.from_uci("e2e4")


# What a state says is read once for each last hash of a ledger, and anew after the next event.


async def test_a_state_is_made_once_and_again_when_its_ledger_has_grown(store: Store) -> None:
    first, second = await start_games(store, 2)
    made: list[str] = []

    def told(state: GameState) -> str:
        made.append(state.terms.game)
        return state.terms.game

    kept = ByHead(told)

    async def asked(*ids: int) -> dict[int, str]:
        async with store.read() as conn:
            heads = {row.id: row.head for row in await game_rows.load_many(conn, ids)}
            return await kept.of(conn, heads)

    assert await asked(first) == {first: "K-26-01/1"}
    assert await asked(first, second) == {first: "K-26-01/1", second: "K-26-01/2"}
    assert await asked() == {}
    async with store.write() as conn:
        await conn.execute(update(games).where(games.c.id == first).values(head=b"next"))
    await asked(first, second)
    assert made == ["K-26-01/1", "K-26-01/2", "K-26-01/1"]


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("e4", "e2e4"), ("springer f3", "g1f3"), ("e4 remis?", "e2e4 with draw"),
        ("1. e4 (=)", "e2e4 with draw"), ("e4 hej", ""),
        ("e4 opgiver", ""), ("hej", ""), ("e5", ""),
    ],
)  # fmt: skip
def test_web_api_and_xfcc_have_one_reader_that_drops_nothing(text: str, sent: str):
    """§ 6.8.4: a draw offer goes with the move; with anything else nothing is sent.

    NOT for a page's field, which has a tick for the offer (test_field).
    """
    found = FieldReader(text, START.position.ply, False, DAY, "da", takes_offer=True)(
        START, Side.WHITE
    )
    if isinstance(found, TextProblem):
        assert not sent, found
    else:
        assert found.plies[0].uci() + " with draw" * found.offers_draw == sent


def test_words_for_another_position_are_for_the_guard_to_refuse():
    sent = FieldReader("e4", START.position.ply + 2, False, DAY, "da")(START, Side.WHITE)
    assert sent == SendMoves(Side.WHITE, START.position.ply + 2, (chess.Move.null(),))
