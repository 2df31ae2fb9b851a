"""A group's prizes in the account of its tournament, once they are reported as sent (§ 6.4.5).

Booked as the final table gives them (§ 6.5.4). If a result changes afterwards and they are ticked
off again, what was booked for anyone not entitled to it is reversed and the right prize is booked:
the money follows the placing. Not for what a controller enters by hand (office/books.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kskak.office.books import Entry, EntryFault, EntryKind, counter_entry, entry_faults
from mail.text.languages import DEFAULT_LANGUAGE
from mail.text.words import Words
from server.store.cases import publications as publication_rows
from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.office import books as rows
from server.store.office.books import EntryRow, NewEntry
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.groups.tables import standing_in, table_in
from server.usecases.league.division_tables import division_in
from server.usecases.office.books import entry_of, new_entry, only_the_controller, tidy


async def prizes_of(conn: AsyncConnection, group: GroupRow) -> dict[str, int]:
    """What each player, or club in a division, gets by the current table, in øre.

    Reading: if a prize does not divide evenly, each share is rounded down to whole øre.
    """
    division = await division_in(conn, group)
    if division is not None:
        shares = dict(division.prizes)
    else:
        view = await table_in(conn, group)
        standing = await standing_in(conn, group, view)
        names = {seat.number: seat.name for seat in view.seats}
        shares = {} if standing is None else {names[n]: share for n, share in standing.prizes}
    return {name: int(share) for name, share in shares.items() if int(share)}


async def book_prizes(
    conn: AsyncConnection, core: Core, by: int, group: GroupRow, publication: int
) -> None:
    """Book the prizes as they are now; what is already booked correctly stays."""
    wanted = await prizes_of(conn, group)
    if not wanted:
        return
    for kept in await _booked(conn, group):
        if wanted.get(kept.party) == -kept.ore:
            del wanted[kept.party]
        else:
            await _take_back(conn, core, by, kept)
    await _pay(conn, core, by, (group, publication), wanted)


async def _booked(conn: AsyncConnection, group: GroupRow) -> list[EntryRow]:
    """The group's prizes in the books that have not been reversed."""
    own = {row.id for row in await publication_rows.of_group(conn, group.id)}
    kept = await rows.everything(conn)
    gone = {row.reverses for row in kept}
    return [row for row in kept if row.publication_id in own and row.id not in gone]


async def _take_back(conn: AsyncConnection, core: Core, by: int, kept: EntryRow) -> None:
    why = Words.load(DEFAULT_LANGUAGE)("economy.prize_moved")
    today = core.today(core.settings.clock.zone)
    made = counter_entry(entry_of(kept), today, why)
    if not isinstance(made, EntryFault):
        await rows.add_one(conn, new_entry(made, by, core.now_us))


async def _pay(
    conn: AsyncConnection,
    core: Core,
    by: int,
    of: tuple[GroupRow, int],
    wanted: Mapping[str, int],
) -> None:
    group, publication = of
    text = Words.load(DEFAULT_LANGUAGE)("economy.prizes_of", group=group.name)
    today = core.today(core.settings.clock.zone)
    for party, ore in wanted.items():
        entry = Entry(group.tournament, EntryKind.PRIZE, today, -ore, party, text)
        new = replace(new_entry(entry, by, core.now_us), publication_id=publication)
        await rows.add_one(conn, new)


async def send_prizes(
    core: Core, person: PersonRow, publication: int, paid: Sequence[Entry] = ()
) -> tuple[EntryFault, ...]:
    """Tick off a group's prizes, with what was paid; or what is wrong with that (§ 6.4.5).

    What was paid goes into the account of the group's own tournament, once: a second ticking off
    enters nothing. Without ``paid`` the prizes are booked as the table gives them.
    Raises NotAllowed, also for a group the controller plays in (§ 6.1.1), and NoSuch.
    """
    async with core.store.deciding() as conn:
        held = await only_the_controller(conn, core, person)
        row = await publication_rows.find(conn, publication)
        if row is None or row.prizes_until is None:
            raise NoSuch("publication")
        if not held.speaks_for(row.group_id):
            raise NotAllowed
        today = core.today(core.settings.clock.zone)
        group = await group_rows.find(conn, row.group_id)
        assert group is not None
        tidied = [tidy(replace(entry, tournament=group.tournament)) for entry in paid]
        faults = tuple(fault for entry in tidied for fault in entry_faults(entry, today))
        if faults or not await publication_rows.set_done(conn, publication, core.now_us):
            return faults
        if not tidied:
            await book_prizes(conn, core, person.id, group, publication)
        made = _prizes(tidied, person.id, core.now_us, publication)
        await rows.add(conn, tuple(made))
    return ()


def _prizes(paid: Iterable[Entry], by: int, now_us: int, publication: int) -> Iterable[NewEntry]:
    for entry in paid:
        yield replace(new_entry(entry, by, now_us), publication_id=publication)
