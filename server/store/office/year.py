"""What the controller did with the year's steps, and the reminders sent (§ 6.1.2).

Not for which days follow from it (kskak.office.year).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import CompoundSelect, Select, case, insert, literal, select, union_all

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, quiet_insert, values_of
from server.store.tables.base import groups, people
from server.store.tables.cup import cup_draws, cups
from server.store.tables.league import league_divisions, league_plans
from server.store.tables.office import year_deeds, year_told


@dataclass(frozen=True, slots=True)
class Begun:
    """What shows that a year's steps are done: rounds drawn (edition, stage), ISO days on which
    groups of a class began, seasons composed, and those with divisions, by whether all captains
    have the schedule.
    """

    drawn: frozenset[tuple[int, str]]
    starts: frozenset[str]
    composed: frozenset[int]
    started: frozenset[int]
    waiting: frozenset[int]


_DRAWN, _START, _COMPOSED, _STARTED, _WAITING = "drawn", "start", "composed", "started", "waiting"


def _begun(class_: Any) -> CompoundSelect[Any]:
    letters = case((league_divisions.c.letters_us.is_(None), _WAITING), else_=_STARTED)
    return union_all(
        select(literal(_DRAWN), cups.c.edition, cup_draws.c.stage).join(
            cups, cups.c.id == cup_draws.c.cup_id
        ),
        select(literal(_START), literal(0), groups.c.start)
        .where(groups.c["class"] == class_)
        .distinct(),
        select(literal(_COMPOSED), league_plans.c.season, literal("")).distinct(),
        select(letters, league_divisions.c.season, literal("")).distinct(),
    )


async def begun(conn: AsyncConnection, class_: str) -> Begun:
    """What was drawn, begun, composed and sent, in one query; ``class_``: of groups begun."""
    rows = (await conn.execute(_begun(class_))).all()

    def seasons(*kinds: str) -> frozenset[int]:
        return frozenset(int(number) for kind, number, _ in rows if kind in kinds)

    return Begun(
        drawn=frozenset((int(number), str(text)) for kind, number, text in rows if kind == _DRAWN),
        starts=frozenset(str(text) for kind, _, text in rows if kind == _START),
        composed=seasons(_COMPOSED),
        started=seasons(_STARTED, _WAITING),
        waiting=seasons(_WAITING),
    )


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
    return tuple(DeedRow(*row) for row in await conn.execute(_SELECT))


async def told(conn: AsyncConnection, since: str) -> frozenset[Told]:
    """The reminders sent about steps due from ``since`` (ISO) on."""
    query = select(*columns_of(Told, year_told)).where(year_told.c.day >= since)
    return frozenset(Told(*row) for row in await conn.execute(query))


async def keep_told(conn: AsyncConnection, new: Iterable[Told], now_us: int) -> None:
    """Store reminders as sent now; known ones are left alone."""
    rows = [values_of(each) | {"told_us": now_us} for each in new]
    if rows:
        await conn.execute(quiet_insert(conn.dialect.name, year_told), rows)
