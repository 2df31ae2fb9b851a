"""A division of the league taken over in mid-season: teams, boards, reserves, captains (§ 6.7).

Its group file is that of ``kskak group start`` with the teams in the order of their numbers, and
under each team the reserves who have taken over boards, each with a day. Readings: a game that was
over by then has the name of its player, a running one that of whoever carries it on; reserves
already in count against the two (§ 6.7.4.3). Not for the games' histories (takeover_games.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from kskak.groups.dealing import draw_lots
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import to_us
from server.store.league import desk as desk_rows
from server.store.league import divisions as rows
from server.store.league.desk import NewReserve, ReserveState
from server.store.league.divisions import NewBoard, NewGame
from server.usecases.core.context import Core
from server.usecases.groups.group_file import GroupFile, GroupFileError, PlayerEntry, ReserveEntry
from server.usecases.league.file import Squad, check, rating_of, squads
from server.usecases.league.lineups import lineups
from server.usecases.league.start import (
    KeptTeam,
    appoint,
    captain_of,
    division_games,
    of_club,
    write_teams,
)
from server.usecases.starts.takeover_games import Planned, TakenGame

MORNING = time(0)


@dataclass(frozen=True, slots=True)
class Roster:
    """A division's teams by number, and everybody in it: by boards, then the reserves."""

    teams: tuple[Squad, ...]
    people: tuple[PlayerEntry, ...]

    @property
    def names(self) -> list[str]:
        """Their names, by the numbers that the games use."""
        return [one.name for one in self.people]

    def hands(self, team: int, board: int) -> tuple[int, ...]:
        """The numbers of those who played a board of a team (from 0), in chronological order."""
        found = [self.people.index(self.teams[team].players[board - 1])]
        later = [one for one in self.teams[team].reserves if one.board == board]
        return (*found, *(self.people.index(one) for one in sorted(later, key=_since)))


def _since(one: ReserveEntry) -> datetime:
    return datetime.combine(one.since, MORNING)


def roster_of(file: GroupFile) -> Roster:
    """Who is on which team. Raises GroupFileError for an invalid team, or a reserve too early."""
    teams = squads(file)
    if file.draw and file.seed is not None:
        teams = tuple(teams[at] for at in draw_lots(file.seed, [team.club for team in teams]))
    for index, team in enumerate(teams, 1):
        if len(team.players) != 4:
            raise GroupFileError(f"teams.{index}: {team.club} has not four players (§ 6.7.2.1)")
        for one in team.reserves:
            if one.since < file.start:
                wanted = "write a day of the tournament"
                raise GroupFileError(f"teams.{index}: reserves: since of {one.name}: {wanted}")
    boards = [team.players[board] for board in range(4) for team in teams]
    reserves = [one for team in teams for one in team.reserves]
    return Roster(teams, (*boards, *reserves))


def planned_division(file: GroupFile, roster: Roster) -> tuple[Planned, ...]:
    """Every game of the division's boards, with who may have played each side (§ 6.7.4.2)."""
    kept = [
        KeptTeam(team, 0, tuple(roster.hands(at, board)[0] for board in range(1, 5)))
        for at, team in enumerate(roster.teams)
    ]
    return tuple(
        Planned(new, roster.hands(white, board), roster.hands(black, board))
        for board, white, black, new in division_games(file, 0, kept)
    )


async def check_division(conn: AsyncConnection, file: GroupFile, roster: Roster) -> None:
    """Check the first line-ups by § 6.7.2-6.7.3. Raises GroupFileError for what they forbid."""
    check(roster.teams, file, await conn.run_sync(lineups, file.start.year))


async def keep_division(
    core: Core,
    conn: AsyncConnection,
    about: tuple[GroupFile, int, int],
    roster: Roster,
    people: Sequence[int],
    games: Sequence[TakenGame],
) -> None:
    """Store the division's part of a group; ``about``: file, group and leader."""
    file, group_id, tl_id = about
    kept = []
    for at, team in enumerate(roster.teams):
        own = tuple(people[roster.hands(at, board)[0]] for board in range(1, 5))
        kept.append(KeptTeam(team, await captain_of(core, conn, team), own))
    ids = await conn.run_sync(write_teams, core, file, group_id, kept)
    schedule = {new.terms.game: (b, w, k) for b, w, k, new in division_games(file, 0, kept)}
    pairs = []
    for game in games:
        board, white, black = schedule[game.name]
        pairs.append(NewGame(game.new.id, board, ids[white], ids[black]))
    await conn.run_sync(rows.add_games, pairs)
    await appoint(core, conn, group_id, tl_id, kept)
    await conn.run_sync(_times, core, file, (roster, people, ids), tl_id)
    await conn.run_sync(lambda c: rows.set_division(c, group_id, letters_us=core.now_us))


def _times(
    conn: Connection,
    core: Core,
    file: GroupFile,
    of: tuple[Roster, Sequence[int], Sequence[int]],
    tl_id: int,
) -> None:
    """Record who played which board since when: the start, or a reserve's day."""
    roster, people, ids = of
    zone = ZoneInfo(file.zone)
    begun = to_us(datetime.combine(file.start, MORNING, zone))
    for at, team in enumerate(roster.teams):
        seats = {row.board: row for row in rows.boards(conn, [ids[at]])}
        for row in seats.values():
            rows.set_board(conn, row.id, from_us=begun)
        for one in sorted(team.reserves, key=_since):
            since = to_us(datetime.combine(one.since, MORNING, zone))
            person = people[roster.people.index(one)]
            _carry_on(conn, core, ids[at], (one, person, since), tl_id)


def _carry_on(
    conn: Connection, core: Core, team_id: int, about: tuple[ReserveEntry, int, int], tl_id: int
) -> None:
    one, person, since = about
    now = [row for row in rows.boards(conn, [team_id]) if row.to_us is None]
    before = next(row for row in now if row.board == one.board)
    rows.set_board(conn, before.id, to_us=since)
    new = NewBoard(team_id, one.board, person, rating_of(one), before.two_clubs, since)
    rows.add_boards(conn, [new])
    asked = NewReserve(
        team_id=team_id,
        board=one.board,
        replaced_id=before.person_id,
        name=one.name,
        email="",
        club=one.club or "",
        rating=rating_of(one),
        reason="",
        asked_by=tl_id,
        asked_us=since,
        state=ReserveState.IN,
    )
    number = desk_rows.add_reserve(conn, asked)
    decided = {"decided_by": tl_id, "decided_us": core.now_us, "note": ""}
    desk_rows.set_reserve(conn, number, person_id=person, **decided)


def members_of(roster: Roster) -> tuple[PlayerEntry, ...]:
    """Everybody with a club: the team's, unless the file says otherwise (§ 6.7.3.2)."""
    teams = {one.name: team for team in roster.teams for one in (*team.players, *team.reserves)}
    return tuple(of_club(one, teams[one.name]) for one in roster.people)
