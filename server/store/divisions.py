"""Divisions, teams, who played which board when, and which teams meet in a game (§ 6.7).

And requested reserves, the leader's changes, captains' reports, next season's plans. Synchronous,
for ``Store.look`` and ``Store.transact``.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Select, delete, exists, func, insert, or_, select, update

from server.store.engine.rows import AnyRow, columns_of, one_of, row_insert, rows_of, values_of
from server.store.play.game_lists import TableGameRow
from server.store.tables.all_tables import seal_rows
from server.store.tables.base import games, groups, people, seats
from server.store.tables.cases import offices
from server.store.tables.people import clubs, members
from server.store.tables.tournaments import (
    league_boards,
    league_changes,
    league_divisions,
    league_games,
    league_grants,
    league_plans,
    league_reports,
    league_reserves,
    league_teams,
)


@dataclass(frozen=True, slots=True)
class DivisionRow:
    """A stored division: a group's league data. Days are ISO, ``lots`` JSON."""

    group_id: int
    division: int
    season: int
    stronger_by: int
    letters_on: str
    letters_us: int | None
    lots_seed: str | None
    lots: str | None
    lots_us: int | None
    lots_by: int | None


@dataclass(frozen=True, slots=True)
class LeagueTeamRow:
    """A stored team; ``number`` is drawn by lot."""

    group_id: int
    number: int
    club: str
    is_individual: bool
    captain_id: int
    order_by_leader: bool
    id: int


@dataclass(frozen=True, slots=True)
class NewLeagueBoard:
    """A player taking a board."""

    team_id: int
    board: int
    person_id: int
    rating: int
    two_clubs: bool
    from_us: int
    to_us: int | None


@dataclass(frozen=True, slots=True)
class LeagueBoardRow(NewLeagueBoard):
    """A player on a board, with name and club; ``to_us`` None while still playing it."""

    id: int
    name: str
    club: str | None
    email: str


@dataclass(frozen=True, slots=True)
class NewLeagueGame:
    """Which teams meet in a game, and on which board."""

    game_id: int
    board: int
    white_team: int
    black_team: int


@dataclass(frozen=True, slots=True)
class LeagueGameRow(TableGameRow):
    """A game of a division, with its board and teams."""

    ply: int
    board: int
    white_team: int
    black_team: int


_DIVISION = select(*columns_of(DivisionRow, league_divisions))
_TEAM = select(*columns_of(LeagueTeamRow, league_teams)).order_by(
    league_teams.c.group_id, league_teams.c.number
)
_PLAYER = {name: people.c[name] for name in ("name", "club", "email")}
_BOARD: Select[*tuple[Any, ...]] = (
    select(*columns_of(LeagueBoardRow, league_boards, **_PLAYER))
    .join(people, people.c.id == league_boards.c.person_id)
    .order_by(league_boards.c.team_id, league_boards.c.board, league_boards.c.id)
)
_MEETING = {name: league_games.c[name] for name in ("board", "white_team", "black_team")}
_GAME: Select[*tuple[Any, ...]] = (
    select(*columns_of(LeagueGameRow, games, **_MEETING))
    .join(league_games, league_games.c.game_id == games.c.id)
    .order_by(games.c.round, league_games.c.board, games.c.id)
)


def add_division(conn: Connection, row: DivisionRow) -> None:
    """Store a group's league data."""
    conn.execute(insert(league_divisions).values(values_of(row)))


def add_team(conn: Connection, **values: object) -> int:
    """Store a team, a row but for its id, and return that."""
    return conn.execute(row_insert(league_teams, values)).scalar_one()


def add_boards(conn: Connection, rows: Iterable[NewLeagueBoard]) -> None:
    """Store who takes which board."""
    conn.execute(insert(league_boards), [values_of(row) for row in rows])


def add_games(conn: Connection, rows: Iterable[NewLeagueGame]) -> None:
    """Store which teams meet in the games."""
    conn.execute(insert(league_games), [values_of(row) for row in rows])


def divisions_at(conn: Connection, group_ids: Iterable[int]) -> dict[int, DivisionRow]:
    """The league data of those groups that are divisions, by group."""
    query = _DIVISION.where(league_divisions.c.group_id.in_(list(group_ids)))
    return {row[0]: DivisionRow(*row) for row in conn.execute(query)}


def division(conn: Connection, group_id: int) -> DivisionRow | None:
    """A group's league data; None for a group that is not a division."""
    return divisions_at(conn, [group_id]).get(group_id)


_ALL = _DIVISION.join(groups, groups.c.id == league_divisions.c.group_id).order_by(
    league_divisions.c.season.desc(), league_divisions.c.division, groups.c.name
)


def divisions(conn: Connection, season: int | None = None) -> tuple[DivisionRow, ...]:
    """The divisions of a season, or all, newest season first, then by division and name."""
    asked = _ALL if season is None else _ALL.where(league_divisions.c.season == season)
    return rows_of(DivisionRow, conn.execute(asked))


def letters_waiting(conn: Connection, today: str) -> tuple[int, ...]:
    """The divisions whose letters to captains are due and not yet sent (§ 6.7.4.2)."""
    query = select(league_divisions.c.group_id).where(
        league_divisions.c.letters_us.is_(None), league_divisions.c.letters_on <= today
    )
    return tuple(conn.execute(query.order_by(league_divisions.c.group_id)).scalars())


def set_division(conn: Connection, group_id: int, **values: object) -> None:
    """Change columns of a division."""
    which = league_divisions.c.group_id == group_id
    conn.execute(update(league_divisions).where(which).values(values))


def team(conn: Connection, team_id: int) -> LeagueTeamRow | None:
    """One team by id."""
    return one_of(LeagueTeamRow, conn.execute(_TEAM.where(league_teams.c.id == team_id)))


def teams(conn: Connection, *group_ids: int) -> tuple[LeagueTeamRow, ...]:
    """The teams of one or more divisions, by number."""
    return rows_of(LeagueTeamRow, conn.execute(_TEAM.where(league_teams.c.group_id.in_(group_ids))))


def hand_captaincy(conn: Connection, team: LeagueTeamRow, new: int, by: int, now_us: int) -> None:
    """Make somebody a team's captain; the office goes with it (§ 6.7.2.2)."""
    set_team(conn, team.id, captain_id=new)
    held = offices.c
    old = (held.person_id == team.captain_id) & (held.group_id == team.group_id)
    ended = update(offices).where(old, held.office == "captain", held.to_us.is_(None))
    changed = [*conn.execute(ended.values(to_us=now_us).returning(held.id)).scalars()]
    office = {"person_id": new, "office": "captain", "group_id": team.group_id}
    made = row_insert(offices, office | {"from_us": now_us, "appointed_by": by})
    seal_rows(conn, offices, [*changed, conn.execute(made).scalar_one()], now_us)


def set_team(conn: Connection, team_id: int, **values: object) -> None:
    """Change columns of a team."""
    conn.execute(update(league_teams).where(league_teams.c.id == team_id).values(values))


def boards(conn: Connection, team_ids: Iterable[int]) -> tuple[LeagueBoardRow, ...]:
    """Who plays or played the boards of some teams, oldest first on each board."""
    query = _BOARD.where(league_boards.c.team_id.in_(list(team_ids)))
    return rows_of(LeagueBoardRow, conn.execute(query))


def set_board(conn: Connection, row_id: int, **values: object) -> None:
    """Change columns of a player's spell on a board."""
    conn.execute(update(league_boards).where(league_boards.c.id == row_id).values(values))


def list_division_games(conn: Connection, *group_ids: int) -> tuple[LeagueGameRow, ...]:
    """The games of one or more divisions, by round and board."""
    return rows_of(LeagueGameRow, conn.execute(_GAME.where(games.c.group_id.in_(group_ids))))


def list_team_games(conn: Connection, team_id: int) -> tuple[LeagueGameRow, ...]:
    """The games of a team, by round and board."""
    own = (league_games.c.white_team == team_id) | (league_games.c.black_team == team_id)
    return rows_of(LeagueGameRow, conn.execute(_GAME.where(own)))


_IN_OFFICE = (
    (offices.c.person_id == league_teams.c.captain_id)
    & (offices.c.group_id == league_teams.c.group_id)
    & (offices.c.office == "captain")
    & offices.c.to_us.is_(None)
)
_MEETS = (league_teams.c.id == league_games.c.white_team) | (
    league_teams.c.id == league_games.c.black_team
)


def list_teams_of_captain(conn: Connection, person_id: int) -> tuple[LeagueTeamRow, ...]:
    """The teams a person is captain of while in office, newest first."""
    query = _TEAM.join(offices, _IN_OFFICE).where(league_teams.c.captain_id == person_id)
    found = tuple(dict.fromkeys(tuple(LeagueTeamRow(*row) for row in conn.execute(query))))
    return tuple(sorted(found, key=lambda row: -row.group_id))


def list_heirs(conn: Connection, team_id: int, is_captain: bool) -> tuple[int, ...]:
    """Who may follow somebody in a team, the next in order first: as captain who plays in it, from
    board 1, and is none in the division; as reserve the club's members on no team of the season,
    the strongest first (§ 6.7.2.2, § 6.7.4.3)."""
    own = select(league_teams.c.group_id, league_teams.c.club).where(league_teams.c.id == team_id)
    group, club = conn.execute(own).one()
    now = select(league_boards.c.person_id).where(league_boards.c.to_us.is_(None))
    if is_captain:
        busy = select(league_teams.c.captain_id).where(league_teams.c.group_id == group)
        mine = now.where(league_boards.c.team_id == team_id).order_by(league_boards.c.board)
        return tuple(conn.execute(mine.where(league_boards.c.person_id.not_in(busy))).scalars())
    season = select(league_divisions.c.season).where(league_divisions.c.group_id == group)
    taken = now.join(league_teams, league_teams.c.id == league_boards.c.team_id).join(
        league_divisions, league_divisions.c.group_id == league_teams.c.group_id
    )
    taken = taken.where(league_divisions.c.season == season.scalar_subquery())
    strength = func.coalesce(people.c.k_rating, people.c.rating)
    query = (
        select(people.c.id)
        .join(members, members.c.person_id == people.c.id)
        .join(clubs, clubs.c.id == members.c.club_id)
        .where(clubs.c.name.in_(list_club_names(conn, team_id, club)), people.c.id.not_in(taken))
        .order_by(strength.desc(), people.c.id)
    )
    return tuple(conn.execute(query).scalars())


def list_club_names(conn: Connection, team_id: int, club: str) -> list[str]:
    """The names of a team's club: its own without the number of a second team; where the club has
    become part of another, that of most of its players (§ 6.7.3, reading)."""
    names = [club, re.sub(r" [2-9]$", "", club)]
    gone = clubs.alias("gone")
    own = exists().where(gone.c.name.in_(names), gone.c.ended.is_not(None))
    seated = league_boards.c.team_id == team_id, league_boards.c.to_us.is_(None)
    query = select(clubs.c.name).join(members, members.c.club_id == clubs.c.id)
    query = query.join(league_boards, league_boards.c.person_id == members.c.person_id)
    most = query.where(own, *seated).group_by(clubs.c.name).order_by(func.count().desc()).limit(1)
    return [*names, *conn.execute(most).scalars()]


def list_teams_of_club(conn: Connection, club: str) -> tuple[LeagueTeamRow, ...]:
    """A club's teams whose division is played."""
    played = exists().where(games.c.group_id == league_teams.c.group_id, games.c.result.is_(None))
    names = [club, *(f"{club} {number}" for number in range(2, 10))]
    query = _TEAM.where(league_teams.c.club.in_(names), played)
    return rows_of(LeagueTeamRow, conn.execute(query))


def list_games_of_captain(conn: Connection, person_id: int) -> frozenset[int]:
    """The games of the teams a person is captain of."""
    query = select(league_games.c.game_id).join(league_teams, _MEETS).join(offices, _IN_OFFICE)
    return frozenset(conn.execute(query.where(league_teams.c.captain_id == person_id)).scalars())


def players_of_captain(conn: Connection, group_id: int, captain_id: int) -> frozenset[int]:
    """Who plays or played for a captain's teams in a division, while the captain is in office."""
    query = (
        select(league_boards.c.person_id)
        .join(league_teams, league_teams.c.id == league_boards.c.team_id)
        .join(offices, _IN_OFFICE)
        .where(league_teams.c.group_id == group_id, league_teams.c.captain_id == captain_id)
    )
    return frozenset(conn.execute(query).scalars())


def change_player(conn: Connection, game_ids: Iterable[int], old: int, new: int) -> None:
    """Hand a player's games to another, who is to move where the first was (§ 6.7.4.3)."""
    those = games.c.id.in_(list(game_ids))
    for column in (games.c.white_id, games.c.black_id, games.c.to_move_id):
        conn.execute(update(games).where(those, column == old).values({column.name: new}))


def forget(conn: Connection, group_id: int) -> None:
    """Remove the league data of a group whose start is undone before its first move."""
    own = select(league_teams.c.id).where(league_teams.c.group_id == group_id).scalar_subquery()
    played = select(games.c.id).where(games.c.group_id == group_id).scalar_subquery()
    conn.execute(delete(league_games).where(league_games.c.game_id.in_(played)))
    for table in (league_boards, league_reserves, league_changes, league_reports):
        conn.execute(delete(table).where(table.c.team_id.in_(own)))
    for table in (league_teams, league_divisions):
        conn.execute(delete(table).where(table.c.group_id == group_id))


# Who played each side of a division's games, and from when, in one query (§ 6.7.4.3).


@dataclass(frozen=True, slots=True)
class HandRow:
    """A player's spell on the board of a game's team."""

    game_id: int
    is_white: bool
    name: str
    from_us: int
    person_id: int


def list_board_players(conn: Connection, game_ids: Collection[int]) -> tuple[HandRow, ...]:
    """Everybody on the boards of some games, oldest first; nothing for games outside the league."""
    meets = or_(
        league_boards.c.team_id == league_games.c.white_team,
        league_boards.c.team_id == league_games.c.black_team,
    )
    query = (
        select(
            league_games.c.game_id,
            league_boards.c.team_id == league_games.c.white_team,
            people.c.name,
            league_boards.c.from_us,
            league_boards.c.person_id,
        )
        .join(league_boards, meets & (league_boards.c.board == league_games.c.board))
        .join(people, people.c.id == league_boards.c.person_id)
        .where(league_games.c.game_id.in_(list(game_ids)))
        .order_by(league_games.c.game_id, league_boards.c.id)
    )
    return tuple(HandRow(row[0], bool(row[1]), *row[2:]) for row in conn.execute(query))


def exchange_teams(conn: Connection, game_id: int) -> None:
    """The teams of a game of the league change colours with their players (FIDE 7.3)."""
    swapped = {"white_team": league_games.c.black_team, "black_team": league_games.c.white_team}
    conn.execute(update(league_games).where(league_games.c.game_id == game_id).values(swapped))


# Requested reserves, the leader's changes, captains' reports (§ 6.7.4.3).


class ReserveState(StrEnum):
    """The state of a requested reserve."""

    ASKED = "asked"
    IN = "in"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class NewReserve:
    """A requested reserve. The pause's days are ISO."""

    team_id: int
    board: int
    replaced_id: int
    name: str
    email: str
    club: str
    rating: int
    reason: str
    asked_by: int
    asked_us: int
    pause_first: str | None
    pause_last: str | None
    state: str


@dataclass(frozen=True, slots=True)
class ReserveRow(NewReserve):
    """A stored reserve."""

    id: int
    person_id: int | None
    decided_by: int | None
    decided_us: int | None
    note: str | None
    against: str


class ChangeKind(StrEnum):
    """What a leader changes about a team."""

    ORDER = "order"
    CAPTAIN = "captain"


_RESERVE = select(*columns_of(ReserveRow, league_reserves)).order_by(league_reserves.c.id)


def add_reserve(conn: Connection, new: NewReserve) -> int:
    """Store a request for a reserve and return its id."""
    return int(conn.execute(row_insert(league_reserves, values_of(new))).scalar_one())


def reserve(conn: Connection, reserve_id: int, *, lock: bool = False) -> ReserveRow | None:
    """One reserve by id; ``lock``: for deciding about it."""
    query = _RESERVE.where(league_reserves.c.id == reserve_id)
    return one_of(ReserveRow, conn.execute(query.with_for_update() if lock else query))


def reserves(conn: Connection, team_ids: Collection[int]) -> tuple[ReserveRow, ...]:
    """The reserves some teams asked for, oldest first."""
    return rows_of(
        ReserveRow, conn.execute(_RESERVE.where(league_reserves.c.team_id.in_(list(team_ids))))
    )


def list_waiting_reserves(
    conn: Connection, group_ids: Iterable[int] | None
) -> tuple[ReserveRow, ...]:
    """Reserves awaiting a decision by the leaders of these groups; None: of all."""
    query = _RESERVE.where(league_reserves.c.state == ReserveState.ASKED.value)
    if group_ids is not None:
        own = select(league_teams.c.id).where(league_teams.c.group_id.in_(group_ids))
        query = query.where(league_reserves.c.team_id.in_(own))
    return rows_of(ReserveRow, conn.execute(query))


def set_reserve(conn: Connection, reserve_id: int, **values: object) -> None:
    """Change columns of a reserve."""
    conn.execute(update(league_reserves).where(league_reserves.c.id == reserve_id).values(values))


def add_change(conn: Connection, **values: object) -> None:
    """Record what a leader changed."""
    conn.execute(insert(league_changes).values(values))


def changes(conn: Connection, team_ids: Collection[int]) -> tuple[AnyRow, ...]:
    """The changes to some teams, oldest first: names before and after, and why."""
    query = select(league_changes).where(league_changes.c.team_id.in_(list(team_ids)))
    return tuple(conn.execute(query.order_by(league_changes.c.id)))


def add_report(conn: Connection, **values: object) -> None:
    """Store a captain's report."""
    conn.execute(insert(league_reports).values(values))


def reports(conn: Connection, team_ids: Collection[int]) -> tuple[AnyRow, ...]:
    """What the captains of some teams reported, newest first."""
    query = select(league_reports).where(league_reports.c.team_id.in_(list(team_ids)))
    return tuple(conn.execute(query.order_by(league_reports.c.id.desc())))


def reports_of(conn: Connection, game_id: int) -> tuple[AnyRow, ...]:
    """What captains reported of a game, oldest first."""
    query = select(league_reports).where(league_reports.c.game_id == game_id)
    return tuple(conn.execute(query.order_by(league_reports.c.id)))


def add_seat(conn: Connection, group_id: int, person_id: int) -> None:
    """Add a seat after the others for a reserve, unless they already have one."""
    own = select(seats.c.number, seats.c.person_id).where(seats.c.group_id == group_id)
    known = {row[1]: row[0] for row in conn.execute(own)}
    if person_id not in known:
        number = max(known.values(), default=0) + 1
        row = {"group_id": group_id, "number": number, "person_id": person_id}
        conn.execute(insert(seats).values(row))


def swap_seats(conn: Connection, group_id: int, moved: dict[int, int]) -> None:
    """Put other people on the same numbers: ``moved`` maps old person to new."""
    query = select(seats.c.number, seats.c.person_id).where(seats.c.group_id == group_id)
    for number, person_id in conn.execute(query).all():
        if person_id in moved:
            which = (seats.c.group_id == group_id) & (seats.c.number == number)
            conn.execute(update(seats).where(which).values(person_id=moved[person_id]))


def leader_of(conn: Connection, group_id: int) -> int:
    """A group's leader."""
    return int(conn.execute(select(groups.c.tl_id).where(groups.c.id == group_id)).scalar_one())


def group_name(conn: Connection, group_id: int) -> str:
    """A group's name."""
    query = select(groups.c.name).where(groups.c.id == group_id)
    return str(conn.execute(query).scalar_one())


# Next season's divisions as composed, and the leader's dispensations (§ 6.7.5.1).


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A stored composition: what was entered and the outcome, both JSON."""

    id: int
    season: int
    deadline: str
    entered: str
    composed: str
    by_id: int
    at_us: int
    from_plan: int | None
    refused: str | None
    team_entries: str | None


@dataclass(frozen=True, slots=True)
class GrantRow:
    """A dispensation granted or refused, and why."""

    plan_id: int
    club: str
    division: int
    is_granted: bool
    reason: str
    by_id: int
    at_us: int


_PLAN = select(*columns_of(PlanRow, league_plans)).order_by(league_plans.c.id.desc())
_GRANT = select(*columns_of(GrantRow, league_grants))


def add_plan(conn: Connection, values: dict[str, object]) -> int:
    """Store a composition and return its id."""
    return int(conn.execute(row_insert(league_plans, values)).scalar_one())


def find_plan(conn: Connection, plan_id: int, *, lock: bool = False) -> PlanRow | None:
    """One composition; ``lock``: answers are taken one at a time until the transaction ends."""
    query = _PLAN.where(league_plans.c.id == plan_id)
    return one_of(PlanRow, conn.execute(query.with_for_update() if lock else query))


def next_plan(conn: Connection, plan_id: int) -> int | None:
    """The plan that replaced a plan when it was composed again."""
    query = select(league_plans.c.id).where(league_plans.c.from_plan == plan_id)
    return conn.execute(query.order_by(league_plans.c.id).limit(1)).scalar_one_or_none()


def list_plans(conn: Connection) -> tuple[PlanRow, ...]:
    """All compositions, newest first."""
    return rows_of(PlanRow, conn.execute(_PLAN))


def add_grant(conn: Connection, row: GrantRow) -> None:
    """Store a dispensation; the latest decision counts."""
    t = league_grants.c
    same = (t.plan_id == row.plan_id) & (t.club == row.club) & (t.division == row.division)
    conn.execute(delete(league_grants).where(same))
    conn.execute(insert(league_grants).values(values_of(row)))


def grants(conn: Connection, plan_id: int) -> tuple[GrantRow, ...]:
    """The dispensations of a plan."""
    return rows_of(GrantRow, conn.execute(_GRANT.where(league_grants.c.plan_id == plan_id)))
