"""A game as PGN: readable by others, tags that a name can't break out of."""

import io
import re
import shutil
import subprocess
from dataclasses import replace
from datetime import date, timedelta
from random import Random

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.archive.past_game import Hand, PgnFacts, pgn, write_move_text
from kskak.game import game_events as ev
from kskak.play.game_state import Terms
from kskak.regulation.editions import Regulation, Result, Side
from kskak.statement.account import account
from tests.fakes.machinery.each import each, rows

FACTS = PgnFacts("K-skak-EMT 2026", round="1")
BOTH = (Side.WHITE, Side.BLACK)
EXTRACT = shutil.which("pgn-extract", path="/usr/bin:/usr/local/bin:/usr/games")


def _game(*moves, white="A", black="B", fen=None, extra=()):
    terms = Terms("x", Regulation.EMAIL, date(2026, 1, 5), white, black, fen, 2018)
    first = BOTH if fen is None else BOTH[::-1]
    sent = [
        ev.MoveSent(first[i % 2], (chess.Move.from_uci(uci),), date(2026, 1, 5) + timedelta(days=i))
        for i, uci in enumerate(moves)
    ]
    return account(terms, (*sent, *extra))


MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")


def test_another_program_reads_the_same_moves_and_tags():
    played = chess.pgn.read_game(io.StringIO(pgn(_game(*MOVES), FACTS)))
    assert [move.uci() for move in played.mainline_moves()] == list(MOVES)
    assert not played.errors
    assert played.headers["Result"] == "*"
    assert played.headers["Event"] == "K-skak-EMT 2026"
    assert played.headers["Date"] == "2026.01.05"
    assert played.headers["TimeControl"] == "10/3456000"


def test_dates_stand_as_comments_that_say_when_each_move_was_sent():
    text = pgn(_game(*MOVES[:2]), FACTS)
    assert "1. e4 {[%ccsnt 2026.01.05]} 1... e5 {[%ccsnt 2026.01.06]} *" in text


def test_the_line_in_the_mail_is_the_printed_one_in_both_languages():
    game = _game(*MOVES)
    assert write_move_text(game, "en") == "1. e4 e5 2. Nf3 Nc6 3. Bb5"
    assert write_move_text(game, "da") == "1. e4 e5 2. Sf3 Sc6 3. Lb5"


def test_a_game_that_black_begins_keeps_its_position_and_number():
    """§ 6.8.2."""
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    game = _game("e7e5", "g1f3", fen=fen)
    assert write_move_text(game, "en") == "1... e5 2. Nf3"
    assert f'[SetUp "1"]\n[FEN "{fen}"]' in pgn(game, FACTS)


@rows(
    "extra result",
    (ev.PlayerResigned(Side.BLACK, date(2026, 2, 1)), "1-0"),
    (ev.DrawMade(Side.BLACK, date(2026, 2, 1)), "1/2-1/2"),
)
def test_the_result_stands_in_the_tag_and_at_the_end(extra, result):
    text = pgn(_game(*MOVES, extra=(extra,)), FACTS)
    assert f'[Result "{result}"]' in text
    assert text.endswith(f" {result}\n")


def test_lost_for_both_is_told_without_breaking_the_format():
    late = ev.MoveSent(Side.BLACK, (chess.Move.from_uci("e7e5"),), date(2026, 6, 1))
    on = ev.MoveSent(Side.WHITE, (chess.Move.from_uci("g1f3"),), date(2026, 6, 2))
    text = pgn(_game("e2e4", extra=(late, on)), FACTS)
    assert '[Result "*"]' in text
    assert '[Termination "rules infraction"]' in text
    assert text.endswith("{0-0} *\n")


@given(st.text(max_size=40))
def test_no_name_ends_its_tag(name):
    head = pgn(_game("e2e4", white=name), FACTS).split("\n\n")[0]
    lines = head.split("\n")
    assert [line.split(" ")[0] for line in lines] == [
        "[Event", "[Site", "[Date", "[Round", "[White", "[Black", "[Result", "[EventDate",
        "[TimeControl", "[Termination",
    ]  # fmt: skip
    assert '[Result "*"]' in lines
    inner = lines[4].removeprefix('[White "').removesuffix('"]')
    assert '"' not in inner.replace("\\\\", "").replace('\\"', "")


def test_long_games_are_wrapped_at_words():
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
    text = pgn(_game(*(shuffle * 3)), FACTS)
    assert max(len(line) for line in text.splitlines()) <= 78
    assert not any(line.endswith("[%ccsnt") for line in text.splitlines())


def _long_game(plies):
    """Captures and pawn moves only when the 75-move rule is near, and nothing that ends it."""
    board, random = chess.Board(), Random(1)
    while board.ply() < plies:
        is_due = board.halfmove_clock > 100
        moves = list(board.legal_moves)
        random.shuffle(moves)
        for move in sorted(moves, key=lambda one: board.is_zeroing(one) != is_due):
            board.push(move)
            if board.outcome() is None:
                break
            board.pop()
    return board


def test_a_game_of_600_plies_is_written_and_read_back():
    board = _long_game(600)
    text = pgn(_game(*(move.uci() for move in board.move_stack)), FACTS)
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None and not read.errors
    assert list(read.mainline_moves()) == board.move_stack


@each(
    "moves result closing tag",
    (MOVES, "1/2-0", "{1/2-0} *", "*"),
    (MOVES, "0-1/2", "{0-1/2} *", "*"),
    ((), "1-0", "{+/-} 1-0", "1-0"),
    ((), "0-1", "{-/+} 0-1", "0-1"),
    ((), "0-0", "{-/-} *", "*"),
    ((), "1/2-1/2", "1/2-1/2", "1/2-1/2"),
    (MOVES[:1], "1-0", "1-0", "1-0"),
)
def test_a_result_that_pgn_does_not_know_stands_in_a_comment(moves, result, closing, tag):
    """Half a point for one; unplayed games: won, lost, lost for both."""
    ruled = ev.ResultRuled(Result(result), date(2026, 2, 1), "TL", "1")
    text = pgn(_game(*moves, extra=(ruled,)), FACTS)
    assert f'[Result "{tag}"]' in text
    last = text.split("\n\n")[1].split()
    assert " ".join(last[len(last) - len(closing.split()) :]) == closing
    assert ("{" in re.sub(r"\{\[%ccsnt .{10}\]\}", "", text)) is ("{" in closing)


def test_a_draw_offer_stands_with_its_move():
    """FIDE 9.1: (=) after the move it went with, and the next number said again."""
    sent = ev.MoveSent(Side.WHITE, (chess.Move.from_uci("e2e4"),), date(2026, 1, 1))
    answer = ev.MoveSent(Side.BLACK, (chess.Move.from_uci("e7e5"),), date(2026, 1, 2))
    offered = pgn(_game(extra=(replace(sent, offers_draw=True), answer)), FACTS)
    assert offered.replace("\n", " ").endswith(
        "1. e4 {[%ccsnt 2026.01.05]} {(=)} 1... e5 {[%ccsnt 2026.01.05]} * "
    )
    assert "(=)" not in pgn(_game(extra=(sent, answer)), FACTS)


def test_a_side_of_two_players_has_no_rating():
    hands = (Hand(Side.WHITE, "A"), Hand(Side.WHITE, "C", 3), Hand(Side.BLACK, "B"))
    text = pgn(_game(*MOVES), replace(FACTS, ratings=(1980, 1990), hands=hands))
    assert "WhiteElo" not in text and '[BlackElo "1990"]' in text


@pytest.mark.skipif(not EXTRACT, reason="pgn-extract is not installed")
@pytest.mark.parametrize("played", [("e2e4",), ("e2e4", "e7e5", "g1f3"), ()])
def test_pgn_extract_takes_it_and_finds_nothing_to_mend(tmp_path, played):
    """Strict, with ratings and without: nothing is said, and every move is there."""
    for ratings in ((None, None), (1980, None), (1500, 2110)):
        path = tmp_path / "game.pgn"
        path.write_text(pgn(_game(*played), replace(FACTS, ratings=ratings)), "utf-8")
        words = [EXTRACT, "-r", "--fixresulttags", str(path)]
        ran = subprocess.run(words, capture_output=True, text=True, check=True)
        assert "error" not in ran.stderr.lower() and "1 game" in ran.stderr, ran.stderr
    read = chess.pgn.read_game(io.StringIO(path.read_text("utf-8")))
    assert read is not None and not read.errors
    assert [move.uci() for move in read.mainline_moves()] == list(played)
    assert read.headers["Termination"] == "unterminated"
    assert (read.headers["WhiteElo"], read.headers["BlackElo"]) == ("1500", "2110")
    assert [node.comment for node in read.mainline()] == [
        f"[%ccsnt 2026.01.{day:02}]" for day in range(5, 5 + len(played))
    ]
