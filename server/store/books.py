"""The accounts' entries: added, read, never changed (§ 6.1.2); and the deposits of cases.

Not for sums (kskak.office.books) nor for who may enter anything.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, insert, literal, or_, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import (
    AnyRow,
    columns_of,
    one_of,
    portions,
    quiet_insert,
    row_insert,
    rows_of,
    values_of,
)
from server.store.tables.all_tables import seal
from server.store.tables.base import groups, people
from server.store.tables.cases import (
    case_events,
    cases,
    entries,
    publications,
    year_deeds,
    year_told,
)
from server.store.tables.tournaments import cup_draws, cups, league_divisions, league_plans

_DEPOSITS = ('%"event":"appealed"%', '%"event":"deposit_%')
"""The events in which a deposit is paid, refunded or forfeited."""
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class BookEntryRow:
    """A stored entry, with who made it; ``day`` is ISO."""

    tournament: str
    kind: str
    day: str
    ore: int
    party: str
    text: str
    by_id: int
    at_us: int
    reverses: int | None
    publication_id: int | None
    key: str | None
    id: int
    by: str


NewRow = Mapping[str, Any]
"""An entry to store: the columns of its table."""
_SELECT: Select[*tuple[Any, ...]] = (
    select(*columns_of(BookEntryRow, entries, by=people.c.name))
    .join(people, people.c.id == entries.c.by_id)
    .order_by(entries.c.day, entries.c.id)
)


async def add(conn: AsyncConnection, new: Sequence[NewRow]) -> int:
    """Store entries and return how many are new. One whose key is known is left alone."""
    count = 0
    for rows in portions(new, _CHUNK):
        made = quiet_insert(conn.dialect.name, entries).values(rows).returning(entries.c.id)
        ids = (await conn.execute(made)).scalars().all()
        if ids:
            await seal(conn, entries, ids, rows[0]["at_us"])
        count += len(ids)
    return count


async def add_one(conn: AsyncConnection, new: NewRow) -> int:
    """Store one entry; its number. StoreConflict when it reverses what is already reversed."""
    number = (await conn.execute(row_insert(entries, new))).scalar_one()
    await seal(conn, entries, [number], new["at_us"])
    return number


async def find(conn: AsyncConnection, **where: object) -> BookEntryRow | None:
    """The entry of an ``id``, made with a ``key``, or that ``reverses`` another."""
    conditions = (entries.c[name] == value for name, value in where.items())
    return one_of(BookEntryRow, await conn.execute(_SELECT.where(*conditions)))


async def everything(conn: AsyncConnection) -> tuple[BookEntryRow, ...]:
    """Every entry, by day and number."""
    return rows_of(BookEntryRow, await conn.execute(_SELECT))


async def known_keys(conn: AsyncConnection, keys: Collection[str]) -> frozenset[str]:
    """Those of the keys that some entry has."""
    found: set[str] = set()
    for some in portions(sorted(keys), _CHUNK):
        rows = await conn.execute(select(entries.c.key).where(entries.c.key.in_(some)))
        found |= {str(key) for key in rows.scalars()}
    return frozenset(found)


async def deposit_events(conn: AsyncConnection) -> tuple[AnyRow, ...]:
    """The case events that affect deposits, by case and in order: each ``body``, with the
    ``number`` of its case and the ``tournament``.
    """
    query = (
        select(cases.c.number, groups.c.tournament, case_events.c.body)
        .join(cases, cases.c.id == case_events.c.case_id)
        .join(groups, groups.c.id == cases.c.group_id)
        .where(or_(*(case_events.c.body.like(literal(mark).op("||")("")) for mark in _DEPOSITS)))
        .order_by(cases.c.id, case_events.c.seq)
    )
    return tuple(await conn.execute(query))


async def tournaments(conn: AsyncConnection) -> tuple[str, ...]:
    """The tournaments that have groups, by name."""
    query = select(groups.c.tournament).distinct().order_by(groups.c.tournament)
    return tuple((await conn.execute(query)).scalars())


async def prizes_open(conn: AsyncConnection) -> tuple[AnyRow, ...]:
    """Groups whose prizes are still to be sent, earliest deadline first (§ 6.4.5).

    ``publication``, ``group`` and ``group_id``, ``tournament``, and ``until``, an ISO day.
    """
    until = publications.c.prizes_until.label("until")
    query = (
        select(publications.c.id.label("publication"), groups.c.name.label("group"), until)
        .add_columns(groups.c.id.label("group_id"), groups.c.tournament)
        .join(groups, groups.c.id == publications.c.group_id)
        .where(publications.c.prizes_until.is_not(None), publications.c.done_us.is_(None))
        .order_by(publications.c.prizes_until, publications.c.id)
    )
    return tuple(await conn.execute(query))


# What the controller did with the year's steps, and the reminders sent (§ 6.1.2).


@dataclass(frozen=True, slots=True)
class YearStepEvidence:
    """What shows that a year's steps are done: rounds drawn (edition, stage), ISO days on which
    groups of a class began, seasons composed, and those with divisions, by whether all captains
    have the schedule.
    """

    drawn: frozenset[tuple[int, str]]
    starts: frozenset[str]
    composed: frozenset[int]
    started: frozenset[int]
    waiting: frozenset[int]


async def read_season_evidence(conn: AsyncConnection, class_: str) -> YearStepEvidence:
    """What was drawn, begun, composed and sent; ``class_``: of groups begun."""
    draws = select(cups.c.edition, cup_draws.c.stage).join(cups, cups.c.id == cup_draws.c.cup_id)
    begun = select(groups.c.start).where(groups.c["class"] == class_).distinct()
    plans = select(league_plans.c.season).distinct()
    seasons = select(league_divisions.c.season, league_divisions.c.letters_us)
    divisions = (await conn.execute(seasons)).all()
    return YearStepEvidence(
        drawn=frozenset((edition, stage) for edition, stage in await conn.execute(draws)),
        starts=frozenset((await conn.execute(begun)).scalars()),
        composed=frozenset((await conn.execute(plans)).scalars()),
        started=frozenset(season for season, _ in divisions),
        waiting=frozenset(season for season, sent_us in divisions if sent_us is None),
    )


@dataclass(frozen=True, slots=True)
class DeedRow:
    """A stored action and who took it; ``day`` is ISO, None unless the step is moved."""

    form: str
    season: int
    step: str
    kind: str
    day: str | None
    reason: str
    by_id: int
    at_us: int
    id: int
    by: str


@dataclass(frozen=True, slots=True)
class YearReminderRow:
    """A reminder sent about a step due on exactly this day."""

    form: str
    season: int
    step: str
    day: str
    stage: str


_SELECT_YEAR: Select[*tuple[Any, ...]] = (
    select(*columns_of(DeedRow, year_deeds, by=people.c.name))
    .join(people, people.c.id == year_deeds.c.by_id)
    .order_by(year_deeds.c.id)
)


async def add_step(conn: AsyncConnection, **values: object) -> None:
    """Store an action."""
    await conn.execute(insert(year_deeds).values(values))


async def list_actions(conn: AsyncConnection) -> tuple[DeedRow, ...]:
    """All actions, oldest first: a few per year."""
    return rows_of(DeedRow, await conn.execute(_SELECT_YEAR))


async def list_reminders(conn: AsyncConnection, since: str) -> frozenset[YearReminderRow]:
    """The reminders sent about steps due from ``since`` (ISO) on."""
    query = select(*columns_of(YearReminderRow, year_told)).where(year_told.c.day >= since)
    return frozenset(YearReminderRow(*row) for row in await conn.execute(query))


async def add_reminders(conn: AsyncConnection, new: Iterable[YearReminderRow], now_us: int) -> None:
    """Store reminders as sent now; known ones are left alone."""
    rows = [values_of(each) | {"told_us": now_us} for each in new]
    if rows:
        await conn.execute(quiet_insert(conn.dialect.name, year_told), rows)
