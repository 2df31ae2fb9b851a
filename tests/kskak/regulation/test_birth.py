"""A date of birth: no living person's is refused, and none of a slip is taken (§ 6.4.4.1)."""

from datetime import date

from kskak.regulation.days import MOST_YEARS, is_birth
from tests.fakes.machinery.each import each

TODAY = date(2026, 9, 1)
OLDEST_KNOWN = 122
"""Whole years that somebody is known to have lived (1875-1997)."""


@each(
    "born can_be",
    (date(2026, 9, 1), True),
    (date(2026, 9, 2), False),
    (date(1902, 1, 1), True),
    (date(1901, 12, 31), False),
    (date(1850, 5, 1), False),
    (date(1, 1, 1), False),
)
def test_a_birth_lies_neither_ahead_nor_further_back_than_anybody_lives(born: date, can_be: bool):
    assert is_birth(born, TODAY) is can_be


def test_the_bound_is_beyond_the_longest_life():
    assert MOST_YEARS > OLDEST_KNOWN + 1
    assert is_birth(TODAY.replace(year=TODAY.year - OLDEST_KNOWN - 1), TODAY)
