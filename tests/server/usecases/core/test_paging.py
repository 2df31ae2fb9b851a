"""A list shown a page at a time: how many pages, and which one is meant."""

import pytest

from server.usecases.context import MOST_PAGES, limit_page, pages_of


@pytest.mark.parametrize(("count", "pages"), [(0, 1), (1, 1), (25, 1), (26, 2), (50, 2), (51, 3)])
def test_a_page_more_begins_with_the_first_thing_that_has_no_room(count: int, pages: int):
    assert pages_of(count, 25) == pages


@pytest.mark.parametrize(
    ("asked", "meant"), [(-3, 1), (0, 1), (1, 1), (7, 7), (MOST_PAGES + 1, MOST_PAGES)]
)
def test_the_page_meant_is_one_that_can_be_asked_for(asked: int, meant: int):
    assert limit_page(asked) == meant
