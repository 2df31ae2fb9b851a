"""Reflection time: counted days, the control, faulty moves, silence and leave (§ 6.3, § 6.8)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import assert_never

from kskak.game.game_events import CardDates, GamePaused, LeaveBooked, LeaveShortened
from kskak.regulation.days import ONE_DAY, Calendar, Cause, Span, is_holiday
from kskak.regulation.editions import (
    Channel,
    LeaveType,
    MoveFault,
    OverstepFinding,
    PauseReason,
    Regulation,
    RuleSet,
    Side,
)

# Which dates count and how many days lie between them (§ 6.3.1-6.3.2, § 6.8.2, § 6.8.6).

SUNDAY = 6


class DatesContradict(ValueError):
    """Dates that can't all be true; the message says which."""


def sending_day(sent: date | CardDates) -> date:
    """The day a dispatch counts as sent (§ 6.3.2; Kendelse 38).

    A posting receipt counts when it is earlier than the postmark or there is none; else the
    postmark; if that is illegible, the stated date.
    """
    if isinstance(sent, date):
        return sent
    if sent.receipt is not None and (sent.postmark is None or sent.receipt < sent.postmark):
        return sent.receipt
    if sent.postmark is not None:
        return sent.postmark
    if sent.stated is None:
        raise DatesContradict("a card needs a postmark, a posting receipt or a stated date")
    return sent.stated


def default_receipt(opponent_sent: date, sent: date, rules: RuleSet) -> date:
    """Receipt when nothing is stated: the day after, or the sending day (§ 6.3.2.1, § 6.8.6)."""
    if sent < opponent_sent:
        raise DatesContradict("answered before the opponent had sent")
    return min(opponent_sent + rules.transit_days * ONE_DAY, sent)


def counts_weekend(channel: Channel, rules: RuleSet) -> bool:
    """Whether Saturday and Sunday are one day: post in a postal game (§ 6.3.2, § 6.3.2.1)."""
    return rules.weekend_rule and channel is Channel.POST


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Counts days in one game's calendar, with or without the weekend rule (§ 6.3.2)."""

    calendar: Calendar
    weekend: bool

    def _counted_until(self, sent: date) -> date:
        """A Sunday sending counts as Saturday."""
        return sent - ONE_DAY if self.weekend and sent.weekday() == SUNDAY else sent

    def days(self, received: date, sent: date) -> int:
        """Days used from receipt to sending, never below 0."""
        return self.calendar.charged(received, self._counted_until(sent))

    def first_over(self, received: date, allowed: int) -> date | None:
        """The first day on which sending costs more than ``allowed`` days; None for never."""
        day = self.calendar.first_over(received, allowed)
        if day is not None and allowed >= 0 and self.weekend and day.weekday() == SUNDAY:
            return day + ONE_DAY
        return day

    def explain(self, received: date, sent: date) -> tuple[Span, ...]:
        """The steps that were not charged, with their cause."""
        until = self._counted_until(sent)
        spans = self.calendar.explain(received, until)
        if until < sent and until >= received:
            spans = (*spans, Span(until, until, Cause.WEEKEND))
        return spans


# The time control: limits, and the first day a limit is passed (§ 6.3.3, § 6.8.6-6.8.7).


@dataclass(frozen=True, slots=True)
class TimeOverstep:
    """More days used than allowed (§ 6.3.3.1); ``move`` is the control move."""

    by: Side
    move: int
    limit: int
    used: int
    on: date
    finding: OverstepFinding

    def found(self, finding: OverstepFinding) -> "TimeOverstep":
        """The same overstep with this finding."""
        return replace(self, finding=finding)


def allowed_days(own: int, opponents: int, accepted: int, rules: RuleSet) -> int:
    """Days allowed to who has sent ``own`` moves and accepts so many plies (§ 6.3.3.1-6.3.3.2).

    ``opponents``: the opponent's moves so far; ``accepted``: plies of a series, the first his own.
    If a control move of his is among them, the last of them counts, whosever it is; else the next
    control.
    """
    control, own_last = rules.next_control(own), own + (accepted + 1) // 2
    if own_last < control:
        return rules.control_limit(control)
    return rules.control_limit(own_last if accepted % 2 else opponents + accepted // 2)


# Faulty moves and what they cost (§ 6.3.5, § 6.3.5.1, § 6.8.4, § 6.8.6; Kendelse 59).

_CHARGED = {
    Regulation.POSTAL: frozenset({MoveFault.ILLEGAL, MoveFault.ILLEGIBLE}),
    Regulation.EMAIL: frozenset({MoveFault.ILLEGAL, MoveFault.WRONG_REPETITION}),
}


def fault_days(fault: MoveFault, earlier: int, rules: RuleSet) -> int:
    """Days charged for a fault after ``earlier`` charged ones by the player in the game.

    What was spoiled in the post and what is ambiguous costs nothing (§ 6.3.5, § 6.8.4).
    """
    if fault not in _CHARGED[rules.regulation]:
        return 0
    return rules.faulty_again_days if earlier else rules.faulty_days


# More than 14 days on one move: the days it costs (§ 6.3.4), and when to remind (§ 6.8.3).


@dataclass(frozen=True, slots=True)
class Silence:
    """What was said between two dispatches, by dates."""

    notices: tuple[date, ...] = ()
    reminders: tuple[date, ...] = ()
    leader_told: tuple[date, ...] = ()


QUIET = Silence()


def _within(dates: Iterable[date], received: date, sent: date) -> bool:
    return any(received <= day <= sent for day in dates)


def silence_charges(
    said: Silence, received: date, sent: date, days: int, rules: RuleSet
) -> tuple[tuple[int, str], ...]:
    """(days, reason) charged to a dispatch that took ``days`` days (§ 6.3.4).

    Nothing up to and including 14 days, after notice, or without a reminder; the second
    charge comes only on top of the first.
    """
    if not rules.charges_silence or days <= rules.silence_days:
        return ()
    if _within(said.notices, received, sent) or not _within(said.reminders, received, sent):
        return ()
    charges = [(rules.silence_reminded_days, "over_14_days_reminded")]
    if _within(said.leader_told, received, sent):
        charges.append((rules.silence_leader_days, "over_14_days_tl"))
    return tuple(charges)


def reminder_due(calendar: Calendar, sent: date, rules: RuleSet, post_days: int = 0) -> date | None:
    """The first day to repeat an unanswered move (§ 6.3.4, § 6.8.3); None when time stands still.

    ``post_days``: the tournament's post one way; both ways are added. Reading: the days
    that count are those that could be charged.
    """
    return calendar.first_over(sent, rules.silence_days + 2 * post_days - 1)


def leader_due(calendar: Calendar, reminded: date, rules: RuleSet) -> date | None:
    """The first day to tell the leader after a reminder (§ 6.3.4, § 6.8.3)."""
    return calendar.first_over(reminded, rules.silence_answer_days - 1)


# Leave: its notice, its quota, and the days on which time therefore stands still (§ 6.3.6).


class AccountRemark(StrEnum):
    """What the account remarks on without refusing it."""

    LATE_NOTICE = "late_notice"
    QUOTA_EXCEEDED = "quota_exceeded"
    PAUSE_TOO_LONG = "pause_too_long"
    LONG_TRANSIT = "long_transit"


@dataclass(frozen=True, slots=True)
class Warning_:
    """A remark on the entry with this index in the list."""

    entry: int
    code: AccountRemark


@dataclass(frozen=True, slots=True)
class Booking:
    """A leave or pause and the index of its entry."""

    entry: int
    booked: LeaveBooked | GamePaused


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


def find_first_granted_day(leave: LeaveBooked, rules: RuleSet) -> date:
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


def _pause_span(pause: GamePaused, rules: RuleSet) -> tuple[Span, bool]:
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
        first = find_first_granted_day(leave, rules)
        if first > leave.first:
            warnings.append(Warning_(entry, AccountRemark.LATE_NOTICE))
        granted, over = _granted_spans(leave, first, quota, reader)
        spans += granted
        if over:
            warnings.append(Warning_(entry, AccountRemark.QUOTA_EXCEEDED))
    for booking in bookings:
        if isinstance(booking.booked, GamePaused):
            span, cut = _pause_span(booking.booked, rules)
            spans.append(span)
            if cut:
                warnings.append(Warning_(booking.entry, AccountRemark.PAUSE_TOO_LONG))
    return Calendar.of(tuple(spans)), tuple(warnings)


def list_granted_spans(
    bookings: Sequence[Booking], start: date, rules: RuleSet
) -> dict[int, tuple[Span, ...]]:
    """The days that each leave grants, as announced, by its entry (§ 6.3.6, § 6.3.6.1)."""
    quota = _Quota(start, rules)
    leaves = [(b.entry, b.booked) for b in bookings if isinstance(b.booked, LeaveBooked)]
    return {
        entry: tuple(_granted_spans(leave, find_first_granted_day(leave, rules), quota)[0])
        for entry, leave in sorted(leaves, key=lambda pair: (pair[1].first, pair[0]))
    }


def open_pause(bookings: Sequence[Booking], reason: PauseReason) -> Booking | None:
    """The pause of this reason that still stands, if one does."""
    for booking in reversed(bookings):
        booked = booking.booked
        if isinstance(booked, GamePaused) and booked.reason is reason and booked.last is None:
            return booking
    return None


def has_bounced(bookings: Sequence[Booking]) -> bool:
    """Whether a player of the game was ever out of reach, so that time stood still (§ 6.8.2)."""
    return any(
        isinstance(booking.booked, GamePaused) and booking.booked.reason is PauseReason.BOUNCE
        for booking in bookings
    )


def lasts_beyond(pause: GamePaused, reason: PauseReason, last: date) -> bool:
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
        if isinstance(booking.booked, GamePaused) and lasts_beyond(booking.booked, reason, last)
    )
    open_one = next(cut, None)
    if open_one is None or not isinstance(open_one.booked, GamePaused):
        return tuple(bookings)
    ended = Booking(open_one.entry, replace(open_one.booked, last=last))
    kept = [b if b is not open_one else ended for b in bookings]
    return tuple(b for b in kept if b is not ended or last >= open_one.booked.first)


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


def count_leave_used(
    bookings: Sequence[Booking],
    start: date,
    rules: RuleSet,
    booked: LeaveBooked,
) -> int:
    """Days of the leave's type that its player has used in the year it begins."""
    quota = _spent(bookings, start, rules)
    return quota.used(booked.by, booked.leave_type, booked.first)


def list_counted_days(
    bookings: Sequence[Booking], start: date, rules: RuleSet, leave: LeaveBooked
) -> tuple[date, ...]:
    """The days of a leave that use up quota on top of these bookings: no holiday (§ 6.3.6.2),
    and none that the player has already booked.
    """
    quota = _spent(bookings, start, rules)
    days = _days(find_first_granted_day(leave, rules), leave.last)
    return tuple(day for day in days if quota.counts(leave, day))


def _spent(bookings: Sequence[Booking], start: date, rules: RuleSet) -> _Quota:
    quota = _Quota(start, rules)
    for booking in sorted(bookings, key=lambda b: (b.booked.first, b.entry)):
        if isinstance(booking.booked, LeaveBooked):
            _granted_spans(booking.booked, find_first_granted_day(booking.booked, rules), quota)
    return quota
