"""A year as a table: a month a row, a day a cell, each saying whose leave stops time and why.

Not for finding that out (usecases.leave_year).
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from babel.dates import get_month_names

from server.usecases.reflection.leave_year import LeaveYear, Still, Whose
from server.web.frame.words import PageWords


@dataclass(frozen=True, slots=True)
class Day:
    """A cell. ``whose`` None: time runs; ``why`` is said to who points at it or hears it."""

    number: int
    whose: Whose | None
    why: str


@dataclass(frozen=True, slots=True)
class Month:
    """A row."""

    name: str
    days: tuple[Day, ...]


def reason(still: Still, said: PageWords) -> str:
    """«Bo Berg: ferie (§ 6.3.6)»."""
    return said.why(still.cause, still.name)


def _day(stills: tuple[Still, ...], day: date, said: PageWords) -> Day:
    """The cell of a day: the first cause decides its look, all are said."""
    here = [still for still in stills if still.first <= day <= still.last]
    order = list(Whose)
    here.sort(key=lambda still: order.index(still.whose))
    why = ", ".join(dict.fromkeys(reason(still, said) for still in here))
    return Day(day.day, here[0].whose if here else None, why)


def months_of(found: LeaveYear, said: PageWords) -> tuple[Month, ...]:
    """Twelve rows."""
    names = get_month_names("wide", "stand-alone", said.words.locale)
    return tuple(
        Month(
            str(names[month]),
            tuple(
                _day(found.stills, date(found.year, month, number), said)
                for number in range(1, monthrange(found.year, month)[1] + 1)
            ),
        )
        for month in range(1, 13)
    )
