"""What rating lists and curves are made of: one statement a question, however many players.

Not for calculations (rating_rows.py) nor for the register's own pages (register.py).
"""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.rating_rows import RatedRow
from server.store.register import RatingKind
from server.store.register_tables import rated_players, rating_calculations, ratings
from server.store.rows import columns_of
from server.store.tables import groups, people


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody who has a K-rating, as lists print him."""

    id: int
    name: str
    club: str | None


@dataclass(frozen=True, slots=True)
class Played:
    """Somebody's rated games until a day, and the ISO day that the last ones are of."""

    games: int
    last: str


@dataclass(frozen=True, slots=True)
class Tournament:
    """What a tournament made of somebody's rating, with the group's names."""

    row: RatedRow
    group: str
    tournament: str


@dataclass(frozen=True, slots=True)
class Made:
    """A calculation as the desk lists it. ``by`` None: the server itself."""

    group: str
    number: int
    day: str
    reason: str
    made_us: int
    by: str | None


async def rated_people(conn: AsyncConnection) -> dict[int, Named]:
    """Everybody who ever had a K-rating."""
    rated = select(ratings.c.person_id).where(ratings.c.kind == RatingKind.K.value)
    query = select(*columns_of(Named, people)).where(people.c.id.in_(rated))
    return {row[0]: Named(*row) for row in await conn.execute(query)}


async def played_until(conn: AsyncConnection, day: str) -> dict[int, Played]:
    """The rated games of everybody until an ISO day, that day included."""
    rated = rated_players
    query = (
        select(rated.c.person_id, func.sum(rated.c.games), func.max(rated.c.day))
        .where(rated.c.day <= day)
        .group_by(rated.c.person_id)
    )
    return {person: Played(int(games), last) for person, games, last in await conn.execute(query)}


async def first_day(conn: AsyncConnection) -> str | None:
    """The ISO day of the oldest K-rating."""
    query = select(func.min(ratings.c.on_day)).where(ratings.c.kind == RatingKind.K.value)
    day = (await conn.execute(query)).scalar_one_or_none()
    return None if day is None else str(day)


async def tournaments_of(conn: AsyncConnection, person_id: int) -> tuple[Tournament, ...]:
    """The tournaments that somebody has rated games in, in order of time."""
    rated = rated_players
    query = (
        select(*columns_of(RatedRow, rated), groups.c.name, groups.c.tournament)
        .join(groups, groups.c.id == rated.c.group_id)
        .where(rated.c.person_id == person_id)
        .order_by(rated.c.day, rated.c.first_us, groups.c.start, groups.c.name)
    )
    rows = await conn.execute(query)
    return tuple(Tournament(RatedRow(*row[:-2]), row[-2], row[-1]) for row in rows)


@dataclass(frozen=True, slots=True)
class ToldK:
    """A K-rating that people put in the register; ``entered_us`` orders its day."""

    on_day: str
    value: int
    is_provisional: bool
    entered_us: int


async def told_to(conn: AsyncConnection, person_id: int) -> tuple[ToldK, ...]:
    """The K-ratings that people gave somebody, in order of time; no word on why."""
    query = select(*columns_of(ToldK, ratings)).where(
        ratings.c.person_id == person_id,
        ratings.c.kind == RatingKind.K.value,
        ~ratings.c.is_computed,
    )
    ordered = query.order_by(ratings.c.on_day, ratings.c.entered_us)
    return tuple(ToldK(*row) for row in await conn.execute(ordered))


async def newest(conn: AsyncConnection, most: int) -> tuple[Made, ...]:
    """The calculations made last, the newest first."""
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
