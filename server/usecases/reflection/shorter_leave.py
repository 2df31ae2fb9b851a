"""Shortening leave: the opponents keep the announced stop (§ 6.3.6).

The player's own time runs again and the days are given back; nobody who relied on the stop loses
a day by it. Not for what it does to the days (kskak.reflection.leave).
"""

import asyncio
from dataclasses import dataclass
from datetime import date, datetime

from kskak.game.commands import Command, ShortenLeave
from kskak.game.events import LeaveBooked
from kskak.game.refusals import Reason, Refusal
from kskak.play.decide import decide
from kskak.play.state import GameState
from kskak.regulation.days import ONE_DAY, local_day
from kskak.regulation.quantities import LeaveType, Side
from server.store.engine.turns import leave_of
from server.store.play.games import GameRow
from server.usecases.core.context import Core
from server.usecases.core.outbox_letters import Kind
from server.usecases.play.ask import Asked, ask
from server.usecases.reflection.leave import Booked, NotBooked, fields_of, post


@dataclass(frozen=True, slots=True)
class Shortening:
    """A request to end leave with ``until``. ``first`` and ``last`` say which leave.

    Without them it is the leave that ``until`` lies in, or that begins the day after it.
    """

    person_id: int
    until: date
    channel: str
    at: datetime
    first: date | None = None
    last: date | None = None


def _meant(state: GameState, side: Side, asked: Shortening) -> LeaveBooked | None:
    """The leave to be shortened in a game; None when there is none."""
    for booking in state.bookings:
        booked = booking.booked
        if not isinstance(booked, LeaveBooked) or booked.by is not side:
            continue
        if booked.leave_type is not LeaveType.PERSONAL:
            continue
        if asked.first is None or asked.last is None:
            if booked.first - ONE_DAY <= asked.until < (booked.until or booked.last):
                return booked
        elif (booked.first, booked.last) == (asked.first, asked.last):
            return booked
    return None


async def shorten(core: Core, asked: Shortening) -> Booked | NotBooked:
    """Shorten leave in every running game it was booked in, or say why not."""
    async with core.writer.together(leave_of(asked.person_id)):
        return await _shorten(core, asked)


async def _shorten(core: Core, asked: Shortening) -> Booked | NotBooked:
    fields = await fields_of(core, asked.person_id)
    found: list[tuple[GameRow, LeaveBooked]] = []
    groups: list[str] = []
    for field in fields:
        here = [(row, leave) for row in field.rows if (leave := _of_row(row, asked))]
        found += here
        groups += [g.name for g in field.groups if any(row.group_id == g.id for row, _ in here)]
    if not found:
        return NotBooked(Refusal(Reason.LEAVE_UNKNOWN), None)
    for row, leave in found:
        refusal = _refused(row, leave, asked)
        if refusal is not None:
            return NotBooked(refusal, row.name, tuple(groups))
    await asyncio.gather(*(_ask(core, row, leave, asked) for row, leave in found))
    booked = Booked(tuple(groups), len(found))
    await _tell(core, asked, found[0][1], booked)
    return booked


def _of_row(row: GameRow, asked: Shortening) -> LeaveBooked | None:
    side = row.side_of(asked.person_id)
    assert side is not None
    return _meant(row.state(), side, asked)


def _refused(row: GameRow, leave: LeaveBooked, asked: Shortening) -> Refusal | None:
    state = row.state()
    command = ShortenLeave(leave.by, leave.first, leave.last, asked.until)
    decision = decide(state, command, local_day(asked.at, row.zone), state.terms.rules)
    return decision if isinstance(decision, Refusal) else None


async def _ask(core: Core, row: GameRow, leave: LeaveBooked, asked: Shortening) -> None:
    def build(_: GameState, side: Side) -> Command:
        return ShortenLeave(side, leave.first, leave.last, asked.until)

    await ask(core, Asked(row.id, asked.person_id, asked.channel, build, at=asked.at))


async def _tell(core: Core, asked: Shortening, leave: LeaveBooked, booked: Booked) -> None:
    """Mail the player that his leave is shorter."""
    params: dict[str, object] = {"first": leave.first.isoformat(), "last": leave.last.isoformat()}
    params |= {"until": asked.until.isoformat(), "groups": list(booked.groups)}
    params["type"] = LeaveType.PERSONAL.value
    unique = f"until.{asked.until}"
    await post(core, asked.person_id, Kind.LEAVE_CONFIRMED, params, unique)
