"""Letters in the wrong case, and figurines: read where one lawful move fits (§ 6.2.2, § 6.8.4)."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.board.notation import MoveRead, could_be_move, looks_like_move, read_move
from kskak.board.shapes import ALL_LANGUAGES, NotationLanguage
from tests.fakes.machinery.draws import drawn
from tests.fakes.machinery.each import each
from tests.kskak.board.test_notation import ITALIAN, candidates, read
from tests.kskak.board.test_notation_roundtrip import positions, printed

PROMOTION = "8/4P3/8/8/8/2k5/8/4K3 w - - 0 1"
DANISH = (NotationLanguage.DA, NotationLanguage.SV, NotationLanguage.NUMERIC)


@each(
    "fen text uci",
    (chess.STARTING_FEN, "sf3", "g1f3"),
    (chess.STARTING_FEN, "nf3", "g1f3"),
    (chess.STARTING_FEN, "SF3", "g1f3"),
    (chess.STARTING_FEN, "sg1-f3", "g1f3"),
    (chess.STARTING_FEN, "1. sf3!", "g1f3"),
    (chess.STARTING_FEN, "H4", "h2h4"),
    (chess.STARTING_FEN, "D4", "d2d4"),
    (chess.STARTING_FEN, "B4", "b2b4"),
    (chess.STARTING_FEN, "E2-E4", "e2e4"),
    (chess.STARTING_FEN, "E2E4", "e2e4"),
    (ITALIAN, "lc4", "f1c4"),
    (ITALIAN, "be2", "f1e2"),
    (ITALIAN, "ke2", "e1e2"),
    (ITALIAN, "sxe5", "f3e5"),
    (ITALIAN, "tg1", "h1g1"),
    ("4k3/8/8/8/8/8/3P4/4K2Q w - - 0 1", "dd5", "h1d5"),
    (PROMOTION, "e8d", "e7e8q"),
    (PROMOTION, "E8S", "e7e8n"),
    (PROMOTION, "e8(t)", "e7e8r"),
    (PROMOTION, "e7-e8=l", "e7e8b"),
)
def test_a_move_in_the_wrong_case_is_read_where_one_lawful_move_fits(fen, text, uci):
    assert read(fen, text) == uci
    assert could_be_move(text)
    assert not looks_like_move(text), "in prose it is no move"


@pytest.mark.parametrize(
    ("fen", "text", "meant"),
    [
        # two knights; a bishop or the pawn of "bonde"; the queen, or d4 with its letter twice
        ("4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1", "sd2", {"b3d2", "f3d2"}),
        (ITALIAN, "bc4", {"c2c4", "f1c4"}),
        ("4k3/8/8/8/7Q/8/3P4/4K3 w - - 0 1", "dd4", {"h4d4", "d2d4"}),
    ],
)
def test_where_several_fit_it_is_asked_about(fen: str, text: str, meant: set[str]) -> None:
    assert read(fen, text) == "ambiguous"
    assert set(candidates(fen, text)) == meant


def test_what_is_a_move_as_it_stands_is_never_played_otherwise() -> None:
    """§ 6.8.4.

    A d-pawn's capture is not the queen's: where it is not lawful the queen's is asked about.
    """
    both = "4k3/8/8/4p3/3P3Q/8/8/4K3 w - - 0 1"
    assert read(both, "dxe5") == "d4e5"
    queen = "4k3/8/8/4p2Q/8/8/8/4K3 w - - 0 1"
    assert (read(queen, "dxe5"), candidates(queen, "dxe5")) == ("ambiguous", ["h5e5"])
    pawn = "4k3/8/8/4p3/3P4/8/8/Q3K3 w - - 0 1"
    assert read(pawn, "Dxe5") == "ambiguous", "no queen can take: asked, not the pawn's"
    assert candidates(pawn, "Dxe5") == ["d4e5"]
    assert read(pawn, "Dxe5", NotationLanguage.EN) == "ambiguous", (
        "Danish letters count to who reads none"
    )


def test_one_language_alone_is_not_given_the_letters_of_another() -> None:
    assert read(chess.STARTING_FEN, "nf3", *DANISH) == "not_understood"
    assert read(chess.STARTING_FEN, "sf3", NotationLanguage.EN) == "not_understood"
    assert read(chess.STARTING_FEN, "sf3", NotationLanguage.NUMERIC) == "not_understood"
    assert read(chess.STARTING_FEN, "E4", NotationLanguage.NUMERIC) == "not_understood"
    assert read(ITALIAN, "be2", *DANISH) == "ambiguous", "as Be2 is, where B is no letter"
    assert candidates(ITALIAN, "be2", *DANISH) == ["f1e2"]


@each("text", ["sf5", "H5", "E5-E6", "dd8", "kf3", "e8d"])
def test_what_fits_no_lawful_move_is_not_understood_and_costs_nothing(text: str) -> None:
    """§ 6.8.6 charges illegal moves; this is none in any notation."""
    assert read(chess.STARTING_FEN, text) == "not_understood"


@each(
    "fen text uci",
    (chess.STARTING_FEN, "♘f3", "g1f3"),
    (chess.STARTING_FEN, "♞f3", "g1f3"),
    (chess.STARTING_FEN, "1. ♘f3!", "g1f3"),
    (chess.STARTING_FEN, "♘g1-f3", "g1f3"),
    (chess.STARTING_FEN, "♙e4", "e2e4"),
    (chess.STARTING_FEN, "♟\ufe0ee4", "e2e4"),
    (ITALIAN, "♗c4", "f1c4"),
    (ITALIAN, "♘xe5", "f3e5"),
    (PROMOTION, "e8♕", "e7e8q"),
    (PROMOTION, "e8=♕+", "e7e8q"),
)
def test_figurines_are_letters_of_every_language(fen: str, text: str, uci: str) -> None:
    for languages in (ALL_LANGUAGES, DANISH, (NotationLanguage.EN,), (NotationLanguage.SV,)):
        assert read(fen, text, *languages) == uci
    assert read(fen, text, NotationLanguage.NUMERIC) == "not_understood"
    assert looks_like_move(text)


@each("text", ["N♘f3", "♘♘f3", "♘", "♘f3♘", "♘9", "S♘f3", "♗\u200bc4", "♙♘f3", "\ufe0fe4", "f♘3"])
def test_figurines_beside_letters_are_nothing(text: str) -> None:
    for fen in (chess.STARTING_FEN, ITALIAN):
        assert read(fen, text) == "not_understood"


def test_a_figurine_that_cannot_go_there_is_illegal_as_its_letter_is() -> None:
    """§ 6.8.2."""
    assert read(chess.STARTING_FEN, "♘e5") == read(chess.STARTING_FEN, "Ne5") == "illegal"


@drawn(40)
@given(positions, st.sampled_from([str.lower, str.upper, str.swapcase]))
def test_a_printed_move_in_the_wrong_case_never_becomes_another(board, change) -> None:
    """Unless it then is a move of some notation as it stands, it is read right or asked about."""
    for move, text, language in printed(board):
        wrong = change(text)
        if looks_like_move(wrong):
            continue
        for languages in ([language], ALL_LANGUAGES, DANISH):
            reading = read_move(board, wrong, languages)
            if isinstance(reading, MoveRead):
                assert reading.move == move, (wrong, languages)
            else:
                assert not reading.candidates or move in reading.candidates, wrong
