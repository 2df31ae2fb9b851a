"""What leave would do, before it is booked: the days it uses, and each game's new last day.

The same decision and the same account as booking it, on the current state (§ 6.3.6, § 6.8.8);
nothing is written and nobody is told. Not for booking (leave.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from kskak.game.events import LeaveBooked
from kskak.game.refusals import Refusal
from kskak.play.evolve import evolve
from kskak.play.state import GameState
from kskak.reflection.leave import anniversary, days_counted, leave_used, quota_of, tournament_year
from kskak.regulation.days import ONE_DAY, is_holiday
from kskak.regulation.quantities import LeaveType, Side
from mail.text.explain import last_day_in_time
from server.store.play.games import GameRow
from server.usecases.core.context import Core
from server.usecases.reflection.leave import Field, Leave, decided, fields_of, refused_in

Days = tuple[date, date]
"""The first and the last of consecutive days."""


@dataclass(frozen=True, slots=True)
class GameThen:
    """A game in which time would stand still. The last days in time are those of the side to move;
    None where no time runs, or where it is not known since when.
    """

    id: int
    name: str
    opponent: str
    is_mine: bool
    last_now: date | None
    last_then: date | None


@dataclass(frozen=True, slots=True)
class YearThen:
    """The tournament year from ``start``: days that the leave uses, and days left after it."""

    start: date
    days: int
    left: int


@dataclass(frozen=True, slots=True)
class FieldThen:
    """One tournament. ``refused``: why it would be booked in none of its games.

    ``booked``: days of the leave that the player has already booked; ``games``: those in which
    something would be booked, none where the very same leave is already booked.
    """

    tournament: str
    refused: Refusal | None
    games: tuple[GameThen, ...] = ()
    years: tuple[YearThen, ...] = ()
    booked: tuple[Days, ...] = ()


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The leave in all tournaments asked for; ``holidays``: those within it."""

    fields: tuple[FieldThen, ...]
    holidays: tuple[Days, ...]

    @property
    def refusal(self) -> Refusal | None:
        """Why it would be booked nowhere; None when it would be somewhere."""
        reasons = [field.refused for field in self.fields if field.refused is not None]
        return reasons[0] if len(reasons) == len(self.fields) and reasons else None

    @property
    def is_new(self) -> bool:
        """Whether booking would do anything."""
        return any(field.games for field in self.fields)


async def foresee(core: Core, leave: Leave) -> Foreseen:
    """What booking would do now; no fields for a person without running games. Read-only."""
    fields = await fields_of(core, leave.person_id, leave.tournament)
    fields_then = tuple(_field_then(field, leave) for field in fields)
    is_whole = any(field.refused is None for field in fields_then)
    return Foreseen(fields_then, _runs(filter(is_holiday, _days(leave))) if is_whole else ())


def _days(leave: Leave) -> list[date]:
    length = (leave.last - leave.first).days + 1
    return [leave.first + timedelta(days=number) for number in range(length)]


def _field_then(field: Field, leave: Leave) -> FieldThen:
    refused = refused_in(field, leave)
    if refused is not None:
        return FieldThen(field.tournament, refused.refusal)
    sides = [(row, side) for row in field.rows if (side := row.side_of(leave.person_id))]
    games = [_game_then(row, side, leave) for row, side in sides]
    years = [_years(row.state(), side, leave) for row, side in sides]
    booked = {day for row, side in sides for day in _booked(row.state(), side, leave)}
    return FieldThen(
        tournament=field.tournament,
        refused=None,
        games=tuple(game for game in games if game is not None),
        # Games that began later know less of what was booked: the fewest days left are shown.
        years=min(years, key=lambda told: min((year.left for year in told), default=0)),
        booked=_runs(booked),
    )


def _game_then(row: GameRow, side: Side, leave: Leave) -> GameThen | None:
    """What would happen in a game; None where the very same leave is already booked."""
    decision, state = decided(row, leave), row.state()
    if isinstance(decision, Refusal) or not decision:
        return None
    then = state
    for entry, event in enumerate(decision, row.seq):
        then = evolve(then, event, entry)
    return GameThen(
        id=row.id,
        name=row.name,
        opponent=row.black if side is Side.WHITE else row.white,
        is_mine=state.to_move is side,
        last_now=_last_day(state),
        last_then=_last_day(then),
    )


def _last_day(state: GameState) -> date | None:
    running = state.running()
    return None if running is None else last_day_in_time(running)


def _years(state: GameState, side: Side, leave: Leave) -> tuple[YearThen, ...]:
    """The tournament years that the leave takes days from, and what is left of each."""
    start, rules = state.terms.start, state.terms.rules
    asked = LeaveBooked(side, leave.first, leave.last, None, LeaveType.PERSONAL)
    counted = days_counted(state.bookings, start, rules, asked)
    allowed, out = quota_of(LeaveType.PERSONAL, rules) or 0, []
    for year in sorted({tournament_year(start, day) for day in counted}):
        days = [day for day in counted if tournament_year(start, day) == year]
        on = LeaveBooked(side, days[0], days[0], None, LeaveType.PERSONAL)
        left = allowed - leave_used(state.bookings, start, rules, on) - len(days)
        out.append(YearThen(anniversary(start, year), len(days), left))
    return tuple(out)


def _booked(state: GameState, side: Side, leave: Leave) -> set[date]:
    """Days of the leave that the player has already booked."""
    stands = [
        (one.booked.first, one.booked.until or one.booked.last)
        for one in state.bookings
        if isinstance(one.booked, LeaveBooked) and one.booked.by is side
    ]
    return {day for day in _days(leave) if any(first <= day <= last for first, last in stands)}


def _runs(days: Iterable[date]) -> tuple[Days, ...]:
    """Days grouped into stretches of consecutive days."""
    out: list[Days] = []
    for day in sorted(days):
        if out and out[-1][1] + ONE_DAY == day:
            out[-1] = (out[-1][0], day)
        else:
            out.append((day, day))
    return tuple(out)
