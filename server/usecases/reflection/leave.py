"""Booking leave: against all running games of a tournament at once (§ 6.3.6, § 6.8.8).

Each tournament has its own year and quota. Without a tournament's name, leave is asked for in all
that the person plays in; in each it is booked in every running game or in none. Not for what
leave does to the days (kskak.reflection.leave), for shortening it (shorter_leave.py) nor for
special leave (special_leave.py).
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from kskak.game.commands import BookLeave, Command
from kskak.game.events import LeaveBooked
from kskak.game.refusals import Refusal
from kskak.play.decide import Decision, decide
from kskak.play.state import GameState
from kskak.reflection.leave import leave_used, quota_of
from kskak.regulation.days import local_day
from kskak.regulation.quantities import LeaveType, Side
from server.store.engine.turns import leave_of
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.play.ask import Asked, ask


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave as a person asks for it, both days included. ``at`` is the instant that counts.

    ``tournament`` None: in all the person's tournaments.
    """

    person_id: int
    first: date
    last: date
    channel: str
    at: datetime
    tournament: str | None = None


@dataclass(frozen=True, slots=True)
class NotBooked:
    """Leave refused in these groups; ``refusal`` None: the person has no running game."""

    refusal: Refusal | None
    game: str | None
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Booked:
    """Leave booked: in these groups, in this many games; ``refused``: where it was not."""

    groups: tuple[str, ...]
    games: int
    refused: tuple[NotBooked, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A person's running games of one tournament, and the groups they are in."""

    tournament: str
    rows: tuple[GameRow, ...]
    groups: tuple[GroupRow, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The groups' names."""
        return tuple(group.name for group in self.groups)


async def fields_of(core: Core, person_id: int, tournament: str | None = None) -> tuple[Field, ...]:
    """A person's running games by tournament (§ 6.3.6); of just one if it is named."""
    async with core.store.read() as conn:
        rows = await game_rows.of_person(conn, person_id, running=True)
        ids = dict.fromkeys(row.group_id for row in rows)
        groups = list(await group_rows.with_ids(conn, ids))
    return tuple(_field(name, groups, rows) for name in _names(groups, tournament))


def _names(groups: Iterable[GroupRow], tournament: str | None) -> list[str]:
    names = sorted({group.tournament for group in groups})
    return [name for name in names if tournament is None or name == tournament]


def _field(name: str, groups: list[GroupRow], rows: tuple[GameRow, ...]) -> Field:
    mine = tuple(group for group in groups if group.tournament == name)
    ids = {group.id for group in mine}
    return Field(name, tuple(row for row in rows if row.group_id in ids), mine)


def decided(row: GameRow, leave: Leave) -> Decision:
    """What booking the leave would do in a game."""
    side, state = row.side_of(leave.person_id), row.state()
    assert side is not None
    command = BookLeave(side, leave.first, leave.last)
    return decide(state, command, local_day(leave.at, row.zone), state.terms.rules)


def refused_in(field: Field, leave: Leave) -> NotBooked | None:
    """The refusal, if a game of this tournament would refuse the leave."""
    for row in field.rows:
        decision = decided(row, leave)
        if isinstance(decision, Refusal):
            return NotBooked(decision, row.name, field.names)
    return None


async def book(core: Core, leave: Leave) -> Booked | NotBooked:
    """Book leave, or say why not; in each tournament all or nothing.

    Identical leave is booked only once, so that a mail handled again after a crash does nothing.
    Of two simultaneous requests in two processes, the second is judged once the first is booked.
    """
    async with core.writer.together(leave_of(leave.person_id)):
        return await _book(core, leave)


async def _book(core: Core, leave: Leave) -> Booked | NotBooked:
    fields = await fields_of(core, leave.person_id, leave.tournament)
    if not fields:
        return NotBooked(None, None)
    refusals = {field.tournament: refused_in(field, leave) for field in fields}
    refused = tuple(one for one in refusals.values() if one is not None)
    granted = [field for field in fields if refusals[field.tournament] is None]
    if not granted:
        names = tuple(name for one in refused for name in one.groups)
        return NotBooked(refused[0].refusal, refused[0].game, names)

    def build(_: GameState, side: Side) -> Command:
        return BookLeave(side, leave.first, leave.last)

    rows = [row for field in granted for row in field.rows]
    # Submitted together they share one transaction; repeating it books nothing more.
    await asyncio.gather(
        *(
            ask(core, Asked(row.id, leave.person_id, leave.channel, build, at=leave.at))
            for row in rows
        )
    )
    names = tuple(name for field in granted for name in field.names)
    booked = Booked(names, len(rows), refused)
    await tell(core, leave, booked)
    for one in refused:
        await tell(core, leave, one, ".".join(one.groups))
    return booked


async def tell(
    core: Core,
    leave: Leave,
    outcome: Booked | NotBooked,
    unique: str = "",
    leave_type: LeaveType = LeaveType.PERSONAL,
) -> None:
    """Mail the player the outcome of the leave request."""
    params: dict[str, object] = {"first": leave.first.isoformat(), "last": leave.last.isoformat()}
    params["groups"] = list(outcome.groups)
    if isinstance(outcome, Booked):
        kind = Kind.LEAVE_CONFIRMED
        params["type"] = leave_type.value
    else:
        kind = Kind.LEAVE_REFUSED
        refusal = outcome.refusal
        if refusal is None:
            return
        params["reason"] = refusal.reason.value
        params["earliest"] = refusal.earliest.isoformat() if refusal.earliest else None
        params["days"] = refusal.days
    await post(core, leave.person_id, kind, params, f"{leave.at.isoformat()}.{unique}")


async def post(
    core: Core, person_id: int, kind: Kind, params: dict[str, object], unique: str
) -> None:
    """Write a letter to the player about leave; an identical one is written only once."""
    distinct = f"{params['first']}.{params['last']}.{unique}"
    letter = poster_of(core).to_person(kind, person_id, distinct, params)
    async with core.store.write() as conn:
        await outbox_rows.enqueue(conn, [letter])


def days_left(row: GameRow, person_id: int, first: date, leave_type: LeaveType) -> int | None:
    """Days of leave left in the tournament year of ``first`` (§ 6.3.6, § 6.8.8); None: no limit."""
    state = row.state()
    side = row.side_of(person_id) or Side.WHITE
    asked = LeaveBooked(side, first, first, None, leave_type)
    used = leave_used(state.bookings, state.terms.start, state.terms.rules, asked)
    limit = quota_of(leave_type, state.terms.rules)
    return None if limit is None else max(limit - used, 0)
