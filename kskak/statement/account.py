"""The account of a game, and what others are shown of it.

Every day charged and every day exempt, as rows, table of § 6.8.2 and timeline.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import pairwise

import chess

from kskak.board.positions import OpeningTable, named_plies
from kskak.board.shapes import numeric
from kskak.game import game_events as ev
from kskak.game.game_events import Event, LeaveBooked
from kskak.play.events_in_force import RulingShown, in_force, list_events_in_force, list_rulings
from kskak.play.evolve_game import replay
from kskak.play.game_state import (
    AccountCharge,
    AccountLine,
    AccountLog,
    GameState,
    RunningClock,
    Terms,
)
from kskak.reflection import AccountRemark, Booking, TimeOverstep, Warning_, list_granted_spans
from kskak.regulation.days import CAUSE_PARAGRAPH, ONE_DAY, Cause, Span
from kskak.regulation.editions import LeaveType, OverstepFinding, Regulation, Side

# The account of a game: every day charged and every day exempt, with its paragraph.


@dataclass(frozen=True, slots=True)
class Live:
    """The running account on a day, or as an answer on it would make it (§ 6.3.1).

    ``days`` on this move, ``total`` after it, of ``limit``; ``exempt``: what is not charged.
    """

    on: date
    days: int
    total: int
    limit: int
    exempt: tuple[Span, ...]

    @property
    def is_in_time(self) -> bool:
        """Whether the limit is kept; using it up exactly is within it (§ 6.3.3.1)."""
        return self.total <= self.limit


@dataclass(frozen=True, slots=True)
class Account:
    """A game's events and account, explained. ``live`` only when asked for a day.

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
    rulings: tuple[RulingShown, ...]
    events: tuple[Event, ...]

    @property
    def terms(self) -> Terms:
        """The terms the game is played under."""
        return self.state.terms

    @property
    def cited(self) -> dict[str, str]:
        """Its rule set's paragraphs, for the places of a text."""
        return self.terms.rules.cited


def _live(state: GameState, running: RunningClock, on: date) -> Live:
    days = state.days_on(running, on)
    exempt = state.live_watch.explain(running.since, on)
    total = state.clock(running.by).total + days
    return Live(on, days, total, running.limit, exempt)


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
        events=tuple(events),
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
        spent = (begun, row.dates.sent, row.by, row.dates.exempt)
        stretches += _thinking(spent, row, account.terms.rules.paragraphs.reckoning)
    stretches += _now(account, dated[-1] if dated else None, way)
    return Timeline(tuple(stretches), account.charges)


def _on_the_way(row: AccountLine, received: date, paragraph: str) -> Iterator[Stretch]:
    sent = row.dates.sent
    if sent is not None and sent < received:
        yield Stretch(sent, received - ONE_DAY, None, None, paragraph, row)


def _thinking(
    spent: tuple[date, date, Side, tuple[Span, ...]], row: AccountLine | None, used: str
) -> Iterator[Stretch]:
    """The steps from receipt to sending, each exempt span a stretch; ``used`` charges the rest."""
    received, sent, by, exempt = spent
    at = received
    for span in exempt:
        if at < span.first:
            yield Stretch(at, span.first - ONE_DAY, by, None, used, row)
        paragraph = CAUSE_PARAGRAPH[span.cause]
        yield Stretch(span.first, span.last, by, span.cause, paragraph, row)
        at = span.last + ONE_DAY
    if at < sent:
        yield Stretch(at, sent - ONE_DAY, by, None, used, row)


def _now(account: Account, last: AccountLine | None, way: str) -> Iterator[Stretch]:
    """The running time, up to the day asked for."""
    running, live = account.running, account.live
    if running is None or live is None:
        return
    if last is not None:
        yield from _on_the_way(last, min(running.since, live.on), way)
    if running.since < live.on:
        spent = (running.since, live.on, running.by, live.exempt)
        yield from _thinking(spent, None, account.terms.rules.paragraphs.reckoning)


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


def forecasts(account: Account, days: tuple[date, ...]) -> tuple[Live, ...]:
    """The cost of answering on each of some days; empty when no time runs.

    A day before the receipt costs nothing.
    """
    running = account.running
    return () if running is None else tuple(_live(account.state, running, on) for on in days)


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


# A running game as shown to everyone, where its tournament lets everyone follow.

_PROPOSES = ev.MoveSent | ev.SeriesAdded
_OF_AN_OFFER = ev.DrawOfferPrepared | ev.DrawDeclined | ev.DrawClaimFailed


def build_follower_view(known: Account, today: date) -> Account:
    """A running game's events and account without what is private to its players.

    ``today`` tells which leave has begun. The account's remarks are those on the events shown.
    """
    kept = list(_select_public_events(known.events, known.state.proposal, today))
    places = {entry: place for place, (entry, _) in enumerate(kept)}
    return replace(_account(known, places), events=tuple(event for _, event in kept))


def _select_public_events(
    events: Sequence[ev.Event], series: tuple[chess.Move, ...], today: date
) -> Iterator[tuple[int, ev.Event]]:
    """The events shown, with their place among all of them."""
    proposed = [n for n, e in in_force(events) if isinstance(e, _PROPOSES) and e.proposes]
    last_proposal = proposed[-1] if proposed and series else None
    for entry, event in enumerate(events):
        if isinstance(event, _OF_AN_OFFER) or _is_to_come(event, today):
            continue
        if isinstance(event, _PROPOSES):
            # What was answered of the series is on the board; the rest still stands (§ 6.2.5).
            cut = len(event.proposes) - len(series) if entry == last_proposal else None
            event = replace(event, proposes=event.proposes[:cut])
        if isinstance(event, ev.MoveSent):
            event = replace(event, offers_draw=False)
        if not isinstance(event, ev.SeriesAdded) or event.proposes:
            yield entry, event


def _is_to_come(event: ev.Event, today: date) -> bool:
    """Whether this is about a player's leave that has not begun."""
    effect = event.effect if isinstance(event, ev.RulingApplied) else event
    return isinstance(effect, ev.LeaveBooked | ev.LeaveShortened) and effect.first > today


def _account(known: Account, places: Mapping[int, int]) -> Account:
    state = replace(known.state, proposal=(), draw_offer=None, prepared_offer=None)
    return replace(
        known,
        state=state,
        running=_running(known, state),
        warnings=tuple(
            Warning_(entry=places[one.entry], code=one.code)
            for one in known.warnings
            if one.entry in places
        ),
        rulings=tuple(
            replace(one, entry=places[one.entry]) for one in known.rulings if one.entry in places
        ),
    )


def _running(known: Account, state: GameState) -> RunningClock | None:
    """The running account without the series, unless it would show someone as late who is not."""
    told, live = state.running(), known.live
    if told is None or told.flag_on is None or live is None or known.overstep is not None:
        return told
    return known.running if told.flag_on <= live.on else told


# What strangers are told of leave: that time stood still, not whether it was special leave.

_OF_A_TYPE = frozenset({AccountRemark.LATE_NOTICE, AccountRemark.QUOTA_EXCEEDED})
"""Remarks that only one type of leave gets, or that are counted by type."""


def has_leave(events: Sequence[Event]) -> bool:
    """Whether there is anything to keep from strangers."""
    return any(isinstance(event, LeaveBooked) for _, event, _ in list_events_in_force(list(events)))


def hide_leave_types(terms: Terms, events: Sequence[Event]) -> list[Event]:
    """The entries with each leave as the days that it granted, without type and notice.

    Both types are written alike: otherwise the one not named would give itself away.
    """
    bookings = [
        Booking(entry, event)
        for entry, event in enumerate(events)
        if isinstance(event, LeaveBooked)
    ]
    found = list_granted_spans(bookings, terms.start, terms.rules)
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
        replace(row, dates=replace(row.dates, exempt=_merge_leave_spans(row.dates.exempt)))
        if row.dates.exempt
        else row
        for row in account.rows
    )
    live = account.live
    return replace(
        account,
        rows=rows,
        live=None if live is None else replace(live, exempt=_merge_leave_spans(live.exempt)),
        warnings=tuple(one for one in account.warnings if one.code not in _OF_A_TYPE),
    )


def _merge_leave_spans(spans: tuple[Span, ...]) -> tuple[Span, ...]:
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


# Which positions of a game are shown on its sheet: at most four, chosen without an engine.

APART = 4
"""Plies between two positions that are both worth a diagram."""
_WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


class TurningPointKind(StrEnum):
    """What a position is shown for; all but ``OPENING`` and ``FINAL`` are seen before the move."""

    START = "start"
    OPENING = "opening"
    MATERIAL = "material"
    THOUGHT = "thought"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The position after ``ply`` plies, and what it is shown for."""

    ply: int
    why: TurningPointKind


def turning_points(known: Account, table: OpeningTable) -> tuple[TurningPoint, ...]:
    """The positions to show, in the order of the game; a game without moves has its last alone."""
    fen, moves = known.terms.fen, [row.move for row in known.rows]
    chosen = [TurningPoint(len(moves), TurningPointKind.FINAL)]
    kinds = (
        (TurningPointKind.START, [] if fen is None else [0]),
        (TurningPointKind.MATERIAL, _by_material(fen, moves)),
        (TurningPointKind.THOUGHT, _by_thought(known)),
        (TurningPointKind.OPENING, list(named_plies(table, fen, moves))[-1:]),
    )
    for why, plies in kinds:
        free = (at for at in plies if all(abs(at - one.ply) >= APART for one in chosen))
        chosen += [TurningPoint(at, why) for at in free][:1]
    return tuple(sorted(chosen, key=lambda one: one.ply))


def _by_thought(known: Account) -> list[int]:
    """The positions before the moves that took more than a move's share of days, longest first."""
    share = known.terms.rules.days_per_move
    took = [(-row.dates.days, row.ply - 1) for row in known.rows if row.dates.days > share]
    return [ply for _, ply in sorted(took)]


def _by_material(fen: str | None, moves: Sequence[chess.Move]) -> list[int]:
    """The positions before the captures that change the balance, the greatest change first.

    An exchange is one change: it lasts until a move neither takes nor promotes.
    """
    changes: list[tuple[int, int]] = []
    before: int | None = None
    begun = 0
    for ply, (balance, goes_on) in enumerate(_balances(fen, moves)):
        if goes_on:
            continue
        if before is not None and balance != before:
            changes.append((-abs(balance - before), begun))
        before, begun = balance, ply + 1
    return [ply for _, ply in sorted(changes)]


def _balances(fen: str | None, moves: Sequence[chess.Move]) -> Iterator[tuple[int, bool]]:
    """White's material less Black's from the start on, and whether the next move changes it."""
    board = chess.Board() if fen is None else chess.Board(fen)
    for move in moves:
        yield _balance(board), board.is_capture(move) or move.promotion is not None
        board.push(move)
    yield _balance(board), False


def _balance(board: chess.Board) -> int:
    return sum(
        worth * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
        for kind, worth in _WORTH.items()
    )
