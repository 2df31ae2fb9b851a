"""The document that ``kskak move`` answers with (§ 6.2.2)."""

from __future__ import annotations

import pytest

from kskak.board.notation import answer_move
from tests.fakes.machinery.each import each

PROMOTION = "8/4P3/8/8/8/2k5/8/4K3 w - - 0 1"


def test_a_move_is_answered_in_every_form() -> None:
    assert answer_move("start", "1. Sf3") == {
        "uci": "g1f3",
        "numeric": "7163",
        "san": "Nf3",
        "danish": "Sf3",
        "long": "Ng1-f3",
        "fen": "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
    }
    assert answer_move(PROMOTION, "5758(4)")["danish"] == "e8S"


def test_the_en_passant_square_is_told_only_where_a_capture_is_lawful() -> None:
    assert str(answer_move("start", "e4")["fen"]).split()[3] == "-"
    fen = "rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3"
    assert str(answer_move(fen, "d4")["fen"]).split()[3] == "d3"


def test_errors_name_their_kind_and_candidates_in_numbers() -> None:
    four = ["5758(1)", "5758(2)", "5758(3)", "5758(4)"]
    assert answer_move(PROMOTION, "e8") == {"error": "ambiguous", "candidates": four}
    assert answer_move("start", "e5") == {"error": "illegal", "candidates": []}
    assert answer_move("start", "--") == {"error": "not_understood", "candidates": []}


def test_one_language_may_be_asked_for() -> None:
    """§ 6.8.2."""
    assert answer_move("start", "Sf3", "sv")["uci"] == "g1f3"
    assert answer_move("start", "Sf3", "en")["error"] == "not_understood"
    with pytest.raises(ValueError, match="unknown language 'fr': use one of da, sv, en, numeric"):
        answer_move("start", "Sf3", "fr")


@each(
    "fen fault",
    ("", "empty fen"),
    ("hello", "expected 8 rows"),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "no white king"),
    ("4k3/8/8/8/8/8/8/4R2K w - - 0 1", "opposite check"),
    ("P3k3/8/8/8/8/8/8/7K w - - 0 1", "pawns on backrank"),
    ("4k3/8/8/8/8/8/8/7K w - e6 0 1", "invalid ep square"),
    ("4k3/8/8/8/8/8/8/7K w - - 0 " + "9" * 5000, "longer than 120"),
)
def test_a_bad_position_is_refused_in_one_line(fen: str, fault: str) -> None:
    """§ 6.8.2."""
    with pytest.raises(ValueError, match=fault) as refusal:
        answer_move(fen, "e4")
    assert "\n" not in str(refusal.value)
