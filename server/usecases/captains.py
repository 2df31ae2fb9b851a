"""Captains: who is of whose team, and which captains hear of a case (§ 6.7.2, § 6.7.6).

A captain reads the cases of his players and speaks in them; he decides and appeals nothing.
Readings: § 6.7.6 gives him copies in complaints against his players, so he sees what they see;
in a division of the league his players are those of his team's boards, past and present; in
another group those whose club is his own. Not for appointing one (offices.py).
"""

from collections.abc import Collection

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store import groups as group_rows
from server.store import league as league_rows
from server.store import offices as office_rows
from server.store import people as person_rows
from server.store.people import PersonRow
from server.usecases.offices import Rights


def _same(one: str | None, other: str | None) -> bool:
    """Whether two clubs are one: blanks and capitals aside."""
    first, second = ((name or "").strip().casefold() for name in (one, other))
    return bool(first) and first == second


async def team_of(
    conn: AsyncConnection, person: PersonRow, held: Rights, group_id: int
) -> frozenset[int]:
    """The captain's players in a group; none for who is no captain there."""
    if group_id not in held.captain:
        return frozenset()
    if await conn.run_sync(league_rows.division, group_id) is not None:
        return await conn.run_sync(league_rows.players_of_captain, group_id, person.id)
    seats = await group_rows.seats_of(conn, group_id)
    return frozenset(seat.person_id for seat in seats if _same(seat.club, person.club))


def captains_in(
    conn: Connection, group_id: int, players: Collection[int], now_us: int
) -> tuple[int, ...]:
    """The captains of some players of a group, for a writer's own transaction."""
    captains = office_rows.captains_of(conn, group_id, now_us)
    if not captains:
        return ()
    if league_rows.division(conn, group_id) is not None:
        own = (league_rows.players_of_captain(conn, group_id, captain) for captain in captains)
        named = zip(captains, own, strict=True)
        return tuple(captain for captain, team in named if not team.isdisjoint(players))
    clubs = person_rows.clubs(conn, [*players, *captains])
    return tuple(
        captain
        for captain in captains
        if any(_same(clubs.get(captain), clubs.get(player)) for player in players)
    )
