"""What can be chosen: whatever is kept, reading it gives something that holds."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.usecases import preferences
from server.usecases.context import MOST_PAGES, limit_page, pages_of
from server.usecases.preferences import BadDays, Preferences, days_of
from tests.fakes.machinery.each import each, rows

NAMES = tuple(field.name for field in fields(Preferences))
PAIRS = st.lists(st.tuples(st.sampled_from(NAMES) | st.text(max_size=8), st.text(max_size=8)))


def _values(name: str) -> st.SearchStrategy[str]:
    known = preferences.values_of(name)
    if known:
        return st.sampled_from(known)
    days = st.lists(st.integers(1, 30), min_size=1, max_size=5, unique=True)
    return days.map(lambda found: ", ".join(str(day) for day in sorted(found, reverse=True)))


CHOSEN = st.fixed_dictionaries({name: _values(name) for name in NAMES})


@given(PAIRS)
def test_what_is_not_known_counts_as_not_chosen(pairs: list[tuple[str, str]]) -> None:
    known = [(n, v) for n, v in pairs if n in NAMES and not preferences.faulty({n: v})]
    assert preferences.read(pairs) == preferences.read(known)


@given(CHOSEN)
def test_what_is_chosen_is_what_is_read_back_field_by_field(chosen: dict[str, str]) -> None:
    held = preferences.read(chosen.items())
    assert {name: preferences.write_field(held, name) for name in NAMES} == chosen


def test_nothing_kept_is_what_stood_before_anybody_could_choose() -> None:
    held = preferences.read([])
    assert held == Preferences()
    assert (held.writing, held.letters, held.reminders, held.undo.minutes) == (
        "letters", "moves", (3,), 0,
    )  # fmt: skip


@rows(
    "text days",
    ("3", (3,)),
    ("2 10,5", (10, 5, 2)),
    ("5;5, 5", (5,)),
    ("30,1", (30, 1)),
    (" 07 ", (7,)),
)
def test_days_are_read_the_most_first_each_once(text: str, days: tuple[int, ...]) -> None:
    assert days_of(text) == days


@each("text", ["", " ", "0", "31", "1,2,3,4,5,6", "-3", "3.5", "tre", "3 dage", "³"])
def test_what_is_no_list_of_days_is_refused(text: str) -> None:
    with pytest.raises(BadDays):
        days_of(text)
    assert preferences.faulty({"reminders": text}) == ("reminders",)


# A list shown a page at a time: how many pages, and which one is meant.


@each(("count", "pages"), [(0, 1), (1, 1), (25, 1), (26, 2), (50, 2), (51, 3)])
def test_a_page_more_begins_with_the_first_thing_that_has_no_room(count: int, pages: int):
    assert pages_of(count, 25) == pages


@rows("asked meant", (-3, 1), (0, 1), (1, 1), (7, 7), (MOST_PAGES + 1, MOST_PAGES))
def test_the_page_meant_is_one_that_can_be_asked_for(asked: int, meant: int):
    assert limit_page(asked) == meant
