"""Openings: by position, so that move order does not matter; the server's own table holds."""

from itertools import permutations, zip_longest

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.archive.past_game import INDEXED_PLIES, compute_position_key, index, pack_moves
from kskak.board.positions import MOST_PLIES, BadTable, classify, read_opening_table
from server.usecases.play.game_views import openings
from tests.fakes.machinery.each import each

CARO = "B12\tCaro-Kann\tCaro-Kann Defence\te4 c6 d4 d5"
FRENCH = "C02\tFremstød\tAdvance\te4 e6 d4 d5 e5"
LINES = tuple(openings().by_key.values())


def _moves(text: str) -> list[chess.Move]:
    board = chess.Board()
    return [board.push_san(san) for san in text.split()]


def _lawful(moves: tuple[chess.Move, ...]) -> bool:
    board = chess.Board()
    for move in moves:
        if move not in board.legal_moves:
            return False
        board.push(move)
    return True


def test_the_table_has_every_code_of_the_eco_and_names_in_both_languages():
    codes = {f"{volume}{number:02}" for volume in "ABCDE" for number in range(100)}
    assert {opening.code for opening in LINES} == codes == set(openings().heads)
    assert all(opening.danish.strip() and opening.english.strip() for opening in LINES)


@each(
    ("moves", "code", "danish"),
    [
        ("e4 c6 d4 d5 e5 Bf5 h4", "B12", "Caro-Kann: Fremstødsvarianten"),
        ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3", "B90",
         "Siciliansk forsvar: Najdorf, engelsk angreb"),
        ("e4 e5 Nf3 Nc6 Bb5 a6", "C70", "Spansk parti: Morphy-forsvaret"),
        ("d4 Nf6 c4 e6 Nc3 Bb4", "E20", "Nimzoindisk forsvar"),
        ("e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5", "C57", "Tospringerspil: Springerangrebet"),
        ("f3 e5 g4 Qh4#", "A00", "Barnes-åbningen"),
    ],
)  # fmt: skip
def test_well_known_games_bear_their_names(moves: str, code: str, danish: str):
    found = classify(openings(), None, _moves(moves))
    assert found is not None and (found.code, found.danish) == (code, danish)
    assert found.name("danish") == danish and found.name("english") == found.english


def test_a_game_without_moves_has_no_opening_and_a_start_position_of_its_own_its_name():
    assert classify(openings(), None, []) is None
    board = chess.Board()
    for move in _moves("e4 e6 d4 d5 e5"):
        board.push(move)
    found = classify(openings(), board.fen(), [])
    assert found is not None and found.code == "C02"
    lone = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert classify(openings(), lone.fen(), [chess.Move.from_uci("e2e4")]) is None


@pytest.mark.parametrize("text", ["e4 c6 d4 d5 Nc3", "d4 Nf6 c4 e6 Nc3 Bb4", "c4 e5 Nc3 Nf6 g3"])
def test_every_order_of_the_same_moves_comes_to_the_same_code(text: str):
    moves = _moves(text)
    expected = classify(openings(), None, moves)
    orders = 0
    for white in permutations(moves[::2]):
        for black in permutations(moves[1::2]):
            pairs = zip_longest(white, black)
            mixed = tuple(move for pair in pairs for move in pair if move is not None)
            if _lawful(mixed):
                orders += 1
                assert classify(openings(), None, mixed) == expected, mixed
    assert orders > 1


@given(st.randoms(use_true_random=False), st.integers(0, 60))
def test_what_follows_a_named_position_never_unnames_it(random, extra: int):
    """A longer game of the same beginning has that opening or a later named one."""
    text = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"
    moves, board = _moves(text), chess.Board()
    for move in moves:
        board.push(move)
    short = classify(openings(), None, moves)
    for _ in range(extra):
        legal = sorted(board.legal_moves, key=chess.Move.uci)
        if not legal:
            break
        moves.append(random.choice(legal))
        board.push(moves[-1])
    longer = classify(openings(), None, moves)
    assert short is not None and longer is not None
    assert longer.code == "B90" or longer != short


@given(st.randoms(use_true_random=False), st.integers(0, 90))
def test_the_index_and_the_classification_are_one(random, plies: int):
    board, moves = chess.Board(), []
    keys = [compute_position_key(board)]
    for _ in range(plies):
        legal = sorted(board.legal_moves, key=chess.Move.uci)
        if not legal:
            break
        moves.append(random.choice(legal))
        board.push(moves[-1])
        keys.append(compute_position_key(board))
    found, opening = index(openings(), None, pack_moves(moves))
    assert found == tuple(keys[: INDEXED_PLIES + 1])
    assert opening == classify(openings(), None, moves)
    assert INDEXED_PLIES == MOST_PLIES


def test_a_position_has_one_key_whatever_brought_it_about_and_another_with_other_rights():
    key = {}
    for name, fen in {
        "plain": "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "counters": "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 12 40",
        "e.p.": "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "no castling": "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQ - 0 1",
        "black": "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
        "e.p. pinned": "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "without e.p.": "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1",
    }.items():
        key[name] = compute_position_key(chess.Board(fen))
    assert key["plain"] == key["counters"]
    assert len({key[name] for name in ("plain", "e.p.", "no castling", "black")}) == 4
    assert all(-(2**63) <= number < 2**63 for number in key.values())
    assert key["e.p. pinned"] == key["without e.p."], (
        "the pawn is pinned: FIDE 9.2 asks what may be"
    )


def test_a_bad_table_is_refused_with_its_line():
    for lines, said in (
        ([CARO, "B12\tx\ty"], "line 2: 3 fields"),
        (["# told", "", CARO, "B12\tx\ty\te4 c6 d4 Ke4"], "line 4"),
        ([CARO, "B13\tx\ty\td4 c6 e4 d5"], "line 2: the position has a name"),
    ):
        with pytest.raises(BadTable, match=said):
            read_opening_table(lines)
    named = read_opening_table([CARO, "B12\tCaro\tCaro\t-"])
    assert named.heads["B12"].danish == "Caro" and len(named.by_key) == 1
    assert read_opening_table([CARO]).version != read_opening_table([CARO, FRENCH]).version
