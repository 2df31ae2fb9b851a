"""Sanctions with their terms: foreseen before a decision, saved with it, shown after (§ 4.1.19).

A second warning is a quarantine; the decider, the letter's readers and the player see that, with
its days, before and after. Not for whether one is deserved (§ 6.4.2) nor for the rule
(kskak.cases.sanctions).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from kskak.cases.decisions import Decision, SanctionKind, SanctionOrder
from kskak.cases.sanctions import (
    Imposed,
    Sanction,
    impose,
    is_shown,
    quarantine_kept_until,
    warning_until,
)
from kskak.cases.state import CaseState
from kskak.entries.emt import EmtClass
from kskak.entries.entry import event_of
from kskak.regulation.days import local_day
from server.store.cases import cases_and_events as case_rows
from server.store.cases import sanctions as rows
from server.store.cases.sanctions import NewSanction, SanctionRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us
from server.usecases.cases.citing import number_of
from server.usecases.cases.transaction import Done
from server.usecases.core.case_record import readable
from server.usecases.core.context import Core


def sanction_of(row: SanctionRow) -> Sanction:
    """A sanction of the register as the domain's type."""
    end, zone = row.season_end_us, row.zone or "UTC"
    return Sanction(
        kind=SanctionKind(row.kind),
        first=date.fromisoformat(row.from_day),
        last=None if row.to_day is None else date.fromisoformat(row.to_day),
        season_end=None if end is None else local_day(from_us(end), zone),
        is_annulled=row.annulled_us is not None,
        event=_event(row.group_class),
    )


def _event(group_class: str | None) -> str | None:
    """The form of tournament that a group's class belongs to."""
    return event_of(EmtClass(group_class)) if group_class in set(EmtClass) else group_class


def orders_of(decision: Decision, known: Mapping[str, Decision]) -> tuple[SanctionOrder, ...]:
    """The sanctions in force by a decision: those it restores, then its own."""
    again = (order for ref in decision.restores for order in orders_of(known[ref], known))
    return (*again, *decision.sanctions)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a sanction becomes, given the player's register on the day."""

    order: SanctionOrder
    imposed: Imposed


def foreseen(
    orders: Iterable[SanctionOrder], registers: Mapping[int, Iterable[Sanction]], on: date
) -> tuple[Foreseen, ...]:
    """What sanctions imposed on a day become, each given those before it (§ 4.1.19)."""
    known = {person: list(found) for person, found in registers.items()}
    found = []
    for order in orders:
        register = known.setdefault(order.person, [])
        imposed = impose(register, order.kind, on, order.months)
        register.append(Sanction(imposed.kind, imposed.first, imposed.last))
        found.append(Foreseen(order, imposed))
    return tuple(found)


async def foresee(core: Core, decision: Decision, state: CaseState) -> tuple[Foreseen, ...]:
    """What a decision's sanctions will become; those it annuls itself do not count."""
    orders = orders_of(decision, state.known)
    gone = {(number_of(ref), state.known[ref].on.isoformat()) for ref in decision.annuls}
    registers: dict[int, list[Sanction]] = {}
    async with core.store.read() as conn:
        for person in dict.fromkeys(order.person for order in orders):
            kept = await rows.of_person(conn, person)
            registers[person] = [
                sanction_of(row) for row in kept if (row.case, row.from_day) not in gone
            ]
    return foreseen(orders, registers, decision.on)


def take_effect(conn: Connection, done: Done, now_us: int) -> None:
    """Remove annulled sanctions, add restored and new ones, with durations (§ 6.4.2, § 4.1.19)."""
    latest = done.state.latest
    assert latest is not None
    known = done.state.known
    for ref in latest.annuls:  # for those of other cases see citing.py
        for order in orders_of(known[ref], known) if ref in done.state.decisions else ():
            since = known[ref].on.isoformat()
            rows.annul(conn, done.case.id, order.person, since, now_us)
    orders = orders_of(latest, known)
    registers = {
        person: [sanction_of(row) for row in rows.standing_of(conn, person)]
        for person in {order.person for order in orders}
    }
    new = foreseen(orders, registers, latest.on)
    rows.add(conn, [_row(one.order.person, one.imposed, done) for one in new])


def _row(person: int, imposed: Imposed, done: Done) -> NewSanction:
    last = None if imposed.last is None else imposed.last.isoformat()
    kind, first = imposed.kind.value, imposed.first.isoformat()
    return NewSanction(person, done.case.id, kind, done.case.group_id, first, last)


@dataclass(frozen=True, slots=True)
class Record:
    """A sanction in the register; ``until``: the last day it counts, if known.

    ``was_warning``: a warning that § 4.1.19 turned into a quarantine.
    """

    row: SanctionRow
    until: date | None
    was_warning: bool

    @property
    def first(self) -> date:
        """The first day."""
        return date.fromisoformat(self.row.from_day)

    @property
    def last(self) -> date | None:
        """The last day of a quarantine."""
        return None if self.row.to_day is None else date.fromisoformat(self.row.to_day)


async def records_in(
    conn: AsyncConnection, people: Iterable[int], today: date
) -> dict[int, tuple[Record, ...]]:
    """What the register shows for some people on a day; people without entries are left out."""
    found: dict[int, tuple[Record, ...]] = {}
    for person in dict.fromkeys(people):
        standing = [
            await _record(conn, row)
            for row in await rows.of_person(conn, person)
            if is_shown(sanction_of(row), today)
        ]
        if standing:
            found[person] = tuple(standing)
    return found


async def _record(conn: AsyncConnection, row: SanctionRow) -> Record:
    sanction = sanction_of(row)
    is_quarantine = sanction.kind is SanctionKind.QUARANTINE
    until = quarantine_kept_until(sanction) if is_quarantine else warning_until(sanction)
    return Record(row, until, is_quarantine and await _was_warning(conn, row))


async def _was_warning(conn: AsyncConnection, row: SanctionRow) -> bool:
    """True if the decision that imposed a quarantine ordered a warning."""
    state = readable(await case_rows.events_of(conn, row.case_id))
    if state is None:
        return False
    made = [one.decision for one in state.decided if one.decision.on.isoformat() == row.from_day]
    orders = [o for d in made for o in orders_of(d, state.known) if o.person == row.person_id]
    kinds = {order.kind for order in orders}
    return SanctionKind.WARNING in kinds and SanctionKind.QUARANTINE not in kinds


async def own_records(core: Core, person: int) -> tuple[Record, ...]:
    """What the register shows for a person today; the caller checks who is asking."""
    today = core.today(core.settings.clock.zone)
    async with core.store.read() as conn:
        found = await records_in(conn, [person], today)
    return found.get(person, ())
