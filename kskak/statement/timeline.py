"""A game's account day by day: whose time ran, or why nobody's did, with the paragraph.

A day here is the step that belongs to it, the night to the next one (§ 6.3.1). Every day between
the first and the last is in exactly one stretch. The account's own numbers, laid out; not
for counting anything again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from kskak.play.account_log import Charge, Row
from kskak.regulation.days import CAUSE_PARAGRAPH, ONE_DAY, Cause, Span
from kskak.regulation.quantities import Regulation, Side
from kskak.statement.account import Account, Live

USED = "6.3.1"
"""The paragraph of a day that is charged."""
_ON_THE_WAY = {Regulation.POSTAL: "6.3.2", Regulation.EMAIL: "6.8.6"}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive days that count alike, both ends included.

    ``by``: whose time ran or would have run; None while a dispatch was on the way. ``cause``: why
    the days do not count; None for days on the way and for days that were charged. ``move`` is
    the ply the time was used on, None for the move being considered now; on the way the ply
    that was sent.
    """

    first: date
    last: date
    by: Side | None
    cause: Cause | None
    paragraph: str
    move: Row | None = None

    @property
    def days(self) -> int:
        """The number of days."""
        return (self.last - self.first).days + 1

    @property
    def is_charged(self) -> bool:
        """Whether the days were used by ``by``."""
        return self.by is not None and self.cause is None


@dataclass(frozen=True, slots=True)
class Timeline:
    """``stretches`` without gaps; ``charges`` are the days charged besides, as they were made.

    ``used`` is what the stretches charge each side: with its charges the side's total, unless a
    ruling has set one. A ruling may resume the game with a day before the last sending (§ 6.4.1):
    the days between are then in a stretch of either side.
    """

    stretches: tuple[Stretch, ...]
    charges: tuple[Charge, ...]

    def used(self, side: Side) -> int:
        """Days charged to a side in the stretches."""
        return sum(s.days for s in self.stretches if s.is_charged and s.by is side)


def timeline(account: Account) -> Timeline:
    """The days from the first dispatch to the last, or to the day the account was asked for."""
    way = _ON_THE_WAY[account.terms.regulation]
    stretches: list[Stretch] = []
    dated = [row for row in account.rows if row.dates.sent is not None]
    for before, row in pairwise((None, *dated)):
        assert row is not None and row.dates.sent is not None
        begun = row.dates.received
        if begun is None:
            continue
        if before is not None:
            stretches += _on_the_way(before, begun, way)
        stretches += _thinking(begun, row.dates.sent, row.by, row.dates.exempt, row)
    stretches += _now(account, dated[-1] if dated else None, way)
    return Timeline(tuple(stretches), account.charges)


def _on_the_way(row: Row, received: date, paragraph: str) -> Iterator[Stretch]:
    sent = row.dates.sent
    if sent is not None and sent < received:
        yield Stretch(sent, received - ONE_DAY, None, None, paragraph, row)


def _thinking(
    received: date, sent: date, by: Side, exempt: tuple[Span, ...], row: Row | None
) -> Iterator[Stretch]:
    """The steps from receipt to sending, each exempt span a stretch of its own."""
    at = received
    for span in exempt:
        if at < span.first:
            yield Stretch(at, span.first - ONE_DAY, by, None, USED, row)
        paragraph = CAUSE_PARAGRAPH[span.cause]
        yield Stretch(span.first, span.last, by, span.cause, paragraph, row)
        at = span.last + ONE_DAY
    if at < sent:
        yield Stretch(at, sent - ONE_DAY, by, None, USED, row)


def _now(account: Account, last: Row | None, way: str) -> Iterator[Stretch]:
    """The running time, up to the day asked for."""
    running, live = account.running, account.live
    if running is None or live is None:
        return
    if last is not None:
        yield from _on_the_way(last, min(running.since, live.on), way)
    if running.since < live.on:
        yield from _thinking(running.since, live.on, running.by, live.exempt, None)


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the game: its stretch, None where nobody's time was counted.

    ``number``: its place among the days charged for its move, from 1; 0 when not charged.
    ``charges``: the days added to a side's time or taken from it on this date.
    """

    on: date
    stretch: Stretch | None
    number: int
    charges: tuple[Charge, ...]


def each_day(found: Timeline) -> Iterator[Day]:
    """Every day from the first on which something happened to the last, in order (§ 6.3.1).

    One in a stretch of either side is given with the later stretch.
    """
    of_day: dict[date, Stretch] = {}
    for one in found.stretches:
        day = one.first
        while day <= one.last:
            of_day[day] = one
            day += ONE_DAY
    charged: dict[date, tuple[Charge, ...]] = {}
    for charge in found.charges:
        charged[charge.on] = (*charged.get(charge.on, ()), charge)
    day = min((*of_day, *charged), default=date.max)
    last = max((*of_day, *charged), default=date.min)
    before, number = None, 0
    while day <= last:
        stretch, charges = of_day.get(day), charged.get(day, ())
        if stretch is None:
            yield Day(day, None, 0, charges)
        else:
            if stretch is not before and not _goes_on(stretch, before):
                number = 0
            before = stretch
            is_charged = stretch.by is not None and stretch.cause is None
            number += is_charged
            yield Day(day, stretch, number if is_charged else 0, charges)
        day += ONE_DAY


def _goes_on(stretch: Stretch, before: Stretch | None) -> bool:
    """Whether the time belongs to the same move as the stretch before."""
    return before is not None and stretch.by is before.by and stretch.move is before.move


@dataclass(frozen=True, slots=True)
class Forecast:
    """What answering on a day would cost the side to move, as things stand now (§ 6.3.1).

    ``days`` on this move, ``total`` after it, of ``limit``.
    """

    on: date
    days: int
    total: int
    limit: int

    @property
    def is_in_time(self) -> bool:
        """Whether the limit is kept; using it up exactly is within it (§ 6.3.3.1)."""
        return self.total <= self.limit


def forecasts(account: Account, days: tuple[date, ...]) -> tuple[Forecast, ...]:
    """The cost of answering on each of some days; empty when no time runs.

    A day before the receipt costs nothing.
    """
    running, state = account.running, account.state
    if running is None:
        return ()
    used = state.clock(running.by).total
    out = []
    for on in days:
        cost = state.days_on(running, on)
        out.append(Forecast(on, cost, used + cost, running.limit))
    return tuple(out)


def after_leave(account: Account, live: Live) -> date | None:
    """The first day that counts after the leave the side to move is on, or that begins in its time.

    What adjoins or overlaps the leave is passed over, as it costs no more: more leave, a
    pause, the obligatory holidays (§ 6.3.6.2). None when no leave begins before the time is up.
    """
    running = account.running
    if running is None:
        return None
    horizon = running.flag_on or date.max
    calendar = account.state.calendar_of_mover
    ends = [
        calendar.next_charged(span.last + ONE_DAY)
        for span in calendar.spans
        if span.cause in (Cause.LEAVE, Cause.SPECIAL_LEAVE)
        and live.on <= span.last < date.max
        and span.first < horizon
    ]
    return min((day for day in ends if day is not None), default=None)
