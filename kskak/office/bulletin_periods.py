"""The bulletin's periods: what one covers, when it is due, until when to object (§ 6.4.5.1).

The text requires information about the tournaments' course and names no period. Reading: a
bulletin covers at most a quarter and is due two weeks after it; the controller may end a period
sooner. Works on days only. Not for what happened in a period.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from kskak.regulation.days import ONE_DAY, months_later
from kskak.regulation.objections import OBJECTION_DAYS

QUARTER = 3
"""Months that a bulletin covers unless the controller ends it sooner (reading of § 6.4.5.1)."""
DUE_DAYS = 14
"""Days after the period in which it is to go out (reading of § 6.4.5.1)."""


@dataclass(frozen=True, slots=True)
class Period:
    """The days of a bulletin, both included. ValueError where the last is before the first."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(f"{self.last} is before {self.first}")

    def holds(self, day: date) -> bool:
        """Whether the day is in it."""
        return self.first <= day <= self.last

    def is_over(self, today: date) -> bool:
        """Whether its last day is past, so that nothing more can happen in it."""
        return self.last < today

    @property
    def due(self) -> date:
        """The last day on which the bulletin should go out."""
        return self.last + timedelta(days=DUE_DAYS)


def quarter_of(day: date) -> Period:
    """The calendar quarter of a day."""
    first = day.replace(month=day.month - (day.month - 1) % QUARTER, day=1)
    return Period(first, months_later(first, QUARTER) - ONE_DAY)


def next_period(last: date | None, begun: date) -> Period:
    """The period that the next bulletin covers, without a gap after the one before (§ 6.4.5.1).

    ``last`` is the last day of the bulletin before; with none it begins with the first quarter
    that anything was played in, ``begun``. It ends with its quarter.
    """
    if last is None:
        return quarter_of(begun)
    first = last + ONE_DAY
    return Period(first, quarter_of(first).last)


def objections_until(issued: date) -> date:
    """The last day for objections to what a bulletin has published (§ 6.4.5.1)."""
    return issued + timedelta(days=OBJECTION_DAYS)
