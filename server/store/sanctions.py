"""Warnings, quarantines and expulsions that were decided (§ 6.4.2).

Not for how long one lasts (kskak.sanctions) nor for who may impose one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.case_tables import sanctions
from server.store.rows import columns_of, values_of


@dataclass(frozen=True, slots=True)
class NewSanction:
    """A sanction to keep; the days are ISO, ``to_day`` included, None: without an end."""

    person_id: int
    case_id: int
    kind: str
    group_id: int | None
    from_day: str
    to_day: str | None


@dataclass(frozen=True, slots=True)
class SanctionRow:
    """A sanction as kept; ``annulled_us`` when a later instance took it back."""

    id: int
    person_id: int
    case_id: int
    kind: str
    group_id: int | None
    from_day: str
    to_day: str | None
    annulled_us: int | None


_SELECT = select(*columns_of(SanctionRow, sanctions)).order_by(sanctions.c.id)


def add(conn: Connection, new: Sequence[NewSanction]) -> None:
    """Keep sanctions."""
    if new:
        conn.execute(insert(sanctions), [values_of(each) for each in new])


def annul_of_case(conn: Connection, case_id: int, now_us: int) -> int:
    """Take back every sanction of a case that stands; how many."""
    result = conn.execute(
        update(sanctions)
        .where(sanctions.c.case_id == case_id, sanctions.c.annulled_us.is_(None))
        .values(annulled_us=now_us)
    )
    return result.rowcount


def standing_of(conn: Connection, person_id: int) -> tuple[SanctionRow, ...]:
    """A person's sanctions that were not taken back, for who decides another."""
    query = _SELECT.where(sanctions.c.person_id == person_id, sanctions.c.annulled_us.is_(None))
    return tuple(SanctionRow(*row) for row in conn.execute(query))


async def of_person(conn: AsyncConnection, person_id: int) -> tuple[SanctionRow, ...]:
    """A person's sanctions, oldest first, those taken back too."""
    rows = await conn.execute(_SELECT.where(sanctions.c.person_id == person_id))
    return tuple(SanctionRow(*row) for row in rows)


async def of_case(conn: AsyncConnection, case_id: int) -> tuple[SanctionRow, ...]:
    """What a case led to."""
    rows = await conn.execute(_SELECT.where(sanctions.c.case_id == case_id))
    return tuple(SanctionRow(*row) for row in rows)
