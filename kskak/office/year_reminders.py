"""When the controller is reminded of a step of his year, and of which (§ 6.1.2).

Two weeks ahead, again two days ahead, and once afterwards if no word went out before, as after
an outage. Days in, days out. Not for the days themselves (year.py) nor for letters.
"""

from collections.abc import Set
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.regulation.days import ONE_DAY


class Stage(StrEnum):
    """Which word it is."""

    AHEAD = "ahead"
    NEAR = "near"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class ReminderRule:
    """Days; all of them readings: no text asks for reminders."""

    ahead: int = 14
    near: int = 2
    late: int = 14
    """So long after its day a step of which nothing was said is still told."""


REMINDERS = ReminderRule()


def stage_of(day: date, today: date, told: Set[Stage]) -> Stage | None:
    """What is to be said today of a step that is not done; None: nothing, or it was said.

    ``told`` is what was said of the step with this very day: a step that is moved is told anew.
    """
    if today > day:
        is_news = not told and today <= day + REMINDERS.late * ONE_DAY
        return Stage.LATE if is_news else None
    if today >= day - REMINDERS.near * ONE_DAY:
        return None if Stage.NEAR in told else Stage.NEAR
    if today >= day - REMINDERS.ahead * ONE_DAY:
        return None if told else Stage.AHEAD
    return None
