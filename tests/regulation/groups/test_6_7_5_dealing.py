"""§ 6.7.3.3, § 6.6.1.2: forth and back through the groups, and two of a kind are parted."""

import pytest

from kskak.groups.schedule import GroupCandidate, snake


def dealt(keys: str, sizes: list[int]) -> tuple[tuple[int, ...], ...]:
    """The strongest first, a letter for each one's kind."""
    rows = [GroupCandidate(key, float(-index), index) for index, key in enumerate(keys)]
    return snake(rows, sizes)


@pytest.mark.parametrize(
    ("keys", "sizes", "groups"),
    [
        ("ABCDEF", [2, 2, 2], ((0, 5), (1, 4), (2, 3))),
        # The second A goes to the group of E, who is the nearest in strength.
        ("ABCDEA", [2, 2, 2], ((0, 4), (1, 5), (2, 3))),
        ("ABCA", [2, 2], ((0, 2), (1, 3))),
        # No exchange parts three D and three C: D first, of equals where most room is.
        ("DACCCDD", [3, 2, 2], ((0, 1, 2), (4, 5), (3, 6))),
        ("", [], ()),
    ],
)
def test_6_7_3_3_the_nearest_in_strength_makes_room(keys, sizes, groups):
    """§ 6.7.3.3: no club twice in a group. Verdict: by hand."""
    assert dealt(keys, sizes) == groups


def test_6_7_3_3_what_can_not_be_parted_is_refused():
    """§ 6.7.3.3. Verdict: three of a kind in two groups, or sizes that do not add up."""
    with pytest.raises(ValueError, match="more often"):
        dealt("AAAB", [2, 2])
    with pytest.raises(ValueError, match="can't be dealt"):
        dealt("ABC", [2, 2])
