"""Whether everybody may follow a tournament's running games: set at the start or on the desk.

CONTRACTS, "Who sees what". A setting for one group holds for its whole tournament: all rounds of a
cup, all divisions of a season, a DM and its play-off; groups that start later inherit it. Not for
what followers then see (play/who_sees.py).
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from server.store.engine.connection import AsyncConnection
from server.store.groups import followed as rows
from server.store.groups.followed import Spell
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch, NotAllowed, Rights, rights
from server.usecases.groups.group_file import GroupClass, GroupFile, GroupFileError


@dataclass(frozen=True, slots=True)
class Following:
    """What a desk shows: whether following is on, for which groups, and its history.

    ``groups``: names by id, the group asked about included; ``spells``: its own, newest first.
    """

    is_on: bool
    groups: dict[int, str]
    spells: tuple[Spell, ...]

    def may_switch(self, held: Rights) -> bool:
        """Whether these rights cover every group of the tournament (§ 6.1.1)."""
        return all(held.speaks_for(one) for one in self.groups)


async def following_of(conn: AsyncConnection, group_id: int) -> Following:
    """The current setting for a group."""
    together = await conn.run_sync(rows.together_with, group_id)
    spells = await rows.spells_of(conn, group_id)
    is_on = any(one.until_us is None for one in spells)
    return Following(is_on, together, spells)


async def switch(core: Core, by: PersonRow, group_id: int, *, is_on: bool) -> tuple[str, ...]:
    """Open a group's tournament to followers from now on, or close it; return the groups' names.

    For the leader of all its groups, a deputy or the controller, but never for someone who plays in
    one (§ 6.1.1). Repeating it changes nothing. Raises NoSuch, NotAllowed.
    """
    held, now = await rights(core, by), core.now_us

    def work(conn: Connection) -> tuple[str, ...]:
        together = rows.together_with(conn, group_id)
        if not together:
            raise NoSuch("group")
        if not all(held.speaks_for(one) for one in together):
            raise NotAllowed
        if is_on:
            rows.begin(conn, together, now, by.id)
        else:
            rows.end(conn, together, now, by.id)
        return tuple(together.values())

    return await core.writer.transact(work)


async def begin_with(core: Core, conn: AsyncConnection, file: GroupFile, group_id: int) -> None:
    """Apply the setting in the file at a group's start; a division inherits its season's.

    Raises GroupFileError when a division would differ from those already begun.
    """
    is_on = bool(file.live)
    if file.group_class is GroupClass.LEAGUE:
        others = [one for one in await rows.of_season(conn, file.start.year) if one != group_id]
        holds = bool(await rows.which_of(conn, others))
        if others and file.live is not None and file.live is not holds:
            raise GroupFileError(
                f"live: is {str(holds).lower()} in the season's other divisions; write the same, "
                "or leave it out"
            )
        is_on = is_on or holds
    if is_on:
        await conn.run_sync(rows.begin, (group_id,), core.now_us, None)
