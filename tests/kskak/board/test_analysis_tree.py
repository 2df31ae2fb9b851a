"""A player's own lines as he has them from any program: signs, bare lines, null moves, comments."""

import chess
import pytest

from kskak.board.analysis_tree import SIGNS, TreeFault, UnusableTree, read_tree, tree_text
from tests.fakes.machinery.each import each, rows

MOVES = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"


def _played() -> list[chess.Move]:
    board, moves = chess.Board(), []
    for san in MOVES.split():
        moves.append(board.push_san(san))
    return moves


def _after(text: str) -> str:
    """What the tree has from the move that the game has come to, or from where it differs."""
    played = _played()
    whole = " ".join(tree_text(read_tree(text, chess.Board(), played), len(played)).split())
    return whole.removeprefix("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 ")


@each(
    "text kept",
    ("6. Re1 b5 7. Bb3", "6. Re1 b5 7. Bb3 *"),
    ("6.Te1 b5 7.Lb3", "6. Re1 b5 7. Bb3 *"),
    ("5... Be7 6. Re1", "6. Re1 *"),
    ("5... d6 6. c3", "( 5... d6 6. c3 ) *"),
    ("% from my board\n6. Re1", "6. Re1 *"),
    ("6. Re1 ± b5+-", "6. Re1 $16 b5 $18 *"),
    ("6. Re1= b5 ⩲ 7. Bb3 N", "6. Re1 $10 b5 $14 7. Bb3 $146 *"),
    ("6. Re1!? □", "6. Re1 $5 $7 *"),
    ("6. Re1 -- 7. c3 and d4", "6. Re1 { -- c3 and d4 } *"),
    ("6. Re1 (6. d3 Z0 7. a4) 6... b5", "6. Re1 ( 6. d3 { Z0 a4 } ) 6... b5 *"),
)
def test_lines_of_any_program_are_kept(text: str, kept: str) -> None:
    assert _after(text) == kept


@each("sign", [one for one in SIGNS if one not in "!?"])
def test_each_sign_stands_alone_and_what_was_kept_is_read_again(sign: str) -> None:
    text = f"6. Re1 {sign} b5"
    kept = f"6. Re1 ${SIGNS[sign]} b5 *"
    assert _after(text) == kept == _after(f"{MOVES} {kept}")


@rows(
    "text fault what after",
    ("10. Nbd2 h6", TreeFault.BEYOND, "10.", "5... Be7"),
    ("8... h6", TreeFault.BEYOND, "8...", "5... Be7"),
    ("6. Re1 b5 7. Qxf7", TreeFault.UNREAD, "Qxf7", "6... b5"),
)
def test_a_refusal_names_the_move(text: str, fault: TreeFault, what: str, after: str) -> None:
    with pytest.raises(UnusableTree) as found:
        read_tree(text, chess.Board(), _played())
    board, move = found.value.after or (chess.Board(), chess.Move.null())
    said = f"{board.fullmove_number}{'.' if board.turn else '...'} {board.san(move)}"
    assert (found.value.fault, found.value.what, said) == (fault, what, after)
