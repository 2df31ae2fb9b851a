"""A season's team entries and what judges them: year plan, register, sanctions (§ 6.7.3-6.7.4.1).

Read in the same number of queries however many entries there are. Readings: today's entries are for
the next league that has not started; a rating in the register takes precedence over one that the
club states, and a player without gets one by § 6.7.6.2. Not for storing entries (team_entering.py).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from sqlalchemy import Connection

from kskak.league.composition import provisional_rating
from kskak.league.lineups import (
    EnteredTeam,
    LastTeam,
    TeamFinding,
    TeamPapers,
    crooked_boards,
    player_of_club,
    team_findings,
)
from kskak.office.year import TournamentKind, TournamentStep, season_plan
from server.store import books as book_rows
from server.store import divisions as division_rows
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store import team_entries as team_rows
from server.store.cases import publications as publication_rows
from server.store.divisions import LeagueTeamRow
from server.store.engine.connection import AsyncConnection
from server.store.members import MemberKind, MemberRow
from server.store.team_entries import NewTeamEntryBoard, TeamEntryBoardRow, TeamEntryRow
from server.usecases.office.year import to_year_action

AHEAD = 3
"""How many seasons are searched for one that was not called off."""


@dataclass(frozen=True, slots=True)
class Season:
    """The league now open for entry: the year of its start, and its days (§ 6.7.1.2)."""

    year: int
    deadline: date | None
    start: date
    announced: date | None = None
    """The day on which, by the year's plan, it is announced and entering begins (§ 6.1.2)."""


@dataclass(frozen=True, slots=True)
class LastTeamRow(LastTeam):
    """A team of the last league, with its division and its group there."""

    team: LeagueTeamRow
    season: int


def seat_rating(seat: TeamEntryBoardRow | NewTeamEntryBoard, row: MemberRow) -> int:
    """A player's K-rating: the register's, else the over-the-board one, else by § 6.7.6.2."""
    otb = seat.told_rating if row.rating is None else row.rating
    return provisional_rating(row.k_rating, otb)


@dataclass(frozen=True, slots=True)
class SeasonEntries:
    """A season with its entries that count, and everything they are judged by."""

    season: Season
    entries: tuple[TeamEntryRow, ...]
    seats: Mapping[int, tuple[TeamEntryBoardRow, ...]]
    members: Mapping[int, MemberRow]
    last: Mapping[int, LastTeamRow]
    quarantined: frozenset[int]

    def rating(self, seat: TeamEntryBoardRow | NewTeamEntryBoard) -> int:
        """A player's K-rating, final or provisional (§ 6.7.6.2)."""
        return seat_rating(seat, self.members[seat.person_id])

    def mean(self, entry_id: int) -> Fraction:
        """A team's mean rating (§ 6.7.6.2)."""
        ratings = [self.rating(seat) for seat in self.seats.get(entry_id, ())]
        return Fraction(sum(ratings), len(ratings) or 1)

    def team(self, row: TeamEntryRow) -> EnteredTeam:
        """A stored entry as the rules use it; its players, judged before, count as the club's."""
        boards = tuple(
            player_of_club(
                str(seat.person_id), row.club, self.rating(seat), may=seat.leave_us is not None
            )
            for seat in self.seats.get(row.id, ())
        )
        return EnteredTeam(row.id, row.club, boards, self.comes_from(row.continues))

    def comes_from(self, team_id: int | None) -> LastTeam | None:
        """The team of last season with this id."""
        return None if team_id is None else self.last.get(team_id)

    def others(self, entry_id: int) -> list[EnteredTeam]:
        """All entries but one."""
        return [self.team(row) for row in self.entries if row.id != entry_id]

    def findings(self, row: TeamEntryRow) -> tuple[TeamFinding, ...]:
        """What a stored entry still lacks: fee, the leader's permission (§ 6.4.4.1, § 6.7.3.2)."""
        papers = TeamPapers(
            date.fromisoformat(row.entered_day),
            None,
            date.fromisoformat(row.fee_day) if row.fee_day else None,
            row.asks,
        )
        own = row.lineup_us, row.id
        earlier = [self.team(one) for one in self.entries if (one.lineup_us, one.id) < own]
        return team_findings(self.team(row), earlier, papers)

    def crooked(self, row: TeamEntryRow) -> tuple[int, ...]:
        """An entry's boards that contradict the ratings (§ 6.7.2.1)."""
        return crooked_boards(self.team(row))


def is_of_club(row: MemberRow, club_id: int, on: date) -> bool:
    """Whether somebody is a member of a club on a day (§ 6.7.3.2)."""
    return row.kind == MemberKind.CLUB and row.club_id == club_id and _stands(row, on)


def is_of_district(row: MemberRow, district_id: int, on: date) -> bool:
    """Whether somebody is an individual member of a main district on a day (§ 6.7.3.1)."""
    is_his = row.kind == MemberKind.INDIVIDUAL and row.district_id == district_id
    return is_his and _stands(row, on)


def _stands(row: MemberRow, on: date) -> bool:
    day = on.isoformat()
    return (row.since is None or row.since <= day) and (row.until is None or row.until >= day)


async def season_of(conn: AsyncConnection, today: date) -> Season | None:
    """The next league that has not started yet, by the controller's year (§ 6.7.1.2)."""
    deeds = [to_year_action(row) for row in await book_rows.list_actions(conn)]
    for year in range(today.year, today.year + AHEAD):
        days = {item.step: item.day for item in season_plan(TournamentKind.LEAGUE, year, deeds)}
        start = days[TournamentStep.START]
        if start is not None and start > today:
            return Season(
                year, days[TournamentStep.DEADLINE], start, days[TournamentStep.ANNOUNCEMENT]
            )
    return None


def _last_teams(conn: Connection, season: int, names: Mapping[int, str]) -> dict[int, LastTeamRow]:
    known = [row for row in division_rows.divisions(conn) if row.season < season]
    newest = max((row.season for row in known), default=None)
    last = {row.group_id: row for row in known if row.season == newest}
    return {
        team.id: LastTeamRow(
            last[team.group_id].division, names[team.group_id], team, last[team.group_id].season
        )
        for team in division_rows.teams(conn, *last)
    }


async def book_of(
    conn: AsyncConnection, season: Season, today: date, people: Collection[int] = ()
) -> SeasonEntries:
    """A season's book; ``people``: others to be judged, besides those entered."""
    entries = await team_rows.list_season_entries(conn, season.year)
    seats = await team_rows.seats_of(conn, [row.id for row in entries])
    ids = {seat.person_id for one in seats.values() for seat in one} | set(people)
    names = {group.id: group.name for group in await group_rows.everything(conn)}
    barred = await publication_rows.quarantines(conn, today.isoformat())
    return SeasonEntries(
        season=season,
        entries=entries,
        seats=seats,
        members=await member_rows.by_ids(conn, ids),
        last=await conn.run_sync(_last_teams, season.year, names),
        quarantined=frozenset(row.person_id for row in barred),
    )


def name_findings(findings: Sequence[TeamFinding], book: SeasonEntries) -> tuple[TeamFinding, ...]:
    """Findings with the players' names instead of their numbers."""
    return tuple(
        TeamFinding(one.fault, tuple(book.members[int(p)].name for p in one.players))
        for one in findings
    )
