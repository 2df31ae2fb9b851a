"""What the controller did with the year's steps, and the reminders sent (§ 6.1.2).

Not for which days follow from it (kskak.office.year).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, insert, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import Prepared, all_as, columns_of, quiet_insert, values_of
from server.store.tables.base import people
from server.store.tables.office import year_deeds, year_told


@dataclass(frozen=True, slots=True)
class NewDeed:
    """An action to store; ``day`` is ISO, None unless the step is moved."""

    form: str
    season: int
    step: str
    kind: str
    day: str | None
    reason: str
    by_id: int
    at_us: int


@dataclass(frozen=True, slots=True)
class DeedRow:
    """A stored action, with who took it."""

    id: int
    form: str
    season: int
    step: str
    kind: str
    day: str | None
    reason: str
    by_id: int
    at_us: int
    by: str


@dataclass(frozen=True, slots=True)
class Told:
    """A reminder sent about a step due on exactly this day."""

    form: str
    season: int
    step: str
    day: str
    stage: str


_SELECT: Select[*tuple[Any, ...]] = (
    select(*year_deeds.c, people.c.name)
    .join(people, people.c.id == year_deeds.c.by_id)
    .order_by(year_deeds.c.id)
)


async def add(conn: AsyncConnection, new: NewDeed) -> None:
    """Store an action."""
    await conn.execute(insert(year_deeds).values(values_of(new)))


async def deeds(conn: AsyncConnection) -> tuple[DeedRow, ...]:
    """All actions, oldest first: a few per year."""
    return all_as(DeedRow, await conn.execute(_SELECT))


_TOLD = Prepared(lambda since: select(*columns_of(Told, year_told)).where(year_told.c.day >= since))


async def told(conn: AsyncConnection, since: str) -> frozenset[Told]:
    """The reminders sent about steps due from ``since`` (ISO) on."""
    return frozenset(Told(*row) for row in await conn.execute(*_TOLD(since)))


async def keep_told(conn: AsyncConnection, new: Iterable[Told], now_us: int) -> None:
    """Store reminders as sent now; known ones are left alone."""
    rows = [values_of(each) | {"told_us": now_us} for each in new]
    if rows:
        await conn.execute(quiet_insert(conn.dialect.name, year_told), rows)
