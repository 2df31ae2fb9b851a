"""Captains: who is of whose team, for what a captain may read (§ 6.7.2, § 6.7.6).

A captain reads the cases of his players and speaks in them; he decides and appeals nothing.
Readings: § 6.7.6 gives him copies in complaints against his players, so he sees what they see;
in a division of the league his players are those of his team's boards, past and present; in
another group those whose club is his own. Not for which captains hear of a case
(team_captains.py) nor for appointing one (offices.py).
"""

from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.groups import groups_and_seats as group_rows
from server.store.league import divisions as league_rows
from server.store.play.people import PersonRow
from server.usecases.core.offices import Rights
from server.usecases.core.team_captains import same_club


async def team_of(
    conn: AsyncConnection, person: PersonRow, held: Rights, group_id: int
) -> frozenset[int]:
    """The captain's players in a group; none for who is no captain there."""
    if group_id not in held.captain:
        return frozenset()
    if await conn.run_sync(league_rows.division, group_id) is not None:
        return await conn.run_sync(league_rows.players_of_captain, group_id, person.id)
    seats = await group_rows.seats_of(conn, group_id)
    return frozenset(seat.person_id for seat in seats if same_club(seat.club, person.club))
