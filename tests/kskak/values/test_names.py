"""Names as they are compared: spellings of one name are one, others stay apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.values import Name, is_line, plain, whole_number
from tests.fakes.machinery.each import each, rows


@each(
    ("text", "number"),
    [("0", 0), ("007", 7), ("9" * 18, 10**18 - 1), ("9" * 19, None), ("9" * 5000, None),
     ("", None), ("-1", None), ("+1", None), ("1_0", None), (" 1", None), ("²", None), ("٣", None)],
)  # fmt: skip
def test_a_number_is_what_a_database_holds(text: str, number: int | None):
    assert whole_number(text) == number


@rows(
    "spelled",
    "Åse Jørgensen",
    "Jørgensen, Åse",
    "AASE JOERGENSEN",
    " åse  jørgensen ",
    "Åse Jörgensen",
)
def test_one_name_has_one_key_however_it_is_written(spelled):
    assert Name.of(spelled).key == Name.of("Åse Jørgensen").key


@each(
    "one other agree",
    ("Anna Ager", "A. Ager", True),
    ("Ager, A. M.", "Anna Marie Ager", True),
    ("Anna Ager", "Ager", True),
    ("Anna Ager", "Arne Ager", False),
    ("Anna Ager", "B. Ager", False),
    ("Anna Ager", "Anna Berg", False),
    ("Anna M. Ager", "Anna K. Ager", False),
)
def test_a_name_and_its_initials_can_be_one_persons_and_others_not(one, other, agree):
    assert Name.of(one).agrees(Name.of(other)) is agree
    assert Name.of(other).agrees(Name.of(one)) is agree


@given(st.text(max_size=40))
def test_every_name_agrees_with_itself_in_any_case(text):
    assert plain(text) == plain(f" {text} ")
    assert Name.of(text).agrees(Name.of(text))


TURNS = (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))


@pytest.mark.parametrize("turn", [*map(chr, TURNS)])
@pytest.mark.parametrize("name", ["Anna{}Ager", "{}Anna", "علي{}", "Nordre{} Skakklub"])
def test_a_name_that_turns_the_writing_is_none(name, turn):
    assert not is_line(name.format(turn)) and is_line(name.format(""))


@pytest.mark.parametrize("name", ["Ali al-Kindī علي", "دکتر می\u200cخواهم", "क्\u200dष", ""])
def test_joiners_and_other_scripts_are_names(name):
    assert is_line(name)


@pytest.mark.parametrize("name", ["A\nB", "A\x00", "A\u2028B", "\ud800", "A\x85"])
def test_more_than_a_line_is_no_name(name):
    assert not is_line(name)
