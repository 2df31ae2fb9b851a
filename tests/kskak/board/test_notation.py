"""What people write for one move, and what is never a move (§ 6.2.2, § 6.8.2, § 6.8.4)."""

from __future__ import annotations

import chess
import pytest

from kskak.board.notation import MoveRead, MoveUnread, looks_like_move, parse_numeric, read_move
from kskak.board.shapes import ALL_LANGUAGES, NotationLanguage
from tests.fakes.machinery.each import each, rows

ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"


def read(fen: str, text: str, *languages: NotationLanguage) -> str:
    """The move as UCI, or the error's name."""
    reading = read_move(chess.Board(fen), text, languages or ALL_LANGUAGES)
    return reading.move.uci() if isinstance(reading, MoveRead) else reading.error.value


def candidates(fen: str, text: str, *languages: NotationLanguage) -> list[str]:
    reading = read_move(chess.Board(fen), text, languages or ALL_LANGUAGES)
    assert isinstance(reading, MoveUnread)
    return [move.uci() for move in reading.candidates]


@each(
    "text",
    *("5254", "52-54", "52 54", "52 - 54", "52\u201354", "5254!", "1. 5254", "01.5254", "5254."),
    *("e4", "e2e4", "e2-e4", "e2\u2013e4", "e2 - e4", "1.e4", "1. e4", "1 e4", "e4!?", "e4,"),
    *(" e4 ", "e4\n", "1.\u00a0e4", "e4 (=)", "e4=", "e4??"),
)
def test_one_pawn_move_in_many_hands(text: str) -> None:
    assert read(chess.STARTING_FEN, text) == "e2e4"
    assert looks_like_move(text)


@each(
    "text",
    *("12... Sf6", "12...Nf6", "12.-, 7866", "12.-,Sg8-f6", "12\u2026 Sf6", "12. ... Nf6"),
    *("...Sf6", "12.-Sg8f6", "Ng8-f6", "Sf6+", "Nf6#", "Sf6 mat", "Sgf6", "S8f6", "Sxf6"),
    *("Sg8:f6", "78-66"),
)
def test_one_knight_move_of_black_with_numbers_and_wrong_signs(text: str) -> None:
    assert read("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", text) == "g8f6"


@each("text", ["exd5", "ed5", "e4d5", "e4xd5", "e4-d5", "5445", "54x45", "e:d5"])
def test_capture_sign_may_be_there_missing_or_wrong(text: str) -> None:
    fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert read(fen, text) == "e4d5"


@each("text", ["exd6", "ed6", "exd6 e.p.", "exd6ep", "exd6 e.p.!", "5546 e.p."])
def test_en_passant_sign_may_be_there_or_missing(text: str) -> None:
    fen = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"
    assert read(fen, text) == "e5d6"


@each(
    "text",
    *("0-0", "O-O", "o-o", "0\u20130", "O\u2212O", "0 - 0", "12. 0-0!", "0-0+"),
    *("5171", "51-71", "e1g1", "Kg1", "Ke1-g1", "Ke1g1"),
)
def test_castling_as_zeros_letters_or_the_kings_move(text: str) -> None:
    assert read(CASTLING, text) == "e1g1"
    assert read(CASTLING.replace("KQkq", "-"), text) == "illegal"


@each("text", ["0-0-0", "O-O-O", "5838", "e8c8", "Kc8", "0\u20110\u20110"])
def test_long_castling_of_black(text: str) -> None:
    assert read(CASTLING.replace(" w ", " b "), text) == "e8c8"


@each("text", ["5181", "Kh1", "Kxh1", "5111", "e1f1 e1h1", "a1e1"])
def test_king_takes_own_rook_is_not_castling(text: str) -> None:
    assert read(CASTLING, text) in ("illegal", "not_understood")


@rows("text move", ("e1h1", "e1g1"), ("e1-a1", "e1c1"), ("Ke1-h1", "e1g1"))
def test_the_kings_square_to_his_rooks_is_castling_where_he_may(text: str, move: str) -> None:
    assert read(CASTLING, text) == move
    assert read(CASTLING.replace("KQkq", "-"), text) == "illegal"
    assert read("4k3/8/8/8/8/8/8/R3R1K1 w - - 0 1", "e1h1") == "illegal"
    assert read("4k2r/8/8/8/8/8/8/4r1K1 b k - 0 1", "e1h1") == "illegal", "his rook's own move"


def test_castling_signs_mean_no_ordinary_king_move() -> None:
    fen = "4k3/8/8/8/8/8/8/R4K1R w - - 0 1"
    assert read(fen, "Kg1") == read(fen, "6171") == "f1g1"
    assert read(fen, "0-0") == "illegal"


@each("text", ["e8D", "e8=D", "e8(D)", "e8Q", "e8=Q", "e7-e8D", "e7e8q", "57581"])
def test_promotion_to_a_queen_in_every_form(text: str) -> None:
    assert read("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", text) == "e7e8q"


def test_four_digit_promotion_without_its_rank_is_asked_about() -> None:
    pawn, rook = "8/5P2/8/8/8/2k5/8/4K3 w - - 0 1", "8/5R2/8/8/8/2k5/8/4K3 w - - 0 1"
    assert (read(pawn, "6762"), candidates(pawn, "6762")) == ("ambiguous", ["f7f8r"])
    assert read(rook, "6762") == "f7f2"
    assert candidates("4k3/8/8/8/8/2K5/5p2/8 b - - 0 1", "6264") == ["f2f1n"]


def test_two_knights_without_telling_which_are_asked_about() -> None:
    fen = "4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1"
    assert candidates(fen, "Nd2") == ["b3d2", "f3d2"]
    assert read(fen, "Sbd2") == read(fen, "Nb3-d2") == "b3d2"


def test_a_pinned_knight_needs_no_telling_apart() -> None:
    assert read("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2") == "g1e2"


def test_case_tells_the_b_pawn_from_the_english_bishop() -> None:
    fen = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1"
    assert (read(fen, "bxc3"), read(fen, "Bxc3")) == ("b2c3", "d2c3")
    fen = "4k3/8/8/8/8/8/4B3/4K3 w - - 0 1"
    assert (read(fen, "bb5"), read(fen, "Bb5")) == ("e2b5", "e2b5")
    for text in ("e8d", "e8q"):
        assert read(chess.STARTING_FEN, text) == "not_understood"


def test_b_for_bonde_is_asked_about_and_never_played() -> None:
    assert read(ITALIAN, "Bc4") == read(ITALIAN, "Bc4", NotationLanguage.EN) == "f1c4"
    assert candidates(ITALIAN, "Bc4", NotationLanguage.DA) == ["c2c4", "f1c4"]
    assert candidates(ITALIAN, "Bc4", NotationLanguage.SV, NotationLanguage.NUMERIC) == [
        "c2c4",
        "f1c4",
    ]
    assert candidates(chess.STARTING_FEN, "Be4") == ["e2e4"]
    assert candidates(chess.STARTING_FEN, "be4") == ["e2e4"]
    assert candidates(chess.STARTING_FEN, "Be2-e4", NotationLanguage.DA) == ["e2e4"]
    assert read(chess.STARTING_FEN, "Be4", NotationLanguage.EN) == "illegal"
    assert read(chess.STARTING_FEN, "Be5", NotationLanguage.DA) == "not_understood"


def test_each_language_alone_reads_its_own_letters_only() -> None:
    start = chess.STARTING_FEN
    table = {
        NotationLanguage.DA: {"Sf3": "g1f3", "e4": "e2e4", "g1f3": "g1f3"},
        NotationLanguage.SV: {"Sf3": "g1f3", "e4": "e2e4", "g1f3": "g1f3"},
        NotationLanguage.EN: {"Nf3": "g1f3", "e4": "e2e4", "g1f3": "g1f3"},
        NotationLanguage.NUMERIC: {"5254": "e2e4"},
    }
    for language, lawful in table.items():
        for text in ("Sf3", "Nf3", "e4", "g1f3", "5254"):
            assert read(start, text, language) == lawful.get(text, "not_understood")
    assert read("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", "e7e8q", NotationLanguage.DA) == "not_understood"


@each("text", ["5255", "e5", "Nf6", "Ke2", "0-0", "5755", "Dd4", "Qd4", "exd5"])
def test_a_moves_shape_without_a_lawful_move_is_illegal(text: str) -> None:
    assert read(chess.STARTING_FEN, text) == "illegal"
    assert looks_like_move(text)


HOSTILE = [
    *("", " ", "-", "--", "-- ", "---", "0000", "Z0", "@@@@", "P@e4", "N@f3", "null", "pass"),
    *("5299", "5054", "0254", "525", "52545", "5254(1)", "5758(5)", "5758(1", "57581)", "52541"),
    *(
        "Ni9",
        "Nf9",
        "Ni3",
        "ed",
        "exd",
        "e",
        "N",
        "xe4",
        "ee4",
        "eh5",
        "e4=Q",
        "Nf3=Q",
        "a8=K",
        "e8P",
    ),
    *("\u04354", "\uff15\uff12\uff15\uff14", "e\u200b4", "\u202ee4", "e4\u202e", "\u0415\u0034"),
    *("\uff454", "e\u0664", "e4\x00", "e\n4", "e2\ne4", "52\n54"),
    *(
        "e4 e5",
        "5254 5755",
        "e2 e4",
        "Sg1 f3",
        "Nf3 remis?",
        "ikke Nf3",
        "1-0",
        "0-1",
        "*",
        "1/2-1/2",
    ),
    *(
        "1.",
        "12...",
        "12.-,",
        "1111",
        "2222",
        "e2e2",
        "2026",
        "8/7",
        "8.7.2026",
        "12:30",
        "1" * 5000,
    ),
    *("e4" * 5000, "!" * 5000 + "e4", "e4" + "+" * 5000, "1." * 5000, " " * 5000, "$" + "9" * 5000),
    *(
        "O-O-O-O",
        "0-0-0-0",
        "0-",
        "-0-0",
        "Kx",
        "+",
        "e.p.",
        "ep",
        "mat",
        "(=)",
        "\ud800",
        "Nf3 e.p.",
    ),
]


@each("text", HOSTILE)
def test_hostile_and_stray_texts_are_not_understood(text: str) -> None:
    """§ 6.2.2: what is no move in numbers is none of another kind."""
    for fen in (chess.STARTING_FEN, ITALIAN, CASTLING, "8/4P3/8/8/8/2k5/8/4K3 w - - 0 1"):
        reading = read_move(chess.Board(fen), text)
        assert isinstance(reading, MoveUnread)
        assert (reading.error.value, reading.candidates) == ("not_understood", ())
        assert reading.text == text
    assert not looks_like_move(text)


@each(
    "text", "5254 ", "52-54", "0254", "5254(5)", "5758(1", "57581)", "1111", "5252", "", "525\u0664"
)
def test_the_ledgers_form_is_strict(text: str) -> None:
    with pytest.raises(ValueError, match="not a numeric move"):
        parse_numeric(text)


@pytest.mark.timeout(5)
@pytest.mark.parametrize("filling", ["+", "!", "=", "(=)", " mat", "- ", ".", " ", "0-", "1.-"])
def test_no_text_takes_long_to_refuse(filling: str) -> None:
    """Where a row of signs can be split in many ways, 40 of them would take minutes."""
    for head in ("e4", "12.", ""):
        for tail in ("X", "(", " e.p.X"):
            assert not looks_like_move((head + filling * 40)[:34] + tail)
