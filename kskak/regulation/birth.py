"""Dates of birth as entries and registers state them (§ 6.4.4.1).

Not for who has to state one (entries/entry.py).
"""

from datetime import date

MOST_YEARS = 125
"""Nobody is known to have lived so long; a date further back is a slip of the pen."""


def is_birth(born: date, today: date) -> bool:
    """Whether somebody alive on ``today`` can be born on a day: not later, nor so long ago."""
    return born <= today and today.year - born.year < MOST_YEARS
