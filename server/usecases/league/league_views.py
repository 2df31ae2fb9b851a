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
from kskak.values import recast
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
class LeagueMatchView(DivisionMatch):
    """A match with its teams, the lower number first as the home team, and its games by board."""

    teams: tuple[LeagueTeamRow, LeagueTeamRow]
    games: tuple[LeagueGameRow, ...]

    @property
    def finished(self) -> int:
        """How many of the games are over."""
        return len(self.games) - self.running


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


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionView(LeagueTable):
    """A whole division; ``lots``: the clubs as drawn, where places were level (§ 6.7.4.5)."""

    matches: tuple[LeagueMatchView, ...]
    group: GroupRow
    row: DivisionRow
    tl: PersonRow
    teams: tuple[TeamView, ...]
    games: tuple[LeagueGameRow, ...]
    lots: tuple[str, ...]

    @property
    def names(self) -> dict[int, str]:
        """Names of everybody who plays or has played here, by id."""
        seats = (seat for team in self.teams for board in team.boards for seat in board)
        return {seat.person_id: seat.name for seat in seats}

    def team_of(self, team_id: int) -> TeamView:
        """A team of the division by id."""
        return next(team for team in self.teams if team.team.id == team_id)


def _is_level(rows: Iterable[RankingLine]) -> bool:
    """Whether places are still level at the end, so that lots decide (§ 6.7.4.5)."""
    places = [row.place for row in rows]
    return len(places) != len(set(places))


def build_division_table(
    teams: Iterable[LeagueTeamRow],
    boards: Iterable[LeagueBoardRow],
    games: Iterable[LeagueGameRow],
    lots: tuple[str, ...] = (),
) -> placing.Division:
    """A division as input to the placing; a board's players are named in chronological order."""
    clubs, names = dict[int, str](), dict[tuple[int, int], dict[str, None]]()
    for row in boards:
        names.setdefault((row.team_id, row.board), {})[row.name] = None
    found = []
    for team in teams:
        clubs[team.id] = team.club
        players = (names.get((team.id, board + 1), {}) for board in range(LEAGUE.boards))
        found.append(placing.BoardTeam(team.club, tuple(map(" / ".join, players))))
    done = (
        placing.BoardGame(
            game.board,
            ScoredGame(clubs[game.white_team], clubs[game.black_team], Result(game.result)),
        )
        for game in games
        if game.result is not None
    )
    return placing.Division(tuple(found), tuple(done), lots)


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
        matches.append(
            LeagueMatchView(
                round=number,
                home=by_id[home].club,
                away=by_id[away].club,
                points=(points_in(lines, home), points_in(lines, away)),
                running=sum(game.result is None for game in lines),
                teams=(by_id[home], by_id[away]),
                games=tuple(sorted(lines, key=lambda line: line.board)),
            )
        )
    return tuple(sorted(matches, key=lambda match: (match.round, match.teams[0].number)))


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
    clubs = crosstable(table)
    is_finished = bool(games) and all(game.result is not None for game in games)
    is_won = row.division == 1 and is_finished and not _is_level(clubs.rows[:2])
    return DivisionView(
        division=row.division,
        clubs=clubs,
        boards=board_tables(table),
        matches=matches_of(games, teams),
        is_finished=is_finished,
        needs_lots=is_finished and _is_level(clubs.rows),
        champion=clubs.rows[0].name if is_won else None,
        seed=row.lots_seed,
        group=group,
        row=row,
        tl=facts.people[group.tl_id],
        teams=tuple(_team_view(facts, team, row) for team in teams),
        games=games,
        lots=lots,
    )


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


# A division's table with its prizes, for bulletin, results and API (§ 6.4.5.1, § 6.7.4.5).


async def division_in(conn: AsyncConnection, group: GroupRow) -> LeagueTable | None:
    """A division's table; None for a group that is not a division."""
    return (await divisions_in(conn, [group])).get(group.id)


async def divisions_in(conn: AsyncConnection, groups: Sequence[GroupRow]) -> dict[int, LeagueTable]:
    """The tables of those groups that are divisions, by group: as many queries as for one."""
    views = await conn.run_sync(views_in, [group for group in groups if group.class_ == "league"])
    amounts = await result_rows.read_group_prizes(conn, list(views))
    return {
        group_id: recast(
            LeagueTable,
            view,
            matches=tuple(recast(DivisionMatch, match) for match in view.matches),
            prizes=prizes_of_clubs(view.clubs, amounts[group_id]) if view.is_finished else (),
        )
        for group_id, view in views.items()
    }
