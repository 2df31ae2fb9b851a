"""The captain's desk: his terms, the teams' games, line-up, reserves, cases (§ 6.7.6.1).

Read-only; captains' actions are in league/reserves.py and league/league_leading.py. Not for HTML or
JSON.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction

from kskak.game.game_events import GamePaused
from kskak.league.lineups import club_key
from kskak.play.game_state import RecentPly
from kskak.regulation.days import ONE_DAY, local_day
from kskak.regulation.editions import LEAGUE, Side
from server.store import divisions as division_rows
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store import reserves as reserve_rows
from server.store.cases.cases import CaseRow
from server.store.divisions import LeagueGameRow, LeagueTeamRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.members import MemberRow
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.reserves import ReportRow, ReserveRow, ReserveState
from server.usecases.cases.case_views import case_list
from server.usecases.context import Core, today_of
from server.usecases.league.division_start import current
from server.usecases.league.league_views import DivisionView, TeamView, points_in, view_in
from server.usecases.play.game_views import GameSummaryView, summary
from server.usecases.season.season_views import league_lists
from server.usecases.season.team_judging import is_of_club, season_of

SILENT_DAYS = 14
"""§ 6.3.4: this many chargeable days without an answer are silence."""


@dataclass(frozen=True, slots=True)
class TeamGameView:
    """A game of the team: whose move, days left, silent; ``own`` is the team's player."""

    line: LeagueGameRow
    own: str
    opponent: str
    opponents: str
    side: Side
    is_our_move: bool
    days_left: int | None
    days_used: int
    last: RecentPly | None
    result: str | None
    points: Fraction
    paused_until: date | None
    rests: bool = False
    flag_on: date | None = None
    """The first day on which sending is too late."""

    @property
    def is_silent(self) -> bool:
        """Whether the side to move has used that many days on its move (§ 6.3.4)."""
        return self.result is None and self.days_used >= SILENT_DAYS


@dataclass(frozen=True, slots=True)
class CaptainTeam:
    """One of the captain's teams, with what is going on in it."""

    division: DivisionView
    team: TeamView
    games: tuple[TeamGameView, ...]
    reserves: tuple[ReserveRow, ...]
    reports: tuple[ReportRow, ...]
    points: Fraction
    members: tuple[MemberRow, ...] = ()
    """Who else the register has as a member of the team's club: who may be its reserve."""

    @property
    def reserves_left(self) -> int:
        """How many reserves may still come in (§ 6.7.4.3)."""
        used = sum(row.state == ReserveState.IN for row in self.reserves)
        return max(LEAGUE.reserves - used, 0)

    @property
    def running(self) -> tuple[TeamGameView, ...]:
        """The running games, the most urgent first."""
        return tuple(game for game in self.games if game.result is None)


class CaptainDeadlineKind(StrEnum):
    """What a captain has a last day for."""

    ANSWER = "answer"
    PAUSE = "pause"
    HEARING = "hearing"
    ENTRY = "entry"


@dataclass(frozen=True, slots=True)
class Term:
    """The last day for something; ``who``: player, case or season it is about, ``to``: for whom."""

    day: date
    due: CaptainDeadlineKind
    who: str
    link: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class CaptainDesk:
    """A captain's teams, and their players' cases, whose letters captains get too (§ 6.7.6.1)."""

    teams: tuple[CaptainTeam, ...]
    cases: tuple[CaseRow, ...]
    terms: tuple[Term, ...] = ()
    """What has a last day, the nearest first."""


async def captain_desk(core: Core, person: PersonRow) -> CaptainDesk:
    """A captain's desk; without teams for anybody else."""
    async with core.store.read() as conn:
        own = await conn.run_sync(division_rows.list_teams_of_captain, person.id)
        teams = [await _team(core, conn, team) for team in own]
        entry = await _entry(core, conn) if own else None
    groups = {team.group_id for team in own}
    cases = await case_list(core, person) if own else ()
    cases = tuple(one for one in cases if one.group_id in groups)
    terms = [*_terms(core, teams, cases), *([entry] if entry else ())]
    return CaptainDesk(tuple(teams), cases, tuple(sorted(terms, key=lambda term: term.day)))


async def _entry(core: Core, conn: AsyncConnection) -> Term | None:
    """Until when a team can be entered, while a list is open (§ 6.7.4.2)."""
    today = today_of(core)
    season = await season_of(conn, today)
    if season is None or season.deadline is None or season.deadline < today:
        return None
    if not await league_lists(conn, only_open=True):
        return None
    return Term(season.deadline, CaptainDeadlineKind.ENTRY, str(season.year), "/team-entry")


def _terms(core: Core, teams: Sequence[CaptainTeam], cases: Sequence[CaseRow]) -> Iterator[Term]:
    for game in (game for team in teams for game in team.running):
        link = f"/games/{game.line.id}"
        if game.paused_until is not None:
            yield Term(game.paused_until, CaptainDeadlineKind.PAUSE, game.own, link)
        elif game.is_our_move and game.flag_on is not None:
            yield Term(
                game.flag_on - ONE_DAY, CaptainDeadlineKind.ANSWER, game.own, link, game.opponent
            )
    for case in cases:
        if case.due_us is not None and case.due_us > core.now_us:
            day = local_day(from_us(case.due_us), case.zone) - ONE_DAY
            yield Term(day, CaptainDeadlineKind.HEARING, case.number, f"/desk/cases/{case.number}")


async def _team(core: Core, conn: AsyncConnection, team: LeagueTeamRow) -> CaptainTeam:
    group = await group_rows.find(conn, team.group_id)
    assert group is not None
    view = await conn.run_sync(view_in, group)
    assert view is not None
    games = {row.id: row for row in await game_rows.list_group_games(conn, group.id)}
    today = core.today(group.zone)
    lines = [g for g in view.games if team.id in (g.white_team, g.black_team)]
    shown = [_game(games[line.id], line, team, view, today) for line in lines]
    return CaptainTeam(
        division=view,
        team=view.team_of(team.id),
        games=tuple(sorted(shown, key=_urgency)),
        reserves=await conn.run_sync(reserve_rows.reserves, [team.id]),
        reports=await conn.run_sync(reserve_rows.reports, [team.id]),
        points=points_in(lines, team.id),
        members=await _others(conn, team, today),
    )


async def _others(conn: AsyncConnection, team: LeagueTeamRow, today: date) -> tuple[MemberRow, ...]:
    """The members of the team's club who sit on none of its boards (§ 6.7.3.2)."""
    clubs = await member_rows.all_clubs(conn)
    club = next((one for one in clubs if club_key(one.name) == club_key(team.club)), None)
    if club is None or team.is_individual:
        return ()
    seated = {
        row.person_id
        for row in current(await conn.run_sync(division_rows.boards, [team.id]), team.id)
    }
    found = await member_rows.list_club_members(conn, club.id)
    return tuple(row for row in found if row.id not in seated and is_of_club(row, club.id, today))


def _game(
    row: GameRow, line: LeagueGameRow, team: LeagueTeamRow, view: DivisionView, today: date
) -> TeamGameView:
    side = Side.WHITE if line.white_team == team.id else Side.BLACK
    other = line.black_team if side is Side.WHITE else line.white_team
    told: GameSummaryView = summary(row, row.person_of(side), today)
    pauses = [b.booked for b in row.state().bookings if isinstance(b.booked, GamePaused)]
    ends = [p.last for p in pauses if p.last is not None and p.first <= today <= p.last]
    return TeamGameView(
        line=line,
        own=row.white if side is Side.WHITE else row.black,
        opponent=told.opponent,
        opponents=view.team_of(other).team.club,
        side=side,
        is_our_move=told.is_my_move,
        days_left=told.days_left,
        days_used=told.days_used,
        last=told.last,
        result=None if told.result is None else told.result.value,
        points=points_in([line], team.id),
        paused_until=max(ends, default=None),
        rests=told.rests,
        flag_on=told.flag_on,
    )


def _urgency(game: TeamGameView) -> tuple[bool, bool, int, int]:
    left = game.days_left if game.days_left is not None else 10**6
    return game.result is not None, not game.is_our_move, left, game.line.board
