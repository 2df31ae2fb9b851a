"""A person's year: on which days time stands still in the person's games, by whose leave, and why.

§ 6.3.6, § 6.3.6.2, § 6.3.6.4, § 6.7.4.3, § 6.8.8. Read-only. Not for pages (server.web).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.game.game_events import LeaveBooked
from kskak.play.game_state import GameState
from kskak.reflection import (
    Booking,
    anniversary,
    calendar_of,
    count_leave_used,
    find_first_granted_day,
    quota_of,
    tournament_year,
)
from kskak.regulation.days import ONE_DAY, Cause, Span, holidays
from kskak.regulation.editions import LeaveType, Side
from mail.game_letters.time_letters import LeaveTold
from mail.text.letter_facts import LetterGame
from server.store import groups as group_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.letter_facts import NoLetter, Params, day, game_of, leader, loads, number, text
from server.usecases.reflection.leave import days_left, fields_of


class StoppageOwner(StrEnum):
    """Who makes time stand still; in this order if several do."""

    ALL = "all"
    OWN = "own"
    OPPONENT = "opponent"
    PAUSE = "pause"


@dataclass(frozen=True, slots=True)
class TimeStoppage:
    """Days on which time stands still, both ends included, in these games.

    ``name``: the opponent's whose leave it is; a holiday applies in all games.
    """

    first: date
    last: date
    cause: Cause
    whose: StoppageOwner
    name: str = ""
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeaveYear:
    """One calendar year.

    ``quotas``: by tournament the days of personal and special leave left in today's tournament
    year; None: no limit (§ 6.3.6.4). ``own``: leave that the person booked, its first and last day,
    the one it was shortened to, and the groups it is in.
    """

    year: int
    stills: tuple[TimeStoppage, ...]
    quotas: tuple[tuple[str, int, int | None], ...]
    own: tuple[tuple[date, date, date | None, tuple[str, ...]], ...]


def _spans(state: GameState, side: Side, booking: Booking, year: int) -> list[Span]:
    """The days of a year that one leave or pause exempts, for the reader's time."""
    terms, start, end = state.terms, date(year, 1, 1), date(year, 12, 31)
    calendar, _ = calendar_of((booking,), terms.start, terms.rules, side)
    return [
        Span(max(one.first, start), min(one.last, end), one.cause)
        for one in calendar.spans
        if one.first <= end and one.last >= start
    ]


def _whose(booking: Booking, side: Side, row: GameRow) -> tuple[StoppageOwner, str]:
    booked = booking.booked
    if not isinstance(booked, LeaveBooked):
        return StoppageOwner.PAUSE, ""
    if booked.by is side:
        return StoppageOwner.OWN, ""
    return StoppageOwner.OPPONENT, row.white if booked.by is Side.WHITE else row.black


def _stills(rows: list[tuple[GameRow, Side]], year: int) -> list[TimeStoppage]:
    """Everything that stops time; the same in several games is listed once."""
    found: dict[tuple[date, date, Cause, StoppageOwner, str], list[str]] = {}
    for row, side in rows:
        state = row.state()
        for booking in state.bookings:
            for span in _spans(state, side, booking, year):
                key = (span.first, span.last, span.cause, *_whose(booking, side, row))
                games = found.setdefault(key, [])
                if row.name not in games:
                    games.append(row.name)
    stills = [TimeStoppage(*key, tuple(games)) for key, games in found.items()]
    stills += [
        TimeStoppage(span.first, span.last, Cause.HOLIDAY, StoppageOwner.ALL)
        for span in holidays(year)
    ]
    order = list(StoppageOwner)
    return sorted(stills, key=lambda one: (one.first, order.index(one.whose), one.name))


def _own(
    rows: list[tuple[GameRow, Side]],
) -> tuple[tuple[date, date, date | None, tuple[str, ...]], ...]:
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
    return tuple((*days, tuple(groups)) for days, groups in ordered)


async def leave_year(core: Core, person_id: int, year: int) -> LeaveYear:
    """A person's year in all running games, with what is left of the leave (§ 6.3.6)."""
    fields = await fields_of(core, person_id)
    rows: list[tuple[GameRow, Side]] = []
    quotas: list[tuple[str, int, int | None]] = []
    for field in fields:
        today = core.today(field.rows[0].zone)
        left = [days_left(row, person_id, today, LeaveType.PERSONAL) or 0 for row in field.rows]
        special = [days_left(row, person_id, today, LeaveType.SPECIAL) for row in field.rows]
        limited = [days for days in special if days is not None]
        quotas.append((field.tournament, min(left), min(limited, default=None)))
        for row in field.rows:
            side = row.side_of(person_id)
            assert side is not None
            rows.append((row, side))
    return LeaveYear(year, tuple(_stills(rows, year)), tuple(quotas), _own(rows))


# Both players' leave in a game's tournament year: which days, of what kind, how many used.


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

    @property
    def length(self) -> int:
        """The days of the year."""
        return (self.last - self.first).days + 1

    def place(self, first: date, last: date) -> tuple[int, int] | None:
        """After how many days of the year the part of a leave in it begins, and its days."""
        start, end = max(first, self.first), min(last, self.last)
        return ((start - self.first).days, (end - start).days + 1) if start <= end else None


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
        return count_leave_used(state.bookings, start, rules, asked)

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
        first = find_first_granted_day(booked, state.terms.rules)
        kept = booked.last if booked.until is None else min(booked.until, booked.last)
        if kept >= first:
            yield Block(first, kept, booked.leave_type)
        if kept < booked.last:
            back = max(kept + ONE_DAY, first)
            yield Block(back, booked.last, booked.leave_type, given_back=True)


# A leader's notice of a player's leave: one letter, with all the games that it stops (§ 6.3.6).


@loads(LeaveTold)
async def _leave_report(core: Core, reader: PersonRow, params: Params) -> LeaveTold:
    """The letter to a leader. Raises NoLetter when it stops none of the leader's games."""
    player_id = number(params, "player")
    first, last = day(params, "first"), day(params, "last")
    until = day(params, "until") if "until" in params else None
    kind = LeaveType(text(params, "type"))
    asked = (first, last, kind, until)
    async with core.store.read() as conn:
        player = await person_rows.find_person(conn, player_id)
        rows = await game_rows.list_person_games(conn, player_id, running=True)
        mine = [row for row in rows if row.tl_id == reader.id and _stops(row, player_id, asked)]
        groups = await group_rows.with_ids(conn, {row.group_id for row in mine})
        ids = {each for row in mine for each in (row.white_id, row.black_id, row.tl_id)}
        people = await person_rows.by_ids(conn, tuple(ids))
    if player is None or not mine:
        raise NoLetter("no game that it stops")
    by_id = {group.id: group for group in groups}
    games: list[LetterGame] = [game_of(core, row, by_id[row.group_id], people) for row in mine]
    games.sort(key=lambda game: game.name)
    led = (reader.name, leader(reader), games[0].zone)
    return LeaveTold(*led, player.name, first, last, kind, until, tuple(games))


def _stops(row: GameRow, player_id: int, asked: tuple[object, ...]) -> bool:
    """Whether the leave is booked in a game, and shortened if the letter says so."""
    side, until = row.side_of(player_id), asked[3]
    booked = (one.booked for one in row.state().bookings)
    return any(
        isinstance(one, LeaveBooked)
        and one.by is side
        and (one.first, one.last, one.leave_type) == asked[:3]
        and (until is None or one.until == until)
        for one in booked
    )
