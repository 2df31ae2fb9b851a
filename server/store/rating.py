"""Stored rating calculations: what is waiting, what is in force, writing them (§ 4.5).

Not for ratings entered by people (store/register.py) nor for the lists' pages (below).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import and_, case, delete, exists, func, insert, or_, select, update

from server.store.cases.publications import PublicationKind
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow, columns_of, portions, rows_of, values_of
from server.store.members import RatingKind, RatingRow
from server.store.register import BATCH, print_ratings, put_rows
from server.store.tables.base import events, games, groups
from server.store.tables.base import people as people_table
from server.store.tables.cases import publications
from server.store.tables.people import rated_players, rating_calculations, ratings
from server.store.tables.tournaments import (
    league_boards,
    league_games,
    league_reserves,
    league_teams,
)

calc = rating_calculations


@dataclass(frozen=True, slots=True)
class NewCalculation:
    """A calculation to store; days are ISO, ``facts`` and ``starts`` JSON. See the table."""

    group_id: int
    number: int
    is_void: bool
    day: str
    start: str
    first_us: int
    seal: str
    facts: str
    starts: str
    reason: str
    made_us: int
    made_by: int | None


@dataclass(frozen=True, slots=True)
class CalculationRow(NewCalculation):
    """A stored calculation."""

    id: int
    is_last: bool


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A player's rated games in a group, and the resulting rating."""

    group_id: int
    person_id: int
    day: str
    first_us: int
    games: int
    before: int
    basis: str
    registered: int
    rating: int


@dataclass(frozen=True, slots=True)
class PendingRatingGroup:
    """A group whose ratings may not match its games as they stand.

    ``published``: the ISO day its standing was last published; ``calculation`` None: never
    calculated, or void since; ``is_finished`` False: a result was withdrawn.
    """

    group_id: int
    name: str
    start: str
    published: str | None
    is_finished: bool
    seal: str
    calculation: int | None

    @property
    def state(self) -> str:
        """Why: ``new``, ``changed`` since it was calculated, or ``undone``."""
        if not self.is_finished:
            return "undone"
        return "new" if self.calculation is None else "changed"


_SELECT = select(*columns_of(CalculationRow, calc))


async def list_pending_groups(
    conn: AsyncConnection, only: Collection[int] | None = None, *, everything: bool = False
) -> tuple[PendingRatingGroup, ...]:
    """The groups to calculate, recalculate or void, in order of publication.

    ``only``: among these; ``everything``: also those whose games have not changed since.
    """
    published = (
        select(func.max(publications.c.day))
        .where(publications.c.group_id == groups.c.id)
        .where(publications.c.kind == PublicationKind.STANDING.value)
        .scalar_subquery()
    )
    in_force = and_(calc.c.group_id == groups.c.id, calc.c.is_last, ~calc.c.is_void)
    count, done = func.count(games.c.id), func.count(games.c.result)
    query = (
        select(
            groups.c.id, groups.c.name, groups.c.start, published, count == done,
            func.sum(games.c.seq), calc.c.id, calc.c.seal,
        )
        .select_from(
            groups.join(games, games.c.group_id == groups.c.id).outerjoin(calc, in_force)
        )
        .group_by(groups.c.id, groups.c.name, groups.c.start, calc.c.id, calc.c.seal)
        .having(or_(count == done, calc.c.id.is_not(None)))
        .order_by(groups.c.id)
    )  # fmt: skip
    if only is not None:
        query = query.where(groups.c.id.in_(list(only)))
    found = []
    for group, name, start, said, is_over, total, calculation, kept in await conn.execute(query):
        seal = str(total)
        is_new = calculation is None and said is not None
        has_changed = everything or not is_over or seal != kept
        if is_new or (calculation is not None and has_changed):
            found.append(
                PendingRatingGroup(group, name, start, said, bool(is_over), seal, calculation)
            )
    return tuple(sorted(found, key=lambda one: (one.published or "", one.group_id)))


async def list_group_calculations(
    conn: AsyncConnection, group_id: int
) -> tuple[CalculationRow, ...]:
    """A group's calculations, newest first."""
    return rows_of(
        CalculationRow,
        await conn.execute(_SELECT.where(calc.c.group_id == group_id).order_by(calc.c.id.desc())),
    )


async def in_force_since(conn: AsyncConnection, day: str) -> tuple[CalculationRow, ...]:
    """The calculations in force whose gains are registered on or after an ISO day."""
    query = _SELECT.where(calc.c.is_last, ~calc.c.is_void, calc.c.day >= day)
    return rows_of(CalculationRow, await conn.execute(query.order_by(calc.c.id)))


async def calculations_of(conn: AsyncConnection, ids: Collection[int]) -> dict[int, CalculationRow]:
    """The last calculation of each of some groups, including void ones."""
    query = _SELECT.where(calc.c.is_last, calc.c.group_id.in_(list(ids)))
    return {row.group_id: CalculationRow(*row) for row in await conn.execute(query)}


@dataclass(frozen=True, slots=True)
class ToldRow:
    """A rating entered by people; ``entered_us`` gives the order within a day."""

    person_id: int
    kind: str
    on_day: str
    value: int
    entered_us: int
    is_provisional: bool = False


async def list_entered_ratings(conn: AsyncConnection, people: Iterable[int]) -> tuple[ToldRow, ...]:
    """The entered ratings of some people, both kinds, in chronological order."""
    found: list[ToldRow] = []
    for part in portions(sorted(people), BATCH):
        query = select(*columns_of(ToldRow, ratings))
        query = query.where(ratings.c.person_id.in_(part), ~ratings.c.is_computed)
        ordered = query.order_by(ratings.c.on_day, ratings.c.entered_us, ratings.c.id)
        found += [ToldRow(*row) for row in await conn.execute(ordered)]
    return tuple(found)


async def rated_before(
    conn: AsyncConnection, people: Iterable[int], day: str
) -> tuple[RatedRow, ...]:
    """What tournaments made of some people's ratings before an ISO day, chronologically."""
    found: list[RatedRow] = []
    for part in portions(sorted(people), BATCH):
        query = select(*columns_of(RatedRow, rated_players))
        query = query.where(rated_players.c.person_id.in_(part), rated_players.c.day < day)
        query = query.join(groups, groups.c.id == rated_players.c.group_id)
        order = (rated_players.c.day, rated_players.c.first_us, groups.c.start, groups.c.name)
        found += [RatedRow(*row) for row in await conn.execute(query.order_by(*order))]
    return tuple(found)


async def computed_since(conn: AsyncConnection, day: str) -> frozenset[int]:
    """The people with ratings computed from tournaments on or after an ISO day."""
    query = select(ratings.c.person_id).where(ratings.c.is_computed, ratings.c.on_day >= day)
    return frozenset((await conn.execute(query.distinct())).scalars())


async def read_computed_ratings(conn: AsyncConnection) -> dict[tuple[int, str], tuple[int, str]]:
    """K-ratings computed from tournaments, by person and ISO day: value and source."""
    query = select(ratings.c.person_id, ratings.c.on_day, ratings.c.value, ratings.c.source).where(
        ratings.c.is_computed, ratings.c.kind == RatingKind.K.value
    )
    rows = await conn.execute(query)
    return {(person, day): (value, source) for person, day, value, source in rows}


async def entered_ratings(conn: AsyncConnection, group_id: int) -> dict[int, int]:
    """The ratings a division's players were entered with; the later of two (§ 6.7.4.1)."""
    query = (
        select(league_boards.c.person_id, league_boards.c.rating)
        .join(league_teams, league_teams.c.id == league_boards.c.team_id)
        .where(league_teams.c.group_id == group_id)
        .order_by(league_boards.c.id)
    )
    return {row[0]: row[1] for row in await conn.execute(query)}


async def carried_on(conn: AsyncConnection, group_id: int) -> frozenset[int]:
    """The games of a division taken over by a reserve after moves had been made (§ 6.7.4.3)."""
    moved = exists().where(
        events.c.game_id == games.c.id,
        events.c.at_us < league_reserves.c.decided_us,
        events.c.body.contains('"kind":"move"'),
    )
    query = (
        select(games.c.id)
        .join(league_games, league_games.c.game_id == games.c.id)
        .join(
            league_reserves,
            and_(
                league_reserves.c.board == league_games.c.board,
                league_reserves.c.team_id.in_(
                    (league_games.c.white_team, league_games.c.black_team)
                ),
                league_reserves.c.state == "in",
            ),
        )
        .where(games.c.group_id == group_id, moved)
        .where(or_(games.c.ended_us.is_(None), games.c.ended_us > league_reserves.c.decided_us))
    )
    return frozenset((await conn.execute(query)).scalars())


async def put_calculations(
    conn: AsyncConnection, new: Sequence[NewCalculation], rated: Sequence[RatedRow]
) -> None:
    """Store calculations as the groups' last ones, and replace who was rated in them."""
    for part in portions(sorted(row.group_id for row in new), BATCH):
        old = update(calc).where(calc.c.group_id.in_(part), calc.c.is_last)
        await conn.execute(old.values(is_last=False))
        gone = delete(rated_players).where(rated_players.c.group_id.in_(part))
        await conn.execute(gone)
    await put_rows(conn, insert(calc), [values_of(row) | {"is_last": True} for row in new])
    await put_rows(conn, insert(rated_players), [values_of(row) for row in rated])


async def reseal(conn: AsyncConnection, seals: dict[int, str]) -> None:
    """Update seals, by calculation, after changes to games that do not affect ratings."""
    if seals:
        chosen = case(seals, value=calc.c.id)
        await conn.execute(update(calc).where(calc.c.id.in_(list(seals))).values(seal=chosen))


async def put_computed(
    conn: AsyncConnection, people: Collection[int], day: str, rows: Sequence[RatingRow], now_us: int
) -> None:
    """Replace some people's computed K-ratings from an ISO day on."""
    for part in portions(sorted(people), BATCH):
        gone = delete(ratings).where(
            ratings.c.is_computed,
            ratings.c.kind == RatingKind.K.value,
            ratings.c.on_day >= day,
            ratings.c.person_id.in_(part),
        )
        had = set((await conn.execute(gone.returning(ratings.c.person_id))).scalars())
        nothing = update(people_table).where(people_table.c.id.in_(had))
        await conn.execute(nothing.values(k_rating=None))
    made = [values_of(row) | {"entered_us": now_us} for row in rows]
    await put_rows(conn, insert(ratings), made)
    await print_ratings(conn, people)


# Data for rating lists and curves: one statement per query, however many players there are.


async def in_force(conn: AsyncConnection, day: str) -> tuple[AnyRow, ...]:
    """Everybody's K-rating in force on an ISO day, with name and club, and the day it is of."""
    one = ratings.alias()
    newest = (
        select(one.c.id)
        .where(one.c.person_id == ratings.c.person_id)
        .where(one.c.kind == RatingKind.K.value, one.c.on_day <= day)
        .order_by(one.c.on_day.desc(), one.c.is_computed.desc())
        .limit(1)
        .scalar_subquery()
    )
    query = (
        select(*ratings.c["person_id", "value", "is_provisional", "on_day"])
        .add_columns(*people_table.c["name", "club"])
        .join(people_table, people_table.c.id == ratings.c.person_id)
        .where(ratings.c.kind == RatingKind.K.value, ratings.c.id == newest)
    )
    return tuple(await conn.execute(query))


async def played_until(conn: AsyncConnection, day: str) -> dict[int, tuple[int, str]]:
    """How many rated games everybody has until an ISO day, and the day of the last ones."""
    query = (
        select(rated_players.c.person_id, func.sum(rated_players.c.games))
        .add_columns(func.max(rated_players.c.day))
        .where(rated_players.c.day <= day)
        .group_by(rated_players.c.person_id)
    )
    rows = await conn.execute(query)
    return {person: (int(games), last) for person, games, last in rows}


async def first_day(conn: AsyncConnection) -> str | None:
    """The ISO day of the oldest K-rating."""
    query = select(func.min(ratings.c.on_day)).where(ratings.c.kind == RatingKind.K.value)
    day: str | None = (await conn.execute(query)).scalar_one_or_none()
    return day


_R = rated_players.c


async def tournaments_of(conn: AsyncConnection, person_id: int) -> tuple[AnyRow, ...]:
    """What tournaments made of a player's rating, in chronological order, with the names."""
    query = (
        select(rated_players, groups.c.name.label("group"), groups.c.tournament)
        .join(groups, groups.c.id == _R.group_id)
        .where(_R.person_id == person_id)
        .order_by(_R.day, _R.first_us, groups.c.start, groups.c.name)
    )
    return tuple(await conn.execute(query))


async def newest(conn: AsyncConnection, most: int) -> tuple[AnyRow, ...]:
    """The latest calculations, newest first, with the ``group``; ``by`` None: the server itself."""
    query = (
        select(*calc.c["number", "day", "reason", "made_us"])
        .add_columns(groups.c.name.label("group"), people_table.c.name.label("by"))
        .join(groups, groups.c.id == calc.c.group_id)
        .outerjoin(people_table, people_table.c.id == calc.c.made_by)
        .order_by(calc.c.id.desc())
        .limit(most)
    )
    return tuple(await conn.execute(query))
