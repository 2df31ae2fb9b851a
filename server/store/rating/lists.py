"""Data for rating lists and curves: one statement per query, however many players there are.

Not for calculations (calculations.py) nor for the register's own pages (register/members.py).
"""

from dataclasses import dataclass

from sqlalchemy import func, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import Prepared, columns_of
from server.store.rating.calculations import RatedRow
from server.store.register.members import RatingKind
from server.store.tables.base import groups, people
from server.store.tables.register import rated_players, rating_calculations, ratings


@dataclass(frozen=True, slots=True)
class Named:
    """A player with a K-rating, as printed in lists."""

    id: int
    name: str
    club: str | None


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


_RATED_PEOPLE = select(*columns_of(Named, people)).where(
    people.c.id.in_(select(ratings.c.person_id).where(ratings.c.kind == RatingKind.K.value))
)


async def rated_people(conn: AsyncConnection) -> dict[int, Named]:
    """Everybody who ever had a K-rating."""
    return {row[0]: Named(*row) for row in await conn.execute(_RATED_PEOPLE)}


_PLAYED_UNTIL = Prepared(
    lambda day: (
        select(rated_players.c.person_id, func.sum(rated_players.c.games))
        .add_columns(func.max(rated_players.c.day))
        .where(rated_players.c.day <= day)
        .group_by(rated_players.c.person_id)
    )
)
_FIRST_DAY = select(func.min(ratings.c.on_day)).where(ratings.c.kind == RatingKind.K.value)


async def played_until(conn: AsyncConnection, day: str) -> dict[int, Played]:
    """Everybody's rated games up to and including an ISO day."""
    rows = await conn.execute(*_PLAYED_UNTIL(day))
    return {person: Played(int(games), last) for person, games, last in rows}


async def first_day(conn: AsyncConnection) -> str | None:
    """The ISO day of the oldest K-rating."""
    day = (await conn.execute(_FIRST_DAY)).scalar_one_or_none()
    return None if day is None else str(day)


_R = rated_players.c
_TOURNAMENTS_OF = Prepared(
    lambda person: (
        select(*columns_of(RatedRow, rated_players), groups.c.name, groups.c.tournament)
        .join(groups, groups.c.id == _R.group_id)
        .where(_R.person_id == person)
        .order_by(_R.day, _R.first_us, groups.c.start, groups.c.name)
    )
)


async def tournaments_of(conn: AsyncConnection, person_id: int) -> tuple[Tournament, ...]:
    """The tournaments in which a player has rated games, in chronological order."""
    rows = await conn.execute(*_TOURNAMENTS_OF(person_id))
    return tuple(Tournament(RatedRow(*row[:-2]), row[-2], row[-1]) for row in rows)


@dataclass(frozen=True, slots=True)
class ToldK:
    """A K-rating entered in the register; ``entered_us`` gives the order within a day."""

    on_day: str
    value: int
    is_provisional: bool
    entered_us: int


_TOLD_TO = Prepared(
    lambda person: (
        select(*columns_of(ToldK, ratings))
        .where(ratings.c.person_id == person, ratings.c.kind == RatingKind.K.value)
        .where(~ratings.c.is_computed)
        .order_by(ratings.c.on_day, ratings.c.entered_us)
    )
)


async def told_to(conn: AsyncConnection, person_id: int) -> tuple[ToldK, ...]:
    """A player's entered K-ratings, in chronological order, without the reasons."""
    return tuple(ToldK(*row) for row in await conn.execute(*_TOLD_TO(person_id)))


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
