"""A person's year: on which days time stands still in the person's games, by whose leave, and why.

§ 6.3.6, § 6.3.6.2, § 6.3.6.4, § 6.7.4.3, § 6.8.8. Read-only. Not for pages (server.web).
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.game.events import LeaveBooked
from kskak.play.state import GameState
from kskak.reflection.leave import Booking, calendar_of
from kskak.regulation.days import Cause, Span, holidays
from kskak.regulation.quantities import LeaveType, Side
from server.store.play.games import GameRow
from server.usecases.core.context import Core
from server.usecases.reflection.leave import days_left, fields_of


class Whose(StrEnum):
    """Who makes time stand still; in this order if several do."""

    ALL = "all"
    OWN = "own"
    OPPONENT = "opponent"
    PAUSE = "pause"


@dataclass(frozen=True, slots=True)
class Still:
    """Days on which time stands still, both ends included, in these games.

    ``name``: the opponent's whose leave it is; a holiday applies in all games.
    """

    first: date
    last: date
    cause: Cause
    whose: Whose
    name: str = ""
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quota:
    """Days of leave left in today's tournament year; ``special`` None: no limit (§ 6.3.6.4)."""

    tournament: str
    personal: int
    special: int | None


@dataclass(frozen=True, slots=True)
class OwnLeave:
    """Leave the person booked, in running games of these groups; ``until``: if shortened."""

    first: date
    last: date
    until: date | None
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeaveYear:
    """One calendar year."""

    year: int
    stills: tuple[Still, ...]
    quotas: tuple[Quota, ...]
    own: tuple[OwnLeave, ...]


def _clipped(span: Span, year: int) -> Span | None:
    """The part of a span that lies in a year."""
    first, last = max(span.first, date(year, 1, 1)), min(span.last, date(year, 12, 31))
    return Span(first, last, span.cause) if first <= last else None


def _spans(state: GameState, side: Side, booking: Booking, year: int) -> list[Span]:
    """The days of a year that one leave or pause exempts, for the reader's time."""
    terms = state.terms
    calendar, _ = calendar_of((booking,), terms.start, terms.rules, side)
    return [span for one in calendar.spans if (span := _clipped(one, year)) is not None]


def _whose(booking: Booking, side: Side, row: GameRow) -> tuple[Whose, str]:
    booked = booking.booked
    if not isinstance(booked, LeaveBooked):
        return Whose.PAUSE, ""
    if booked.by is side:
        return Whose.OWN, ""
    return Whose.OPPONENT, row.white if booked.by is Side.WHITE else row.black


def _stills(rows: list[tuple[GameRow, Side]], year: int) -> list[Still]:
    """Everything that stops time; the same in several games is listed once."""
    found: dict[tuple[date, date, Cause, Whose, str], list[str]] = {}
    for row, side in rows:
        state = row.state()
        for booking in state.bookings:
            for span in _spans(state, side, booking, year):
                key = (span.first, span.last, span.cause, *_whose(booking, side, row))
                games = found.setdefault(key, [])
                if row.name not in games:
                    games.append(row.name)
    stills = [Still(*key, tuple(games)) for key, games in found.items()]
    stills += [Still(span.first, span.last, Cause.HOLIDAY, Whose.ALL) for span in holidays(year)]
    order = list(Whose)
    return sorted(stills, key=lambda one: (one.first, order.index(one.whose), one.name))


def _own(rows: list[tuple[GameRow, Side]]) -> tuple[OwnLeave, ...]:
    """The personal leave that the person booked, by date."""
    found: dict[tuple[date, date, date | None], list[str]] = {}
    for row, side in rows:
        for booking in row.state().bookings:
            booked = booking.booked
            if not isinstance(booked, LeaveBooked) or booked.by is not side:
                continue
            if booked.leave_type is LeaveType.PERSONAL:
                groups = found.setdefault((booked.first, booked.last, booked.until), [])
                group = row.name.rpartition("/")[0]
                if group not in groups:
                    groups.append(group)
    ordered = sorted(found.items(), key=lambda item: item[0][:2])
    return tuple(OwnLeave(*days, tuple(groups)) for days, groups in ordered)


async def leave_year(core: Core, person_id: int, year: int) -> LeaveYear:
    """A person's year in all running games, with what is left of the leave (§ 6.3.6)."""
    fields = await fields_of(core, person_id)
    rows: list[tuple[GameRow, Side]] = []
    quotas: list[Quota] = []
    for field in fields:
        today = core.today(field.rows[0].zone)
        left = [days_left(row, person_id, today, LeaveType.PERSONAL) or 0 for row in field.rows]
        special = [days_left(row, person_id, today, LeaveType.SPECIAL) for row in field.rows]
        limited = [days for days in special if days is not None]
        quotas.append(Quota(field.tournament, min(left), min(limited, default=None)))
        for row in field.rows:
            side = row.side_of(person_id)
            assert side is not None
            rows.append((row, side))
    return LeaveYear(year, tuple(_stills(rows, year)), tuple(quotas), _own(rows))
