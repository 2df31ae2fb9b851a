"""Leave: its notice, its quota, and the days on which time therefore stands still (§ 6.3.6).

Also the pauses of § 6.7.4.3 and of the readings, since they become the same spans. Not for the
obligatory holidays themselves (regulation/days.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import assert_never

from kskak.game.events import LeaveBooked, LeaveShortened, Paused
from kskak.regulation.days import ONE_DAY, Calendar, Cause, Span, is_holiday
from kskak.regulation.editions import RuleSet
from kskak.regulation.quantities import LeaveType, PauseReason, Side


class Warned(StrEnum):
    """What the account remarks on without refusing it."""

    LATE_NOTICE = "late_notice"
    QUOTA_EXCEEDED = "quota_exceeded"
    PAUSE_TOO_LONG = "pause_too_long"
    LONG_TRANSIT = "long_transit"


@dataclass(frozen=True, slots=True)
class Warning_:
    """A remark on the entry with this index in the list."""

    entry: int
    code: Warned


@dataclass(frozen=True, slots=True)
class Booking:
    """A leave or pause and the index of its entry."""

    entry: int
    booked: LeaveBooked | Paused


def anniversary(start: date, year: int) -> date:
    """The first day of the tournament year that begins in ``year``; 29 February → 1 March."""
    try:
        return start.replace(year=year)
    except ValueError:
        return date(year, 3, 1)


def tournament_year(start: date, day: date) -> int:
    """Which tournament year a day lies in, named by the year it begins (§ 6.3.6)."""
    return day.year if day >= anniversary(start, day.year) else day.year - 1


def earliest_leave(notified: date, rules: RuleSet) -> date:
    """The first day that leave notified on this day may begin (§ 6.3.6.1)."""
    return notified + timedelta(days=rules.leave_notice_days)


def first_granted(leave: LeaveBooked, rules: RuleSet) -> date:
    """The first day of a leave that counts, given its notice (§ 6.3.6.1)."""
    if leave.leave_type is not LeaveType.PERSONAL or leave.notified is None:
        return leave.first
    return max(leave.first, earliest_leave(leave.notified, rules))


def quota_of(leave_type: LeaveType, rules: RuleSet) -> int | None:
    """Days of leave per tournament year, None without a limit (§ 6.3.6, § 6.8.8)."""
    match leave_type:
        case LeaveType.PERSONAL:
            return rules.leave_days
        case LeaveType.SPECIAL:
            return rules.special_leave_days
        case LeaveType.UNTOLD:
            return None
        case _:
            assert_never(leave_type)


def _days(first: date, last: date) -> Iterable[date]:
    day = first
    while day <= last:
        yield day
        day += ONE_DAY


class _Quota:
    """Counts days of leave against the quota, each day once."""

    def __init__(self, start: date, rules: RuleSet) -> None:
        self._start = start
        self._rules = rules
        self._used: dict[tuple[Side, LeaveType, int], int] = {}
        self._counted: set[tuple[Side, LeaveType, date]] = set()

    def takes(self, leave: LeaveBooked, day: date) -> bool:
        """Whether the day is granted; holidays and days already counted use none."""
        booked = (leave.by, leave.leave_type, day)
        if booked in self._counted or is_holiday(day):
            return True
        year = (leave.by, leave.leave_type, tournament_year(self._start, day))
        limit = quota_of(leave.leave_type, self._rules)
        used = self._used.get(year, 0)
        if limit is not None and used >= limit:
            return False
        self._used[year] = used + 1
        self._counted.add(booked)
        return True

    def counts(self, leave: LeaveBooked, day: date) -> bool:
        """Whether the day is granted and uses one of the quota."""
        before = len(self._counted)
        return self.takes(leave, day) and len(self._counted) > before

    def used(self, by: Side, leave_type: LeaveType, day: date) -> int:
        """Days used in the tournament year of ``day``."""
        return self._used.get((by, leave_type, tournament_year(self._start, day)), 0)


def _granted_spans(
    leave: LeaveBooked, first: date, quota: _Quota, reader: Side | None = None
) -> tuple[list[Span], bool]:
    """The spans of a leave that are exempt, and whether some day was over the quota.

    ``reader``: whose time is counted. Days that a player gave back use no quota; they stay
    exempt for the opponent, who relies on the announced stop (reading of § 6.3.6).
    """
    cause = Cause.SPECIAL_LEAVE if leave.leave_type is LeaveType.SPECIAL else Cause.LEAVE
    spans: list[Span] = []
    over = False
    for day in _days(first, leave.last):
        is_given_back = leave.until is not None and day > leave.until
        if is_given_back and reader is leave.by:
            break
        if not is_given_back and not quota.takes(leave, day):
            over = True
        elif spans and spans[-1].last + ONE_DAY == day:
            spans[-1] = Span(spans[-1].first, day, cause)
        else:
            spans.append(Span(day, day, cause))
    return spans, over


def _pause_span(pause: Paused, rules: RuleSet) -> tuple[Span, bool]:
    """The span of a pause and whether it was cut (§ 6.7.4.3)."""
    last = pause.last if pause.last is not None else date.max
    if pause.reason is PauseReason.RESERVE:
        longest = pause.first + timedelta(days=rules.reserve_pause_days - 1)
        cut = pause.last is not None and pause.last > longest
        return Span(pause.first, min(last, longest), Cause.RESERVE), cut
    return Span(pause.first, last, Cause(pause.reason.value)), False


def calendar_of(
    bookings: Sequence[Booking], start: date, rules: RuleSet, reader: Side | None = None
) -> tuple[Calendar, tuple[Warning_, ...]]:
    """The exempt days of a game and the remarks on its leaves and pauses.

    Leaves are taken in the order of their stated first day, then of the list. ``reader``: the
    side whose time is counted; None: the stops as they were announced.
    """
    warnings: list[Warning_] = []
    spans: list[Span] = []
    quota = _Quota(start, rules)
    leaves = [(b.entry, b.booked) for b in bookings if isinstance(b.booked, LeaveBooked)]
    for entry, leave in sorted(leaves, key=lambda pair: (pair[1].first, pair[0])):
        first = first_granted(leave, rules)
        if first > leave.first:
            warnings.append(Warning_(entry, Warned.LATE_NOTICE))
        granted, over = _granted_spans(leave, first, quota, reader)
        spans += granted
        if over:
            warnings.append(Warning_(entry, Warned.QUOTA_EXCEEDED))
    for booking in bookings:
        if isinstance(booking.booked, Paused):
            span, cut = _pause_span(booking.booked, rules)
            spans.append(span)
            if cut:
                warnings.append(Warning_(booking.entry, Warned.PAUSE_TOO_LONG))
    return Calendar.of(tuple(spans)), tuple(warnings)


def granted(
    bookings: Sequence[Booking], start: date, rules: RuleSet
) -> dict[int, tuple[Span, ...]]:
    """The days that each leave grants, as announced, by its entry (§ 6.3.6, § 6.3.6.1)."""
    quota = _Quota(start, rules)
    leaves = [(b.entry, b.booked) for b in bookings if isinstance(b.booked, LeaveBooked)]
    return {
        entry: tuple(_granted_spans(leave, first_granted(leave, rules), quota)[0])
        for entry, leave in sorted(leaves, key=lambda pair: (pair[1].first, pair[0]))
    }


def open_pause(bookings: Sequence[Booking], reason: PauseReason) -> Booking | None:
    """The pause of this reason that still stands, if one does."""
    for booking in reversed(bookings):
        booked = booking.booked
        if isinstance(booked, Paused) and booked.reason is reason and booked.last is None:
            return booking
    return None


def has_bounced(bookings: Sequence[Booking]) -> bool:
    """Whether a player of the game was ever out of reach, so that time stood still (§ 6.8.2)."""
    return any(
        isinstance(booking.booked, Paused) and booking.booked.reason is PauseReason.BOUNCE
        for booking in bookings
    )


def lasts_beyond(pause: Paused, reason: PauseReason, last: date) -> bool:
    """Whether ending a pause of this reason on a day cuts it short: it is open, or longer.

    A pause announced with its last day may end sooner: the club's right to 14 days is not a
    duty to use them all (§ 6.7.4.3).
    """
    return pause.reason is reason and (pause.last is None or pause.last > last)


def end_pause(bookings: Sequence[Booking], reason: PauseReason, last: date) -> tuple[Booking, ...]:
    """The bookings, ending the last pause that lasts beyond the day; it is dropped if it would
    end before it began."""
    cut = (
        booking
        for booking in reversed(bookings)
        if isinstance(booking.booked, Paused) and lasts_beyond(booking.booked, reason, last)
    )
    standing = next(cut, None)
    if standing is None or not isinstance(standing.booked, Paused):
        return tuple(bookings)
    ended = Booking(standing.entry, replace(standing.booked, last=last))
    kept = [b if b is not standing else ended for b in bookings]
    return tuple(b for b in kept if b is not ended or last >= standing.booked.first)


def shorten(bookings: Sequence[Booking], event: LeaveShortened) -> tuple[Booking, ...]:
    """The bookings with the leave of these days shortened (§ 6.3.6); unchanged if there is none."""
    meant = (event.by, event.first, event.last, LeaveType.PERSONAL)
    out: list[Booking] = []
    for booking in bookings:
        booked = booking.booked
        if isinstance(booked, LeaveBooked):
            days = (booked.by, booked.first, booked.last, booked.leave_type)
            if days == meant:
                booked = replace(booked, until=event.until)
        out.append(Booking(booking.entry, booked))
    return tuple(out)


def leave_used(
    bookings: Sequence[Booking],
    start: date,
    rules: RuleSet,
    booked: LeaveBooked,
) -> int:
    """Days of the leave's type that its player has used in the year it begins."""
    quota = _spent(bookings, start, rules)
    return quota.used(booked.by, booked.leave_type, booked.first)


def days_counted(
    bookings: Sequence[Booking], start: date, rules: RuleSet, leave: LeaveBooked
) -> tuple[date, ...]:
    """The days of a leave that use up quota on top of these bookings: no holiday (§ 6.3.6.2),
    and none that the player has already booked.
    """
    quota = _spent(bookings, start, rules)
    days = _days(first_granted(leave, rules), leave.last)
    return tuple(day for day in days if quota.counts(leave, day))


def _spent(bookings: Sequence[Booking], start: date, rules: RuleSet) -> _Quota:
    quota = _Quota(start, rules)
    for booking in sorted(bookings, key=lambda b: (b.booked.first, b.entry)):
        if isinstance(booking.booked, LeaveBooked):
            _granted_spans(booking.booked, first_granted(booking.booked, rules), quota)
    return quota
