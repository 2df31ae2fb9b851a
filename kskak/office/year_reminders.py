"""When the controller is reminded of a step of the year, and of which (§ 6.1.2).

Two weeks ahead, again two days ahead, and once afterwards if nothing went out before, as after
an outage. Works on days only. Not for the days themselves (year.py) nor for letters.
"""

from collections.abc import Set
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.regulation.days import ONE_DAY


class Stage(StrEnum):
    """Which reminder it is."""

    AHEAD = "ahead"
    NEAR = "near"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class ReminderRule:
    """Days; all of them readings: no text asks for reminders."""

    ahead: int = 14
    near: int = 2
    late: int = 14
    """How long after its day a step without any reminder still gets one."""


REMINDERS = ReminderRule()


def stage_of(day: date, today: date, told: Set[Stage]) -> Stage | None:
    """The reminder due today for a step that is not done; None: none, or already sent.

    ``told``: the reminders sent for this very day; a moved step starts over.
    """
    if today > day:
        is_news = not told and today <= day + REMINDERS.late * ONE_DAY
        return Stage.LATE if is_news else None
    if today >= day - REMINDERS.near * ONE_DAY:
        return None if Stage.NEAR in told else Stage.NEAR
    if today >= day - REMINDERS.ahead * ONE_DAY:
        return None if told else Stage.AHEAD
    return None
