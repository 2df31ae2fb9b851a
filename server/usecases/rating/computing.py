"""Bringing ratings up to date: what is pending is calculated, and what rests on it (§ 4.5.4.1).

Readings. K-ratings are the handbook's ratings, made when a group's standing is published; they are
registered that day, as § 4.5.4.1 registers on receipt of the report, and keep the day when a later
ruling changes a result: that day's gains change, and so does everything calculated since. A result
taken back voids the calculation until the group is finished again. A number that people enter in
the register applies from its day; on a day of calculation it overrides the calculated one if it was
entered later. Not for the calculation itself (kskak.rating.calculation) nor for display.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from server.store.engine.connection import AsyncConnection
from server.store.rating import calculations as rows
from server.store.rating.calculations import CalculationRow, NewCalculation, RatedRow, Waiting
from server.store.register import writing as writes
from server.usecases.core.context import Core
from server.usecases.rating.facts import Facts, dump_facts, gather, load_facts
from server.usecases.rating.in_order import Head, rated_rows, ratings_made, replayed, starts_text

BATCH = 100
"""Groups calculated in one transaction, in order of time."""
FIRST_DAY = "0001-01-01"


class Why(StrEnum):
    """Why something was calculated."""

    FINISHED = "finished"
    """The group was finished and published: § 6.4.5."""
    RESULT = "result"
    """A result has changed since: § 6.4.1-6.4.3."""
    RESTS = "rests"
    """The ratings that it started from, or was added to, have changed: § 4.5.4.1."""
    UNDONE = "undone"
    """A result was taken back and the group is played on."""


@dataclass(frozen=True, slots=True)
class Done:
    """What was calculated, again or for the first time: groups by name, each once."""

    groups: tuple[str, ...] = ()


@dataclass(slots=True)
class _Plan:
    """One transaction's work: the calculations from a day on, with what has changed."""

    since: str
    facts: dict[int, Facts] = field(default_factory=dict)
    rows: dict[int, CalculationRow] = field(default_factory=dict)
    fresh: dict[int, NewCalculation] = field(default_factory=dict)
    voids: list[NewCalculation] = field(default_factory=list)
    seals: dict[int, str] = field(default_factory=dict)

    @property
    def heads(self) -> dict[int, Head]:
        """The calculations in force or planned, with their facts."""
        return {
            group: (self.fresh.get(group) or self.rows[group], facts)
            for group, facts in self.facts.items()
        }


async def compute(core: Core, by: int | None = None, *, everything: bool = False) -> Done:
    """Calculate what is pending and what rests on it; ``by`` None: the server itself.

    ``everything``: recalculate all of it from the games, as if nothing had been calculated; what
    comes out unchanged is left alone.
    """
    found = await core.store.reading(partial(_pending, core, everything))
    if found is None:
        return Done()
    named: dict[str, None] = {}
    for first in range(0, max(len(found), 1), BATCH):
        is_last = first + BATCH >= len(found)
        async with core.store.write() as conn:
            await writes.hold(conn)
            only = found[first : first + BATCH]
            part = await rows.waiting(conn, only, everything=everything) if only else ()
            since = FIRST_DAY if everything and is_last else await writes.unsettled_since(conn)
            plan = await _planned(conn, core, by, part, since)
            named |= dict.fromkeys(await _carry_out(conn, core, by, plan))
            await writes.mark_settled(conn)
    return Done(tuple(named))


async def _pending(core: Core, everything: bool) -> list[int] | None:
    """The groups to calculate; None when nothing at all is to be done."""
    async with core.store.read() as conn:
        found = [one.group_id for one in await rows.waiting(conn, everything=everything)]
        if not found and not everything and await writes.unsettled_since(conn) is None:
            return None
    return found


async def settle(core: Core, by: int | None = None) -> Done:
    """Recalculate what rests on ratings that were entered, corrected or removed meanwhile."""
    async with core.store.read() as conn:
        if await writes.unsettled_since(conn) is None:
            return Done()
    async with core.store.write() as conn:
        await writes.hold(conn)
        since = await writes.unsettled_since(conn)
        plan = await _planned(conn, core, by, (), since)
        named = await _carry_out(conn, core, by, plan)
        await writes.mark_settled(conn)
    return Done(named)


async def _planned(
    conn: AsyncConnection, core: Core, by: int | None, part: Sequence[Waiting], since: str | None
) -> _Plan:
    """What has changed, and every calculation from the first day affected."""
    last = await rows.calculations_of(conn, [one.group_id for one in part])
    plan = _Plan(since or "9999-99-99")
    for one in part:
        kept = last.get(one.group_id)
        in_force = None if kept is None or kept.is_void else kept
        if not one.is_finished:
            assert in_force is not None
            plan.voids.append(_void(in_force, one.seal, core.now_us, by))
            plan.since = min(plan.since, in_force.day)
            continue
        facts = await gather(conn, one.group_id)
        if in_force is not None and load_facts(in_force.facts) == facts:
            plan.seals[in_force.id] = one.seal
            continue
        new = _new(one, kept, facts, core.now_us, by)
        plan.facts[one.group_id], plan.fresh[one.group_id] = facts, new
        plan.since = min(plan.since, new.day)
    await rows.reseal(conn, plan.seals)
    gone = {row.group_id for row in plan.voids}
    for row in await rows.in_force_since(conn, plan.since):
        if row.group_id not in gone:
            plan.rows[row.group_id] = row
            plan.facts.setdefault(row.group_id, load_facts(row.facts))
    return plan


def _new(
    one: Waiting, kept: CalculationRow | None, facts: Facts, now_us: int, by: int | None
) -> NewCalculation:
    """A planned calculation; it keeps the day, and the place on that day, of one in force."""
    assert one.published is not None
    in_force = kept if kept is not None and not kept.is_void else None
    return NewCalculation(
        group_id=one.group_id,
        number=1 if kept is None else kept.number + 1,
        is_void=False,
        day=one.published if in_force is None else in_force.day,
        start=one.start,
        first_us=now_us if in_force is None else in_force.first_us,
        seal=one.seal,
        facts=dump_facts(facts),
        starts="{}",
        reason=(Why.FINISHED if in_force is None else Why.RESULT).value,
        made_us=now_us,
        made_by=by,
    )


def _again(
    row: NewCalculation, now_us: int, by: int | None, why: Why, **other: object
) -> NewCalculation:
    """The next calculation of a group after one that is in force."""
    values = {name: getattr(row, name) for name in NewCalculation.__dataclass_fields__}
    values |= {"number": row.number + 1, "reason": why.value, "made_us": now_us, "made_by": by}
    return NewCalculation(**(values | other))


def _void(row: CalculationRow, seal: str, now_us: int, by: int | None) -> NewCalculation:
    return _again(row, now_us, by, Why.UNDONE, is_void=True, seal=seal, starts="{}")


async def _carry_out(
    conn: AsyncConnection, core: Core, by: int | None, plan: _Plan
) -> tuple[str, ...]:
    """Calculate, compare with what is stored, write the difference; the groups' names."""
    people = {person for facts in plan.facts.values() for person in facts.players}
    people |= await rows.computed_since(conn, plan.since)
    told = await rows.told_of(conn, people)
    before = await rows.rated_before(conn, people, plan.since)
    heads = plan.heads
    found = await asyncio.to_thread(replayed, heads, told, before)
    new: list[NewCalculation] = list(plan.voids)
    rated: list[RatedRow] = []
    for group_id, one in found.items():
        starts = starts_text(one)
        row, kept = heads[group_id]
        facts = dump_facts(kept)
        if group_id not in plan.fresh:
            if (row.starts, row.facts) == (starts, facts):
                continue
            why = Why.RESTS if row.facts == facts else Why.RESULT
            row = _again(row, core.now_us, by, why)
        new.append(_with(row, facts, starts))
        rated += rated_rows(group_id, row, one)
    await rows.put_calculations(conn, new, rated)
    put = ratings_made(found.values(), told, core.now_us)
    await rows.put_computed(conn, people, plan.since, put)
    gone = [load_facts(row.facts).name for row in plan.voids]
    made = {row.group_id for row in new} - {row.group_id for row in plan.voids}
    return (*gone, *(facts.name for group, facts in plan.facts.items() if group in made))


def _with(row: NewCalculation, facts: str, starts: str) -> NewCalculation:
    values = {name: getattr(row, name) for name in NewCalculation.__dataclass_fields__}
    return NewCalculation(**(values | {"facts": facts, "starts": starts}))
