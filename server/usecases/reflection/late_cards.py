"""Cards entered late: nobody is reminded or warned before the next one can be entered.

§ 6.3.4, reading. In a postal game the reminder counts from the posting of the last card entered
plus the post both ways. Anyone entering old cards, one after the other, would find each one overdue
at once. So what is already due when a card is entered is done on the second day after it, and dated
then: a reminder is never dated a day on which nobody could have sent it. Not for what is due
(kskak.play.due_days) nor for the letters, which say how to enter a card that has come.
"""

from datetime import date, timedelta

from kskak.play.state import GameState
from server.store.engine.types import to_us
from server.store.mail.due_work import Due, NewDeadline
from server.store.play.games import GameRow
from server.usecases.core.due_work import (
    CONTROL_WARNING,
    OFFLINE,
    OVERSTEP,
    REMINDER,
    due_days,
    near_of,
    start_of_day,
)

CATCH_UP_DAYS = 2
"""Days from the entry of a card to the first work that was due before it was entered."""
_BY_WEIGHT = (OVERSTEP, REMINDER, CONTROL_WARNING)
"""What stands for all past work: after an event the rest is found again, after a warning not."""


def held_back(due: Due, state: GameState, row: GameRow, entered: date) -> Due:
    """A game's due work after a card was entered on a day; ``state``: after the card."""
    day = entered + timedelta(days=CATCH_UP_DAYS)
    at_us = to_us(start_of_day(day, row.zone))
    if not due or due[0].due_us >= at_us or due[0].kind == OFFLINE:
        return due
    near = near_of(row, state)
    found = ((kind, due_days(state, kind, row.post_days, near)) for kind in _BY_WEIGHT)
    past = (kind for kind, days in found if days and days[0] < day)
    return (NewDeadline(next(past, REMINDER), at_us),)
