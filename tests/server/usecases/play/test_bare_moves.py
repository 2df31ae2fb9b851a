"""A move that stands alone is read without the grammar, and never otherwise than by it."""

import random
from dataclasses import replace
from datetime import date

import chess
import pytest

from kskak.board.positions import Position
from kskak.board.shapes import describe
from kskak.play.evolve_game import open_game
from kskak.play.game_state import Terms
from kskak.regulation.editions import Regulation, Side
from server.usecases.play.game_requests import bare_move, parse_player_text

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


@pytest.mark.parametrize("text", ["1. e4", "1.e4", "5254 5755", "05254", "e4 remis?", "e5", "x"])
def test_everything_else_is_left_to_the_grammar(text):
    assert bare_move(START, text, "da") is None


def test_a_standing_series_is_left_to_the_grammar():
    state = replace(START, proposal=(chess.Move.from_uci("e2e4"), chess.Move.from_uci("e7e5")))
    assert bare_move(state, "5254", "da") is None
    assert bare_move(START, "5254", "da") == chess.Move.from_uci("e2e4")
