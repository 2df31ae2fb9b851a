"""Which days a game can speak of: its own time, with a year on either side.

A wrong year is a typing error, and an event that bears one might never be read again. Every door
asks here. Not for whether days fit each other (reflection/counted_days.py).
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date, timedelta

A_YEAR = timedelta(days=366)


def lawful_days(start: date, now: date) -> tuple[date, date]:
    """The first and the last day that a game which began on ``start`` can speak of on ``now``.

    A year back: a card is sent, and leave notified, before a game begins; one taken over began
    years ago. A year ahead: longer leave is not booked, and a time limit ends sooner.
    """
    first, last = min(start, now), max(start, now)
    return first - min(A_YEAR, first - date.min), last + min(A_YEAR, date.max - last)


def unlawful_day(value: object, start: date, now: date) -> date | None:
    """The first day in a command, an event or a supposition that is outside; None if all are in."""
    first, last = lawful_days(start, now)
    return next((day for day in _days_in(value) if not first <= day <= last), None)


def is_near(day: date, today: date) -> bool:
    """Whether a day is within a year of today: what a request for a view may name."""
    return abs(day - today) <= A_YEAR


def _days_in(value: object) -> Iterator[date]:
    """Every day in a value, whatever it is made of."""
    if isinstance(value, date):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _days_in(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _days_in(getattr(value, field.name))
