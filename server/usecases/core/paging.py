"""Lists that are shown a page at a time: pages are counted from 1. Not for what is listed."""

MOST_PAGES = 10**6
"""A page further on is asked for by nobody who reads; the database is not asked for it."""


def page_asked(page: int) -> int:
    """The page that is meant by a number from an address."""
    return min(max(page, 1), MOST_PAGES)


def pages_of(count: int, size: int) -> int:
    """How many pages so many things fill, at least one; ``size``: things on a page."""
    return max(-(-count // size), 1)
