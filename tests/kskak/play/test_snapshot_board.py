"""The board in a snapshot comes back as it was, with everything that later moves depend on."""

from dataclasses import replace
from datetime import date, timedelta

import chess
from hypothesis import given
from hypothesis import strategies as st

from kskak.board.positions import Position
from kskak.game.game_events import MoveSent
from kskak.ledger.stored_events import load_state
from kskak.play.evolve_game import evolve, open_game
from kskak.play.game_state import RECENT_PLIES, Terms
from kskak.regulation.editions import Regulation, Side
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.snapshots import kept

TERMS = Terms("g/1", Regulation.EMAIL, date(2026, 9, 1), "A", "B", None, 2018)


def _back(board: chess.Board) -> chess.Board:
    state = replace(open_game(TERMS), position=Position(board, ("k",), 1))
    back = load_state(TERMS, kept(state))
    assert back == state
    return back.board


@given(st.lists(st.integers(0, 10_000), max_size=80))
def test_a_board_of_any_game_comes_back_with_the_same_fen_moves_and_future(choices):
    board = chess.Board()
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
    back = _back(board.copy(stack=False))
    assert back.fen(en_passant="fen") == board.fen(en_passant="fen")
    assert set(back.legal_moves) == set(board.legal_moves)
    assert back.is_valid()
    for move in list(board.legal_moves)[:1]:
        board.push(move)
        back.push(move)
        assert back.fen() == board.fen()


@rows(
    "fen",
    "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 3 40",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "8/P7/8/8/8/8/7p/k6K w - - 99 120",
)
def test_castling_rights_en_passant_and_counters_come_back(fen: str) -> None:
    assert _back(chess.Board(fen)).fen(en_passant="fen") == fen


RECENT = "1 w e2e4 e4|1 b g8f6 Nf6|2 w e4e5 e5|2 b f6d5 Nd5"


def test_the_last_plies_come_back_as_they_were_kept_and_as_they_were_before() -> None:
    plies = load_state(TERMS, {**kept(open_game(TERMS)), "recent": RECENT}).recent
    assert [(ply.number, ply.by, ply.move.uci(), ply.san) for ply in plies[:2]] == [
        (1, Side.WHITE, "e2e4", "e4"),
        (1, Side.BLACK, "g8f6", "Nf6"),
    ]
    for count in range(len(plies) + 1):
        state = replace(open_game(TERMS), recent=plies[:count])
        assert load_state(TERMS, kept(state)) == state
        assert kept(state)["recent"] == "|".join(RECENT.split("|")[:count])
    old = [[2, "white", "e4e5", "e5"], [2, "black", "f6d5", "Nd5"]]
    assert load_state(TERMS, {**kept(open_game(TERMS)), "recent": old}).recent == plies[2:]


def test_no_more_plies_are_remembered_than_the_last_eight() -> None:
    sans = ["Nf3", "Nf6", "Ng1", "Ng8", "Nc3", "Nc6", "Nb1", "Nb8", "e4", "e5"]
    state = open_game(TERMS)
    for at, san in enumerate(sans):
        by = Side.BLACK if at % 2 else Side.WHITE
        day = TERMS.start + timedelta(days=at + 1)
        state = evolve(state, MoveSent(by, (state.board.parse_san(san),), day, day), at)
        assert [ply.san for ply in state.recent] == sans[: at + 1][-RECENT_PLIES:]
