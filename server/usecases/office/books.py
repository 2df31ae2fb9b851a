"""The tournaments' accounts: read by controller and administrator, kept by the controller.

§ 6.1.2, § 6.4.3, § 6.4.5. Entries are added and never changed; the deposits of cases are read from
the cases themselves. Not for files (books_files.py) nor for sums (kskak.office.books).
"""

from dataclasses import dataclass, replace
from datetime import date

from kskak.office.books import (
    Balance,
    DepositFate,
    DepositLine,
    Entry,
    EntryFault,
    EntryKind,
    balances,
    counter_entry,
    deposit_lines,
    entry_faults,
    one_line,
)
from server.store.engine.connection import AsyncConnection
from server.store.engine.errors import StoreConflict
from server.store.office import books as rows
from server.store.office.books import EntryRow, NewEntry, PrizesRow
from server.store.play.people import PersonRow
from server.usecases.core.case_record import readable_events
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch, NotAllowed, Rights, rights_in
from server.usecases.office.owed import Owed, owed_in


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an account as it is shown.

    ``fate``: for a case's deposit only; ``row``: for an entry in the books only; ``taken_back``:
    the number of the counter-entry.
    """

    entry: Entry
    row: EntryRow | None = None
    fate: DepositFate | None = None
    taken_back: int | None = None


@dataclass(frozen=True, slots=True)
class Books:
    """All accounts: lines by day, balances, tournaments to choose from, prizes due."""

    today: date
    lines: tuple[Line, ...]
    balances: tuple[Balance, ...]
    tournaments: tuple[str, ...]
    prizes: tuple[PrizesRow, ...]
    owed: tuple[Owed, ...] = ()
    """Only where all accounts are asked for (books_for)."""

    def of(self, tournament: str | None, year: int | None) -> tuple[Line, ...]:
        """The lines of one tournament and year; None: of all."""
        return tuple(
            line
            for line in self.lines
            if tournament in (None, line.entry.tournament) and year in (None, line.entry.day.year)
        )


def entry_of(row: EntryRow) -> Entry:
    """A stored entry in the form the rules use."""
    return Entry(
        tournament=row.tournament,
        kind=EntryKind(row.kind),
        day=date.fromisoformat(row.day),
        ore=row.ore,
        party=row.party,
        text=row.text,
        number=row.id,
        reverses=row.reverses,
    )


async def _deposits(conn: AsyncConnection) -> list[Line]:
    """The movements of cases' deposits, from the cases' events (§ 6.4.3)."""
    found: list[tuple[rows.CaseEventOf, DepositLine]] = []
    events: dict[str, list[rows.CaseEventOf]] = {}
    for row in await rows.deposit_events(conn):
        events.setdefault(row.number, []).append(row)
    for of_case in events.values():
        found += [(of_case[0], line) for line in deposit_lines(readable_events(of_case))]
    names = await rows.names_of(conn, {line.person for _, line in found}) if found else {}
    return [
        Line(
            Entry(
                tournament=case.tournament,
                kind=EntryKind.DEPOSIT,
                day=line.day,
                ore=line.ore,
                party=names.get(line.person, "?"),
                text=one_line(line.reference),
                case=case.number,
            ),
            fate=line.fate,
        )
        for case, line in found
    ]


async def _lines(conn: AsyncConnection) -> list[Line]:
    kept = await rows.everything(conn)
    back = {row.reverses: row.id for row in kept if row.reverses is not None}
    lines = [Line(entry_of(row), row, taken_back=back.get(row.id)) for row in kept]
    lines += await _deposits(conn)
    return sorted(lines, key=lambda line: (line.entry.day, line.entry.number or 0))


async def balances_in(conn: AsyncConnection) -> tuple[Balance, ...]:
    """What each tournament's accounts come to, year by year."""
    return balances(line.entry for line in await _lines(conn))


async def books_in(conn: AsyncConnection, today: date) -> Books:
    """All accounts within a transaction: a fixed number of queries, whatever is in them."""
    lines = await _lines(conn)
    named = {line.entry.tournament for line in lines} | set(await rows.tournaments(conn))
    return Books(
        today=today,
        lines=tuple(lines),
        balances=balances(line.entry for line in lines),
        tournaments=tuple(sorted(named)),
        prizes=await rows.prizes_open(conn),
    )


def sees_books(held: Rights) -> bool:
    """Whether somebody may read the accounts: the controller or an administrator (§ 6.1.2)."""
    return held.is_kc or held.is_admin


async def books_for(core: Core, person: PersonRow) -> Books:
    """All accounts. Raises NotAllowed for anyone but the controller and administrators."""
    async with core.store.read() as conn:
        if not sees_books(await rights_in(conn, person, core.now_us)):
            raise NotAllowed
        found = await books_in(conn, core.today(core.settings.clock.zone))
        return replace(found, owed=await owed_in(conn))


async def only_the_controller(conn: AsyncConnection, core: Core, person: PersonRow) -> Rights:
    """The controller's rights. Raises NotAllowed for others: an administrator may only read."""
    held = await rights_in(conn, person, core.now_us)
    if not held.is_kc:
        raise NotAllowed
    return held


def new_entry(entry: Entry, by: int, now_us: int, key: str | None = None) -> NewEntry:
    """The row of a new entry."""
    return NewEntry(
        tournament=entry.tournament,
        kind=entry.kind.value,
        day=entry.day.isoformat(),
        ore=entry.ore,
        party=entry.party,
        text=entry.text,
        by_id=by,
        at_us=now_us,
        reverses=entry.reverses,
        key=key,
    )


def tidy(entry: Entry) -> Entry:
    """The entry with its texts on one line each."""
    texts = (one_line(entry.tournament), one_line(entry.party), one_line(entry.text))
    return replace(entry, tournament=texts[0], party=texts[1], text=texts[2])


async def _kept(conn: AsyncConnection, number: int) -> EntryRow:
    found = await rows.find(conn, number)
    assert found is not None, "kept a moment ago"
    return found


async def enter(
    core: Core, person: PersonRow, entry: Entry, key: str | None = None
) -> EntryRow | tuple[EntryFault, ...]:
    """Make an entry, or return what is wrong with it. Raises NotAllowed.

    The same ``key`` a second time returns the entry made the first time and makes none.
    """
    entry = tidy(entry)
    async with core.store.deciding() as conn:
        await only_the_controller(conn, core, person)
        known = None if key is None else await rows.by_key(conn, key)
        if known is not None:
            return known
        faults = entry_faults(entry, core.today(core.settings.clock.zone))
        if faults:
            return faults
        made = new_entry(entry, person.id, core.now_us, key)
        return await _kept(conn, await rows.add_one(conn, made))


async def take_back(
    core: Core, person: PersonRow, number: int, reason: str
) -> EntryRow | EntryFault:
    """Reverse an entry by a counter-entry dated today, or why not. Raises NotAllowed, NoSuch."""
    try:
        return await _take_back(core, person, number, reason)
    except StoreConflict:  # somebody else did so at the same moment
        return EntryFault.REVERSED


async def _take_back(
    core: Core, person: PersonRow, number: int, reason: str
) -> EntryRow | EntryFault:
    async with core.store.deciding() as conn:
        await only_the_controller(conn, core, person)
        row = await rows.find(conn, number)
        if row is None:
            raise NoSuch("entry")
        if await rows.reversed_by(conn, number) is not None:
            return EntryFault.REVERSED
        today = core.today(core.settings.clock.zone)
        made = counter_entry(entry_of(row), today, one_line(reason))
        if isinstance(made, EntryFault):
            return made
        faults = entry_faults(made, today)
        if faults:
            return faults[0]
        new = new_entry(made, person.id, core.now_us)
        return await _kept(conn, await rows.add_one(conn, new))
