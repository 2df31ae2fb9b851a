"""Booking leave: against all running games of a tournament at once (§ 6.3.6, § 6.8.8).

Each tournament has its own year and quota. Without a tournament's name, leave is asked for in all
that the person plays in; in each it is booked in every running game or in none. Not for what
leave does to the days (kskak.reflection), for shortening it (below) nor for
special leave (below).
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial

from kskak.game.game_commands import BookLeave, Command, GrantLeave, Reason, Refusal, ShortenLeave
from kskak.game.game_events import Event, LeaveBooked
from kskak.play.decide_command import Decision, decide, let_lapsed_claim_go
from kskak.play.evolve_game import advance
from kskak.play.game_state import GameState
from kskak.reflection import (
    anniversary,
    count_leave_used,
    list_counted_days,
    quota_of,
    tournament_year,
)
from kskak.regulation.days import ONE_DAY, is_holiday, local_day
from kskak.regulation.editions import LeaveType, Side
from mail.game_letters.letter_parts import Letter
from mail.office_letters.service_letters import LeaveConfirmed, LeaveRefused
from mail.text.explanations import last_day_in_time
from mail.text.letter_facts import OfficialContact
from server.store import groups as group_rows
from server.store.engine.connection import AsyncConnection, leave_of
from server.store.engine.rows import AnyRow
from server.store.groups import GroupRow
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow, read_events
from server.store.play.people import PersonRow
from server.usecases.context import Core, poster_of
from server.usecases.letter_facts import Params, leader, loads, official, refusal_of, text, texts
from server.usecases.letter_facts import day as day_of
from server.usecases.play.game_requests import GameRequest, ask, submit_observation
from server.usecases.rights import rights


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave as a person asks for it, both days included. ``at`` is the instant that counts.

    ``tournament`` None: in all the person's tournaments. ``reason``: the leader's for special
    leave, told to the player alone (§ 6.3.6.4).
    """

    person_id: int
    first: date
    last: date
    channel: str
    at: datetime
    tournament: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NotBooked:
    """Leave refused in these groups; ``refusal`` None: the person has no running game."""

    refusal: Refusal | None
    game: str | None
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeaveBookingOutcome:
    """Leave booked: in these groups, in this many games; ``refused``: where it was not."""

    groups: tuple[str, ...]
    games: int
    refused: tuple[NotBooked, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerTournament:
    """A person's running games of one tournament, and the groups they are in."""

    tournament: str
    rows: tuple[GameRow, ...]
    groups: tuple[GroupRow, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The groups' names."""
        return tuple(group.name for group in self.groups)


async def fields_of(
    core: Core, person_id: int, tournament: str | None = None
) -> tuple[PlayerTournament, ...]:
    """A person's running games by tournament (§ 6.3.6); of just one if it is named."""
    async with core.store.read() as conn:
        rows = await game_rows.list_person_games(conn, person_id, running=True)
        ids = dict.fromkeys(row.group_id for row in rows)
        groups = list(await group_rows.with_ids(conn, ids))
    found = []
    for name in sorted({group.tournament for group in groups}):
        if tournament in (None, name):
            mine = tuple(group for group in groups if group.tournament == name)
            own = {group.id for group in mine}
            played = tuple(row for row in rows if row.group_id in own)
            found.append(PlayerTournament(name, played, mine))
    return tuple(found)


AboutLeave = BookLeave | ShortenLeave | GrantLeave
Asked = Sequence[tuple[GameRow, AboutLeave]]
"""What is asked of which game."""


def _asked(rows: Iterable[GameRow], leave: Leave, kind: type[BookLeave | GrantLeave]) -> Asked:
    sides = ((row, row.side_of(leave.person_id)) for row in rows)
    return [(row, kind(side, leave.first, leave.last)) for row, side in sides if side is not None]


def _refused(asked: Asked, at: datetime, groups: tuple[str, ...]) -> NotBooked | None:
    """The refusal, if one of the games would refuse what is asked of it."""
    for row, command in asked:
        decision = _decision(row, command, at)
        if isinstance(decision, Refusal):
            return NotBooked(decision, row.name, groups)
    return None


def _decision(row: GameRow, command: AboutLeave, at: datetime) -> Decision:
    return decide(row.state(), command, local_day(at, row.zone))


def refused_in(
    field: PlayerTournament, leave: Leave, kind: type[BookLeave | GrantLeave] = BookLeave
) -> NotBooked | None:
    """The refusal, if a game of this tournament would refuse the leave."""
    return _refused(_asked(field.rows, leave, kind), leave.at, field.names)


async def _ask_all(core: Core, leave: Leave, asked: Asked) -> None:
    """Submitted together they share one transaction; repeating it books nothing more."""

    def request(row: GameRow, command: AboutLeave) -> GameRequest:
        def build(_: GameState, side: Side) -> Command:
            return replace(command, by=side)

        return GameRequest(row.id, leave.person_id, leave.channel, build, at=leave.at)

    await asyncio.gather(*(ask(core, request(*one)) for one in asked))


async def book(core: Core, leave: Leave) -> LeaveBookingOutcome | NotBooked:
    """Book leave, or say why not; in each tournament all or nothing.

    Identical leave is booked only once, so that a mail handled again after a crash does nothing.
    Of two simultaneous requests in two processes, the second is judged once the first is booked.
    """
    async with core.writer.together(leave_of(leave.person_id)):
        fields = await fields_of(core, leave.person_id, leave.tournament)
        if not fields:
            return NotBooked(None, None)
        refusals = {field.tournament: refused_in(field, leave) for field in fields}
        refused = tuple(one for one in refusals.values() if one is not None)
        granted = [field for field in fields if refusals[field.tournament] is None]
        if not granted:
            names = tuple(name for one in refused for name in one.groups)
            return NotBooked(refused[0].refusal, refused[0].game, names)
        rows = [row for field in granted for row in field.rows]
        await _ask_all(core, leave, _asked(rows, leave, BookLeave))
        names = tuple(name for field in granted for name in field.names)
        booked = LeaveBookingOutcome(names, len(rows), refused)
        await mail_leave_outcome(core, leave, booked)
        for one in refused:
            await mail_leave_outcome(core, leave, one, ".".join(one.groups))
        return booked


async def mail_leave_outcome(
    core: Core,
    leave: Leave,
    outcome: LeaveBookingOutcome | NotBooked,
    unique: str = "",
    leave_type: LeaveType = LeaveType.PERSONAL,
    until: date | None = None,
) -> None:
    """Mail the player the outcome of the leave request; an identical letter is written only once.

    ``until``: the leave is shortened and ends with this day.
    """
    days = (leave.first.isoformat(), leave.last.isoformat())
    params: dict[str, object] = {"first": days[0], "last": days[1], "groups": list(outcome.groups)}
    if isinstance(outcome, LeaveBookingOutcome):
        kind: type[Letter] = LeaveConfirmed
        params |= {"type": leave_type.value, "reason": leave.reason}
    else:
        kind = LeaveRefused
        refusal = outcome.refusal
        if refusal is None:
            return
        params["reason"] = refusal.reason.value
        params["earliest"] = refusal.earliest.isoformat() if refusal.earliest else None
        params["days"] = refusal.days
        params["given"] = refusal.given.isoformat() if refusal.given else None
    mark = f"{leave.at.isoformat()}.{unique}"
    if until is not None:
        params["until"], mark = until.isoformat(), f"until.{until}"
    distinct = ".".join((*days, mark))
    letter = poster_of(core).to_person(kind, leave.person_id, distinct, params)
    await core.store.change(outbox_rows.enqueue, [letter])


def days_left(row: GameRow, person_id: int, first: date, leave_type: LeaveType) -> int | None:
    """Days of leave left in the tournament year of ``first`` (§ 6.3.6, § 6.8.8); None: no limit."""
    state = row.state()
    side = row.side_of(person_id) or Side.WHITE
    asked = LeaveBooked(side, first, first, None, leave_type)
    used = count_leave_used(state.bookings, state.terms.start, state.terms.rules, asked)
    limit = quota_of(leave_type, state.terms.rules)
    return None if limit is None else max(limit - used, 0)


# What leave would do, before it is booked: the days it uses, and each game's new last day.

Days = tuple[date, date]
"""The first and the last of consecutive days."""


@dataclass(frozen=True, slots=True)
class GameThen:
    """A game in which time would stand still. The last days in time are those of the side to move;
    None where no time runs, or where it is not known since when.

    ``lapses``: time is up, and by the leave it is not: a claim falls, and the game goes on.
    """

    id: int
    name: str
    opponent: str
    is_mine: bool
    last_now: date | None
    last_then: date | None
    lapses: bool = False


@dataclass(frozen=True, slots=True)
class FieldThen:
    """One tournament. ``refused``: why it would be booked in none of its games.

    ``years``: the tournament years by their first day, with the days that the leave uses and those
    left after it, None without a limit. ``booked``: days of the leave that the player has already
    booked; ``games``: those in which something would be booked, none where the very same leave is
    already booked.
    """

    tournament: str
    refused: Refusal | None
    games: tuple[GameThen, ...] = ()
    years: tuple[tuple[date, int, int | None], ...] = ()
    booked: tuple[Days, ...] = ()


@dataclass(frozen=True, slots=True)
class LeavePreview:
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


async def foresee(core: Core, leave: Leave, official: PersonRow | None = None) -> LeavePreview:
    """What booking would do now; no fields for a person without running games. Read-only.

    ``official``: who would grant it as special leave. Raises NotTheirs when he may not.
    """
    fields = await fields_of(core, leave.person_id, leave.tournament)
    past: dict[int, Sequence[Event]] = {}
    if official is not None:
        fields = await _fields_led(core, official, leave)
        async with core.store.read() as conn:
            rows = [row for field in fields for row in field.rows]
            past = {row.id: read_events(await game_rows.history(conn, row.id)) for row in rows}
    kind = BookLeave if official is None else GrantLeave
    fields_then = tuple(_field_then(field, leave, kind, past) for field in fields)
    is_whole = any(field.refused is None for field in fields_then)
    return LeavePreview(fields_then, _runs(filter(is_holiday, _days(leave))) if is_whole else ())


def _days(leave: Leave) -> list[date]:
    length = (leave.last - leave.first).days + 1
    return [leave.first + timedelta(days=number) for number in range(length)]


def _field_then(
    field: PlayerTournament,
    leave: Leave,
    kind: type[BookLeave | GrantLeave],
    past: Mapping[int, Sequence[Event]],
) -> FieldThen:
    refused = refused_in(field, leave, kind)
    if refused is not None:
        return FieldThen(field.tournament, refused.refusal)
    sides = [(row, side) for row in field.rows if (side := row.side_of(leave.person_id))]
    asked = _asked(field.rows, leave, kind)
    games = [_game_then(row, command, leave.at, past.get(row.id, ())) for row, command in asked]
    leave_type = LeaveType.PERSONAL if kind is BookLeave else LeaveType.SPECIAL
    in_games = [_years(row.state(), side, leave, leave_type) for row, side in sides]
    booked = {day for row, side in sides for day in _booked(row.state(), side, leave)}
    return FieldThen(
        tournament=field.tournament,
        refused=None,
        games=tuple(game for game in games if game is not None),
        # Games that began later know less of what was booked: the fewest days left are shown.
        years=min(in_games, key=lambda years: min((left or 0 for _, _, left in years), default=0)),
        booked=_runs(booked),
    )


def _game_then(
    row: GameRow, command: AboutLeave, at: datetime, past: Sequence[Event]
) -> GameThen | None:
    """What would happen in a game; None where the very same leave is already booked.

    ``past``: its events, where the leave may have days that are gone.
    """
    decision, state, side = _decision(row, command, at), row.state(), command.by
    if isinstance(decision, Refusal) or not decision:
        return None
    today = local_day(at, row.zone)
    then = advance(state, decision, row.seq, lambda: past)
    if ends := let_lapsed_claim_go(state, then, today):
        then = advance(then, ends, row.seq + len(decision), lambda: (*past, *decision))
    return GameThen(
        id=row.id,
        name=row.name,
        opponent=row.black if side is Side.WHITE else row.white,
        is_mine=state.mover is side,
        last_now=_last_day(state),
        last_then=_last_day(then),
        lapses=state.is_time_up(today) and not then.is_time_up(today),
    )


def _last_day(state: GameState) -> date | None:
    running = state.running()
    return None if running is None else last_day_in_time(running)


def _years(
    state: GameState, side: Side, leave: Leave, leave_type: LeaveType
) -> tuple[tuple[date, int, int | None], ...]:
    """The tournament years that the leave takes days from, and what is left of each."""
    start, rules = state.terms.start, state.terms.rules
    asked = LeaveBooked(side, leave.first, leave.last, None, leave_type)
    counted = list_counted_days(state.bookings, start, rules, asked)
    allowed = quota_of(leave_type, rules)
    out: list[tuple[date, int, int | None]] = []
    for year in sorted({tournament_year(start, day) for day in counted}):
        days = [day for day in counted if tournament_year(start, day) == year]
        on = LeaveBooked(side, days[0], days[0], None, leave_type)
        used = count_leave_used(state.bookings, start, rules, on) + len(days)
        out.append(
            (anniversary(start, year), len(days), None if allowed is None else allowed - used)
        )
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


# Shortening leave: the opponents keep the announced stop (§ 6.3.6).


def _meant(
    row: GameRow, person_id: int, until: date, days: tuple[date, date] | None
) -> LeaveBooked | None:
    """The leave to be shortened in a game; None when there is none."""
    side = row.side_of(person_id)
    for booking in row.state().bookings:
        booked = booking.booked
        if not isinstance(booked, LeaveBooked) or booked.by is not side:
            continue
        if booked.leave_type is not LeaveType.PERSONAL:
            continue
        if days is None:
            if booked.first - ONE_DAY <= until < (booked.until or booked.last):
                return booked
        elif (booked.first, booked.last) == days:
            return booked
    return None


async def shorten(
    core: Core,
    person_id: int,
    until: date,
    channel: str,
    at: datetime,
    days: tuple[date, date] | None = None,
) -> LeaveBookingOutcome | NotBooked:
    """End a leave with ``until`` in every running game it was booked in, or say why not.

    ``days``: the leave's first and last; None: the one that ``until`` lies in, or that begins the
    day after it.
    """
    async with core.writer.together(leave_of(person_id)):
        fields = await fields_of(core, person_id)
        found = [
            (row, booked)
            for field in fields
            for row in field.rows
            if (booked := _meant(row, person_id, until, days)) is not None
        ]
        if not found:
            return NotBooked(Refusal(Reason.LEAVE_UNKNOWN), None)
        ids = {row.group_id for row, _ in found}
        groups = tuple(one.name for field in fields for one in field.groups if one.id in ids)
        asked = [(row, ShortenLeave(one.by, one.first, one.last, until)) for row, one in found]
        if (refused := _refused(asked, at, groups)) is not None:
            return refused
        leave = Leave(person_id, found[0][1].first, found[0][1].last, channel, at)
        await _ask_all(core, leave, asked)
        outcome = LeaveBookingOutcome(groups, len(found))
        await mail_leave_outcome(core, leave, outcome, until=until)
        return outcome


# Special leave, granted by the leader: illness, work, chess (§ 6.3.6.4, § 6.8.8).


class NotTheirs(Exception):
    """The official does not lead the player's groups, or plays in them himself."""


async def grant(core: Core, official: PersonRow, leave: Leave) -> LeaveBookingOutcome | NotBooked:
    """Grant special leave in the leave's tournament, or say why not; the very same once.

    Raises NotTheirs when the official may not.
    """
    async with core.writer.together(leave_of(leave.person_id)):
        fields = await _fields_led(core, official, leave)
        names = tuple(name for field in fields for name in field.names)
        rows = [row for field in fields for row in field.rows]
        asked = _asked(rows, leave, GrantLeave)
        if (refused := _refused(asked, leave.at, names)) is not None:
            return refused
        by, channel = official.id, leave.channel
        await asyncio.gather(
            *(
                submit_observation(core, row.id, partial(_same, command), leave.at, by, channel)
                for row, command in asked
            )
        )
        booked, unique = LeaveBookingOutcome(names, len(rows)), f"special.{leave.tournament}"
        await mail_leave_outcome(core, leave, booked, unique, LeaveType.SPECIAL)
        return booked


async def _fields_led(
    core: Core, official: PersonRow, leave: Leave
) -> tuple[PlayerTournament, ...]:
    """The player's games in the groups that the official answers for. Raises NotTheirs."""
    held, found = await rights(core, official), list[PlayerTournament]()
    for field in await fields_of(core, leave.person_id, leave.tournament):
        groups = tuple(group for group in field.groups if held.speaks_for(group.id))
        ids = {group.id for group in groups}
        rows = tuple(row for row in field.rows if row.group_id in ids)
        found += [PlayerTournament(field.tournament, rows, groups)] if rows else []
    if not found:
        raise NotTheirs
    return tuple(found)


def _same(command: Command, _: GameState, __: Side | None) -> Command:
    return command


async def leads_anybody(core: Core, official: PersonRow) -> bool:
    """Whether there is a group that an official answers for and does not play in."""
    held = await rights(core, official)
    if not held.grants_leave:
        return False
    if not (held.is_kc or held.leads_all):
        return True
    return await core.store.query(group_rows.is_any_but, held.barred)


async def wards(core: Core, official: PersonRow) -> tuple[AnyRow, ...]:
    """Those whom an official may grant special leave, by name: who plays in the official's groups.

    One query for all of them, however many groups there are.
    """
    held = await rights(core, official)
    async with core.store.read() as conn:
        is_everywhere = held.is_kc or held.leads_all
        ids = (one.id for one in await group_rows.everything(conn)) if is_everywhere else held.led
        mine = [group for group in ids if held.speaks_for(group)]
        return await group_rows.still_playing(conn, mine)


# The answers to a leave, with the leaders of the groups it is for.


async def _with_leaders(
    conn: AsyncConnection, names: Iterable[str]
) -> tuple[tuple[str, OfficialContact], ...]:
    """Groups by name, each with its leader (§ 6.1.1)."""
    found = [group for name in names if (group := await group_rows.by_name(conn, name))]
    people = await person_rows.by_ids(conn, [group.tl_id for group in found])
    return tuple((group.name, leader(people[group.tl_id], group.class_)) for group in found)


@loads(LeaveConfirmed)
async def _leave_confirmed(core: Core, reader: PersonRow, params: Params) -> LeaveConfirmed:
    first, names = day_of(params, "first"), texts(params, "groups")
    leave_type = LeaveType(text(params, "type") if "type" in params else LeaveType.PERSONAL)
    async with core.store.read() as conn:
        rows = await game_rows.list_person_games(conn, reader.id, running=True)
        groups = await _with_leaders(conn, names)
    left = [
        days_left(row, reader.id, first, leave_type)
        for row in rows
        if row.name.rpartition("/")[0] in names
    ]
    return LeaveConfirmed(
        reader=reader.name,
        official=official(core),
        first=first,
        last=day_of(params, "last"),
        groups=groups,
        leave_type=leave_type,
        days_left=min((days for days in left if days is not None), default=None),
        until=day_of(params, "until") if "until" in params else None,
        reason=text(params, "reason") if "reason" in params else "",
    )


@loads(LeaveRefused)
async def _leave_refused(core: Core, reader: PersonRow, params: Params) -> LeaveRefused:
    why = text(params, "reason")
    groups = await core.store.query(_with_leaders, texts(params, "groups"))
    asked = (day_of(params, "first"), day_of(params, "last"), groups)
    return LeaveRefused(reader.name, official(core), *asked, refusal_of({**params, "why": why}))
