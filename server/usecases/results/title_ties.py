"""A tied first place in the DM: the play-off of two games, or the agreement to share (§ 6.5.2).

Readings: with three or more, each meets each of the others twice, as the text has two games for
those concerned; the play-off is a group of its own, led by the DM's leader and linked to the DM.
Not for who then has the title (titles.py).
"""

from dataclasses import dataclass
from datetime import date, timedelta

from kskak.cup.refusals import TieProblem, TieRefusal
from kskak.game.lawful_days import is_near
from kskak.groups.ladder import Step
from server.store.engine.connection import AsyncConnection
from server.store.groups import followed as live_groups
from server.store.groups import groups_and_seats as group_rows
from server.store.groups import titles as rows
from server.store.groups.groups_and_seats import GroupRow, SeatRow
from server.store.groups.titles import TieRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch, NotAllowed, rights_in
from server.usecases.groups.group_file import GroupClass, GroupFile
from server.usecases.groups.tables import TableView, table_in
from server.usecases.results.titles import settle
from server.usecases.starts.start_group import StartedGroup, start_in


@dataclass(frozen=True, slots=True)
class TieView:
    """A DM's first place: who is tied for it, and what was done about it."""

    level: tuple[SeatRow, ...]
    settled: TieRow | None
    playoff: str | None


def level_first(view: TableView) -> tuple[SeatRow, ...]:
    """Those who share a finished DM's first place and face a play-off; empty if none do."""
    first = [line for line in view.table.lines if line.place == 1]
    is_open = any(line.decided_by is Step.PLAYOFF for line in first[1:])
    if view.finished_us is None or not is_open:
        return ()
    numbers = {line.player.number for line in first}
    return tuple(seat for seat in view.seats if seat.number in numbers)


async def tie_view(conn: AsyncConnection, group: GroupRow, view: TableView) -> TieView | None:
    """The tie of a DM group; None where there is none and never was."""
    if group.class_ != "DM":
        return None
    settled = await rows.tie_of(conn, group.id)
    level = level_first(view)
    if settled is None:
        return TieView(level, None, None) if level else None
    playoff = None
    if settled.playoff_id is not None:
        playoff = await group_rows.find(conn, settled.playoff_id)
    return TieView(level, settled, None if playoff is None else playoff.name)


async def playoff_of_in(conn: AsyncConnection, group: GroupRow) -> str | None:
    """The name of the DM group whose play-off a group is, if it is one."""
    if group.class_ != GroupClass.PLAYOFF:
        return None
    row = await rows.tie_by_playoff(conn, group.id)
    found = None if row is None else await group_rows.find(conn, row.group_id)
    return None if found is None else found.name


async def _open_tie(
    core: Core, conn: AsyncConnection, by: PersonRow, group_id: int
) -> tuple[GroupRow, tuple[SeatRow, ...]] | TieRefusal:
    """The group and those tied. Raises NoSuch, NotAllowed; nobody settles their own group."""
    group = await group_rows.find(conn, group_id)
    if group is None:
        raise NoSuch("group")
    if not (await rights_in(conn, by, core.now_us)).speaks_for(group_id):
        raise NotAllowed
    if group.class_ != "DM":
        return TieRefusal(TieProblem.NOT_LEVEL)
    if await rows.tie_of(conn, group_id) is not None:
        return TieRefusal(TieProblem.SETTLED)
    level = level_first(await table_in(conn, group))
    return (group, level) if level else TieRefusal(TieProblem.NOT_LEVEL)


async def start_playoff(
    core: Core, by: PersonRow, group_id: int, start: date | None = None
) -> StartedGroup | TieRefusal:
    """Start the play-off between those tied (§ 6.5.2). Raises NoSuch, NotAllowed."""
    async with core.store.deciding() as conn:
        found = await _open_tie(core, conn, by, group_id)
        if isinstance(found, TieRefusal):
            return found
        group, level = found
        today = core.today(group.zone)
        day = start or today + timedelta(days=core.settings.entries.start_days)
        if day < today or not is_near(day, today):
            return TieRefusal(TieProblem.START)
        started = await start_in(core, conn, await _file(conn, group, level, day))
        await rows.settle_tie(conn, TieRow(group_id, started.id, "", by.id, core.now_us))
        return started


async def _file(
    conn: AsyncConnection, group: GroupRow, level: tuple[SeatRow, ...], start: date
) -> GroupFile:
    """The play-off as a group file: the terms of the DM, each pair twice."""
    ids = [seat.person_id for seat in level]
    people = await person_rows.by_ids(conn, [*ids, group.tl_id])
    taken = {row.name for row in await group_rows.everything(conn)}
    name, number = f"{group.name}-omkamp", 1
    while name in taken:
        number += 1
        name = f"{group.name}-omkamp-{number}"
    players = [people[person] for person in ids]
    return GroupFile.model_validate(
        {
            "tournament": group.tournament,
            "class": GroupClass.PLAYOFF.value,
            "group": name,
            "regulation": group.regulation,
            "start": start,
            "tl": people[group.tl_id].email,
            "tl_name": people[group.tl_id].name,
            "players": [
                {"name": one.name, "email": one.email, "lang": one.lang} for one in players
            ],
            "double": True,
            "zone": group.zone,
            "laws": group.laws,
            "claims": group.claims,
            "post_days": group.post_days,
            "regulation_url": group.regulation_url,
            "live": bool(await live_groups.which_of(conn, (group.id,))),
        }
    )


async def share_title(core: Core, by: PersonRow, group_id: int, reason: str) -> TieRefusal | None:
    """Record that those tied agree to share title and prize; ``reason``: how that is known.

    § 6.5.2. Raises NoSuch, NotAllowed.
    """
    async with core.store.deciding() as conn:
        found = await _open_tie(core, conn, by, group_id)
        if isinstance(found, TieRefusal):
            return found
        if not reason.strip():
            return TieRefusal(TieProblem.NO_REASON)
        await rows.settle_tie(conn, TieRow(group_id, None, reason.strip(), by.id, core.now_us))
        await settle(core, conn, group_id)
    return None
