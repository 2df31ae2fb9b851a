"""Special leave, granted by the leader: illness, work, chess (§ 6.3.6.4, § 6.8.8).

In all the player's running games of the tournament that the official answers for, or in none.
In e-mail games at most 30 days a tournament year; by post the regulation names no number. Not
for leave that a player books himself (leave.py) nor for what it does to the days.
"""

import asyncio
from dataclasses import dataclass
from datetime import date, datetime

from kskak.game.commands import GrantLeave
from kskak.game.refusals import Refusal
from kskak.play.decide import decide
from kskak.regulation.days import local_day
from kskak.regulation.quantities import LeaveType
from server.store.engine.turns import leave_of
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import Ward
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.game_work import LockedGame, PlainUnit, Writes
from server.usecases.core.offices import rights
from server.usecases.core.outbox_letters import Poster
from server.usecases.play.ask import Extra, Origin, carry_out, writes_of
from server.usecases.reflection.leave import Booked, Leave, NotBooked, fields_of, tell


class NotTheirs(Exception):
    """The official does not lead the player's groups, or plays in them himself."""


@dataclass(frozen=True, slots=True)
class Special:
    """What an official grants: to whom, in which tournament, both days included."""

    official: PersonRow
    person_id: int
    tournament: str
    first: date
    last: date
    channel: str
    at: datetime


@dataclass(frozen=True, slots=True)
class GrantUnit(PlainUnit):
    """Special leave in one game, as the writer runs it: the very same is granted once."""

    game_id: int
    special: Special
    poster: Poster

    def run(self, locked: LockedGame) -> tuple[Writes, bool]:
        """Whether it was granted now. Raises NeedsHistory for days that have been counted."""
        asked = self.special
        origin = Origin(asked.at, asked.official.id, asked.channel)
        done = carry_out(locked, _command(locked.row, asked), origin)
        if isinstance(done, Refusal) or not done[0]:
            return Writes(), False
        events, after = done
        return writes_of(locked, events, after, origin, self.poster, Extra()), True


def _command(row: GameRow, special: Special) -> GrantLeave:
    side = row.side_of(special.person_id)
    assert side is not None
    return GrantLeave(side, special.first, special.last)


async def grant(core: Core, special: Special) -> Booked | NotBooked:
    """Grant special leave, or say why not. Raises NotTheirs when the official may not."""
    async with core.writer.together(leave_of(special.person_id)):
        return await _grant(core, special)


async def _grant(core: Core, special: Special) -> Booked | NotBooked:
    fields = await fields_of(core, special.person_id, special.tournament)
    held = await rights(core, special.official)
    allowed = [g for f in fields for g in f.groups if held.speaks_for(g.id)]
    ids = {group.id for group in allowed}
    rows = [row for f in fields for row in f.rows if row.group_id in ids]
    if not rows:
        raise NotTheirs
    names = tuple(group.name for group in allowed)
    for row in rows:
        state = row.state()
        day = local_day(special.at, row.zone)
        decision = decide(state, _command(row, special), day, state.terms.rules)
        if isinstance(decision, Refusal):
            return NotBooked(decision, row.name, names)
    poster = poster_of(core)
    await asyncio.gather(*(core.writer.submit(GrantUnit(row.id, special, poster)) for row in rows))
    booked = Booked(names, len(rows))
    leave = Leave(special.person_id, special.first, special.last, special.channel, special.at)
    await tell(core, leave, booked, f"special.{special.tournament}", LeaveType.SPECIAL)
    return booked


async def leads_anybody(core: Core, official: PersonRow) -> bool:
    """Whether there is a group that an official answers for and does not play in."""
    held = await rights(core, official)
    if not held.grants_leave:
        return False
    if not (held.is_kc or held.leads_all):
        return True
    async with core.store.read() as conn:
        return await group_rows.is_any_but(conn, held.barred)


async def wards(core: Core, official: PersonRow) -> tuple[Ward, ...]:
    """Those whom an official may grant special leave, by name: who plays in the official's groups.

    One query for all of them, however many groups there are.
    """
    held = await rights(core, official)
    async with core.store.read() as conn:
        is_everywhere = held.is_kc or held.leads_all
        ids = (one.id for one in await group_rows.everything(conn)) if is_everywhere else held.led
        mine = [group for group in ids if held.speaks_for(group)]
        return await group_rows.still_playing(conn, mine)
