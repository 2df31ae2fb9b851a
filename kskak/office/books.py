"""A tournament's account: fees, prizes, deposits, and what they sum to (§ 6.1.2, § 6.4.3, § 6.5.4).

Amounts are whole øre, positive into the account and negative out of it. An entry is never
changed: a mistake is reversed by a counter-entry. Not for text files (below).
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from kskak.cases.case_events import (
    CaseEvent,
    DecisionAppealed,
    Deposit,
    DepositPaidBack,
    DepositReceived,
    DepositSettled,
)
from kskak.regulation.days import has_been
from kskak.values import guard_formula, unguard_formula

MOST_ORE = 10**11
"""A thousand million kroner: more is a typing error."""
ORE = 100
"""Øre of a krone."""


class EntryKind(StrEnum):
    """What an amount is."""

    FEE = "fee"
    PRIZE = "prize"
    DEPOSIT = "deposit"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class BookEntry:
    """One line of an account. ``reverses``: the number of the entry it reverses."""

    tournament: str
    kind: EntryKind
    day: date
    ore: int
    party: str
    text: str
    number: int | None = None
    reverses: int | None = None
    case: str | None = None
    """The case whose deposit it is: such lines are derived from cases and are in no book."""


class BookEntryFault(StrEnum):
    """Why an entry can't be made."""

    NO_TOURNAMENT = "no_tournament"
    NO_PARTY = "no_party"
    NO_TEXT = "no_text"
    NO_AMOUNT = "no_amount"
    TOO_MUCH = "too_much"
    FUTURE = "future"
    LONG = "long"
    REVERSED = "reversed"
    COUNTER = "counter"


LONGEST = 200
"""The most characters in a tournament, a party or a text."""


def to_single_line(text: str) -> str:
    """A text on one line, without what can't be printed."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def entry_faults(entry: BookEntry, today: date) -> tuple[BookEntryFault, ...]:
    """What is missing or wrong in a new entry; empty if it can be made (§ 6.1.2)."""
    texts = (entry.tournament, entry.party, entry.text)
    missing = (BookEntryFault.NO_TOURNAMENT, BookEntryFault.NO_PARTY, BookEntryFault.NO_TEXT)
    found = [fault for text, fault in zip(texts, missing, strict=True) if not text.strip()]
    if any(len(text) > LONGEST for text in texts):
        found.append(BookEntryFault.LONG)
    if not entry.ore:
        found.append(BookEntryFault.NO_AMOUNT)
    if abs(entry.ore) > MOST_ORE:
        found.append(BookEntryFault.TOO_MUCH)
    if not has_been(entry.day, today):
        found.append(BookEntryFault.FUTURE)
    return tuple(found)


def counter_entry(entry: BookEntry, on: date, reason: str) -> BookEntry | BookEntryFault:
    """The entry that reverses another, dated the day it is made.

    A counter-entry itself can't be reversed: the right entry is made as a new one.
    """
    if entry.reverses is not None or entry.number is None:
        return BookEntryFault.COUNTER
    if not reason.strip():
        return BookEntryFault.NO_TEXT
    return BookEntry(
        tournament=entry.tournament,
        kind=entry.kind,
        day=on,
        ore=-entry.ore,
        party=entry.party,
        text=reason.strip(),
        reverses=entry.number,
    )


@dataclass(frozen=True, slots=True)
class Balance:
    """An account's totals for a year: øre by kind, each in and out combined."""

    tournament: str
    year: int
    fees: int = 0
    prizes: int = 0
    deposits: int = 0
    other: int = 0
    before: int = 0
    """The balance left by earlier years."""

    @property
    def change(self) -> int:
        """The year's own sum."""
        return self.fees + self.prizes + self.deposits + self.other

    @property
    def after(self) -> int:
        """The balance at the year's end."""
        return self.before + self.change


def balances(entries: Iterable[BookEntry]) -> tuple[Balance, ...]:
    """Every account's balances, by tournament and year; a year without an entry has none."""
    sums: dict[tuple[str, int], dict[EntryKind, int]] = {}
    for entry in entries:
        of_year = sums.setdefault((entry.tournament, entry.day.year), {})
        of_year[entry.kind] = of_year.get(entry.kind, 0) + entry.ore
    found: list[Balance] = []
    for (tournament, year), kinds in sorted(sums.items()):
        last = found[-1] if found and found[-1].tournament == tournament else None
        found.append(
            Balance(
                tournament=tournament,
                year=year,
                fees=kinds.get(EntryKind.FEE, 0),
                prizes=kinds.get(EntryKind.PRIZE, 0),
                deposits=kinds.get(EntryKind.DEPOSIT, 0),
                other=kinds.get(EntryKind.OTHER, 0),
                before=0 if last is None else last.after,
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class AdultFee:
    """The Union's fee for an adult, whole kroner a year, from a day on.

    The delegates fix it from the next 1 July (§ 1.3.6).
    """

    since: date
    kroner: int


def fee_on(fees: Iterable[AdultFee], on: date) -> AdultFee | None:
    """The fee that holds on a day, the deposit of an appeal of that day (§ 6.4.3, § 1.3.9).

    None where nobody has said what it is.
    """
    known = [one for one in fees if one.since <= on]
    return max(known, key=lambda one: one.since, default=None)


def change_fee(fees: Iterable[AdultFee], new: AdultFee) -> tuple[AdultFee, ...]:
    """The fees with one more, instead of another from the same day."""
    others = (one for one in fees if one.since != new.since)
    return tuple(sorted((*others, new), key=lambda one: one.since))


class DepositFate(StrEnum):
    """What became of a deposit (§ 6.4.3)."""

    PAID = "paid"
    RETURNED = "returned"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class DepositLine:
    """A deposit paid, returned or kept, on a day; øre into the account, 0 when it is kept."""

    fate: DepositFate
    person: int
    day: date
    ore: int
    reference: str = ""


def deposit_lines(events: Sequence[CaseEvent]) -> tuple[DepositLine, ...]:
    """What a case's appeals did to the account: received, then paid back or kept (§ 6.4.3).

    A deposit that is kept was received already: nothing moves. What the appellant states, and
    being due to get it back, move nothing either. Old appeals were booked on the appellant's
    word: these stay as they were. A person has one appeal open at a time, so what is settled
    is the latest.
    """
    found: list[DepositLine] = []
    held: dict[int, Deposit] = {}
    for event in events:
        match event:
            case DecisionAppealed(by=by, deposit=deposit) if deposit is not None:
                held[by] = deposit
                found.append(_build_deposit_line(DepositFate.PAID, by, deposit))
            case DepositReceived(person=person, deposit=deposit):
                found.append(_build_deposit_line(DepositFate.PAID, person, deposit))
            case DepositPaidBack(person=person, deposit=deposit):
                found.append(_build_deposit_line(DepositFate.RETURNED, person, deposit))
            case DepositSettled(on, person, is_returned):
                found += _write_deposit_lines(found, held, DepositSettled(on, person, is_returned))
            case _:
                pass
    return tuple(found)


def _build_deposit_line(state: DepositFate, person: int, deposit: Deposit) -> DepositLine:
    ore = {DepositFate.PAID: 1, DepositFate.RETURNED: -1, DepositFate.KEPT: 0}[state]
    return DepositLine(state, person, deposit.on, ore * deposit.amount, deposit.reference)


def _write_deposit_lines(
    lines: Sequence[DepositLine], held: dict[int, Deposit], event: DepositSettled
) -> list[DepositLine]:
    """The line of a deposit that is kept, or of an old one that goes back."""
    old = held.pop(event.person, None)
    if old is not None:
        state = DepositFate.RETURNED if event.is_returned else DepositFate.KEPT
        return [_build_deposit_line(state, event.person, replace(old, on=event.on))]
    mine = [line for line in lines if line.person == event.person]
    if event.is_returned or not mine or mine[-1].fate is not DepositFate.PAID:
        return []
    return [replace(mine[-1], fate=DepositFate.KEPT, day=event.on, ore=0)]


# Accounts as a table for spreadsheets: Danish decimal comma, semicolons, one row per entry.

COLUMNS = ("nr", "dato", "turnering", "art", "beløb", "person", "tekst", "retter", "sag")
"""The header row. ``retter``: the number of the entry being reversed; ``sag``: a case."""
_NEEDED = ("dato", "turnering", "art", "beløb", "person", "tekst")
KIND_WORDS = {
    EntryKind.FEE: "indskud",
    EntryKind.PRIZE: "præmie",
    EntryKind.DEPOSIT: "depositum",
    EntryKind.OTHER: "andet",
}
_KINDS = {word: kind for kind, word in KIND_WORDS.items()}
_AMOUNT = re.compile(r"(-?)(\d{1,3}(?:\.\d{3})+|\d{1,12})(?:,(\d{1,2}))?", re.ASCII)
_DANISH_DAY = re.compile(r"(\d{1,2})[-./](\d{1,2})[-./](\d{4})", re.ASCII)
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MOST_ROWS = 20_000


def amount_text(ore: int) -> str:
    """«-1234,50»: without dots, so that every spreadsheet reads it as a number."""
    kroner, rest = divmod(abs(ore), ORE)
    return f"{'-' if ore < 0 else ''}{kroner},{rest:02d}"


def ore_of(text: str) -> int | None:
    """Øre of «1.234,50», «1234,5», «-40» (a minus may be typographic); None for anything else.

    A dot divides thousands only: «12.50» is refused, as it could mean either.
    """
    found = _AMOUNT.fullmatch(text.strip().replace("\N{MINUS SIGN}", "-"))
    if found is None:
        return None
    kroner = int(found[2].replace(".", ""))
    ore = kroner * ORE + int((found[3] or "").ljust(2, "0") or 0)
    return -ore if found[1] else ore


def write_csv(entries: Iterable[BookEntry]) -> str:
    """The text of a file, with its header; rows end in CRLF (RFC 4180)."""
    rows = [";".join(COLUMNS)]
    for entry in entries:
        cells = (
            "" if entry.number is None else str(entry.number),
            entry.day.isoformat(),
            guard_formula(entry.tournament),
            KIND_WORDS[entry.kind],
            amount_text(entry.ore),
            guard_formula(entry.party),
            guard_formula(entry.text),
            "" if entry.reverses is None else str(entry.reverses),
            entry.case or "",
        )
        rows.append(";".join(_quote_cell(cell) for cell in cells))
    return "".join(f"{row}\r\n" for row in rows)


def _quote_cell(cell: str) -> str:
    if any(mark in cell for mark in ';"') or len(cell.splitlines()) > 1:
        return '"' + cell.replace('"', '""') + '"'
    return cell


class BookLineFault(StrEnum):
    """What is wrong with a row, besides what is wrong with any entry."""

    NO_HEAD = "no_head"
    COLUMNS = "columns"
    BAD_DAY = "bad_day"
    BAD_KIND = "bad_kind"
    BAD_AMOUNT = "bad_amount"
    BAD_NUMBER = "bad_number"
    UNKNOWN_NUMBER = "unknown_number"
    DIFFERS = "differs"
    COUNTER_BY_FILE = "counter_by_file"
    TOO_MANY = "too_many"
    BROKEN = "broken"


AnyFault = BookLineFault | BookEntryFault


@dataclass(frozen=True, slots=True)
class Bad:
    """A row that can't be used; ``line`` is its number in the file, from 1."""

    line: int
    fault: AnyFault


@dataclass(frozen=True, slots=True)
class BookCsvLine:
    """An entry as a row gives it."""

    line: int
    entry: BookEntry


def read_table(text: str, today: date) -> tuple[BookCsvLine | Bad, ...]:
    """Every row of a file, good or bad, in order; blank rows are left out.

    Lines with a case are derived from cases and left out too. A file without our header has one
    fault.
    """
    reader = csv.reader(text.splitlines(keepends=True), delimiter=";", strict=True)
    try:
        head = [cell.strip().lower() for cell in next(reader, [])]
        if not set(_NEEDED) <= set(head) <= set(COLUMNS) or len(set(head)) != len(head):
            return (Bad(1, BookLineFault.NO_HEAD),)
        found: list[BookCsvLine | Bad] = []
        for cells in reader:
            if len(found) >= MOST_ROWS:
                return (*found, Bad(reader.line_num, BookLineFault.TOO_MANY))
            found += _row(reader.line_num, head, cells, today)
    except csv.Error:
        return (Bad(reader.line_num, BookLineFault.BROKEN),)
    return tuple(found)


def _row(line: int, head: list[str], cells: list[str], today: date) -> Iterator[BookCsvLine | Bad]:
    if not any(cell.strip() for cell in cells):
        return
    if len(cells) != len(head):
        yield Bad(line, BookLineFault.COLUMNS)
        return
    named = {name: cell.strip() for name, cell in zip(head, cells, strict=True)}
    if named.get("sag"):
        return
    read = _entry(named)
    if isinstance(read, BookLineFault):
        yield Bad(line, read)
        return
    faults = () if read.number is not None else entry_faults(read, today)
    if faults:
        yield from (Bad(line, fault) for fault in faults)
    elif read.number is None and read.reverses is not None:
        yield Bad(line, BookLineFault.COUNTER_BY_FILE)
    else:
        yield BookCsvLine(line, read)


def _entry(named: dict[str, str]) -> BookEntry | BookLineFault:
    kind, ore, day = _KINDS.get(named["art"].lower()), ore_of(named["beløb"]), _day(named["dato"])
    number, reverses = _number(named.get("nr", "")), _number(named.get("retter", ""))
    if day is None:
        return BookLineFault.BAD_DAY
    if kind is None:
        return BookLineFault.BAD_KIND
    if ore is None:
        return BookLineFault.BAD_AMOUNT
    if number == 0 or reverses == 0:
        return BookLineFault.BAD_NUMBER
    texts = (
        to_single_line(unguard_formula(named[name])) for name in ("turnering", "person", "tekst")
    )
    tournament, party, text = texts
    return BookEntry(tournament, kind, day, ore, party, text, number, reverses)


def _number(text: str) -> int | None:
    """An entry's number; None for none, 0 if it is not a number."""
    if not text:
        return None
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def _day(text: str) -> date | None:
    """2027-01-31, or as Danes write it: 31-01-2027, 31.1.2027, 31/1/2027."""
    parts = _DANISH_DAY.fullmatch(text)
    try:
        if parts is not None:
            return date(int(parts[3]), int(parts[2]), int(parts[1]))
        return date.fromisoformat(text) if _ISO_DAY.fullmatch(text) else None
    except ValueError:
        return None


# A year's account over all tournaments, as it is printed, and the deposits still held (§ 6.1.2).


def year_account(entries: Sequence[BookEntry], year: int) -> tuple[Balance, ...]:
    """Each account in a year, by tournament; those on which nothing moved keep their balance.

    An account without entries up to the year's end is left out. Amounts in øre.
    """
    latest: dict[str, Balance] = {}
    for row in balances(entry for entry in entries if entry.day.year <= year):
        is_old = row.year < year
        latest[row.tournament] = Balance(row.tournament, year, before=row.after) if is_old else row
    return tuple(latest.values())


def in_all(rows: Iterable[Balance], year: int) -> Balance:
    """The sum of several accounts in a year, of no tournament."""
    names = ("fees", "prizes", "deposits", "other", "before")
    sums = Counter[str]()
    for row in rows:
        sums.update({name: getattr(row, name) for name in names})
    return Balance("", year, **{name: sums[name] for name in names})


@dataclass(frozen=True, slots=True)
class OpenDeposit:
    """A deposit received and neither kept nor paid back, in øre. ``is_due``: it goes back."""

    person: int
    ore: int
    is_due: bool = False


def open_deposits(events: Iterable[CaseEvent]) -> tuple[OpenDeposit, ...]:
    """A case's deposits that are still held, by its events in order (§ 6.4.3)."""
    held: dict[int, OpenDeposit] = {}
    old: set[int] = set()
    for event in events:
        match event:
            case DecisionAppealed(by=by, deposit=deposit) if deposit is not None:
                held[by] = OpenDeposit(by, deposit.amount)
                old.add(by)
            case DepositReceived(person=person, deposit=deposit):
                held[person] = OpenDeposit(person, deposit.amount)
            case DepositSettled(person=person, is_returned=True) if person not in old:
                if person in held:
                    held[person] = OpenDeposit(person, held[person].ore, is_due=True)
            case DepositSettled(person=person) | DepositPaidBack(person=person):
                held.pop(person, None)
                old.discard(person)
            case _:
                pass
    return tuple(held.values())
