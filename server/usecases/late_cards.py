"""Cards that are entered late: nobody is reminded or warned before the next one can be entered.

§ 6.3.4, reading. In a postal game the reminder counts from the posting of the last card that is
entered and the post both ways. Who enters old cards, one after the other, would find each one
overdue at once. So what is due already when a card is entered is done on the second day after
it, and dated then: a reminder never bears a day on which nobody could send it. Not for what is
due (kskak.watching) nor for the letters, which say how to enter a card that has come.
"""

from collections.abc import Sequence
from datetime import date, timedelta

from kskak.state import GameState
from server.store.deadlines import NewDeadline
from server.store.instants import to_us
from server.usecases.duedates import OVERSTEP, REMINDER, start_of_day

CATCH_UP_DAYS = 2
"""Days from the entry of a card to the first work that was due before it was entered."""


def held_back(
    due: Sequence[NewDeadline], state: GameState, entered: date, zone: str
) -> tuple[NewDeadline, ...]:
    """The due work of a game in which a card was entered on a day; ``state`` is after it.

    One row stands for all that is past. A reminder says what the warnings before it would have
    said, and time that is up comes before both.
    """
    day = entered + timedelta(days=CATCH_UP_DAYS)
    at_us = to_us(start_of_day(day, zone))
    later = [row for row in due if row.due_us >= at_us]
    if len(later) == len(due):
        return tuple(due)
    flag = state.flag_to_find
    kind = OVERSTEP if flag is not None and flag < day else REMINDER
    return (NewDeadline(kind, at_us), *(row for row in later if row.kind != kind))
