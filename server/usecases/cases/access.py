"""Who stands how before a case: a party, an official, or a stranger who is told nothing.

What a stranger may not see is answered as what is not there. Not for what the case allows at
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


@dataclass(frozen=True, slots=True)
class Access:
    """A person before a case; ``team``: his players in the group, if he is a captain there."""

    person: PersonRow
    rights: Rights
    case: CaseRow
    state: CaseState
    team: frozenset[int] = frozenset()

    @property
    def is_party(self) -> bool:
        """Whether the case is about him or by him: heard in it, or may appeal (§ 6.4.3)."""
        return self.person.id in self.state.may_appeal

    @property
    def is_captain(self) -> bool:
        """Whether it concerns a player of his team: he reads and speaks (§ 6.7.6)."""
        return bool(self.team & self.state.may_appeal)

    @property
    def is_official(self) -> bool:
        """Whether he reads it for his office; the Board its own cases only."""
        if self.person.id in self.state.may_appeal:
            return self.rights.is_admin
        is_boards = self.rights.is_board and self.case.group_id not in self.rights.plays
        return self.rights.oversees(self.case.group_id) or (
            is_boards and self.state.instance is Instance.BOARD
        )

    @property
    def may_see(self) -> bool:
        """Whether he may know of the case."""
        return self.is_party or self.is_official or self.is_captain

    @property
    def actor(self) -> Actor:
        """How he asks something of the case."""
        return replace(self.rights.actor(self.case.group_id), team=self.team)


async def access(core: Core, person: PersonRow, case_id: int) -> Access:
    """How a person stands. Raises UnknownCase where there is none that he may see."""
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
