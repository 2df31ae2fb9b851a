"""Who enters a club's teams: its administrator, named by an official of the league (§ 6.7.4.1).

Reading: § 6.7.4.1 has the club enter its teams but names no office for it; its captains speak for
it (§ 6.7.2.2), and anyone it has named to the controller or the league's leader. Not for captains.
"""

from server.store.entries import club_administrators as rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.register import members as register_rows
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch, NotAllowed, Rights, may_handle, rights_in
from server.usecases.season.views import league_lists


async def _may(core: Core, by: PersonRow) -> Rights:
    async with core.store.read() as conn:
        held = await rights_in(conn, by, core.now_us)
        lists = await league_lists(conn, only_open=False)
    if not (held.is_kc or any(may_handle(held, row.id) for row in lists)):
        raise NotAllowed
    return held


async def name_admin(core: Core, by: PersonRow, club_id: int, email: str) -> None:
    """Let somebody enter a club's teams from now on; repeating it changes nothing.

    Raises NotAllowed, NoSuch.
    """
    await _may(core, by)
    async with core.store.deciding() as conn:
        if club_id not in {club.id for club in await register_rows.all_clubs(conn)}:
            raise NoSuch("club")
        person = await person_rows.by_email(conn, email)
        if person is None:
            raise NoSuch("person")
        known = await rows.standing(conn, person.id, [club_id])
        if not known:
            await rows.add(conn, club_id, person.id, by.id, core.now_us)


async def end_admin(core: Core, by: PersonRow, row_id: int) -> None:
    """End an administrator's office. Raises NotAllowed, NoSuch."""
    await _may(core, by)
    async with core.store.deciding() as conn:
        if not await rows.end(conn, row_id, core.now_us):
            raise NoSuch("admin")
