"""§ 6.8.4, § 6.8.6: what is an invalid move, which costs days by mail, and what is a slip."""

from dataclasses import replace

import chess
import pytest

from kskak.board.positions import Position
from kskak.play.evolve_game import open_game
from kskak.play.game_state import RECENT_PLIES, GameState, RecentPly, Terms
from kskak.regulation.editions import Regulation, Side
from mail.grammar.keyword_lines import ProblemKind
from server.usecases.play.game_requests import parse_player_text
from tests.fakes.machinery.each import each
from tests.mail.games import TODAY

GAME = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be2 e5 Nb3 Be7 O-O O-O Be3 Be6 f4 Qc7 Kh1"
WHITE = GAME.rpartition(" ")[0]
"""White is to play his 11th move, and in GAME Black to answer it."""
NUMBER, REPETITION = ProblemKind.WRONG_NUMBER, ProblemKind.WRONG_REPETITION


def after(sans: str) -> GameState:
    """The state after these moves."""
    state = open_game(Terms("G/1", Regulation.EMAIL, TODAY, "W", "B", None, 2018))
    position, plies = Position.start(None), []
    for text in sans.split():
        move = position.board.parse_san(text)
        by = Side.WHITE if position.board.turn else Side.BLACK
        plies.append(RecentPly(position.board.fullmove_number, by, move, text))
        position = position.after(move)
    return replace(state, position=position, recent=tuple(plies[-RECENT_PLIES:]))


def read(sans: str, text: str, lang: str = "da"):
    state = after(sans)
    side = Side.WHITE if state.board.turn else Side.BLACK
    return parse_player_text(state, side, text, lang=lang, today=TODAY)


@each(
    ("sans", "text", "meant"),
    [
        (GAME, "10... Tc8", "f8c8"), (GAME, "10. Tfc8", "f8c8"), (GAME, "12. Sbd7", "b8d7"),
        (GAME, "12... Sbd7", "b8d7"), (GAME, "10. Kh1 Sbd7", "b8d7"),
        (GAME, "11... Kh1 Sbd7", "b8d7"), (GAME, "10. Kg1 Sbd7", "b8d7"),
        (WHITE, "10. Te1", "f1e1"), (WHITE, "9. Te1", "f1e1"),
        (WHITE, "10. Tf3", "f1f3"), (WHITE, "9. Tf3", "f1f3"),
        (WHITE, "10... Tf3", "f1f3"), (WHITE, "12. Tf3", "f1f3"), (WHITE, "1. Tf3", "f1f3"),
        (WHITE, "10. Dc7 11. Tf3", "f1f3"), (WHITE, "9... Dc7 10. Tf3", "f1f3"),
        (WHITE, "10. f3 Dc7 11. Tf3", "f1f3"),
    ],
)  # fmt: skip
def test_6_8_6_an_own_number_that_does_not_fit_is_asked_about_and_costs_nothing(sans, text, meant):
    """§ 6.8.6: an invalid move. Verdict: none is one whose number alone is amiss."""
    reading = read(sans, text)
    problem = reading.problem
    assert problem is not None and problem.kind is NUMBER
    assert not problem.is_invalid
    assert problem.meant == chess.Move.from_uci(meant)


@each(
    ("sans", "text", "is_invalid"),
    [
        (WHITE, "10... Dc7 11. Tf3", False), (WHITE, "10... f6 11. Tf3", True),
        (WHITE, "10... Dd7 11. Tf3", True), (WHITE, "10... Dd7\n11. Tf3", True),
        (WHITE, "9... Dd7 11. Tf3", False), (WHITE, "10... Dd7", False),
        (WHITE, "10... Dd7 11. Ta8", False), (WHITE, "11. Tf3\n10... Dd7", False),
        (GAME, "11. Kh1 Sbd7", False), (GAME, "11. Df3 Sbd7", True), (GAME, "11. Sbd7", False),
    ],
)  # fmt: skip
def test_6_8_6_a_wrong_repetition_is_of_the_opponents_last_move_and_differs_from_it(
    sans, text, is_invalid
):
    """§ 6.8.4, § 6.8.6: the last move, repeated wrongly. Verdict: before a move that is lawful."""
    problem = read(sans, text).problem
    assert (problem is not None and problem.is_invalid) is is_invalid
    assert not is_invalid or (problem is not None and problem.kind is REPETITION)


@pytest.mark.parametrize(
    ("text", "is_invalid"), [("Kh1", False), ("Dc7", False), ("7181", False), ("Kg1", True)]
)
def test_6_8_6_a_move_that_stands_in_the_game_was_copied_and_is_no_illegal_one(text, is_invalid):
    """§ 6.8.6. Verdict: the last move of either, sent once more, is told and costs nothing."""
    problem = read(GAME, text).problem
    assert problem is not None and problem.kind is ProblemKind.ILLEGAL
    assert problem.is_invalid is is_invalid


def test_6_8_2_the_running_record_may_be_longer_than_what_is_at_hand():
    """§ 6.8.2: a running record of all moves. Verdict: only the last move must be right."""
    board, parts = chess.Board(), []
    for index, text in enumerate(WHITE.split()):
        parts += ([f"{index // 2 + 1}."] if index % 2 == 0 else []) + [text]
        board.push_san(text)
    assert [m.uci() for m in read(WHITE, " ".join([*parts, "11. Rf3"]), "en").moves] == ["f1f3"]
    wrong = " ".join([*parts[:-1], "Qd7", "11. Rf3"])
    problem = read(WHITE, wrong, "en").problem
    assert problem is not None and problem.kind is REPETITION


def test_6_8_4_a_promotion_is_repeated_without_its_piece():
    """§ 6.8.4: what leaves something out does not differ."""
    sans = "a4 b5 axb5 a6 bxa6 Bb7 axb7 h6 bxa8=Q"
    assert [m.uci() for m in read(sans, "5. bxa8 h5").moves] == ["h6h5"]
    problem = read(sans, "5. bxa8S h5").problem
    assert problem is not None and problem.kind is REPETITION


def test_6_8_4_letters_of_another_language_make_no_repetition_wrong():
    """§ 6.8.2: another notation. Verdict: wrong only where it is so in every language."""
    sans = "e4 e5 Nf3 Nc6 Bc4 Nf6 Nc3 a6 Bb3"
    problem = read(sans, "5. Bb3 Nh5 Nd4").problem
    assert problem is None or not problem.is_invalid
