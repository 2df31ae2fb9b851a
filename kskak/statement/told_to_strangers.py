"""What strangers are told of leave: that time stood still, not whether it was special leave.

Special leave is granted for illness and the like (§ 6.3.6.4, § 6.8.8): readers of a finished game
need not know. A stranger's copy keeps every day and every total. Not for who is a stranger
(server/usecases/play/game_views.py).
"""

from collections.abc import Sequence
from dataclasses import replace

from kskak.game.events import Event, LeaveBooked
from kskak.play.standing_events import standing
from kskak.play.state import Terms
from kskak.reflection.leave import Booking, Warned, granted
from kskak.regulation.days import ONE_DAY, Cause, Span
from kskak.regulation.quantities import LeaveType
from kskak.statement.account import Account

_OF_A_TYPE = frozenset({Warned.LATE_NOTICE, Warned.QUOTA_EXCEEDED})
"""Remarks that only one type of leave gets, or that are counted by type."""


def has_leave(events: Sequence[Event]) -> bool:
    """Whether there is anything to keep from strangers."""
    return any(isinstance(event, LeaveBooked) for _, event, _ in standing(list(events)))


def untold(terms: Terms, events: Sequence[Event]) -> list[Event]:
    """The entries with each leave as the days that it granted, without type and notice.

    Both types are written alike: otherwise the one not named would give itself away.
    """
    bookings = [
        Booking(entry, event)
        for entry, event in enumerate(events)
        if isinstance(event, LeaveBooked)
    ]
    found = granted(bookings, terms.start, terms.rules)
    out: list[Event] = []
    for entry, event in enumerate(events):
        if isinstance(event, LeaveBooked):
            out += [
                LeaveBooked(event.by, span.first, span.last, None, LeaveType.UNTOLD, event.until)
                for span in found[entry]
            ]
        else:
            out.append(event)
    return out


def discreet(account: Account) -> Account:
    """The account as strangers see it: leave is leave, and nothing is said of its notice."""
    rows = tuple(
        replace(row, dates=replace(row.dates, exempt=_alike(row.dates.exempt)))
        if row.dates.exempt
        else row
        for row in account.rows
    )
    live = account.live
    return replace(
        account,
        rows=rows,
        live=None if live is None else replace(live, exempt=_alike(live.exempt)),
        warnings=tuple(one for one in account.warnings if one.code not in _OF_A_TYPE),
    )


def _alike(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Leave of both types under one name, consecutive days as one span."""
    out: list[Span] = []
    for span in spans:
        cause = Cause.LEAVE if span.cause is Cause.SPECIAL_LEAVE else span.cause
        last = out[-1] if out else None
        if last is not None and last.cause is cause and last.last + ONE_DAY == span.first:
            out[-1] = Span(last.first, span.last, cause)
        else:
            out.append(Span(span.first, span.last, cause))
    return tuple(out)
