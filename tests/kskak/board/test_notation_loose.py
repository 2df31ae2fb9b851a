"""Texts that mean something though no notation prints them so (§ 6.2.2, § 6.8.4).

Parentheses round numbers, castling without dashes, and B for bonde.
"""

from __future__ import annotations

import chess
import pytest

from kskak.board.notation import looks_like_move
from kskak.board.shapes import NotationLanguage
from tests.fakes.machinery.each import rows
from tests.kskak.board.test_notation import CASTLING, ITALIAN, candidates, read


@pytest.mark.parametrize("text", ["(5254)", "(52)(54)", "(52)-(54)", "(52-54)", "1. (5254)!"])
def test_numbers_may_stand_in_parentheses(text: str) -> None:
    assert read(chess.STARTING_FEN, text) == "e2e4"
    assert read("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", "(5758(1))") == "e7e8q"
    for torn in ("(5254", "5254)", "(52(54)", "((5254))", "()", "(e4)"):
        assert read(chess.STARTING_FEN, torn) == "not_understood"


@rows("text uci", ("OO", "e1g1"), ("00", "e1g1"), ("OOO", "e1c1"), ("000", "e1c1"))
def test_castling_without_dashes_is_read_where_it_is_lawful(text: str, uci: str) -> None:
    """§ 6.2.2."""
    assert read(CASTLING, text) == read(CASTLING, f"12. {text}!") == uci
    for fen in (chess.STARTING_FEN, ITALIAN, CASTLING.replace("KQkq", "-")):
        assert read(fen, text) == "not_understood", "no illegal move, which would cost days"
    assert read(CASTLING, text, NotationLanguage.NUMERIC) == "not_understood"
    assert not looks_like_move(text)


BISHOP_OR_PAWN = "k7/4B3/8/2p5/1P1P4/8/8/K7 w - - 0 1"


@rows(
    "text meant",
    ("Bc5", {"b4c5", "d4c5", "e7c5"}),
    ("Bxc5", {"b4c5", "d4c5", "e7c5"}),
    ("Bbxc5", {"b4c5"}),
    ("Bdc5", {"d4c5"}),
)
def test_b_for_bonde_offers_every_pawn_that_can_go_there(text: str, meant: set[str]) -> None:
    """§ 6.8.4, FIDE C.4: what is asked about holds each lawful meaning, captures too."""
    assert set(candidates(BISHOP_OR_PAWN, text, NotationLanguage.DA)) == meant
    assert (
        set(candidates(BISHOP_OR_PAWN, text, NotationLanguage.SV, NotationLanguage.NUMERIC))
        == meant
    )


def test_b_for_bonde_takes_and_promotes() -> None:
    fen = "2rk4/1P6/8/8/8/8/8/K7 w - - 0 1"
    for text in ("Bc8D", "Bxc8D", "Bxc8=D"):
        assert candidates(fen, text, NotationLanguage.DA) == ["b7c8q"]
