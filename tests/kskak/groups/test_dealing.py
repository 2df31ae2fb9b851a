"""Dealing into equal groups: the snake, those who may not meet, and what is refused."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.groups.schedule import GroupCandidate, snake
from tests.fakes.machinery.each import rows


def dealt(keys, strengths=None):
    """One for each key, the strongest first unless strengths are given."""
    strengths = strengths or range(2000, 2000 - 10 * len(keys), -10)
    pairs = zip(keys, strengths, strict=True)
    return [GroupCandidate(key, strength, index) for index, (key, strength) in enumerate(pairs)]


def keys_of(groups, keys):
    return [sorted(keys[index] for index in group) for group in groups]


def test_the_snake_gives_equal_sums_to_equal_steps():
    groups = snake(dealt("ABCDEFGHIJKL"), [4, 4, 4])
    assert groups == ((0, 5, 6, 11), (1, 4, 7, 10), (2, 3, 8, 9))
    assert {sum(group) for group in groups} == {22}


def test_24_in_four_groups_have_the_sums_of_the_handbooks_olympiad_draft():
    """Its draft (check OLY) turns elsewhere than a snake and comes to the same four sums."""
    draft = [
        [1, 8, 11, 14, 17, 24],
        [2, 7, 12, 13, 18, 23],
        [3, 6, 9, 16, 19, 22],
        [4, 5, 10, 15, 20, 21],
    ]
    groups = snake(dealt([str(number) for number in range(24)]), [6] * 4)
    assert [sum(index + 1 for index in group) for group in groups] == [sum(row) for row in draft]


def test_two_of_a_kind_are_parted_by_exchanging_the_nearest():
    groups = snake(dealt("AXYA"), [2, 2])
    assert groups == ((0, 2), (1, 3))


def test_where_no_exchange_parts_them_they_are_dealt_by_room():
    """The three groups would be AAB, BB and AD: only BB lacks A, and AAB has a B already."""
    keys = "ABADBAB"
    groups = snake(dealt(keys), [3, 2, 2])
    assert keys_of(groups, keys) == [["A", "B", "D"], ["A", "B"], ["A", "B"]]


@given(st.integers(1, 6), st.lists(st.tuples(st.integers(0, 9), st.integers(1000, 2300))))
def test_everybody_is_dealt_once_and_no_key_twice_into_a_group(count, rows):
    keys = [str(key) for key, _ in rows]
    most = max(Counter(keys).values(), default=1)
    groups_wanted = max(count, most)
    size, more = divmod(len(rows), groups_wanted)
    sizes = [size + (number < more) for number in range(groups_wanted)]
    groups = snake(dealt(keys, [strength for _, strength in rows]), sizes)
    assert [len(group) for group in groups] == sizes
    assert sorted(index for group in groups for index in group) == list(range(len(rows)))
    for group in keys_of(groups, keys):
        assert len(set(group)) == len(group)


@rows(
    "keys sizes words", ("ABC", [2, 2], "3 can't be dealt"), ("AAA", [2, 1], "A stands more often")
)
def test_what_cannot_be_dealt_is_refused(keys, sizes, words):
    with pytest.raises(ValueError, match=words):
        snake(dealt(keys), sizes)
