"""Both players' leave in a game's tournament year: which days, of what kind, how many used.

§ 6.3.6, § 6.3.6.1, § 6.3.6.2, § 6.3.6.4, § 6.8.8. Readings: whoever may see the game may see this,
since its statement names the same days; leave is shown as its player has it, and days given back
separately, since they still stop the opponent's time. Pure: from a state and a day. Not for one
person's year in all games (leave_year.py) nor for display (server/web/reflection/game_leave.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from kskak.game.events import LeaveBooked
from kskak.play.state import GameState
from kskak.reflection.leave import anniversary, first_granted, leave_used, quota_of, tournament_year
from kskak.regulation.days import ONE_DAY, Span, holidays
from kskak.regulation.quantities import LeaveType, Side


@dataclass(frozen=True, slots=True)
class Block:
    """A player's leave, both days included; ``given_back``: a part cut off by shortening it."""

    first: date
    last: date
    leave_type: LeaveType
    given_back: bool = False


@dataclass(frozen=True, slots=True)
class PlayersLeave:
    """One player's leave. ``used``: days of the allowance; ``special``: days of special leave."""

    side: Side
    blocks: tuple[Block, ...]
    used: int
    special: int


@dataclass(frozen=True, slots=True)
class GameLeave:
    """The tournament year of ``today``, both ends included.

    ``allowance``: days of leave a year; ``special_allowance`` None: no limit (§ 6.3.6.4).
    """

    first: date
    last: date
    today: date
    allowance: int
    special_allowance: int | None
    holidays: tuple[Span, ...]
    players: tuple[PlayersLeave, PlayersLeave]


def game_leave(state: GameState, today: date) -> GameLeave:
    """Both players' leave, White's first. A group that has not begun shows its first year."""
    start, rules = state.terms.start, state.terms.rules
    day = max(today, start)
    year = tournament_year(start, day)
    first, last = anniversary(start, year), anniversary(start, year + 1) - ONE_DAY
    free = {span.first: span for y in (first.year, last.year) for span in holidays(y)}
    allowance = quota_of(LeaveType.PERSONAL, rules)
    assert allowance is not None
    return GameLeave(
        first=first,
        last=last,
        today=today,
        allowance=allowance,
        special_allowance=quota_of(LeaveType.SPECIAL, rules),
        holidays=tuple(one for one in free.values() if one.first <= last and one.last >= first),
        players=(_players(state, Side.WHITE, day), _players(state, Side.BLACK, day)),
    )


def _players(state: GameState, side: Side, day: date) -> PlayersLeave:
    start, rules = state.terms.start, state.terms.rules
    since = anniversary(start, tournament_year(start, day))
    blocks = sorted(_blocks(state, side), key=lambda one: (one.first, one.given_back))

    def used(leave_type: LeaveType) -> int:
        asked = LeaveBooked(side, day, day, None, leave_type)
        return leave_used(state.bookings, start, rules, asked)

    return PlayersLeave(
        side,
        tuple(one for one in blocks if one.last >= since),
        used(LeaveType.PERSONAL) if blocks else 0,
        used(LeaveType.SPECIAL) if blocks else 0,
    )


def _blocks(state: GameState, side: Side) -> Iterator[Block]:
    for booking in state.bookings:
        booked = booking.booked
        if not isinstance(booked, LeaveBooked) or booked.by is not side:
            continue
        first = first_granted(booked, state.terms.rules)
        kept = booked.last if booked.until is None else min(booked.until, booked.last)
        if kept >= first:
            yield Block(first, kept, booked.leave_type)
        if kept < booked.last:
            back = max(kept + ONE_DAY, first)
            yield Block(back, booked.last, booked.leave_type, given_back=True)
