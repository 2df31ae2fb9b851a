"""Warnings, quarantines and expulsions that have been imposed (§ 6.4.2).

Not for how long one lasts (kskak.cases.sanctions) nor for who may impose one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, case, func, insert, or_, select, update

from kskak.cases.decisions import SanctionKind
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import values_of
from server.store.tables.base import games, groups, people
from server.store.tables.cases import cases, sanctions


@dataclass(frozen=True, slots=True)
class NewSanction:
    """A sanction to store; days are ISO, ``to_day`` included, None: no end."""

    person_id: int
    case_id: int
    kind: str
    group_id: int | None
    from_day: str
    to_day: str | None


@dataclass(frozen=True, slots=True)
class SanctionRow:
    """A stored sanction; ``annulled_us``: when a later instance revoked it.

    ``season_end_us``: when the last game of its group ended, None while one runs; the group's
    class, zone and name; the case's number.
    """

    id: int
    person_id: int
    case_id: int
    kind: str
    group_id: int | None
    from_day: str
    to_day: str | None
    annulled_us: int | None
    season_end_us: int | None
    group_class: str | None
    zone: str | None
    group: str | None
    case: str


_season_end = (
    select(case((func.count() == func.count(games.c.ended_us), func.max(games.c.ended_us))))
    .where(games.c.group_id == sanctions.c.group_id)
    .correlate(sanctions)
    .scalar_subquery()
)
_SELECT: Select[*tuple[Any, ...]] = (
    select(
        *sanctions.c,
        _season_end,
        groups.c["class"],
        groups.c.zone,
        groups.c.name,
        cases.c.number,
    )
    .select_from(
        sanctions.join(cases, cases.c.id == sanctions.c.case_id).outerjoin(
            groups, groups.c.id == sanctions.c.group_id
        )
    )
    .order_by(sanctions.c.id)
)


def add(conn: Connection, new: Sequence[NewSanction]) -> None:
    """Store sanctions."""
    if new:
        conn.execute(insert(sanctions), [values_of(each) for each in new])


def annul(conn: Connection, case_id: int, person_id: int, since: str, now_us: int) -> None:
    """Revoke what a case's decision of the ISO day ``since`` imposed on a person."""
    conn.execute(
        update(sanctions)
        .where(
            sanctions.c.case_id == case_id,
            sanctions.c.person_id == person_id,
            sanctions.c.from_day == since,
            sanctions.c.annulled_us.is_(None),
        )
        .values(annulled_us=now_us)
    )


def standing_of(conn: Connection, person_id: int) -> tuple[SanctionRow, ...]:
    """A person's sanctions that were not revoked, for deciding on another."""
    query = _SELECT.where(sanctions.c.person_id == person_id, sanctions.c.annulled_us.is_(None))
    return tuple(SanctionRow(*row) for row in conn.execute(query))


async def of_person(conn: AsyncConnection, person_id: int) -> tuple[SanctionRow, ...]:
    """A person's sanctions, oldest first, including revoked ones."""
    query = _SELECT.where(sanctions.c.person_id == person_id)
    rows = await conn.execute(query)
    return tuple(SanctionRow(*row) for row in rows)


async def of_case(conn: AsyncConnection, case_id: int) -> tuple[SanctionRow, ...]:
    """The sanctions a case led to."""
    query = _SELECT.where(sanctions.c.case_id == case_id)
    rows = await conn.execute(query)
    return tuple(SanctionRow(*row) for row in rows)


@dataclass(frozen=True, slots=True)
class InForce:
    """A quarantine in force on a day: who, from and to (ISO), by which case."""

    person_id: int
    name: str
    from_day: str
    to_day: str | None
    case: str


def _quarantines(day: Any) -> Select[Any]:
    return (
        select(people.c.id, people.c.name, sanctions.c.from_day, sanctions.c.to_day, cases.c.number)
        .join(people, people.c.id == sanctions.c.person_id)
        .join(cases, cases.c.id == sanctions.c.case_id)
        .where(sanctions.c.kind == SanctionKind.QUARANTINE.value, sanctions.c.annulled_us.is_(None))
        .where(sanctions.c.from_day <= day)
        .where(or_(sanctions.c.to_day.is_(None), sanctions.c.to_day >= day))
        .order_by(sanctions.c.to_day.is_(None), sanctions.c.to_day, sanctions.c.id)
    )


async def quarantines(conn: AsyncConnection, day: str) -> tuple[InForce, ...]:
    """The quarantines in force on a day (ISO), soonest to end first (§ 6.4.2)."""
    return tuple(InForce(*row) for row in await conn.execute(_quarantines(day)))
