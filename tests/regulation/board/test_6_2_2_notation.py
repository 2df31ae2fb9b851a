"""§ 6.2.2 and § 6.8.2: every example of notation that the regulation and FIDE's laws print."""

from __future__ import annotations

import chess
import pytest

from kskak.board.notation import (
    MoveError,
    MoveRead,
    MoveUnread,
    looks_like_move,
    parse_numeric,
    read_move,
)
from kskak.board.shapes import ALL_LANGUAGES, NotationLanguage, danish, numeric
from tests.fakes.machinery.each import each


def read(board: chess.Board, text: str, *languages: NotationLanguage) -> str:
    """The move as UCI, or the error's name."""
    reading = read_move(board, text, languages or ALL_LANGUAGES)
    return reading.move.uci() if isinstance(reading, MoveRead) else reading.error.value


@each(
    ("fen", "letters", "digits"),
    [
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2-a4", "1214"),
        ("4k3/8/3p4/2P5/8/8/8/4K3 b - - 0 1", "d6xc5", "4635"),
        ("4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1", "Sf3xe5", "6355"),
        ("4k3/8/8/1Pp5/8/8/8/4K3 w - c6 0 1", "b5xc6 e.p.", "2536"),
        ("4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", "0-0", "5171"),
        ("4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", "0-0-0", "5131"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "0-0", "5878"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "0-0-0", "5838"),
        ("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", "e7-e8(D)", "5758(1)"),
        ("4k3/8/8/8/8/8/K4p2/8 b - - 0 1", "f2-f1(L)", "6261(3)"),
        ("1n5k/P5R1/5K2/8/8/8/8/8 w - - 0 1", "a7xb8(T) med mat", "1728(2)"),
        ("1n5k/P5R1/5K2/8/8/8/8/8 w - - 0 1", "a7xb8(S)", "1728(4)"),
    ],
)
def test_6_2_2_printed_examples_read_alike_in_letters_and_numbers(fen, letters, digits):
    """§ 6.2.2: the examples, castling as the king's move, promotion as a fifth digit."""
    board = chess.Board(fen)
    by_letters, by_digits = read_move(board, letters), read_move(board, digits)
    assert isinstance(by_letters, MoveRead)
    assert by_letters == by_digits
    assert numeric(by_letters.move) == digits
    assert parse_numeric(digits) == by_letters.move


@pytest.mark.parametrize(
    ("digit", "piece"),
    [("1", chess.QUEEN), ("2", chess.ROOK), ("3", chess.BISHOP), ("4", chess.KNIGHT)],
)
def test_6_2_2_promotion_digit_with_and_without_parentheses(digit, piece):
    """§ 6.2.2: the bare fifth digit is accepted too, and written with parentheses."""
    move = chess.Move(chess.E7, chess.E8, promotion=piece)
    board = chess.Board("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1")
    for text in (f"5758({digit})", f"5758{digit}", f"57-58({digit})", f"57 58 ({digit})"):
        assert read_move(board, text) == MoveRead(move)
    assert parse_numeric(f"5758{digit}") == parse_numeric(f"5758({digit})") == move
    assert numeric(move) == f"5758({digit})"


@each("text", ["5758", "57-58", "e8", "e7-e8", "e7e8", "e8=", "e8!"])
def test_6_2_2_promotion_without_its_piece_is_asked_about(text: str) -> None:
    """§ 6.2.2: the fifth digit "skal tilføjes"; without it no queen is assumed (§ 6.8.4)."""
    reading = read_move(chess.Board("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1"), text)
    assert isinstance(reading, MoveUnread)
    assert reading.error is MoveError.AMBIGUOUS
    assert [numeric(move) for move in reading.candidates] == [f"5758({n})" for n in "1234"]


@each(
    ("fen", "letters", "digits"),
    [
        ("r3k3/pb6/8/8/1P6/8/3P4/R3K3 b - - 0 11", "11.-,a7-a6", "11.-, 1716"),
        ("r3k3/1b6/p7/8/1P6/8/3P4/R3K3 w - - 0 12", "12.b4-b5", "12. 2425"),
        ("r3k3/1b6/p7/1P6/8/8/3P4/R3K3 b - - 0 12", "12.-,a6xb5", "12.-,1625"),
        ("r3k3/1b6/8/1p6/8/8/3P4/R3K3 w - - 0 13", "13.Ta1xa8", "13. 1118"),
        ("R3k3/1b6/8/1p6/8/8/3P4/4K3 b - - 0 13", "13.-,Lb7xa8", "2718"),
        ("b3k3/8/8/1p6/8/8/3P4/4K3 w - - 0 14", "14. d2-d4", "14.4244"),
        ("R2qk3/8/8/8/8/8/3P4/4K3 b - - 0 13", "13.-,Dd8xa8", "13.-,4818"),
    ],
)
def test_6_2_5_moves_of_the_series_example(fen: str, letters: str, digits: str) -> None:
    """§ 6.2.5: the example's moves in letters, with the numbers it gives for them."""
    board = chess.Board(fen)
    reading = read_move(board, letters)
    assert isinstance(reading, MoveRead)
    assert read_move(board, digits) == reading
    assert digits.endswith(numeric(reading.move))


def test_6_2_5_the_zero_of_a_series_is_no_part_of_a_move() -> None:
    """§ 6.2.5: ``01625`` opens a proposal; taking the zero off is the line grammar's work."""
    board = chess.Board("4k3/8/p7/1P6/8/8/8/4K3 b - - 0 1")
    assert read(board, "1625") == "a6b5"
    assert read(board, "01625") == "not_understood"
    assert not looks_like_move("01625")


def test_6_8_2_the_three_forms_of_the_example_are_one_game() -> None:
    """§ 6.8.2: the ICCF model's numbers and PGN in English and Danish letters."""
    games = [
        ["01. 5254", "5755", "02. 7163", "2836", "03. 6125"],
        ["1. e4", "e5", "2. Nf3", "Nc6", "3. Bb5"],
        ["1. e4", "e5", "2. Sf3", "Sc6", "3. Lb5"],
    ]
    boards = [chess.Board() for _ in games]
    for board, moves in zip(boards, games, strict=True):
        for text in moves:
            board.push_uci(read(board, text))
    assert {board.fen() for board in boards} == {
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    }


LONG_GAME = (
    "1.e4 e5 2.Sf3 Sf6 3.d4 exd4 4.e5 Se4 5.Dxd4 d5 6.exd6_e.p. Sxd6 7.Lg5 Sc6 8.De3+ Le7"
    " 9.Sbd2 0-0 10.0-0-0 Te8 11.Kb1_(=)"
)
SHORT_GAME = (
    "1.e4 e5 2.Sf3 Sf6 3.d4 ed4 4.e5 Se4 5.Dd4 d5 6.ed6 Sd6 7.Lg5 Sc6 8.De3 Le7"
    " 9.Sbd2 0-0 10.0-0-0 Te8 11.Kb1"
)
NUMBERS = (
    "5254 5755 7163 7866 4244 5544 5455 6654 4144 4745 5546 5446 3175 2836 4453 6857 2142 5878"
    " 5131 6858 3121"
)


@pytest.mark.parametrize("game", [LONG_GAME, SHORT_GAME, NUMBERS])
def test_6_8_2_fides_complete_game_in_full_short_and_numeric_form(game: str) -> None:
    """FIDE C.13 (2009): capture, check and e.p. signs may be left out; § 6.2.2 for the numbers."""
    board = chess.Board()
    played = []
    for text in game.split():
        move = chess.Move.from_uci(read(board, text.replace("_", " ")))
        played.append(numeric(move))
        board.push(move)
    assert played == NUMBERS.split()
    assert board.fen() == "r1bqr1k1/ppp1bppp/2nn4/6B1/8/4QN2/PPPN1PPP/1K1R1B1R b - - 9 11"


@each(
    ("fen", "text", "expected"),
    [
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "Sf3", "g1f3"),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "Sg1f3", "g1f3"),
        ("4k3/8/8/4p3/8/8/1B6/4K3 w - - 0 1", "Lb2e5", "b2e5"),
        ("4k3/8/8/4p3/8/8/1B6/4K3 w - - 0 1", "Le5", "b2e5"),
        ("7k/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ta1d1", "a1d1"),
        ("4k3/8/8/r7/1P6/8/8/4K3 w - - 0 1", "ba5", "b4a5"),
        ("4k3/8/8/8/8/8/8/4N1NK w - - 0 1", "Sgf3", "g1f3"),
        ("4k3/8/8/8/8/8/8/4N1NK w - - 0 1", "Sef3", "e1f3"),
        ("4k3/8/8/8/8/8/8/4N1NK w - - 0 1", "Sf3", "ambiguous"),
        ("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "S5f3", "g5f3"),
        ("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "S1f3", "g1f3"),
        ("4k3/8/8/8/3N4/5p2/7N/4K3 w - - 0 1", "Shxf3", "h2f3"),
        ("4k3/8/8/8/3N4/5p2/7N/4K3 w - - 0 1", "Sdxf3", "d4f3"),
        ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "cxd5", "c4d5"),
        ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "exd5", "e4d5"),
        ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "d5", "illegal"),
        ("7k/3P4/8/8/8/8/8/4K3 w - - 0 1", "d8D", "d7d8q"),
        ("5r1k/4P3/8/8/8/8/8/4K3 w - - 0 1", "exf8S", "e7f8n"),
        ("4k3/8/8/8/8/8/1p6/4K3 b - - 0 1", "b1L", "b2b1b"),
        ("4k3/8/8/8/8/8/K5p1/8 b - - 0 1", "g1T", "g2g1r"),
    ],
)
def test_6_8_2_fides_examples_of_algebraic_notation(fen: str, text: str, expected: str) -> None:
    """FIDE C.8-C.11: long form, captures, telling pieces apart, promotion."""
    assert read(chess.Board(fen), text) == expected


def test_6_8_2_letters_are_written_as_each_language_has_them() -> None:
    """§ 6.8.2: 3. Bb5 is 3. Lb5; FIDE C.11 and C.13: promotion without a sign, castling zeros."""
    board = chess.Board("1k1r4/4P3/8/8/8/8/8/4K2R w K - 0 1")
    for uci, english, nordic in [
        ("e7d8q", "exd8=Q+", "exd8D+"),
        ("e7e8n", "e8=N", "e8S"),
        ("e1g1", "O-O", "0-0"),
        ("h1h4", "Rh4", "Th4"),
    ]:
        move = chess.Move.from_uci(uci)
        assert (board.san(move), danish(board, move)) == (english, nordic)
        assert (
            read(board, english, NotationLanguage.EN)
            == read(board, nordic, NotationLanguage.DA)
            == uci
        )
