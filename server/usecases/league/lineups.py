"""Line-ups as the league's checks see them, from stored data (§ 6.7.2-6.7.3).

Not for the rules (kskak.league.lineup, kskak.league.reserves).
"""

from collections.abc import Iterable

from sqlalchemy import Connection

from kskak.league.lineup import BoardPlayer, Lineup
from server.store.league import divisions as rows
from server.store.league.divisions import BoardRow, DivisionRow, TeamRow


def current(boards: Iterable[BoardRow], team_id: int) -> tuple[BoardRow, ...]:
    """A team's current players, from board 1."""
    return tuple(row for row in boards if row.team_id == team_id and row.to_us is None)


def lineup_of(team: TeamRow, division: DivisionRow, boards: Iterable[BoardRow]) -> Lineup:
    """A team's current line-up; players are identified by address."""
    seats = tuple(
        BoardPlayer(row.email, team.club, row.rating, row.two_clubs)
        for row in current(boards, team.id)
    )
    group = str(team.group_id)
    return Lineup(team.club, division.division, seats, group, team.order_by_leader)


def lineups(conn: Connection, season: int) -> tuple[Lineup, ...]:
    """Every team of a season."""
    divisions = {row.group_id: row for row in rows.divisions(conn, season)}
    teams = rows.teams(conn, *divisions)
    seats: dict[int, list[BoardRow]] = {}
    for row in rows.boards(conn, [team.id for team in teams]):
        seats.setdefault(row.team_id, []).append(row)
    order = {group_id: place for place, group_id in enumerate(divisions)}
    return tuple(
        lineup_of(team, divisions[team.group_id], seats.get(team.id, ()))
        for team in sorted(teams, key=lambda team: order[team.group_id])
    )
