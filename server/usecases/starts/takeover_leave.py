"""Leave that was used before a takeover and of which only the number of days is known (§ 6.3.6).

The days are laid at the beginning of the tournament year, before the last move: there they count
against the quota and change nobody's time. Not for leave with its dates.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from kskak.game.events import LeaveBooked
from kskak.reflection.leave import anniversary, tournament_year
from kskak.regulation.days import ONE_DAY, is_holiday
from kskak.regulation.editions import rules_of
from kskak.regulation.quantities import LeaveType, Side
from server.usecases.groups.group_file import GroupFile


def before_the_takeover(
    group: GroupFile,
    side: Side,
    used: int,
    known: Sequence[LeaveBooked],
    days: tuple[date, date],
) -> tuple[LeaveBooked, ...] | None:
    """Leave of so many days that counts in the year of the takeover; None if there is no room.

    ``days``: the last move's sending, from which on time runs, and the takeover. Obligatory
    holidays use none of the quota and are passed over (§ 6.3.6.2).
    """
    before, on = days
    first = anniversary(group.start, tournament_year(group.start, on))
    free = _free(first, before, [one for one in known if one.by is side])
    found = [day for day, _ in zip(free, range(used), strict=False)]
    if len(found) < used:
        return None
    notice = timedelta(days=rules_of(group.regulation).leave_notice_days)
    return tuple(LeaveBooked(side, begins, ends, begins - notice) for begins, ends in _spans(found))


def _free(first: date, before: date, known: Sequence[LeaveBooked]) -> Iterator[date]:
    """Days from the first that are no holidays and not booked, each before the sending."""
    personal = [one for one in known if one.leave_type is LeaveType.PERSONAL]
    day = first
    while day < before:
        if not is_holiday(day) and not any(one.first <= day <= one.last for one in personal):
            yield day
        day += ONE_DAY


def _spans(days: Sequence[date]) -> list[tuple[date, date]]:
    """Days that follow each other as spans."""
    spans: list[tuple[date, date]] = []
    for day in days:
        if spans and spans[-1][1] + ONE_DAY == day:
            spans[-1] = (spans[-1][0], day)
        else:
            spans.append((day, day))
    return spans
