"""What is printed is read back, on any position that play can reach (§ 6.2.2, § 6.8.2)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.board.notation import MoveError, MoveRead, looks_like_move, parse_numeric, read_move
from kskak.board.shapes import (
    MoveNotation,
    NotationLanguage,
    danish,
    describe,
    numeric,
    write_for_reader,
)
from tests.fakes.machinery.draws import drawn


def _drawn(board: chess.Board, move: chess.Move, lang: str) -> str:
    return write_for_reader(board.san(move), numeric(move), MoveNotation.FIGURINES, lang)


Printer = Callable[[chess.Board, chess.Move], str]

PRINTERS: dict[str, tuple[Printer, NotationLanguage]] = {
    "numeric": (lambda _, move: numeric(move), NotationLanguage.NUMERIC),
    "bare digit": (
        lambda _, move: numeric(move).replace("(", "").replace(")", ""),
        NotationLanguage.NUMERIC,
    ),
    "san": (chess.Board.san, NotationLanguage.EN),
    "long": (chess.Board.lan, NotationLanguage.EN),
    "uci": (lambda _, move: move.uci(), NotationLanguage.EN),
    "danish": (danish, NotationLanguage.DA),
    "swedish": (danish, NotationLanguage.SV),
    "no signs": (
        lambda board, move: danish(board, move).translate(str.maketrans("", "", "x+#")),
        NotationLanguage.DA,
    ),
    "figurines": (lambda board, move: _drawn(board, move, "da"), NotationLanguage.DA),
    "English figurines": (lambda board, move: _drawn(board, move, "en"), NotationLanguage.EN),
}

# Few men on the board: playouts from here promote, capture en passant and castle often.
STARTS = [
    chess.STARTING_FEN,
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "2r1k3/1P3P2/8/2pP4/4pP2/8/1p3p2/2R1K3 w - c6 0 1",
    "4k3/8/2N1N3/1N3N2/3q4/1N3N2/2N1N3/4K3 w - - 0 1",
]


def playout(start: str, seed: int, plies: int) -> chess.Board:
    board, choose = chess.Board(start), random.Random(seed)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(choose.choice(moves))
    return board


positions = st.builds(
    playout,
    st.sampled_from(STARTS),
    st.integers(min_value=0, max_value=2**32),
    st.integers(min_value=0, max_value=80),
)


def printed(board: chess.Board) -> Iterator[tuple[chess.Move, str, NotationLanguage]]:
    for move in board.legal_moves:
        for printer, language in PRINTERS.values():
            yield move, printer(board, move), language


@drawn(40)
@given(positions)
def test_every_lawful_move_is_read_back_in_the_language_it_was_printed_in(board):
    for move, text, language in printed(board):
        assert read_move(board, text, [language]) == MoveRead(move), text
        assert looks_like_move(text)


@drawn(40)
@given(positions)
def test_reading_all_languages_at_once_never_gives_another_move(board: chess.Board) -> None:
    for move, text, _ in printed(board):
        assert read_move(board, text) == MoveRead(move), text


@drawn(40)
@given(positions, st.text(max_size=12))
def test_no_text_gives_an_unlawful_move_or_an_exception(board: chess.Board, text: str) -> None:
    reading = read_move(board, text)
    moves = [reading.move] if isinstance(reading, MoveRead) else reading.candidates
    assert all(move in board.legal_moves for move in moves)


@drawn(60)
@given(positions, st.from_regex(r"[KQRBNDTLSb]?[a-h]?[1-8]?x?[a-h][1-8](=?[QRBNDTLS])?\Z"))
def test_short_forms_mean_what_python_chess_takes_them_to_mean(board, text):
    """Where both read a move in English letters, it is the same one."""
    reading = read_move(board, text, [NotationLanguage.EN])
    if not isinstance(reading, MoveRead):
        return
    if not looks_like_move(text):  # a small b that no notation has: the bishop's
        text = "B" + text[1:]
    try:
        expected = board.parse_san(text)
    except chess.AmbiguousMoveError:
        pytest.fail(f"{text} is ambiguous to python-chess")
    except ValueError:
        # Long forms of pieces without their letter are UCI, not SAN.
        expected = chess.Move.from_uci(text.replace("x", "").replace("=", "").lower())
    assert reading.move == expected


@drawn(40)
@given(positions, st.integers(11, 88), st.integers(11, 88), st.sampled_from(["", "1", "2", "(4)"]))
def test_any_digits_agree_with_the_list_of_lawful_moves(board, start, to, end):
    text = f"{start}{to}{end}"
    try:
        move = parse_numeric(text)
    except ValueError:
        assert not isinstance(read_move(board, text), MoveRead)
        return
    reading = read_move(board, text, [NotationLanguage.NUMERIC])
    if move in board.legal_moves:
        assert reading == MoveRead(move)
    else:
        assert not isinstance(reading, MoveRead)
        assert reading.error in tuple(MoveError)


@drawn(20)
@given(positions)
def test_describing_a_move_leaves_the_board_and_tells_the_position_after_it(board):
    before = board.fen()
    for move in board.legal_moves:
        forms = describe(board, move)
        assert board.fen() == before
        assert (forms.uci, forms.numeric) == (move.uci(), numeric(move))
        after = board.copy()
        after.push(move)
        assert forms.fen == after.fen()
