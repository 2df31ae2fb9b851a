"""Which captains are told of a case, and which teams its players are in (§ 6.7.2.2, § 6.7.6.1).

For a writer's own transaction: it uses the store alone. Not for what a captain may read
(captains.py).
"""

from collections.abc import Collection

from sqlalchemy import Connection

from server.store.league import divisions as league_rows
from server.store.play import offices as office_rows
from server.store.play import people as person_rows


def same_club(one: str | None, other: str | None) -> bool:
    """True if two clubs are the same, ignoring surrounding blanks and case."""
    first, second = ((name or "").strip().casefold() for name in (one, other))
    return bool(first) and first == second


def clubs_of(conn: Connection, group_id: int, players: Collection[int]) -> dict[int, str]:
    """The teams of players in a division, by player; empty for a group that is not one.

    A club's other team is in another division (§ 6.7.3.3), so club and group identify a team.
    """
    teams = {team.id: team.club for team in league_rows.teams(conn, group_id)}
    boards = league_rows.boards(conn, teams) if teams else ()
    return {row.person_id: teams[row.team_id] for row in boards if row.person_id in players}


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
        if any(same_club(clubs.get(captain), clubs.get(player)) for player in players)
    )
