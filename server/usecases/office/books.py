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
from kskak.values import recast
from server.store import books as book_rows
from server.store import player_entries as entry_rows
from server.store import team_entries as team_rows
from server.store.books import BookEntryRow, NewRow, PrizesRow
from server.store.engine.connection import AsyncConnection, StoreConflict
from server.store.engine.rows import values_of
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.games.case_opening import readable_events
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
    prizes = [
        Debt(DebtKind.PRIZES, "", row.group, None, "/desk/kc/economy#prizes")
        for row in await book_rows.prizes_open(conn)
    ]
    return (*await _fees(conn), *await _deposits(conn), *prizes)


async def _fees(conn: AsyncConnection) -> list[Debt]:
    lists = {row.id: row for row in await entry_rows.everything(conn, only_open=False)}
    waiting = EntryState.WAITING.value
    players = await entry_rows.on_lists(conn, None, [waiting])
    found = [
        Debt(DebtKind.FEE, row.player, row.list_name, lists[row.list_id].fee, "/desk/entries")
        for row in players
        if not row.fee_day
    ]
    for team in await team_rows.list_season_entries(conn, None, ["waiting"]):
        if not team.fee_day:
            of = lists[team.list_id]
            found.append(Debt(DebtKind.FEE, team.club, of.name, of.fee, "/desk/team-entries"))
    return found


async def _deposit_events(conn: AsyncConnection) -> dict[str, list[book_rows.CaseEventOf]]:
    """What affects deposits, by the number of the case."""
    events: dict[str, list[book_rows.CaseEventOf]] = {}
    for row in await book_rows.deposit_events(conn):
        events.setdefault(row.number, []).append(row)
    return events


async def _deposits(conn: AsyncConnection) -> list[Debt]:
    events = await _deposit_events(conn)
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
    kind, day = EntryKind(row.kind), date.fromisoformat(row.day)
    return recast(BookEntry, row, kind=kind, day=day, number=row.id, case=None)


async def _book_deposits(conn: AsyncConnection) -> list[BookLine]:
    """The movements of cases' deposits, from the cases' events (§ 6.4.3)."""
    found = [
        (of_case[0], line)
        for of_case in (await _deposit_events(conn)).values()
        for line in deposit_lines(readable_events(of_case))
    ]
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


def new_entry(
    entry: BookEntry, by: int, now_us: int, key: str | None = None, publication: int | None = None
) -> NewRow:
    """The row of a new entry; its number is given when it is stored."""
    row = values_of(entry) | {"kind": entry.kind.value, "day": entry.day.isoformat()}
    del row["number"], row["case"]
    return row | {"by_id": by, "at_us": now_us, "publication_id": publication, "key": key}


def tidy(entry: BookEntry) -> BookEntry:
    """The entry with its texts on one line each."""
    texts = {name: to_single_line(getattr(entry, name)) for name in ("tournament", "party", "text")}
    return recast(BookEntry, entry, **texts)


async def _add(conn: AsyncConnection, new: NewRow) -> BookEntryRow:
    found = await book_rows.find(conn, id=await book_rows.add_one(conn, new))
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
        known = None if key is None else await book_rows.find(conn, key=key)
        if known is not None:
            return known
        faults = entry_faults(entry, core.today(core.settings.clock.zone))
        if faults:
            return faults
        return await _add(conn, new_entry(entry, person.id, core.now_us, key))


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
        row = await book_rows.find(conn, id=number)
        if row is None:
            raise NoSuch("entry")
        if await book_rows.find(conn, reverses=number) is not None:
            return BookEntryFault.REVERSED
        today = core.today(core.settings.clock.zone)
        made = counter_entry(entry_of(row), today, to_single_line(reason))
        if isinstance(made, BookEntryFault):
            return made
        faults = entry_faults(made, today)
        if faults:
            return faults[0]
        return await _add(conn, new_entry(made, person.id, core.now_us))


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
    entries = tuple(entry for entry, _ in new)
    found = BookImportReport(entries, len(good) - len(new), tuple(bad))
    return found, [key for _, key in new]
