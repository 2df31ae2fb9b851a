"""The account of a game.

Every day charged and every day exempt, as rows, table of § 6.8.2 and timeline.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from kskak.board.shapes import numeric
from kskak.game.game_events import Event
from kskak.play.events_in_force import RulingShown, list_rulings
from kskak.play.evolve_game import replay
from kskak.play.game_state import (
    AccountCharge,
    AccountLine,
    AccountLog,
    GameState,
    RunningClock,
    Terms,
)
from kskak.reflection import TimeOverstep, Warning_
from kskak.regulation.days import CAUSE_PARAGRAPH, ONE_DAY, Cause, Span
from kskak.regulation.editions import OverstepFinding, Regulation, Side

# The account of a game: every day charged and every day exempt, with its paragraph.


@dataclass(frozen=True, slots=True)
class Live:
    """The running account on a day: days on this move, total, and what is exempt."""

    on: date
    days: int
    total: int
    exempt: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """A game's account, explained. ``live`` only when asked for a day.

    ``rulings`` holds every ruling's effects, annulled ones too; rows and charges that a ruling
    made name it.
    """

    state: GameState
    rows: tuple[AccountLine, ...]
    charges: tuple[AccountCharge, ...]
    warnings: tuple[Warning_, ...]
    running: RunningClock | None
    live: Live | None
    overstep: TimeOverstep | None
    rulings: tuple[RulingShown, ...] = ()

    @property
    def terms(self) -> Terms:
        """The terms the game is played under."""
        return self.state.terms


@dataclass(frozen=True, slots=True)
class GameAccount:
    """A game's events and what follows from them."""

    events: tuple[Event, ...]
    account: Account


def _live(state: GameState, running: RunningClock, on: date) -> Live:
    days = state.days_on(running, on)
    exempt = state.live_watch.explain(running.since, on)
    return Live(on, days, state.clock(running.by).total + days, exempt)


def _find_overstep(
    state: GameState, running: RunningClock | None, live: Live | None
) -> TimeOverstep | None:
    """The overstep that stands, or the live one on the day asked for (§ 6.3.3.1)."""
    if state.overstep is not None or running is None or live is None:
        return state.overstep
    if running.flag_on is None or live.on < running.flag_on:
        return None
    control = state.next_control(running.by)
    return TimeOverstep(
        running.by, control, running.limit, live.total, running.flag_on, OverstepFinding.OPEN
    )


def account(
    terms: Terms, events: Sequence[Event], on: date | None = None, *, is_decided: bool = False
) -> Account:
    """The account of a game. Raises EntryFault for events that can't have happened.

    ``is_decided``: they were decided in this game, which need not be proven again.
    """
    log = AccountLog()
    state = replay(terms, events, log, is_decided=is_decided)
    running = state.running()
    live = None if running is None or on is None else _live(state, running, on)
    warnings = sorted(log.warnings, key=lambda warning: warning.entry)
    return Account(
        state=state,
        rows=tuple(log.rows),
        charges=tuple(log.charges),
        warnings=tuple(warnings),
        running=running,
        live=live,
        overstep=_find_overstep(state, running, live),
        rulings=list_rulings(events),
    )


# The running record of a game in the ICCF layout of § 6.8.2, to the character (CONTRACTS).

_HEADER = ("Modt.", "Sendt", "Tid", "Nr.", "Hvid", "Sort", "Modt.", "Sendt", "Tid")
_NOTHING_RECEIVED = "----"
_NO_DATES = ("", "", "")
Cells = tuple[tuple[str, ...], ...]
"""Lines of as many cells each."""


def iccf_table(account: Account) -> str:
    """The record as lines without a final newline (§ 6.8.2); only the header before any move.

    Cells are left-aligned and padded to the widest in their column, with one space between
    and trailing blanks cut.
    """
    return align_cells(iccf_cells(account))


def align_cells(lines: Cells) -> str:
    """The same of cells that are known."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    line = " ".join(f"{{:<{width}}}" for width in widths)
    return "\n".join([line.format(*cells).rstrip() for cells in lines])


def iccf_cells(account: Account) -> Cells:
    """The cells of the record, its header first (§ 6.8.2)."""
    return (_HEADER, *map(tuple, _body(account)))


def _body(account: Account) -> list[list[str]]:
    """The cells of each full move."""
    lines: dict[int, list[str]] = {}
    received = _NOTHING_RECEIVED
    for row in account.rows:
        played, dates = row.played, row.dates
        line = lines.get(played.number)
        if line is None:
            line = lines[played.number] = [*_NO_DATES, f"{played.number:02d}.", "", "", *_NO_DATES]
        dated = received or _day(dates.received), _day(dates.sent), f"{dates.days}/{row.total:02d}"
        if played.by is Side.WHITE:
            line[:3], line[4] = dated, numeric(played.move)
        else:
            line[5], line[6:] = numeric(played.move), dated
        received = ""
    return list(lines.values())


def _day(day: date | None) -> str:
    return "" if day is None else f"{day.day:02d}/{day.month:02d}"


# A game's account day by day: whose time ran, or why nobody's did, with the paragraph.

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
    move: AccountLine | None = None

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
    charges: tuple[AccountCharge, ...]

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


def _on_the_way(row: AccountLine, received: date, paragraph: str) -> Iterator[Stretch]:
    sent = row.dates.sent
    if sent is not None and sent < received:
        yield Stretch(sent, received - ONE_DAY, None, None, paragraph, row)


def _thinking(
    received: date, sent: date, by: Side, exempt: tuple[Span, ...], row: AccountLine | None
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


def _now(account: Account, last: AccountLine | None, way: str) -> Iterator[Stretch]:
    """The running time, up to the day asked for."""
    running, live = account.running, account.live
    if running is None or live is None:
        return
    if last is not None:
        yield from _on_the_way(last, min(running.since, live.on), way)
    if running.since < live.on:
        yield from _thinking(running.since, live.on, running.by, live.exempt, None)


@dataclass(frozen=True, slots=True)
class TimelineDay:
    """A day of the game: its stretch, None where nobody's time was counted.

    ``number``: its place among the days charged for its move, from 1; 0 when not charged.
    ``charges``: the days added to a side's time or taken from it on this date.
    """

    on: date
    stretch: Stretch | None
    number: int
    charges: tuple[AccountCharge, ...]


def each_day(found: Timeline) -> Iterator[TimelineDay]:
    """Every day from the first on which something happened to the last, in order (§ 6.3.1).

    One in a stretch of either side is given with the later stretch.
    """
    of_day: dict[date, Stretch] = {}
    for one in found.stretches:
        day = one.first
        while day <= one.last:
            of_day[day] = one
            day += ONE_DAY
    charged: dict[date, tuple[AccountCharge, ...]] = {}
    for charge in found.charges:
        charged[charge.on] = (*charged.get(charge.on, ()), charge)
    day = min((*of_day, *charged), default=date.max)
    last = max((*of_day, *charged), default=date.min)
    before, number = None, 0
    while day <= last:
        stretch, charges = of_day.get(day), charged.get(day, ())
        if stretch is None:
            yield TimelineDay(day, None, 0, charges)
        else:
            if stretch is not before and not _goes_on(stretch, before):
                number = 0
            before = stretch
            is_charged = stretch.by is not None and stretch.cause is None
            number += is_charged
            yield TimelineDay(day, stretch, number if is_charged else 0, charges)
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
