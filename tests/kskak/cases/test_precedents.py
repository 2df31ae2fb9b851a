"""The rulings of the handbook, found by what is in dispute."""

from kskak.cases.case_events import CaseKind
from kskak.cases.readings import PRECEDENTS, ReadingKind, precedents_against, precedents_for
from kskak.regulation.editions import Regulation
from tests.fakes.machinery.each import each


@each(
    ("topic", "numbers"),
    [("postmark", "38"), ("spoiled", "59"), ("arrived", "107"), ("overstep", "38 103 107"),
     ("conduct", "42 49 97 120 135"), ("result", "49 133"), ("leave", "12"),
     ("withdrawal", "12 42 135"), ("other", "47b 116"), ("board", "116"), ("uncharged", "")],
)  # fmt: skip
def test_a_ruling_is_found_by_what_is_in_dispute(topic: str, numbers: str):
    assert [one.number for one in precedents_for((topic,))] == numbers.split()


@each(
    "topics numbers",
    ("silence overstep", "12 42 103 135"),
    ("claimed", ""),
    ("withdrawal days", "12 42 103 135"),
)
def test_rulings_on_cards_do_not_bear_on_games_by_email(topics: str, numbers: str):
    """§ 6.8.1: no postmark, no box, no wet card."""
    found = precedents_for(topics.split(), Regulation.EMAIL)
    assert [one.number for one in found] == numbers.split()
    assert precedents_against("stated", ("postmark", "arrived"), Regulation.EMAIL) == ()


def test_a_ruling_stands_against_a_reading_where_the_one_it_chose_is_a_rival():
    """The sender's own date: 38 against it beside a postmark, 107 beside an illegible one."""
    assert [one.number for one in precedents_against("stated", ("postmark", "stated"))] == ["38"]
    assert [one.number for one in precedents_against("stated", ("stated", "arrived"))] == ["107"]
    assert precedents_against("postmark", ("postmark", "stated")) == ()
    assert precedents_for(("stated",)) == ()


def test_every_topic_is_a_kind_of_reading_or_of_case():
    known = {*map(str, ReadingKind), *map(str, CaseKind), "board"}
    assert all(one.about | one.against <= known for one in PRECEDENTS)
