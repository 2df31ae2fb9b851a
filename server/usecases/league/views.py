"""A division as everybody may see it: order, matches, boards, who played when (§ 6.7.4.5).

Read-only. Not for the captain's desk (desks/captain_desk.py) nor for HTML.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from sqlalchemy import Connection

from kskak.groups import ladder_teams as pl
from kskak.groups.crosstable import Crosstable, board_tables, crosstable
from kskak.groups.played import Played
from kskak.groups.standings import Row, rows_of
from kskak.league.lineup import boards_out_of_order
from kskak.regulation.quantities import Result
from kskak.regulation.tournament_numbers import LEAGUE
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.league import desk as desk_rows
from server.store.league import divisions as rows
from server.store.league.desk import ChangeRow
from server.store.league.divisions import BoardRow, DivisionRow, GameLine, TeamRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.league.lineups import current, lineup_of

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Match:
    """Two teams' games in a round, by board; ``home`` is the lower number.

    ``points``: of home and away so far; ``finished``: how many of the four games.
    """

    round: int
    home: TeamRow
    away: TeamRow
    games: tuple[GameLine, ...]
    points: tuple[Fraction, Fraction]
    finished: int


@dataclass(frozen=True, slots=True)
class TeamView:
    """A team: its players by board, present and past, and what the leader changed.

    ``crooked``: boards whose order contradicts the ratings (§ 6.7.2.1).
    """

    team: TeamRow
    captain: PersonRow
    boards: tuple[tuple[BoardRow, ...], ...]
    mean: Fraction
    crooked: tuple[int, ...]
    changes: tuple[ChangeRow, ...]


@dataclass(frozen=True, slots=True)
class DivisionView:
    """A whole division. ``needs_lots``: a place is still to be decided by lot (§ 6.7.4.5)."""

    group: GroupRow
    row: DivisionRow
    tl: PersonRow
    teams: tuple[TeamView, ...]
    games: tuple[GameLine, ...]
    table: pl.Division
    standings: tuple[Row, ...]
    clubs: Crosstable
    boards: tuple[Crosstable, ...]
    matches: tuple[Match, ...]

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
        return self.standings[0].placed.name

    def team_of(self, team_id: int) -> TeamView:
        """A team of the division by id."""
        return next(team for team in self.teams if team.team.id == team_id)


def _is_level(standings: Iterable[Row]) -> bool:
    places = [row.placed.place for row in standings]
    return len(places) != len(set(places))


def played(game: GameLine, clubs: dict[int, str]) -> pl.BoardGame | None:
    """A finished game between clubs; None while it runs."""
    if game.result is None:
        return None
    white, black = clubs[game.white_team], clubs[game.black_team]
    return pl.BoardGame(game.board, Played(white, black, Result(game.result)))


def table_of(
    teams: Iterable[TeamRow],
    boards: Iterable[BoardRow],
    games: Iterable[GameLine],
    lots: tuple[str, ...] = (),
) -> pl.Division:
    """A division as input to the placing; a board's players are named in chronological order."""
    teams, seats = tuple(teams), tuple(boards)
    clubs = {team.id: team.club for team in teams}
    done = [one for game in games if (one := played(game, clubs)) is not None]
    return pl.Division(
        tuple(
            pl.Team(team.club, tuple(_names(seats, team.id, b + 1) for b in range(LEAGUE.boards)))
            for team in teams
        ),
        tuple(done),
        lots,
    )


def _names(boards: Iterable[BoardRow], team_id: int, board: int) -> str:
    found = (row.name for row in boards if (row.team_id, row.board) == (team_id, board))
    return " / ".join(dict.fromkeys(found))


def matches_of(games: Iterable[GameLine], teams: Iterable[TeamRow]) -> tuple[Match, ...]:
    """The matches by round and number, with their score so far."""
    by_id = {team.id: team for team in teams}
    found: dict[tuple[int, int, int], list[GameLine]] = {}
    for game in games:
        pair = sorted((by_id[game.white_team], by_id[game.black_team]), key=lambda t: t.number)
        found.setdefault((game.round, pair[0].id, pair[1].id), []).append(game)
    matches: list[Match] = []
    for (number, home, away), lines in found.items():
        done = [game for game in lines if game.result is not None]
        matches.append(
            Match(
                round=number,
                home=by_id[home],
                away=by_id[away],
                games=tuple(sorted(lines, key=lambda line: line.board)),
                points=(points_in(done, home), points_in(done, away)),
                finished=len(done),
            )
        )
    return tuple(sorted(matches, key=lambda match: (match.round, match.home.number)))


def points_in(games: Iterable[GameLine], team_id: int) -> Fraction:
    """A team's points in finished games."""
    total = NOTHING
    for game in games:
        if game.result is None:
            continue
        white, black = Played("w", "b", Result(game.result)).scores
        total += white * (game.white_team == team_id) + black * (game.black_team == team_id)
    return total


@dataclass(frozen=True, slots=True)
class _Facts:
    """The data of several divisions, by division or team, loaded together."""

    teams: dict[int, list[TeamRow]]
    boards: dict[int, list[BoardRow]]
    games: dict[int, list[GameLine]]
    changes: dict[int, list[ChangeRow]]
    people: dict[int, PersonRow]


def _facts(conn: Connection, groups: Sequence[GroupRow]) -> _Facts:
    found = _Facts({}, {}, {}, {}, {})
    teams = {team.id: team for team in rows.teams(conn, *(group.id for group in groups))}
    for team in teams.values():
        found.teams.setdefault(team.group_id, []).append(team)
    for board in rows.boards(conn, teams):
        found.boards.setdefault(board.team_id, []).append(board)
    for game in rows.games_of(conn, *found.teams):
        found.games.setdefault(teams[game.white_team].group_id, []).append(game)
    for change in desk_rows.changes(conn, list(teams)):
        found.changes.setdefault(change.team_id, []).append(change)
    ids = {group.tl_id for group in groups} | {team.captain_id for team in teams.values()}
    found.people.update(person_rows.with_ids(conn, ids))
    return found


def _team_view(facts: _Facts, team: TeamRow, division: DivisionRow) -> TeamView:
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
    known = rows.divisions_at(conn, [group.id for group in groups])
    found = [group for group in groups if group.id in known]
    facts = _facts(conn, found) if found else None
    return {group.id: _view(facts, group, known[group.id]) for group in found if facts}


def _view(facts: _Facts, group: GroupRow, row: DivisionRow) -> DivisionView:
    teams, games = facts.teams.get(group.id, []), tuple(facts.games.get(group.id, ()))
    boards = [board for team in teams for board in facts.boards.get(team.id, ())]
    lots = tuple(json.loads(row.lots)) if row.lots else ()
    table = table_of(teams, boards, games, lots)
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


@lru_cache(maxsize=64)
def _tables(
    table: pl.Division,
) -> tuple[tuple[Row, ...], Crosstable, tuple[Crosstable, ...]]:
    """Kept: they depend on this alone, and are looked at far more often than a game ends."""
    return rows_of(table), crosstable(table), board_tables(table)


@dataclass(frozen=True, slots=True)
class Listed:
    """A division in the list of seasons: the club leading it, and how many games are over."""

    group: GroupRow
    row: DivisionRow
    first: str
    finished: int
    games: int


async def seasons(core: Core) -> dict[int, tuple[Listed, ...]]:
    """Every season with its divisions, the newest first."""
    async with core.store.read() as conn:
        known = await conn.run_sync(rows.divisions)
        groups = list(await group_rows.with_ids(conn, [row.group_id for row in known]))
        facts = await conn.run_sync(_facts, groups)
    found: dict[int, list[Listed]] = {}
    for group, row in zip(groups, known, strict=True):
        teams, games = facts.teams.get(group.id, []), facts.games.get(group.id, [])
        done = sum(game.result is not None for game in games)
        lots = tuple(json.loads(row.lots)) if row.lots else ()
        boards = [board for team in teams for board in facts.boards.get(team.id, ())]
        table = rows_of(table_of(teams, boards, games, lots)) if done else ()
        first = table[0].placed.name if done else ""
        found.setdefault(row.season, []).append(Listed(group, row, first, done, len(games)))
    return {season: tuple(listed) for season, listed in found.items()}
