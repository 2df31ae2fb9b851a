"""Captains: who is in whose team, for what a captain may read (§ 6.7.2, § 6.7.6).

A captain reads the cases of the team's players and speaks in them, but cannot decide or appeal.
Readings: § 6.7.6 gives captains copies in complaints against their players, so they see what those
see; in a division of the league their players are those of the team's boards, past and present;
in another group, those of the captain's own club. Not for which captains are told of a case
(team_captains.py) nor for appointing one (offices.py).
"""

from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.league import divisions as league_rows
from server.store.play.people import PersonRow
from server.usecases.core.offices import Rights
from server.usecases.core.team_captains import same_club


async def team_of(
    conn: AsyncConnection, person: PersonRow, held: Rights, group_id: int
) -> frozenset[int]:
    """The captain's players in a group; empty for anybody who is not a captain there."""
    if group_id not in held.captain:
        return frozenset()
    if await conn.run_sync(league_rows.division, group_id) is not None:
        return await conn.run_sync(league_rows.players_of_captain, group_id, person.id)
    seats = await group_rows.seats_of(conn, group_id)
    return frozenset(seat.person_id for seat in seats if same_club(seat.club, person.club))
