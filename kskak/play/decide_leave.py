"""Booking, shortening and granting leave, or why not (§ 6.3.6-6.3.6.1, § 6.3.6.4, § 6.8.8).

Not for what leave does to the days (reflection/leave.py).
"""

from dataclasses import replace
from datetime import date

from kskak.game import commands as cmd
from kskak.game import events as ev
from kskak.game.lawful_days import lawful_days
from kskak.game.refusals import Reason, Refusal
from kskak.play.state import GameState
from kskak.reflection.leave import (
    Booking,
    Warned,
    calendar_of,
    earliest_leave,
    leave_used,
    quota_of,
)
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import RuleSet
from kskak.regulation.quantities import LeaveType

LONGEST_DAYS = 366
"""A leave longer than a year is a typing error, whatever the quota."""


def _is_booked(state: GameState, leave: ev.LeaveBooked) -> bool:
    """Whether this very leave is already booked: asking again changes nothing."""
    stood = (replace(leave, notified=None), None)
    return any(
        isinstance(booking.booked, ev.LeaveBooked)
        and (replace(booking.booked, notified=None, until=None), booking.booked.until) == stood
        for booking in state.bookings
    )


def _impossible(
    state: GameState, command: cmd.BookLeave | cmd.GrantLeave, now: date, longest: int
) -> Refusal | None:
    """What no leave may be: backwards, longer than a year, more than a year ahead."""
    if command.last < command.first:
        return Refusal(Reason.LEAVE_ORDER)
    if (command.last - command.first).days >= LONGEST_DAYS:
        return Refusal(Reason.LEAVE_TOO_LONG, days=longest)
    if command.last > lawful_days(state.terms.start, now)[1]:
        return Refusal(Reason.LEAVE_TOO_FAR)
    return None


def book_leave(
    state: GameState, command: cmd.BookLeave, now: date, edition: RuleSet
) -> tuple[ev.Event, ...] | Refusal:
    """The leave, or the refusal that names the earliest day or the days left."""
    refusal = _impossible(state, command, now, edition.leave_days)
    if refusal is not None:
        return refusal
    leave = ev.LeaveBooked(command.by, command.first, command.last, now, LeaveType.PERSONAL)
    if _is_booked(state, leave):
        return ()
    earliest = earliest_leave(now, edition)
    if command.first < earliest:
        return Refusal(Reason.LEAVE_TOO_SOON, earliest=earliest)
    left = _missing_days(state, leave, edition)
    return (leave,) if left is None else Refusal(Reason.LEAVE_QUOTA, days=left)


def grant_leave(
    state: GameState, command: cmd.GrantLeave, now: date, edition: RuleSet
) -> tuple[ev.Event, ...] | Refusal:
    """Special leave: no notice, past days too, § 6.8.8's days a year (§ 6.3.6.4 sets none)."""
    refusal = _impossible(state, command, now, edition.special_leave_days or LONGEST_DAYS)
    if refusal is not None:
        return refusal
    if command.first < state.terms.start:
        return Refusal(Reason.LEAVE_TOO_SOON, earliest=state.terms.start)
    leave = ev.LeaveBooked(command.by, command.first, command.last, now, LeaveType.SPECIAL)
    if _is_booked(state, leave):
        return ()
    left = _missing_days(state, leave, edition)
    return (leave,) if left is None else Refusal(Reason.SPECIAL_QUOTA, days=left)


def _missing_days(state: GameState, leave: ev.LeaveBooked, edition: RuleSet) -> int | None:
    """The days left in the tournament year when they are too few for this leave; else None."""
    start, allowed = state.terms.start, quota_of(leave.leave_type, edition)
    if allowed is None:
        return None
    booked = (*(booking.booked for booking in state.bookings), leave)
    bookings = tuple(Booking(entry, one) for entry, one in enumerate(booked))
    earlier = bookings[:-1]
    _, before = calendar_of(earlier, start, edition)
    _, after = calendar_of(bookings, start, edition)
    if not any(w.code is Warned.QUOTA_EXCEEDED and w not in before for w in after):
        return None
    return allowed - leave_used(earlier, start, edition, leave)


def shorten_leave(
    state: GameState, command: cmd.ShortenLeave, now: date
) -> tuple[ev.Event, ...] | Refusal:
    """The player's own leave ends earlier; the opponent keeps the announced stop.

    Reading of § 6.3.6: today at the earliest; before it has begun it may be given up entirely
    (``until`` is then the day before its first).
    """
    stands = [
        booking.booked
        for booking in state.bookings
        if isinstance(booking.booked, ev.LeaveBooked)
        and booking.booked.leave_type is LeaveType.PERSONAL
        and (booking.booked.by, booking.booked.first, booking.booked.last)
        == (command.by, command.first, command.last)
    ]
    if not stands:
        return Refusal(Reason.LEAVE_UNKNOWN)
    if stands[-1].until == command.until:
        return ()
    earliest = now if now >= command.first else command.first - ONE_DAY
    latest = stands[-1].until or command.last
    if not earliest <= command.until < latest:
        return Refusal(Reason.LEAVE_NOT_SHORTER, earliest=earliest)
    return (ev.LeaveShortened(command.by, command.first, command.last, command.until),)
