"""Many cases in one test: one that fails fails the test, and says which it was."""

import pytest

from tests.fakes.machinery.each import each


def test_a_case_that_fails_fails_the_test_and_is_named():
    tried: list[int] = []

    @each("number", (1, 2, 3))
    def about(number: int, limit: int) -> None:
        tried.append(number)
        assert number < limit

    about(limit=9)
    with pytest.raises(AssertionError) as failure:
        about(limit=2)
    assert failure.value.__notes__ == ["with number = 2"]
    assert tried == [1, 2, 3, 1, 2]
