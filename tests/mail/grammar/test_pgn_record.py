"""Games in PGN in a mail's text: where they begin and end, and what is read in them."""

import time

import pytest

from mail.grammar.program_games import MAX_RECORD, read_record, split_records, without_position
from tests.fakes.machinery.each import each

HEAD = '[Event "x"]\n[White "An \\"old\\" name"]\n[Result "*"]\n\n'


def test_a_text_without_a_game_is_as_it_was():
    text = 'Hej\n\n> [Event "x"]\n> 1. e4\n\nMove List: 1.e4\n'
    assert split_records(text) == ((text,), ())


@each(
    "text around",
    (f"Hej\n\n{HEAD}1. e4 *\n\nHilsen", ("Hej\n\n", "\n\nHilsen")),
    (f"{HEAD}1. e4\n\nHilsen Anna", ("", "\n\nHilsen Anna")),
    (f"{HEAD}1. e4\n\n2. d4 *", ("", "")),
    (f"{HEAD}1. e4\n-- \nAnna", ("", "\n-- \nAnna")),
    (f"{HEAD}1. e4\n> 1. d4", ("", "\n> 1. d4")),
    (f"{HEAD}1. e4\n{HEAD}1. d4 *\nremis?", ("", "\n", "\nremis?")),
    (f"{{--------------\nr n\n--------------}}\n{HEAD}*", ("", "")),
    (f"Final FEN: 8/8 w\n\nMove List: 1.e4\n\n{HEAD}*", ("\n\n", "")),
)
def test_what_stands_around_a_game_is_not_in_it(text, around):
    assert split_records(text)[0] == around


def test_moves_comments_and_the_result_are_read():
    text = "1. e4 {a\n\nb} e5 (1... c5 {c} 2. d4) $1 2. Nf3 {d} 2... Nc6\n{e [%clk 1:02:03]}\n1-0"
    read = read_record(HEAD.replace('"*"', '"?"') + text)
    assert read.moves == ("e4", "e5", "Nf3", "Nc6")
    assert (read.before, read.said, read.start, read.result) == (("d",), ("e",), 0, "1-0")


@pytest.mark.parametrize(("first", "start"), [("12. Nf3", 22), ("12... Nf6", 23), ("Nf3", 0)])
def test_a_game_may_begin_later(first, start):
    assert read_record(f"{HEAD}{first} *").start == start


def test_the_position_above_a_game_is_the_programs():
    assert without_position("Hej\nMove List: 1.e4 e5\nremis?") == "Hej\nremis?"


@each(
    "text",
    '[Event "',
    '[Event "\n',
    f"{HEAD}1. e4" + "\n \n",
    HEAD + "(",
    HEAD + "{",
    "{------",
    "\n",
)
def test_a_huge_text_takes_no_time(text):
    began = time.process_time()
    split_records(text + text[-3:] * (8 * MAX_RECORD))
    split_records(text * (MAX_RECORD // 4))
    assert time.process_time() - began < 2
