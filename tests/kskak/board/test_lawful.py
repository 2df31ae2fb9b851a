"""What may be played: nothing is remembered from one question to the next."""

import chess
import pytest

from kskak.board.positions import is_lawful

ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 12 99"
PASSING = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"


@pytest.mark.parametrize(("fen", "uci"), [(ROOKS, "e1g1"), (PASSING, "e5f6")])
def test_the_same_men_with_other_rights_are_another_position(fen: str, uci: str) -> None:
    board, move = chess.Board(fen), chess.Move.from_uci(uci)
    assert is_lawful(board, move)
    board.castling_rights, board.ep_square = chess.BB_EMPTY, None
    assert not is_lawful(board, move) and not is_lawful(board, chess.Move.null())
    assert not is_lawful(chess.Board(ROOKS), chess.Move.from_uci("e1h1")), "§ 6.2.2"
