"""Who may do what to a team: its captain, the division's leader (§ 6.7.2.2, § 6.7.6.1).

NoSuch for an unknown team or group, NotAllowed for a stranger to it. Not for the rules themselves.
"""

from dataclasses import dataclass

from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.league import divisions as rows
from server.store.league.divisions import BoardRow, DivisionRow, TeamRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch, NotAllowed, Rights, rights_in
from server.usecases.league.lineups import current


@dataclass(frozen=True, slots=True)
class TeamAccess:
    """A person's access to a team. ``boards``: the current players, from board 1."""

    person: PersonRow
    rights: Rights
    group: GroupRow
    division: DivisionRow
    team: TeamRow
    boards: tuple[BoardRow, ...]

    @property
    def is_captain(self) -> bool:
        """Whether the person speaks for the club, while the office lasts (§ 6.7.6.1)."""
        is_named = self.team.captain_id == self.person.id
        return is_named and self.group.id in self.rights.captain

    @property
    def leads(self) -> bool:
        """Whether the person decides about the team (§ 6.1.1)."""
        return self.rights.speaks_for(self.group.id)


async def team_access(core: Core, person: PersonRow, team_id: int) -> TeamAccess:
    """A person's access to a team. Raises NoSuch."""
    async with core.store.read() as conn:
        return await _access(core, conn, person, team_id)


async def _access(core: Core, conn: AsyncConnection, person: PersonRow, team_id: int) -> TeamAccess:
    team = await conn.run_sync(rows.team, team_id)
    if team is None:
        raise NoSuch("team")
    group = await group_rows.find(conn, team.group_id)
    division = await conn.run_sync(rows.division, team.group_id)
    assert group is not None and division is not None
    held = await rights_in(conn, person, core.now_us)
    boards = current(await conn.run_sync(rows.boards, [team.id]), team.id)
    return TeamAccess(person, held, group, division, team, boards)


async def as_captain(core: Core, person: PersonRow, team_id: int) -> TeamAccess:
    """The team, for its captain only. Raises NoSuch, NotAllowed."""
    found = await team_access(core, person, team_id)
    if not found.is_captain:
        raise NotAllowed
    return found


async def as_leader(core: Core, person: PersonRow, team_id: int) -> TeamAccess:
    """The team, for its division's leader or the controller. Raises NoSuch, NotAllowed."""
    found = await team_access(core, person, team_id)
    if not found.leads:
        raise NotAllowed
    return found


async def led_division(core: Core, person: PersonRow, group_id: int) -> GroupRow:
    """A division, for its leader or the controller. Raises NoSuch, NotAllowed."""
    async with core.store.read() as conn:
        group = await group_rows.find(conn, group_id)
        division = await conn.run_sync(rows.division, group_id)
        held = await rights_in(conn, person, core.now_us)
    if group is None or division is None:
        raise NoSuch("group")
    if not held.speaks_for(group_id):
        raise NotAllowed
    return group
