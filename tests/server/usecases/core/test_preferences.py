"""What can be chosen: whatever is kept, reading it gives something that holds."""

from base64 import b32decode, b32encode
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.regulation.editions import Side
from server.usecases import preferences
from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.context import MOST_PAGES, limit_page, pages_of
from server.usecases.games import outbox_letters
from server.usecases.games.game_units import PlainUnit
from server.usecases.games.outbox_letters import ReplyPosition, make_key, read_key
from server.usecases.mail.answer_question import MailUnit
from server.usecases.play.game_requests import AskUnit, ObserveUnit
from server.usecases.postal.cards import CardUnit
from server.usecases.preferences import BadDays, Preferences, days_of
from server.usecases.reflection.silence import WarnUnit

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


@pytest.mark.parametrize(
    ("text", "days"),
    [("3", (3,)), ("2 10,5", (10, 5, 2)), ("5;5, 5", (5,)), ("30,1", (30, 1)), (" 07 ", (7,))],
)
def test_days_are_read_the_most_first_each_once(text: str, days: tuple[int, ...]) -> None:
    assert days_of(text) == days


@pytest.mark.parametrize(
    "text", ["", " ", "0", "31", "1,2,3,4,5,6", "-3", "3.5", "tre", "3 dage", "³"]
)
def test_what_is_no_list_of_days_is_refused(text: str) -> None:
    with pytest.raises(BadDays):
        days_of(text)
    assert preferences.faulty({"reminders": text}) == ("reminders",)


# A list shown a page at a time: how many pages, and which one is meant.


@pytest.mark.parametrize(("count", "pages"), [(0, 1), (1, 1), (25, 1), (26, 2), (50, 2), (51, 3)])
def test_a_page_more_begins_with_the_first_thing_that_has_no_room(count: int, pages: int):
    assert pages_of(count, 25) == pages


@pytest.mark.parametrize(
    ("asked", "meant"), [(-3, 1), (0, 1), (1, 1), (7, 7), (MOST_PAGES + 1, MOST_PAGES)]
)
def test_the_page_meant_is_one_that_can_be_asked_for(asked: int, meant: int):
    assert limit_page(asked) == meant


# What the units share: none of them is taken for a mail's or a keyed request's repeat.


OWN = {
    AskUnit: {"game_id", "idempotency"},
    MailUnit: {"game_id", "inbox_id"},
    CardUnit: {"game_id", "idempotency"},
}
"""What a unit says beside its work because it has it."""


@pytest.mark.parametrize("unit", [AskUnit, EventsUnit, WarnUnit, ObserveUnit, MailUnit, CardUnit])
def test_a_unit_says_only_what_is_its_own(unit: type[PlainUnit]):
    said = {"inbox_id", "idempotency"} & vars(unit).keys()
    if isinstance(vars(unit).get("game_id"), property):
        said.add("game_id")
    assert said == OWN.get(unit, set())
    assert not hasattr(PlainUnit(), "__dict__"), "units stay small"


def test_a_plain_unit_has_neither_mail_nor_key():
    assert (PlainUnit().inbox_id, PlainUnit().idempotency) == (None, None)


# A key is RFC 4648's base 32 of what it says, as the library writes and reads it.


POSITIONS = st.builds(
    ReplyPosition, st.integers(0, 2**56 - 1), st.integers(0, 2**16 - 1), st.sampled_from(Side)
)


@given(st.binary(min_size=32, max_size=32), POSITIONS)
def test_a_key_is_written_and_read_as_the_library_does(secret, position):
    key = make_key(secret, position)
    packed = b32decode(key.upper() + "======")
    assert b32encode(packed).decode().rstrip("=").lower() == key
    assert outbox_letters._unpacked(key) == packed
    assert read_key(secret, key) == read_key(secret, key.upper()) == position


@given(st.text(alphabet="abz27 189_+-éA=", max_size=44))
def test_what_is_no_key_is_none(text):
    assert read_key(b"x" * 32, text) is None
