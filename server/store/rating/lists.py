"""Data for rating lists and curves: one statement per query, however many players there are.

Not for calculations (calculations.py) nor for the register's own pages (register/members.py).
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, func, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.rating.calculations import RatedRow
from server.store.register.members import RatingKind
from server.store.tables.base import groups, people
from server.store.tables.register import rated_players, rating_calculations, ratings


@dataclass(frozen=True, slots=True)
class InForce:
    """A player with the K-rating in force on a day, and the ISO day that it is of."""

    person_id: int
    name: str
    club: str | None
    value: int
    is_provisional: bool
    on_day: str


@dataclass(frozen=True, slots=True)
class Played:
    """How many rated games a player has up to a day, and the ISO day of the last ones."""

    games: int
    last: str


@dataclass(frozen=True, slots=True)
class Tournament:
    """What a tournament made of a player's rating, with the names of group and tournament."""

    row: RatedRow
    group: str
    tournament: str


@dataclass(frozen=True, slots=True)
class Made:
    """A calculation as listed on the desk. ``by`` None: the server itself."""

    group: str
    number: int
    day: str
    reason: str
    made_us: int
    by: str | None


def _in_force(day: Any) -> ColumnElement[bool]:
    one = ratings.alias()
    newest = (
        select(one.c.id)
        .where(one.c.person_id == ratings.c.person_id)
        .where(one.c.kind == RatingKind.K.value, one.c.on_day <= day)
        .order_by(one.c.on_day.desc(), one.c.is_computed.desc())
        .limit(1)
    )
    return and_(ratings.c.kind == RatingKind.K.value, ratings.c.id == newest.scalar_subquery())


async def in_force(conn: AsyncConnection, day: str) -> tuple[InForce, ...]:
    """Everybody's K-rating in force on an ISO day."""
    query = (
        select(people.c.id, people.c.name, people.c.club)
        .add_columns(ratings.c.value, ratings.c.is_provisional, ratings.c.on_day)
        .join(ratings, ratings.c.person_id == people.c.id)
        .where(_in_force(day))
    )
    return tuple(InForce(*row) for row in await conn.execute(query))


async def values_on(conn: AsyncConnection, day: str) -> dict[int, int]:
    """The same as numbers alone, by person."""
    query = select(ratings.c.person_id, ratings.c.value).where(_in_force(day))
    return {row[0]: row[1] for row in await conn.execute(query)}


_FIRST_DAY = select(func.min(ratings.c.on_day)).where(ratings.c.kind == RatingKind.K.value)


async def played_until(conn: AsyncConnection, day: str) -> dict[int, Played]:
    """Everybody's rated games up to and including an ISO day."""
    query = (
        select(rated_players.c.person_id, func.sum(rated_players.c.games))
        .add_columns(func.max(rated_players.c.day))
        .where(rated_players.c.day <= day)
        .group_by(rated_players.c.person_id)
    )
    rows = await conn.execute(query)
    return {person: Played(int(games), last) for person, games, last in rows}


async def first_day(conn: AsyncConnection) -> str | None:
    """The ISO day of the oldest K-rating."""
    day = (await conn.execute(_FIRST_DAY)).scalar_one_or_none()
    return None if day is None else str(day)


_R = rated_players.c


async def tournaments_of(conn: AsyncConnection, person_id: int) -> tuple[Tournament, ...]:
    """The tournaments in which a player has rated games, in chronological order."""
    query = (
        select(*columns_of(RatedRow, rated_players), groups.c.name, groups.c.tournament)
        .join(groups, groups.c.id == _R.group_id)
        .where(_R.person_id == person_id)
        .order_by(_R.day, _R.first_us, groups.c.start, groups.c.name)
    )
    rows = await conn.execute(query)
    return tuple(Tournament(RatedRow(*row[:-2]), row[-2], row[-1]) for row in rows)


@dataclass(frozen=True, slots=True)
class ToldK:
    """A K-rating entered in the register; ``entered_us`` gives the order within a day."""

    on_day: str
    value: int
    is_provisional: bool
    entered_us: int


async def told_to(conn: AsyncConnection, person_id: int) -> tuple[ToldK, ...]:
    """A player's entered K-ratings, in chronological order, without the reasons."""
    query = (
        select(*columns_of(ToldK, ratings))
        .where(ratings.c.person_id == person_id, ratings.c.kind == RatingKind.K.value)
        .where(~ratings.c.is_computed)
        .order_by(ratings.c.on_day, ratings.c.entered_us)
    )
    return tuple(ToldK(*row) for row in await conn.execute(query))


async def newest(conn: AsyncConnection, most: int) -> tuple[Made, ...]:
    """The latest calculations, newest first."""
    calc = rating_calculations
    query = (
        select(
            groups.c.name, calc.c.number, calc.c.day, calc.c.reason, calc.c.made_us, people.c.name
        )
        .join(groups, groups.c.id == calc.c.group_id)
        .outerjoin(people, people.c.id == calc.c.made_by)
        .order_by(calc.c.id.desc())
        .limit(most)
    )
    return tuple(Made(*row) for row in await conn.execute(query))
