"""The tournaments' accounts: read by controller and administrator, kept by the controller.

§ 6.1.2, § 6.4.3, § 6.4.5. Entries are added and never changed; the deposits of cases are read from
the cases themselves. Not for files (below) nor for sums (kskak.office.books).
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from hashlib import sha256

from kskak.entries.entry import EntryState
from kskak.office import books
from kskak.office.year import (
    REMINDERS,
    ReminderStage,
    SeasonListKind,
    SeasonStep,
    SeenList,
    TournamentKind,
    TournamentStep,
    YearAction,
    YearActionKind,
    YearFault,
    YearProgress,
    done_by,
    find_step_in_way,
    find_year_fault,
    merge_observed_steps,
    plan_of_year,
    read_year_in_names,
    season_plan,
    stage_of,
)
from kskak.regulation.days import local_day
from kskak.values import recast
from mail.office_letters.service_letters import YearStepFacts
from server.store import books as book_rows
from server.store import entries as entry_rows
from server.store.books import BookEntryRow, DeedRow, NewRow, YearReminderRow
from server.store.engine.connection import FEDERATION, AsyncConnection, StoreConflict
from server.store.engine.rows import AnyRow, from_us, values_of
from server.store.entries import EntryRow, ListRow, TeamEntryRow
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox, collect_stored_letters
from server.store.play import people as person_rows
from server.store.play.people import Office, PersonRow, Role
from server.usecases.context import Core, poster_of
from server.usecases.games.case_opening import readable_events
from server.usecases.letter_facts import Params, day, loads, number, official, text
from server.usecases.rights import NoSuch, NotAllowed, Rights, require_kc, rights_in
from server.usecases.workbook import MARK, BadWorkbook, read_workbook

# What is owed and by whom: fees not received, deposits held, prizes to be sent (§ 6.1.2, § 6.4.3).

ENDED = (EntryState.WITHDRAWN.value, EntryState.REFUSED.value)


class DebtKind(StrEnum):
    """Who owes what: the first to us, the others by us."""

    FEE = "fee"
    FEE_BACK = "fee_back"
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
    for team in await entry_rows.list_season_entries(conn, None, ["waiting"]):
        if not team.fee_day:
            of = lists[team.list_id]
            found.append(Debt(DebtKind.FEE, team.club, of.name, of.fee, "/desk/team-entries"))
    return [*found, *await _fees_back(conn, lists)]


async def _fees_back(conn: AsyncConnection, lists: Mapping[int, ListRow]) -> list[Debt]:
    """The fees of entries that were withdrawn or refused, until their booking is taken back."""
    booked = await book_rows.everything(conn)
    gone = {row.reverses for row in booked}
    kept = {row.key: row for row in booked if row.key and row.id not in gone}
    ended: list[EntryRow | TeamEntryRow] = [*await entry_rows.on_lists(conn, None, ENDED)]
    ended += await entry_rows.list_season_entries(conn, None, ENDED)
    found = []
    for row in ended:
        fee = kept.get(f"{type(row).__name__}.{row.id}")
        if fee is not None:
            path = f"/desk/kc/economy?year={fee.day[:4]}#entry-{fee.id}"
            name = lists[row.list_id].name
            found.append(Debt(DebtKind.FEE_BACK, row.party, name, fee.ore, path))
    return found


async def _deposit_events(conn: AsyncConnection) -> dict[str, list[AnyRow]]:
    """What affects deposits, by the number of the case."""
    events: dict[str, list[AnyRow]] = {}
    for row in await book_rows.deposit_events(conn):
        events.setdefault(row.number, []).append(row)
    return events


async def _deposits(conn: AsyncConnection) -> list[Debt]:
    events = await _deposit_events(conn)
    held = {
        number: books.open_deposits(readable_events(of_case)) for number, of_case in events.items()
    }
    names = await person_rows.names_of(conn, {one.person for some in held.values() for one in some})
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

    entry: books.BookEntry
    row: BookEntryRow | None = None
    fate: books.DepositFate | None = None
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
    balances: tuple[books.Balance, ...]
    tournaments: tuple[str, ...]
    prizes: tuple[AnyRow, ...]
    owed: tuple[Debt, ...] = ()
    """Only where all accounts are asked for (books_for)."""

    def of(self, tournament: str | None, year: int | None) -> tuple[BookLine, ...]:
        """The lines of one tournament and year; None: of all."""
        return tuple(
            line
            for line in self.lines
            if tournament in (None, line.entry.tournament) and year in (None, line.entry.day.year)
        )


def entry_of(row: BookEntryRow) -> books.BookEntry:
    """A stored entry in the form the rules use."""
    kind, day = books.EntryKind(row.kind), date.fromisoformat(row.day)
    return recast(books.BookEntry, row, kind=kind, day=day, number=row.id, case=None)


async def _book_deposits(conn: AsyncConnection) -> list[BookLine]:
    """The movements of cases' deposits, from the cases' events (§ 6.4.3)."""
    found = [
        (of_case[0], line)
        for of_case in (await _deposit_events(conn)).values()
        for line in books.deposit_lines(readable_events(of_case))
    ]
    names = await person_rows.names_of(conn, {line.person for _, line in found}) if found else {}
    return [
        BookLine(
            books.BookEntry(
                tournament=case.tournament,
                kind=books.EntryKind.DEPOSIT,
                day=line.day,
                ore=line.ore,
                party=names.get(line.person, "?"),
                text=books.to_single_line(line.reference),
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


async def balances_in(conn: AsyncConnection) -> tuple[books.Balance, ...]:
    """What each tournament's accounts come to, year by year."""
    return books.balances(line.entry for line in await _lines(conn))


async def books_in(conn: AsyncConnection, today: date) -> Books:
    """All accounts within a transaction: a fixed number of queries, whatever is in them."""
    lines = await _lines(conn)
    named = {line.entry.tournament for line in lines} | set(await book_rows.tournaments(conn))
    return Books(
        today=today,
        lines=tuple(lines),
        balances=books.balances(line.entry for line in lines),
        tournaments=tuple(sorted(named)),
        prizes=await book_rows.prizes_open(conn),
    )


async def books_for(core: Core, person: PersonRow) -> Books:
    """All accounts. Raises NotAllowed for anyone but the controller and administrators."""
    async with core.store.read() as conn:
        held = await rights_in(conn, person, core.now_us)
        if not (held.is_kc or held.is_admin):
            raise NotAllowed
        found = await books_in(conn, core.today(core.settings.clock.zone))
        return replace(found, owed=await owed_in(conn))


def new_entry(
    entry: books.BookEntry,
    by: int,
    now_us: int,
    key: str | None = None,
    publication: int | None = None,
) -> NewRow:
    """The row of a new entry; its number is given when it is stored."""
    row = values_of(entry) | {"kind": entry.kind.value, "day": entry.day.isoformat()}
    del row["number"], row["case"]
    return row | {"by_id": by, "at_us": now_us, "publication_id": publication, "key": key}


def tidy(entry: books.BookEntry) -> books.BookEntry:
    """The entry with its texts on one line each."""
    texts = {
        name: books.to_single_line(getattr(entry, name)) for name in ("tournament", "party", "text")
    }
    return recast(books.BookEntry, entry, **texts)


async def _add(conn: AsyncConnection, new: NewRow) -> BookEntryRow:
    found = await book_rows.find(conn, id=await book_rows.add_one(conn, new))
    assert found is not None, "kept a moment ago"
    return found


async def enter(
    core: Core, person: PersonRow, entry: books.BookEntry, key: str | None = None
) -> BookEntryRow | tuple[books.BookEntryFault, ...]:
    """Make an entry, or return what is wrong with it. Raises NotAllowed.

    The same ``key`` a second time returns the entry made the first time and makes none.
    """
    entry = tidy(entry)
    async with core.store.deciding() as conn:
        await require_kc(conn, person, core.now_us)
        known = None if key is None else await book_rows.find(conn, key=key)
        if known is not None:
            return known
        faults = books.entry_faults(entry, core.today(core.settings.clock.zone))
        if faults:
            return faults
        return await _add(conn, new_entry(entry, person.id, core.now_us, key))


async def take_back(
    core: Core, person: PersonRow, number: int, reason: str
) -> BookEntryRow | books.BookEntryFault:
    """Reverse an entry by a counter-entry dated today, or why not. Raises NotAllowed, NoSuch."""
    today = core.today(core.settings.clock.zone)
    try:
        async with core.store.deciding() as conn:
            await require_kc(conn, person, core.now_us)
            row = await book_rows.find(conn, id=number)
            if row is None:
                raise NoSuch("entry")
            if await book_rows.find(conn, reverses=number) is not None:
                return books.BookEntryFault.REVERSED
            made = books.counter_entry(entry_of(row), today, books.to_single_line(reason))
            faults = (
                (made,)
                if isinstance(made, books.BookEntryFault)
                else books.entry_faults(made, today)
            )
            if isinstance(made, books.BookEntryFault) or faults:
                return faults[0]
            return await _add(conn, new_entry(made, person.id, core.now_us))
    except StoreConflict:  # somebody else did so at the same moment
        return books.BookEntryFault.REVERSED


# The accounts to and from a file: export, import, dry-run import (§ 6.1.2).

MOST_BYTES = 500_000
"""The largest file: some thousand entries."""
_SIGNED = "\ufeff"
_OLD = "windows-1252"
"""What spreadsheets on old Windows versions write."""


def write_file(lines: Sequence[BookLine]) -> bytes:
    """These lines as a file: UTF-8 with a byte order mark, as Excel wants it."""
    return (_SIGNED + books.write_csv(line.entry for line in lines)).encode()


def decode_file(raw: bytes) -> str:
    """The text of a file, whichever way it was saved; "" of a workbook that can't be read."""
    if raw.startswith(MARK):
        try:
            return read_workbook(raw, books.MOST_ROWS, 32 * MOST_BYTES)
        except BadWorkbook:
            return ""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode(_OLD, errors="replace")


@dataclass(frozen=True, slots=True)
class BookImportReport:
    """What a file contains: new entries, how many are known, what is wrong.

    ``is_done``: the new entries were imported; never if anything is wrong.
    """

    new: tuple[books.BookEntry, ...]
    known: int
    bad: tuple[books.Bad, ...]
    is_done: bool = False


async def import_text(
    core: Core, person: PersonRow, text: str, *, is_dry: bool
) -> BookImportReport:
    """Import a file's new entries, all or none. Raises NotAllowed.

    ``is_dry``: only report what would happen. The same file again adds nothing.
    """
    read = books.read_table(text.removeprefix(_SIGNED), core.today(core.settings.clock.zone))
    async with core.store.deciding() as conn:
        await require_kc(conn, person, core.now_us)
        found, keys = await _compared(conn, read)
        if is_dry or found.bad:
            return found
        keyed = zip(found.new, keys, strict=True)
        await book_rows.add(conn, [new_entry(e, person.id, core.now_us, key) for e, key in keyed])
    return BookImportReport(found.new, found.known, (), is_done=True)


def _keys(entries: Sequence[books.BookEntry]) -> list[str]:
    """A key from each entry's content; identical entries are told apart by their order."""
    seen: Counter[str] = Counter()
    keys = []
    for entry in entries:
        cells = (entry.tournament, entry.kind, entry.day, entry.ore, entry.party, entry.text)
        content = "\x1f".join(str(part) for part in cells)
        seen[content] += 1
        key = sha256(f"{content}\x1f{seen[content]}".encode()).hexdigest()
        keys.append(f"file-{key}")
    return keys


async def _compared(
    conn: AsyncConnection, read: Sequence[books.BookCsvLine | books.Bad]
) -> tuple[BookImportReport, list[str]]:
    """Compare the rows with the books: new, known or different; and the new ones' keys."""
    bad = [row for row in read if isinstance(row, books.Bad)]
    good = [row for row in read if isinstance(row, books.BookCsvLine)]
    kept = {row.id: entry_of(row) for row in await book_rows.everything(conn)}
    numbered = [row for row in good if row.entry.number is not None]
    for row in numbered:
        there = kept.get(row.entry.number or 0)
        if there is None:
            bad.append(books.Bad(row.line, books.BookLineFault.UNKNOWN_NUMBER))
        elif there != row.entry:
            bad.append(books.Bad(row.line, books.BookLineFault.DIFFERS))
    fresh = [row.entry for row in good if row.entry.number is None]
    keys = _keys(fresh)
    taken = await book_rows.known_keys(conn, keys)
    new = [(entry, key) for entry, key in zip(fresh, keys, strict=True) if key not in taken]
    bad.sort(key=lambda each: each.line)
    entries = tuple(entry for entry, _ in new)
    found = BookImportReport(entries, len(good) - len(new), tuple(bad))
    return found, [key for _, key in new]


# Reads what the server has seen of the controller's year: lists, groups, rounds, divisions.

DM = "DM"
_STAGES = {
    "preliminary": TournamentKind.CUP,
    "semi": TournamentKind.SEMIFINAL,
    "final": TournamentKind.FINAL,
}


async def read_progress(conn: AsyncConnection) -> YearProgress:
    """What has happened in all seasons."""
    lists = [
        SeenList(SeasonListKind(row.event, row.wish), season, row.is_open)
        for row in await entry_rows.everything(conn)
        if (season := read_year_in_names((row.name, row.tournament), row.prefix)) is not None
    ]
    found = await book_rows.read_season_evidence(conn, DM)
    begun = {(_STAGES[stage], edition) for edition, stage in found.drawn}
    begun |= {(TournamentKind.DM, date.fromisoformat(start).year) for start in found.starts}
    begun |= {(TournamentKind.LEAGUE, season) for season in found.started}
    return YearProgress(
        tuple(lists), frozenset(begun), found.composed, found.started - found.waiting
    )


# The controller's year: the current plan, changes to it, and reminders ahead of each step.

FIRST_YEAR, LAST_YEAR = 2000, 2200
"""The years for which a plan is shown."""


def sees_year(held: Rights) -> bool:
    """Whether somebody may see the controller's year: controller, administrator (§ 6.1.2)."""
    return held.is_kc or held.is_admin


@dataclass(frozen=True, slots=True)
class Year:
    """A year's plan, and the changes made to the seasons in it, newest first."""

    year: int
    today: date
    items: tuple[SeasonStep, ...]
    history: tuple[DeedRow, ...]


def to_year_action(row: DeedRow) -> YearAction:
    """A stored deed in the form the rules use."""
    day = None if row.day is None else date.fromisoformat(row.day)
    form, step, kind = TournamentKind(row.form), TournamentStep(row.step), YearActionKind(row.kind)
    return YearAction(form, row.season, step, kind, day, row.reason)


async def list_year_actions(conn: AsyncConnection) -> list[YearAction]:
    """What was done with the years' steps, by the controller and before the server's eyes."""
    kept = [to_year_action(row) for row in await book_rows.list_actions(conn)]
    return merge_observed_steps(kept, done_by(await read_progress(conn)))


async def steps_between(conn: AsyncConnection, first: date, last: date) -> tuple[SeasonStep, ...]:
    """The steps to be done from one day to another."""
    actions = await list_year_actions(conn)
    return tuple(
        item
        for year in range(first.year, last.year + 1)
        for item in plan_of_year(year, actions)
        if item.day is not None and first <= item.day <= last and not item.is_done
    )


async def year_in(conn: AsyncConnection, year: int, today: date) -> Year:
    """A year's plan within a transaction."""
    items = plan_of_year(year, await list_year_actions(conn))
    named = {(item.form.value, item.season) for item in items}
    history = tuple(
        row
        for row in reversed(await book_rows.list_actions(conn))
        if (row.form, row.season) in named
    )
    return Year(year, today, items, history)


async def year_of(core: Core, person: PersonRow, year: int) -> Year:
    """A year's plan. Raises NotAllowed for anyone but the controller and administrators."""
    async with core.store.read() as conn:
        if not sees_year(await rights_in(conn, person, core.now_us)):
            raise NotAllowed
        return await year_in(conn, year, core.today(core.settings.clock.zone))


async def change(core: Core, person: PersonRow, new: YearAction) -> SeasonStep | YearFault:
    """Change a step: move it, call it off, mark it done; the step afterwards, or why not.

    Raises NotAllowed for anyone but the controller: an administrator may only read (§ 6.1.2).
    """
    async with core.store.deciding() as conn:
        await require_kc(conn, person, core.now_us)
        return await change_in(core, conn, person, new)


async def change_in(
    core: Core, conn: AsyncConnection, person: PersonRow, new: YearAction
) -> SeasonStep | YearFault:
    """The same in the transaction of a caller who has looked at the rights."""
    new = replace(new, reason=books.to_single_line(new.reason))
    kept = await list_year_actions(conn)
    fault = find_year_fault(kept, new)
    if fault is not None:
        return fault
    day = None if new.day is None else new.day.isoformat()
    await book_rows.add_step(
        conn, form=new.form.value, season=new.season, step=new.step.value, kind=new.kind.value,
        day=day, reason=new.reason, by_id=person.id, at_us=core.now_us,
    )  # fmt: skip
    plan = season_plan(new.form, new.season, (*kept, new))
    return next(item for item in plan if item.step is new.step)


async def step_in_way(core: Core, new: YearAction) -> SeasonStep | None:
    """The step whose day keeps another from being moved so."""
    return find_step_in_way(await core.store.query(list_year_actions), new)


async def controllers(conn: AsyncConnection, now_us: int) -> tuple[int, ...]:
    """Everybody who is now controller, by role or by office."""
    by_role = [person.id for person in await person_rows.everybody(conn, Role.KC)]
    by_office = [
        row.person_id for row in await person_rows.list_offices(conn, now_us, office=Office.KC)
    ]
    return tuple(dict.fromkeys([*by_role, *by_office]))


async def daily(core: Core) -> None:
    """Remind the controller of coming steps; looked for first, so that nobody waits for it.

    What was sent is recorded with the letters, so that an outage or a second server repeats
    nothing; without a controller nothing counts as sent.
    """
    today = core.today(core.settings.clock.zone)
    async with core.store.read() as conn:
        readers = await controllers(conn, core.now_us)
        if not readers or not await _due(conn, today):
            return
    async with core.store.deciding() as conn:
        due = await _due(conn, today)
        letters = [_letter(core, item, stage, who) for item, stage in due for who in readers]
        await outbox_rows.enqueue(conn, letters)
        await book_rows.add_reminders(
            conn, [_build_reminder(item, stage) for item, stage in due], core.now_us
        )


async def _due(conn: AsyncConnection, today: date) -> list[tuple[SeasonStep, ReminderStage]]:
    """The steps with a reminder due today."""
    first = today - timedelta(days=REMINDERS.late)
    last = today + timedelta(days=REMINDERS.ahead)
    actions = await list_year_actions(conn)
    reminded = await book_rows.list_reminders(conn, first.isoformat())
    found = []
    for year in range(first.year, last.year + 1):
        for item in plan_of_year(year, actions):
            if item.day is None or item.is_done:
                continue
            sent = {stage for stage in ReminderStage if _build_reminder(item, stage) in reminded}
            stage = stage_of(item.day, today, sent)
            if stage is not None:
                found.append((item, stage))
    return found


def _build_reminder(item: SeasonStep, stage: ReminderStage) -> YearReminderRow:
    assert item.day is not None
    form, step = item.form.value, item.step.value
    return YearReminderRow(form, item.season, step, item.day.isoformat(), stage.value)


def _letter(core: Core, item: SeasonStep, stage: ReminderStage, person_id: int) -> NewOutbox:
    params = values_of(_build_reminder(item, stage))
    unique = ".".join(str(value) for value in params.values())
    return poster_of(core).to_person(YearStepFacts, person_id, unique, params)


# The same deed on several things: rehearsed to tell the letters it sends, then done one by one.

MOST = 40
"""Deeds at once: while they are rehearsed on SQLite, nobody else writes."""
Deed = Callable[[], Awaitable[None]]
"""Raises Refused when it is not to be done."""


class ActionRefusedError(Exception):
    """Why a deed is not done, in the reader's words; whatever it had written is undone."""


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """A deed that was done or rehearsed, and its letters; or why not, ``refusal``."""

    letters: tuple[NewOutbox, ...] = ()
    refusal: str = ""


class _Over(Exception):
    """The rehearsal is over: roll back."""


async def preview_actions(core: Core, actions: Sequence[Deed]) -> list[ActionOutcome]:
    """What the deeds would do, one after the other; nothing is kept."""
    found: list[ActionOutcome] = []
    try:
        async with core.writer.together(FEDERATION) as conn:
            for action in actions:
                found.append(await _carried(conn, action, found))
            raise _Over
    except _Over:
        return found


async def run_actions(core: Core, actions: Sequence[Deed]) -> list[ActionOutcome]:
    """Do them, each in a transaction of its own; a refused one leaves the others."""
    found: list[ActionOutcome] = []
    for action in actions:
        async with core.writer.together(FEDERATION) as conn:
            found.append(await _carried(conn, action, found))
    return found


async def _carried(
    conn: AsyncConnection, action: Deed, before: Sequence[ActionOutcome]
) -> ActionOutcome:
    known = {letter.message_id for one in before for letter in one.letters}
    try:
        async with conn.begin_nested():
            with collect_stored_letters() as letters:
                await action()
    except ActionRefusedError as refused:
        return ActionOutcome(refusal=str(refused))
    fresh = {one.message_id: one for one in letters if one.message_id not in known}
    return ActionOutcome(tuple(fresh.values()))  # the same letter twice is sent once


@loads(YearStepFacts)
async def _step_letter(core: Core, reader: PersonRow, params: Params) -> YearStepFacts:
    """A step of the controller's year, counted from the day the letter was written (§ 6.1.2)."""
    form, step = TournamentKind(text(params, "form")), TournamentStep(text(params, "step"))
    season, on = number(params, "season"), day(params, "day")
    (item,) = (one for one in season_plan(form, season) if one.step is step)
    written = local_day(from_us(params.row.created_us), core.settings.clock.zone)
    return YearStepFacts(
        reader=reader.name,
        official=official(core),
        form=form,
        step=step,
        season=season,
        day=on,
        days=(on - written).days,
        paragraph=item.paragraph,
        url=core.url(f"/desk/kc/year?year={on.year}"),
    )
