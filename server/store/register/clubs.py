"""Clubs as the public may see them: who plays for them, their teams. A few queries per page.

A club's players are those listed with it (``people.club``) who have a seat somewhere or a
K-rating. Not for the register's own pages (members.py): members who do not play are in no
public list.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, exists, func, or_, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.play.people import PersonRow
from server.store.tables.base import games, groups, people, seats
from server.store.tables.league import league_divisions, league_games, league_teams
from server.store.tables.register import clubs, districts


@dataclass(frozen=True, slots=True)
class Club:
    """A club with its main district."""

    id: int
    name: str
    district: str | None


@dataclass(frozen=True, slots=True)
class ClubPlayer:
    """A club's player, as named in the rating list."""

    id: int
    name: str
    rating: int | None
    k_rating: int | None


@dataclass(frozen=True, slots=True)
class ClubTeam:
    """A club's team in a division."""

    id: int
    group: str
    division: int
    season: int


@dataclass(frozen=True, slots=True)
class TeamGame:
    """A team's game: side, opposing team and round; ``result`` None while it runs."""

    team: int
    other: int
    is_white: bool
    round: int
    result: str | None


def _plays() -> ColumnElement[bool]:
    seated = exists().where(seats.c.person_id == people.c.id)
    return or_(people.c.k_rating.is_not(None), seated)


async def find(conn: AsyncConnection, club_id: int) -> Club | None:
    """One club."""
    query = select(clubs.c.id, clubs.c.name, districts.c.name).outerjoin(
        districts, districts.c.id == clubs.c.district_id
    )
    row = (await conn.execute(query.where(clubs.c.id == club_id))).one_or_none()
    return None if row is None else Club(*row)


async def ids_of(conn: AsyncConnection, names: Collection[str]) -> dict[str, int]:
    """The ids of some clubs, by name; names that are not a club's are left out."""
    query = select(clubs.c.name, clubs.c.id).where(clubs.c.name.in_(sorted(set(names))))
    return {row[0]: row[1] for row in await conn.execute(query)}


async def of_person(conn: AsyncConnection, person_id: int) -> tuple[PersonRow, int | None] | None:
    """A person and their club's id, if it is in the register; None for nobody. One query."""
    query = (
        select(*columns_of(PersonRow, people), clubs.c.id)
        .outerjoin(clubs, clubs.c.name == people.c.club)
        .where(people.c.id == person_id)
    )
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else (PersonRow(*row[:-1]), row[-1])


_WITH_PLAYERS = (
    select(clubs.c.id, clubs.c.name, districts.c.name, func.count(people.c.id))
    .join(people, people.c.club == clubs.c.name)
    .outerjoin(districts, districts.c.id == clubs.c.district_id)
    .where(_plays())
    .group_by(clubs.c.id, clubs.c.name, districts.c.name)
    .order_by(clubs.c.name)
)


async def with_players(conn: AsyncConnection) -> tuple[tuple[Club, int], ...]:
    """Every club with players, by name, and how many it has."""
    return tuple((Club(*row[:3]), row[3]) for row in await conn.execute(_WITH_PLAYERS))


async def players(conn: AsyncConnection, name: str) -> tuple[ClubPlayer, ...]:
    """A club's players, highest K-rating first."""
    k = people.c.k_rating
    query = (
        select(people.c.id, people.c.name, people.c.rating, k)
        .where(people.c.club == name, _plays())
        .order_by(k.is_(None), k.desc(), people.c.name, people.c.id)
    )
    return tuple(ClubPlayer(*row) for row in await conn.execute(query))


async def teams(conn: AsyncConnection, name: str) -> tuple[ClubTeam, ...]:
    """A club's teams in the league, newest season first (§ 6.7)."""
    own = league_teams
    query = (
        select(own.c.id, groups.c.name, league_divisions.c.division, league_divisions.c.season)
        .join(groups, groups.c.id == own.c.group_id)
        .join(league_divisions, league_divisions.c.group_id == own.c.group_id)
        .where(own.c.club == name, ~own.c.is_individual)
        .order_by(league_divisions.c.season.desc(), league_divisions.c.division, own.c.id)
    )
    return tuple(ClubTeam(*row) for row in await conn.execute(query))


async def games_of(conn: AsyncConnection, team_ids: Collection[int]) -> tuple[TeamGame, ...]:
    """The games of some teams, once for each of these teams that plays in it."""
    found: list[TeamGame] = []
    ids = sorted(team_ids)
    t = league_games
    query = (
        select(t.c.white_team, t.c.black_team, games.c.round, games.c.result)
        .join(games, games.c.id == t.c.game_id)
        .where(or_(t.c.white_team.in_(ids), t.c.black_team.in_(ids)))
        .order_by(games.c.round, t.c.board)
    )
    for white, black, number, result in await conn.execute(query):
        if white in team_ids:
            found.append(TeamGame(white, black, True, number, result))
        if black in team_ids:
            found.append(TeamGame(black, white, False, number, result))
    return tuple(found)
