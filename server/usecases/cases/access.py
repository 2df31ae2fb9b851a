"""A person's standing in a case: a party, an official, or a stranger who learns nothing.

To a stranger, a case they may not see does not exist. Not for what the case allows at
its stage (kskak.cases.decide).
"""

from dataclasses import dataclass, replace

from kskak.cases.commands import Actor
from kskak.cases.decisions import Instance
from kskak.cases.state import CaseState
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseRow, UnknownCase
from server.store.play.people import PersonRow
from server.usecases.core.captains import team_of
from server.usecases.core.case_record import state_of
from server.usecases.core.context import Core
from server.usecases.core.offices import Rights, rights_in


def reads_by_office(held: Rights, case: CaseRow, state: CaseState) -> bool:
    """Whether somebody reads a case by office; the Board reads its own cases only."""
    is_boards = state.instance is Instance.BOARD
    return held.reads_case(case.group_id, state.may_appeal, is_boards=is_boards)


@dataclass(frozen=True, slots=True)
class Access:
    """A person's standing in a case; ``team``: a captain's players in the group."""

    person: PersonRow
    rights: Rights
    case: CaseRow
    state: CaseState
    team: frozenset[int] = frozenset()

    @property
    def is_party(self) -> bool:
        """Whether the person is a party or concerned: heard in it, and may appeal (§ 6.4.3)."""
        return self.person.id in self.state.may_appeal

    @property
    def is_captain(self) -> bool:
        """Whether it concerns a player of the captain's team: captains read and speak (§ 6.7.6)."""
        return bool(self.team & self.state.may_appeal)

    @property
    def is_official(self) -> bool:
        """Whether the person reads it by office."""
        return reads_by_office(self.rights, self.case, self.state)

    @property
    def may_see(self) -> bool:
        """Whether the person may know of the case."""
        return self.is_party or self.is_official or self.is_captain

    @property
    def actor(self) -> Actor:
        """The person as the actor of a command."""
        return replace(self.rights.actor(self.case.group_id), team=self.team)


async def access(core: Core, person: PersonRow, case_id: int) -> Access:
    """A person's standing. Raises UnknownCase if there is no such case that they may see."""
    async with core.store.read() as conn:
        case = await case_rows.load(conn, case_id)
        if case is None:
            raise UnknownCase(case_id)
        held = await rights_in(conn, person, core.now_us)
        state = state_of(await case_rows.events_of(conn, case_id))
        team = await team_of(conn, person, held, case.group_id)
    found = Access(person, held, case, state, team)
    if not found.may_see:
        raise UnknownCase(case_id)
    return found
