"""What a person is at the desks: whose leader, whether controller, Board or operator (§ 6.1.1-6.1.2).

A group's leader stands in its row; the others are appointed (§ 6.1.1). No office lets anybody
decide in a group he plays in: kskak.verdicts says that. Not for pages.
"""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from kskak.case_commands import Actor
from kskak.case_state import CaseState
from kskak.decisions import Instance
from server.store import groups as group_rows
from server.store import offices as office_rows
from server.store.cases import CaseRow
from server.store.offices import Office
from server.store.people import PersonRow, Role
from server.usecases.core import Core

_LEADERS = frozenset({Office.TL, Office.DEPUTY})


@dataclass(frozen=True, slots=True)
class Standing:
    """What a person may look after. ``leads`` None: every group."""

    person: PersonRow
    leads: frozenset[int] | None
    plays: frozenset[int]
    is_controller: bool
    is_board: bool
    is_operator: bool

    @property
    def is_leader(self) -> bool:
        """Whether he leads any group."""
        return self.leads is None or bool(self.leads)

    @property
    def may_appoint(self) -> bool:
        """The controller appoints leaders and deputies; an operator too (§ 6.1.1-6.1.2)."""
        return self.is_controller or self.is_operator

    def leads_group(self, group_id: int) -> bool:
        """Whether this group is his to lead."""
        return self.leads is None or group_id in self.leads

    def actor(self, case: CaseRow) -> Actor:
        """He, as the case knows him (§ 6.4.1-6.4.3)."""
        held = {
            Instance.LEADER: self.leads_group(case.group_id),
            Instance.CONTROLLER: self.is_controller,
            Instance.BOARD: self.is_board,
        }
        offices = frozenset(instance for instance, holds in held.items() if holds)
        return Actor(self.person.id, offices, case.group_id in self.plays)

    def may_see(self, case: CaseRow, state: CaseState) -> bool:
        """The parties, whom it concerns, and those who lead it; the Board its own cases only."""
        if self.person.id in state.may_appeal or self.leads_group(case.group_id):
            return True
        if self.is_controller or self.is_operator:
            return True
        return self.is_board and was_before_board(state)


def was_before_board(state: CaseState) -> bool:
    """Whether the case stands, or has stood, before the Board (§ 6.4.3)."""
    boards = {row.decision.instance for row in state.decided} | {state.instance}
    return Instance.BOARD in boards


async def standing_of(core: Core, person: PersonRow) -> Standing:
    """What a person is, now."""
    async with core.store.read() as conn:
        return await _read(conn, person, core.now_us)


async def _read(conn: AsyncConnection, person: PersonRow, now_us: int) -> Standing:
    held = await office_rows.of_person(conn, person.id, now_us)
    led = await group_rows.led_by(conn, person.id)
    seats = await group_rows.of_person(conn, person.id)
    leads = [row.group_id for row in held if row.office in _LEADERS]
    names = {row.office for row in held}
    everywhere = None in leads
    return Standing(
        person=person,
        leads=None if everywhere else led | {group for group in leads if group is not None},
        plays=frozenset(group.id for group in seats),
        is_controller=person.role == Role.KC or Office.KC in names,
        is_board=Office.BOARD in names,
        is_operator=person.role == Role.ADMIN or Office.ADMIN in names,
    )
