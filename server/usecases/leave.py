"""Booking leave: against all running games of a tournament at once (§ 6.3.6, § 6.8.8).

Booked in every running game or in none: the games are looked at first, and a refusal in one
refuses all. Not for what leave does to the days (kskak.leave).
"""

import asyncio
from dataclasses import dataclass
from datetime import date, datetime

from kskak.commands import BookLeave, Command
from kskak.days import local_day
from kskak.decide import decide
from kskak.quantities import Side
from kskak.refusals import Refusal
from kskak.state import GameState
from server.store import games as game_rows
from server.store import groups as group_rows
from server.store import outbox as outbox_rows
from server.store.games import GameRow
from server.usecases.core import Core
from server.usecases.play import Asked, ask, poster_of
from server.usecases.posting import Kind


@dataclass(frozen=True, slots=True)
class Leave:
    """What a person asks for, both days included. ``at`` is the instant that counts."""

    person_id: int
    first: date
    last: date
    channel: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Booked:
    """Leave that was booked: in these groups, against so many games."""

    groups: tuple[str, ...]
    games: int


@dataclass(frozen=True, slots=True)
class NotBooked:
    """Leave that was refused; ``refusal`` None when the person has no running game."""

    refusal: Refusal | None
    game: str | None


async def _running(core: Core, person_id: int) -> tuple[GameRow, ...]:
    async with core.store.read() as conn:
        return await game_rows.of_person(conn, person_id, running=True)


def _refused(row: GameRow, leave: Leave) -> Refusal | None:
    """Whether this game would refuse the leave."""
    side = row.side_of(leave.person_id)
    assert side is not None
    state = row.state()
    command = BookLeave(side, leave.first, leave.last)
    decision = decide(state, command, local_day(leave.at, row.zone), state.terms.rules)
    return decision if isinstance(decision, Refusal) else None


async def book(core: Core, leave: Leave) -> Booked | NotBooked:
    """Book leave in all the person's running games, or say why not; nothing half done.

    The very same leave is booked once, so that a mail handled again after a crash does nothing.
    """
    rows = await _running(core, leave.person_id)
    if not rows:
        return NotBooked(None, None)
    for row in rows:
        refusal = _refused(row, leave)
        if refusal is not None:
            return NotBooked(refusal, row.name)

    def build(_: GameState, side: Side) -> Command:
        return BookLeave(side, leave.first, leave.last)

    # Handed in together they share one transaction; asked twice, nothing more is booked.
    await asyncio.gather(
        *(
            ask(core, Asked(row.id, leave.person_id, leave.channel, build, at=leave.at))
            for row in rows
        )
    )
    names = await _group_names(core, rows)
    await tell(core, leave, Booked(names, len(rows)))
    return Booked(names, len(rows))


async def _group_names(core: Core, rows: tuple[GameRow, ...]) -> tuple[str, ...]:
    async with core.store.read() as conn:
        ids = dict.fromkeys(row.group_id for row in rows)
        found = [await group_rows.find(conn, group_id) for group_id in ids]
    return tuple(group.name for group in found if group is not None)


async def tell(core: Core, leave: Leave, outcome: Booked | NotBooked, unique: str = "") -> None:
    """Mail the player what became of his leave."""
    params: dict[str, object] = {"first": leave.first.isoformat(), "last": leave.last.isoformat()}
    if isinstance(outcome, Booked):
        kind = Kind.LEAVE_CONFIRMED
        params["groups"] = list(outcome.groups)
    else:
        kind = Kind.LEAVE_REFUSED
        refusal = outcome.refusal
        if refusal is None:
            return
        params["reason"] = refusal.reason.value
        params["earliest"] = refusal.earliest.isoformat() if refusal.earliest else None
        params["days"] = refusal.days
    distinct = f"{leave.first}.{leave.last}.{leave.at.isoformat()}.{unique}"
    letter = poster_of(core).to_person(kind, leave.person_id, distinct, params)
    async with core.store.write() as conn:
        await outbox_rows.enqueue(conn, [letter])
