"""A division as everybody may see it: order, matches, boards, who played when (§ 6.7.4.5).

Read-only. Not for the captain's desk (desks/captain_desk.py) nor for HTML.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import Connection

from kskak.groups import placing
from kskak.groups.crosstables import (
    Crosstable,
    DivisionMatch,
    LeagueTable,
    board_tables,
    crosstable,
    prizes_of_clubs,
)
from kskak.groups.placing import ScoredGame
from kskak.groups.standings import RankingLine, rows_of
from kskak.league.lineups import boards_out_of_order
from kskak.regulation.editions import LEAGUE, Result
from server.store import divisions as division_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store import reserves as reserve_rows
from server.store.divisions import DivisionRow, LeagueBoardRow, LeagueGameRow, LeagueTeamRow
from server.store.engine.connection import AsyncConnection
from server.store.groups import GroupRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.reserves import LeagueChangeRow
from server.usecases.context import Core
from server.usecases.league.division_start import current, lineup_of

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class LeagueMatchView:
    """Two teams' games in a round, by board; ``home`` is the lower number.

    ``points``: of home and away so far; ``finished``: how many of the four games.
    """

    round: int
    home: LeagueTeamRow
    away: LeagueTeamRow
    games: tuple[LeagueGameRow, ...]
    points: tuple[Fraction, Fraction]
    finished: int


@dataclass(frozen=True, slots=True)
class TeamView:
    """A team: its players by board, present and past, and what the leader changed.

    ``crooked``: boards whose order contradicts the ratings (§ 6.7.2.1).
    """

    team: LeagueTeamRow
    captain: PersonRow
    boards: tuple[tuple[LeagueBoardRow, ...], ...]
    mean: Fraction
    crooked: tuple[int, ...]
    changes: tuple[LeagueChangeRow, ...]


@dataclass(frozen=True, slots=True)
class DivisionView:
    """A whole division. ``needs_lots``: a place is still to be decided by lot (§ 6.7.4.5)."""

    group: GroupRow
    row: DivisionRow
    tl: PersonRow
    teams: tuple[TeamView, ...]
    games: tuple[LeagueGameRow, ...]
    table: placing.Division
    standings: tuple[RankingLine, ...]
    clubs: Crosstable
    boards: tuple[Crosstable, ...]
    matches: tuple[LeagueMatchView, ...]

    @property
    def names(self) -> dict[int, str]:
        """Names of everybody who plays or has played here, by id."""
        seats = (seat for team in self.teams for board in team.boards for seat in board)
        return {seat.person_id: seat.name for seat in seats}

    @property
    def is_finished(self) -> bool:
        """Whether every game has its result."""
        return bool(self.games) and all(game.result is not None for game in self.games)

    @property
    def needs_lots(self) -> bool:
        """Whether places are still level at the end, so that lots decide (§ 6.7.4.5)."""
        return self.is_finished and _is_level(self.standings)

    @property
    def champion(self) -> str | None:
        """The Danish team champion, once decided (§ 6.7.4.6)."""
        if self.row.division != 1 or not self.is_finished or _is_level(self.standings[:2]):
            return None
        return self.standings[0].name

    def team_of(self, team_id: int) -> TeamView:
        """A team of the division by id."""
        return next(team for team in self.teams if team.team.id == team_id)


def _is_level(standings: Iterable[RankingLine]) -> bool:
    places = [row.place for row in standings]
    return len(places) != len(set(places))


def build_board_game(game: LeagueGameRow, clubs: dict[int, str]) -> placing.BoardGame | None:
    """A finished game between clubs; None while it runs."""
    if game.result is None:
        return None
    white, black = clubs[game.white_team], clubs[game.black_team]
    return placing.BoardGame(game.board, ScoredGame(white, black, Result(game.result)))


def build_division_table(
    teams: Iterable[LeagueTeamRow],
    boards: Iterable[LeagueBoardRow],
    games: Iterable[LeagueGameRow],
    lots: tuple[str, ...] = (),
) -> placing.Division:
    """A division as input to the placing; a board's players are named in chronological order."""
    teams, seats = tuple(teams), tuple(boards)
    clubs = {team.id: team.club for team in teams}
    done = [one for game in games if (one := build_board_game(game, clubs)) is not None]
    return placing.Division(
        tuple(
            placing.BoardTeam(
                team.club, tuple(_names(seats, team.id, b + 1) for b in range(LEAGUE.boards))
            )
            for team in teams
        ),
        tuple(done),
        lots,
    )


def _names(boards: Iterable[LeagueBoardRow], team_id: int, board: int) -> str:
    found = (row.name for row in boards if (row.team_id, row.board) == (team_id, board))
    return " / ".join(dict.fromkeys(found))


def matches_of(
    games: Iterable[LeagueGameRow], teams: Iterable[LeagueTeamRow]
) -> tuple[LeagueMatchView, ...]:
    """The matches by round and number, with their score so far."""
    by_id = {team.id: team for team in teams}
    found: dict[tuple[int, int, int], list[LeagueGameRow]] = {}
    for game in games:
        pair = sorted((by_id[game.white_team], by_id[game.black_team]), key=lambda t: t.number)
        found.setdefault((game.round, pair[0].id, pair[1].id), []).append(game)
    matches: list[LeagueMatchView] = []
    for (number, home, away), lines in found.items():
        done = [game for game in lines if game.result is not None]
        matches.append(
            LeagueMatchView(
                round=number,
                home=by_id[home],
                away=by_id[away],
                games=tuple(sorted(lines, key=lambda line: line.board)),
                points=(points_in(done, home), points_in(done, away)),
                finished=len(done),
            )
        )
    return tuple(sorted(matches, key=lambda match: (match.round, match.home.number)))


def points_in(games: Iterable[LeagueGameRow], team_id: int) -> Fraction:
    """A team's points in finished games."""
    total = NOTHING
    for game in games:
        if game.result is None:
            continue
        white, black = ScoredGame("w", "b", Result(game.result)).scores
        total += white * (game.white_team == team_id) + black * (game.black_team == team_id)
    return total


@dataclass(frozen=True, slots=True)
class _Facts:
    """The data of several divisions, by division or team, loaded together."""

    teams: dict[int, list[LeagueTeamRow]]
    boards: dict[int, list[LeagueBoardRow]]
    games: dict[int, list[LeagueGameRow]]
    changes: dict[int, list[LeagueChangeRow]]
    people: dict[int, PersonRow]


def _facts(conn: Connection, groups: Sequence[GroupRow]) -> _Facts:
    found = _Facts({}, {}, {}, {}, {})
    teams = {team.id: team for team in division_rows.teams(conn, *(group.id for group in groups))}
    for team in teams.values():
        found.teams.setdefault(team.group_id, []).append(team)
    for board in division_rows.boards(conn, teams):
        found.boards.setdefault(board.team_id, []).append(board)
    for game in division_rows.list_division_games(conn, *found.teams):
        found.games.setdefault(teams[game.white_team].group_id, []).append(game)
    for change in reserve_rows.changes(conn, list(teams)):
        found.changes.setdefault(change.team_id, []).append(change)
    ids = {group.tl_id for group in groups} | {team.captain_id for team in teams.values()}
    found.people.update(person_rows.with_ids(conn, ids))
    return found


def _team_view(facts: _Facts, team: LeagueTeamRow, division: DivisionRow) -> TeamView:
    seats = facts.boards.get(team.id, [])
    lineup = lineup_of(team, division, seats)
    ratings = [row.rating for row in current(seats, team.id)]
    return TeamView(
        team=team,
        captain=facts.people[team.captain_id],
        boards=tuple(
            tuple(row for row in seats if row.board == board + 1) for board in range(LEAGUE.boards)
        ),
        mean=Fraction(sum(ratings), LEAGUE.boards),
        crooked=() if team.order_by_leader else boards_out_of_order(lineup),
        changes=tuple(facts.changes.get(team.id, ())),
    )


async def division_view(core: Core, name: str) -> DivisionView | None:
    """A division by its group's name; None if there is no such division."""
    async with core.store.read() as conn:
        group = await group_rows.by_name(conn, name)
        if group is None:
            return None
        return await conn.run_sync(view_in, group)


def view_in(conn: Connection, group: GroupRow) -> DivisionView | None:
    """The same within a transaction."""
    return views_in(conn, [group]).get(group.id)


def views_in(conn: Connection, groups: Sequence[GroupRow]) -> dict[int, DivisionView]:
    """Those of the groups that are divisions, by group: as many queries as for one."""
    known = division_rows.divisions_at(conn, [group.id for group in groups])
    found = [group for group in groups if group.id in known]
    facts = _facts(conn, found) if found else None
    return {group.id: _view(facts, group, known[group.id]) for group in found if facts}


def _view(facts: _Facts, group: GroupRow, row: DivisionRow) -> DivisionView:
    teams, games = facts.teams.get(group.id, []), tuple(facts.games.get(group.id, ()))
    boards = [board for team in teams for board in facts.boards.get(team.id, ())]
    lots = tuple(json.loads(row.lots)) if row.lots else ()
    table = build_division_table(teams, boards, games, lots)
    standings, clubs, tables = _tables(table)
    return DivisionView(
        group=group,
        row=row,
        tl=facts.people[group.tl_id],
        teams=tuple(_team_view(facts, team, row) for team in teams),
        games=games,
        table=table,
        standings=standings,
        clubs=clubs,
        boards=tables,
        matches=matches_of(games, teams),
    )


def _tables(
    table: placing.Division,
) -> tuple[tuple[RankingLine, ...], Crosstable, tuple[Crosstable, ...]]:
    return rows_of(table), crosstable(table), board_tables(table)


@dataclass(frozen=True, slots=True)
class SeasonDivisionLine:
    """A division in the list of seasons: the club leading it, and how many games are over."""

    group: GroupRow
    row: DivisionRow
    first: str
    finished: int
    games: int


async def seasons(core: Core) -> dict[int, tuple[SeasonDivisionLine, ...]]:
    """Every season with its divisions, the newest first."""
    async with core.store.read() as conn:
        known = await conn.run_sync(division_rows.divisions)
        groups = list(await group_rows.with_ids(conn, [row.group_id for row in known]))
        facts = await conn.run_sync(_facts, groups)
    found: dict[int, list[SeasonDivisionLine]] = {}
    for group, row in zip(groups, known, strict=True):
        teams, games = facts.teams.get(group.id, []), facts.games.get(group.id, [])
        done = sum(game.result is not None for game in games)
        lots = tuple(json.loads(row.lots)) if row.lots else ()
        boards = [board for team in teams for board in facts.boards.get(team.id, ())]
        table = rows_of(build_division_table(teams, boards, games, lots)) if done else ()
        first = table[0].name if done else ""
        found.setdefault(row.season, []).append(
            SeasonDivisionLine(group, row, first, done, len(games))
        )
    return {season: tuple(listed) for season, listed in found.items()}


# A division's table from stored data, for bulletin, results and API (§ 6.4.5.1, § 6.7.4.5).


def table_of_view(view: DivisionView, amounts: tuple[int, ...]) -> LeagueTable:
    """The table of a loaded division; ``amounts``: the prizes in øre from the first place."""
    return LeagueTable(
        division=view.row.division,
        clubs=view.clubs,
        boards=view.boards,
        matches=tuple(
            DivisionMatch(
                match.round,
                match.home.club,
                match.away.club,
                match.points,
                len(match.games) - match.finished,
            )
            for match in view.matches
        ),
        is_finished=view.is_finished,
        needs_lots=view.needs_lots,
        champion=view.champion,
        seed=view.row.lots_seed,
        prizes=prizes_of_clubs(view.clubs, amounts) if view.is_finished else (),
    )


async def division_in(conn: AsyncConnection, group: GroupRow) -> LeagueTable | None:
    """A division's table; None for a group that is not a division."""
    return (await divisions_in(conn, [group])).get(group.id)


async def divisions_in(conn: AsyncConnection, groups: Sequence[GroupRow]) -> dict[int, LeagueTable]:
    """The tables of those groups that are divisions, by group: as many queries as for one."""
    views = await conn.run_sync(views_in, [group for group in groups if group.class_ == "league"])
    amounts = await result_rows.read_group_prizes(conn, list(views))
    return {group_id: table_of_view(view, amounts[group_id]) for group_id, view in views.items()}
