"""Booking leave: refused with the earliest day or the days left (§ 6.3.6-6.3.6.1, § 6.8.8).

Not for what leave does to the days (leave.py).
"""

from datetime import date

from kskak import commands as cmd
from kskak import events as ev
from kskak.editions import RuleSet
from kskak.leave import Booking, Warned, calendar_of, earliest_leave, leave_used
from kskak.quantities import LeaveType
from kskak.refusals import Reason, Refusal
from kskak.state import GameState

LONGEST_DAYS = 366
"""A leave longer than a year is a slip of the pen, whatever the quota."""
FURTHEST_DAYS = 3 * LONGEST_DAYS
"""So is one that ends when no game of today is played any more: a wrong year."""


def book_leave(
    state: GameState, command: cmd.BookLeave, now: date, edition: RuleSet
) -> tuple[ev.Event, ...] | Refusal:
    """The leave, or the refusal that names the earliest day or the days left."""
    if command.last < command.first:
        return Refusal(Reason.LEAVE_ORDER)
    if (command.last - command.first).days >= LONGEST_DAYS:
        return Refusal(Reason.LEAVE_TOO_LONG, days=edition.leave_days)
    if (command.last - now).days > FURTHEST_DAYS:
        return Refusal(Reason.LEAVE_TOO_FAR)
    earliest = earliest_leave(now, edition)
    if command.first < earliest:
        return Refusal(Reason.LEAVE_TOO_SOON, earliest=earliest)
    leave = ev.LeaveBooked(command.by, command.first, command.last, now, LeaveType.PERSONAL)
    start = state.terms.start
    entry = max((booking.entry for booking in state.bookings), default=0) + 1
    bookings = (*state.bookings, Booking(entry, leave))
    _, before = calendar_of(state.bookings, start, edition)
    _, after = calendar_of(bookings, start, edition)
    over = [w for w in after if w.code is Warned.QUOTA_EXCEEDED and w not in before]
    if over:
        used = leave_used(state.bookings, start, edition, leave)
        return Refusal(Reason.LEAVE_QUOTA, days=max(edition.leave_days - used, 0))
    return (leave,)
