"""The rulings of the handbook, found by what is in dispute."""

import pytest

from kskak.cases.events import CaseKind
from kskak.cases.precedents import PRECEDENTS, precedents_against, precedents_for
from kskak.cases.readings import ReadingKind


@pytest.mark.parametrize(
    ("topic", "numbers"),
    [("postmark", [38]), ("spoiled", [59]), ("arrived", [107]), ("overstep", [38, 107]),
     ("conduct", [120, 135]), ("result", [133]), ("leave", [])],
)  # fmt: skip
def test_a_ruling_is_found_by_what_is_in_dispute(topic: str, numbers: list[int]):
    assert [one.number for one in precedents_for((topic,))] == numbers


def test_the_stated_day_has_rulings_against_it_and_none_for_it():
    """Kendelse 38 and 107 both decided against the sender's own date."""
    assert [one.number for one in precedents_against("stated")] == [38, 107]
    assert precedents_for(("stated",)) == ()


def test_every_topic_is_a_kind_of_reading_or_of_case():
    known = {*map(str, ReadingKind), *map(str, CaseKind)}
    assert all(one.about | one.against <= known for one in PRECEDENTS)
