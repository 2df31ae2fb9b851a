"""What games in PGN say beside the words around them: one new move, an ending, or nothing."""

from dataclasses import replace
from datetime import date

import pytest

from mail.grammar.keyword_lines import ParsedText, ProblemKind, Word
from mail.grammar.read_text import MAX_MESSAGE, MAX_REST, read_text
from tests.fakes.machinery.each import each, rows
from tests.mail.games import game

TODAY = date(2026, 11, 20)
NOW = game("e4 c5")
"""White is to move."""


def pgn(moves: str, result: str = "*") -> str:
    return f'[Event "x"]\n[Result "{result}"]\n\n{moves}'


def read(*texts: str, position=NOW) -> ParsedText:
    return read_text("\n\n".join(texts), position, today=TODAY)


def uci(reading: ParsedText) -> list[str]:
    return [move.uci() for move in reading.moves]


@each(
    "texts",
    (pgn("1. e4 c5 2. Nf3 *"),),
    (pgn("2. Nf3 *"),),
    (pgn("1. e4 c5 2. Nf3 *"), pgn("1. d4 d5 2. c4 *")),
    (pgn("1. e4 c5 2. Nf3 *"), pgn("1. e4 c5 2. Nf3 *")),
    ("Hej!", pgn("1. e4 c5 2. Nf3 *")),
    ("2. Nf3", pgn("1. e4 c5 2. Nf3 *")),
    ("2. Nf3", pgn("1. e4 c5 *")),
    ("2. Nf3", pgn("1. d4 *")),
    ("I think I play Nf3 now", pgn("1. e4 c5 2. Nf3 *")),
)
def test_one_new_move_is_that_move(texts):
    reading = read(*texts)
    assert uci(reading) == ["g1f3"] and reading.problem is None


@each(
    "texts kind",
    ((pgn("1. e4 c5 2. Nf3 *"), pgn("1. e4 c5 2. d4 *")), ProblemKind.NOT_UNDERSTOOD),
    ((pgn("1. e4 e5 2. Nf3 *"),), ProblemKind.NOT_UNDERSTOOD),
    ((pgn("1. e4 c5 2. Ke5 *"),), ProblemKind.NOT_UNDERSTOOD),
    ((pgn("3. Nf3 *"),), ProblemKind.NOT_UNDERSTOOD),
    ((pgn("1. e4 c5 0-1"),), ProblemKind.NOT_UNDERSTOOD),
    ((pgn("1. e4 c5 2. Nf3 d6 *"),), ProblemKind.CONTRADICTION),
    (("2. d4", pgn("1. e4 c5 2. Nf3 *")), ProblemKind.CONTRADICTION),
    (("2. Ke5", pgn("1. e4 c5 2. Nf3 *")), ProblemKind.CONTRADICTION),
    (("I think I play d4 now", pgn("1. e4 c5 2. Nf3 *")), ProblemKind.CONTRADICTION),
    ((pgn("1. e4 c5 2. Nf3 1/2-1/2"),), ProblemKind.UNSURE),
)
def test_all_else_is_asked_about_and_is_no_invalid_move(texts, kind):
    reading = read(*texts)
    assert reading.moves == () and reading.problem is not None
    assert reading.problem.kind is kind and not reading.problem.is_invalid


@pytest.mark.parametrize("said", ["2. Nf3", "2. Ke5", "resign", "Nf9", "Kl", "Hej Bo", ""])
@pytest.mark.parametrize("sent", ["1. e4 c5 *", "1. e4 *", "*", "1. e4 c5 {Black resigns} *"])
def test_a_game_that_says_nothing_new_changes_nothing(said, sent):
    assert read(said, pgn(sent)) == read(said)


def test_a_new_move_out_of_turn_is_told_so():
    waiting = replace(game("e4 c5 Nf3"), my_turn=False)
    problem = read(pgn("1. e4 c5 2. Nf3 d6 *"), position=waiting).problem
    assert problem is not None and problem.kind is ProblemKind.NOT_YOUR_TURN


@rows(
    "comment words",
    ("White resigns", [Word.RESIGN]),
    ("Draw agreed", [Word.DRAW_YES]),
    ("White offers a draw", []),
    ("Black resigns", []),
    ("resign", []),
)
def test_only_ones_own_ending_counts_without_a_move(comment, words):
    assert [one.word for one in read(pgn(f"1. e4 c5 {{{comment}}} *")).keywords] == words


def test_an_offer_and_a_message_go_with_the_move_and_what_stands_before_it_is_shown():
    reading = read(pgn("1. e4 c5\n{a plan}\n2. Nf3\n{\nWhite offers a draw\nHello\n}\n*"))
    assert reading.asks(Word.DRAW_OFFER)
    assert (reading.message, reading.rest) == ("Hello", ("a plan",))


def test_without_a_game_the_last_move_is_named():
    assert read(pgn("1. e4 c5 *"), position=None).rest == ("c5",)


def test_what_a_game_says_is_no_longer_than_what_a_mail_may_say():
    comment = "{" + "word\n" * 5000 + "}"
    reading = read("Hello\n" * 2000, pgn(f"1. e4 c5 {comment} 2. Nf3 {comment} *"))
    assert uci(reading) == ["g1f3"]
    assert len(reading.message) <= MAX_MESSAGE and len(reading.rest) <= MAX_REST
