"""Lists shown a page at a time: pages are counted from 1. Not for what is listed."""

MOST_PAGES = 10**6
"""No real reader asks for a later page; the database is not asked for one either."""


def page_asked(page: int) -> int:
    """The page meant by a number in an address."""
    return min(max(page, 1), MOST_PAGES)


def pages_of(count: int, size: int) -> int:
    """How many pages ``count`` items fill, at least one; ``size``: items per page."""
    return max(-(-count // size), 1)
