"""The tournaments' accounts: read by controller and administrator, kept by the controller.

§ 6.1.2, § 6.4.3, § 6.4.5. Entries are added and never changed; the deposits of cases are read from
the cases themselves. Not for files (below) nor for sums (kskak.office.books).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from hashlib import sha256

from kskak.entries.entry import EntryState
from kskak.office.books import (
    Bad,
    Balance,
    BookCsvLine,
    BookEntry,
    BookEntryFault,
    BookLineFault,
    DepositFate,
    DepositLine,
    EntryKind,
    balances,
    counter_entry,
    deposit_lines,
    entry_faults,
    open_deposits,
    read_table,
    to_single_line,
    write_csv,
)
from server.store import books as book_rows
from server.store import player_entries as entry_rows
from server.store import team_entries as team_rows
from server.store.books import BookEntryRow, NewBookEntry, PrizesRow
from server.store.engine.connection import AsyncConnection, StoreConflict
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.games.case_record import readable_events
from server.usecases.rights import NoSuch, NotAllowed, Rights, rights_in

# What is owed and by whom: fees not received, deposits held, prizes to be sent (§ 6.1.2, § 6.4.3).


class DebtKind(StrEnum):
    """Who owes what: the first to us, the others by us."""

    FEE = "fee"
    DEPOSIT_HELD = "deposit_held"
    DEPOSIT_DUE = "deposit_due"
    PRIZES = "prizes"


@dataclass(frozen=True, slots=True)
class Debt:
    """Something owed. ``ore`` None: not stated; ``path``: where it is dealt with."""

    what: DebtKind
    party: str
    of: str
    ore: int | None
    path: str

    @property
    def is_ours(self) -> bool:
        """Whether it is we who owe it, or may come to."""
        return self.what is not DebtKind.FEE


async def owed_in(conn: AsyncConnection) -> tuple[Debt, ...]:
    """All that is owed: to us first, then by us. A fixed number of queries."""
    return (*await _fees(conn), *await _deposits(conn), *await _prizes(conn))


async def _fees(conn: AsyncConnection) -> list[Debt]:
    lists = {row.id: row for row in await entry_rows.everything(conn, only_open=False)}
    waiting = EntryState.WAITING.value
    players = await entry_rows.on_lists(conn, None, [waiting])
    found = [
        Debt(DebtKind.FEE, row.player, row.list_name, lists[row.list_id].fee, "/desk/entries")
        for row in players
        if not row.fee_day
    ]
    teams = await team_rows.list_season_entries(conn, None, ["waiting"])
    return found + [
        Debt(
            DebtKind.FEE,
            row.club,
            lists[row.list_id].name,
            lists[row.list_id].fee,
            "/desk/team-entries",
        )
        for row in teams
        if not row.fee_day
    ]


async def _deposits(conn: AsyncConnection) -> list[Debt]:
    events: dict[str, list[book_rows.CaseEventOf]] = {}
    for row in await book_rows.deposit_events(conn):
        events.setdefault(row.number, []).append(row)
    held = {number: open_deposits(readable_events(of_case)) for number, of_case in events.items()}
    names = await book_rows.names_of(conn, {one.person for some in held.values() for one in some})
    return [
        Debt(
            DebtKind.DEPOSIT_DUE if one.is_due else DebtKind.DEPOSIT_HELD,
            names.get(one.person, "?"),
            number,
            one.ore,
            f"/desk/cases/{number}",
        )
        for number, some in held.items()
        for one in some
    ]


async def _prizes(conn: AsyncConnection) -> list[Debt]:
    return [
        Debt(DebtKind.PRIZES, "", row.group, None, "/desk/kc/economy#prizes")
        for row in await book_rows.prizes_open(conn)
    ]


# The tournaments' accounts: read by controller and administrator, kept by the controller.


@dataclass(frozen=True, slots=True)
class BookLine:
    """A line of an account as it is shown.

    ``fate``: for a case's deposit only; ``row``: for an entry in the books only; ``taken_back``:
    the number of the counter-entry.
    """

    entry: BookEntry
    row: BookEntryRow | None = None
    fate: DepositFate | None = None
    taken_back: int | None = None

    @property
    def by(self) -> str | None:
        """Who made an entry of the books."""
        return None if self.row is None else self.row.by


@dataclass(frozen=True, slots=True)
class Books:
    """All accounts: lines by day, balances, tournaments to choose from, prizes due."""

    today: date
    lines: tuple[BookLine, ...]
    balances: tuple[Balance, ...]
    tournaments: tuple[str, ...]
    prizes: tuple[PrizesRow, ...]
    owed: tuple[Debt, ...] = ()
    """Only where all accounts are asked for (books_for)."""

    def of(self, tournament: str | None, year: int | None) -> tuple[BookLine, ...]:
        """The lines of one tournament and year; None: of all."""
        return tuple(
            line
            for line in self.lines
            if tournament in (None, line.entry.tournament) and year in (None, line.entry.day.year)
        )


def entry_of(row: BookEntryRow) -> BookEntry:
    """A stored entry in the form the rules use."""
    return BookEntry(
        tournament=row.tournament,
        kind=EntryKind(row.kind),
        day=date.fromisoformat(row.day),
        ore=row.ore,
        party=row.party,
        text=row.text,
        number=row.id,
        reverses=row.reverses,
    )


async def _book_deposits(conn: AsyncConnection) -> list[BookLine]:
    """The movements of cases' deposits, from the cases' events (§ 6.4.3)."""
    found: list[tuple[book_rows.CaseEventOf, DepositLine]] = []
    events: dict[str, list[book_rows.CaseEventOf]] = {}
    for row in await book_rows.deposit_events(conn):
        events.setdefault(row.number, []).append(row)
    for of_case in events.values():
        found += [(of_case[0], line) for line in deposit_lines(readable_events(of_case))]
    names = await book_rows.names_of(conn, {line.person for _, line in found}) if found else {}
    return [
        BookLine(
            BookEntry(
                tournament=case.tournament,
                kind=EntryKind.DEPOSIT,
                day=line.day,
                ore=line.ore,
                party=names.get(line.person, "?"),
                text=to_single_line(line.reference),
                case=case.number,
            ),
            fate=line.fate,
        )
        for case, line in found
    ]


async def _lines(conn: AsyncConnection) -> list[BookLine]:
    kept = await book_rows.everything(conn)
    back = {row.reverses: row.id for row in kept if row.reverses is not None}
    lines = [BookLine(entry_of(row), row, taken_back=back.get(row.id)) for row in kept]
    lines += await _book_deposits(conn)
    return sorted(lines, key=lambda line: (line.entry.day, line.entry.number or 0))


async def balances_in(conn: AsyncConnection) -> tuple[Balance, ...]:
    """What each tournament's accounts come to, year by year."""
    return balances(line.entry for line in await _lines(conn))


async def books_in(conn: AsyncConnection, today: date) -> Books:
    """All accounts within a transaction: a fixed number of queries, whatever is in them."""
    lines = await _lines(conn)
    named = {line.entry.tournament for line in lines} | set(await book_rows.tournaments(conn))
    return Books(
        today=today,
        lines=tuple(lines),
        balances=balances(line.entry for line in lines),
        tournaments=tuple(sorted(named)),
        prizes=await book_rows.prizes_open(conn),
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


def new_entry(entry: BookEntry, by: int, now_us: int, key: str | None = None) -> NewBookEntry:
    """The row of a new entry."""
    return NewBookEntry(
        tournament=entry.tournament,
        kind=entry.kind.value,
        day=entry.day.isoformat(),
        ore=entry.ore,
        party=entry.party,
        text=entry.text,
        by_id=by,
        at_us=now_us,
        reverses=entry.reverses,
        publication_id=None,
        key=key,
    )


def tidy(entry: BookEntry) -> BookEntry:
    """The entry with its texts on one line each."""
    texts = (
        to_single_line(entry.tournament),
        to_single_line(entry.party),
        to_single_line(entry.text),
    )
    return replace(entry, tournament=texts[0], party=texts[1], text=texts[2])


async def _read_entry(conn: AsyncConnection, number: int) -> BookEntryRow:
    found = await book_rows.find(conn, number)
    assert found is not None, "kept a moment ago"
    return found


async def enter(
    core: Core, person: PersonRow, entry: BookEntry, key: str | None = None
) -> BookEntryRow | tuple[BookEntryFault, ...]:
    """Make an entry, or return what is wrong with it. Raises NotAllowed.

    The same ``key`` a second time returns the entry made the first time and makes none.
    """
    entry = tidy(entry)
    async with core.store.deciding() as conn:
        await only_the_controller(conn, core, person)
        known = None if key is None else await book_rows.by_key(conn, key)
        if known is not None:
            return known
        faults = entry_faults(entry, core.today(core.settings.clock.zone))
        if faults:
            return faults
        made = new_entry(entry, person.id, core.now_us, key)
        return await _read_entry(conn, await book_rows.add_one(conn, made))


async def take_back(
    core: Core, person: PersonRow, number: int, reason: str
) -> BookEntryRow | BookEntryFault:
    """Reverse an entry by a counter-entry dated today, or why not. Raises NotAllowed, NoSuch."""
    try:
        return await _take_back(core, person, number, reason)
    except StoreConflict:  # somebody else did so at the same moment
        return BookEntryFault.REVERSED


async def _take_back(
    core: Core, person: PersonRow, number: int, reason: str
) -> BookEntryRow | BookEntryFault:
    async with core.store.deciding() as conn:
        await only_the_controller(conn, core, person)
        row = await book_rows.find(conn, number)
        if row is None:
            raise NoSuch("entry")
        if await book_rows.reversed_by(conn, number) is not None:
            return BookEntryFault.REVERSED
        today = core.today(core.settings.clock.zone)
        made = counter_entry(entry_of(row), today, to_single_line(reason))
        if isinstance(made, BookEntryFault):
            return made
        faults = entry_faults(made, today)
        if faults:
            return faults[0]
        new = new_entry(made, person.id, core.now_us)
        return await _read_entry(conn, await book_rows.add_one(conn, new))


# The accounts to and from a file: export, import, dry-run import (§ 6.1.2).

MOST_BYTES = 500_000
"""The largest file: some thousand entries."""
_SIGNED = "\ufeff"
_OLD = "windows-1252"
"""What spreadsheets on old Windows versions write."""


def write_file(lines: Sequence[BookLine]) -> bytes:
    """These lines as a file: UTF-8 with a byte order mark, as Excel wants it."""
    return (_SIGNED + write_csv(line.entry for line in lines)).encode()


def decode_file(raw: bytes) -> str:
    """The text of a file, whichever way it was saved."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode(_OLD, errors="replace")


@dataclass(frozen=True, slots=True)
class BookImportReport:
    """What a file contains: new entries, how many are known, what is wrong.

    ``is_done``: the new entries were imported; never if anything is wrong.
    """

    new: tuple[BookEntry, ...]
    known: int
    bad: tuple[Bad, ...]
    is_done: bool = False


async def import_text(
    core: Core, person: PersonRow, text: str, *, is_dry: bool
) -> BookImportReport:
    """Import a file's new entries, all or none. Raises NotAllowed.

    ``is_dry``: only report what would happen. The same file again adds nothing.
    """
    read = read_table(text.removeprefix(_SIGNED), core.today(core.settings.clock.zone))
    async with core.store.deciding() as conn:
        await only_the_controller(conn, core, person)
        found, keys = await _compared(conn, read)
        if is_dry or found.bad:
            return found
        keyed = zip(found.new, keys, strict=True)
        await book_rows.add(conn, [new_entry(e, person.id, core.now_us, key) for e, key in keyed])
    return BookImportReport(found.new, found.known, (), is_done=True)


def _keys(entries: Sequence[BookEntry]) -> list[str]:
    """A key from each entry's content; identical entries are told apart by their order."""
    seen: Counter[str] = Counter()
    keys = []
    for entry in entries:
        said = (entry.tournament, entry.kind, entry.day, entry.ore, entry.party, entry.text)
        content = "\x1f".join(str(part) for part in said)
        seen[content] += 1
        told = sha256(f"{content}\x1f{seen[content]}".encode()).hexdigest()
        keys.append(f"file-{told}")
    return keys


async def _compared(
    conn: AsyncConnection, read: Sequence[BookCsvLine | Bad]
) -> tuple[BookImportReport, list[str]]:
    """Compare the rows with the books: new, known or different; and the new ones' keys."""
    bad = [row for row in read if isinstance(row, Bad)]
    good = [row for row in read if isinstance(row, BookCsvLine)]
    kept = {row.id: entry_of(row) for row in await book_rows.everything(conn)}
    numbered = [row for row in good if row.entry.number is not None]
    for row in numbered:
        there = kept.get(row.entry.number or 0)
        if there is None:
            bad.append(Bad(row.line, BookLineFault.UNKNOWN_NUMBER))
        elif there != row.entry:
            bad.append(Bad(row.line, BookLineFault.DIFFERS))
    fresh = [row.entry for row in good if row.entry.number is None]
    keys = _keys(fresh)
    taken = await book_rows.known_keys(conn, keys)
    new = [(entry, key) for entry, key in zip(fresh, keys, strict=True) if key not in taken]
    bad.sort(key=lambda each: each.line)
    known = len(good) - len(new)
    return BookImportReport(tuple(entry for entry, _ in new), known, tuple(bad)), [
        key for _, key in new
    ]
