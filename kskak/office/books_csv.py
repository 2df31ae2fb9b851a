"""Accounts as a table for spreadsheets: Danish decimal comma, semicolons, one row per entry.

What is written is read back unchanged. A row with a number is an entry already in the books; one
without is new. Not for encodings (server/usecases/office/books_files.py).
"""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.office.books import ORE, Entry, EntryFault, EntryKind, entry_faults, one_line
from kskak.values.spreadsheet import guarded, unguarded

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


def table_of(entries: Iterable[Entry]) -> str:
    """The text of a file, with its header; rows end in CRLF (RFC 4180)."""
    rows = [";".join(COLUMNS)]
    for entry in entries:
        cells = (
            "" if entry.number is None else str(entry.number),
            entry.day.isoformat(),
            guarded(entry.tournament),
            KIND_WORDS[entry.kind],
            amount_text(entry.ore),
            guarded(entry.party),
            guarded(entry.text),
            "" if entry.reverses is None else str(entry.reverses),
            entry.case or "",
        )
        rows.append(";".join(_quoted(cell) for cell in cells))
    return "".join(f"{row}\r\n" for row in rows)


def _quoted(cell: str) -> str:
    if any(mark in cell for mark in ';"') or len(cell.splitlines()) > 1:
        return '"' + cell.replace('"', '""') + '"'
    return cell


class RowFault(StrEnum):
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


AnyFault = RowFault | EntryFault


@dataclass(frozen=True, slots=True)
class Bad:
    """A row that can't be used; ``line`` is its number in the file, from 1."""

    line: int
    fault: AnyFault


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as a row gives it."""

    line: int
    entry: Entry


def read_table(text: str, today: date) -> tuple[Row | Bad, ...]:
    """Every row of a file, good or bad, in order; blank rows are left out.

    Lines with a case are derived from cases and left out too. A file without our header has one
    fault.
    """
    reader = csv.reader(text.splitlines(keepends=True), delimiter=";", strict=True)
    try:
        head = [cell.strip().lower() for cell in next(reader, [])]
        if not set(_NEEDED) <= set(head) <= set(COLUMNS) or len(set(head)) != len(head):
            return (Bad(1, RowFault.NO_HEAD),)
        found: list[Row | Bad] = []
        for cells in reader:
            if len(found) >= MOST_ROWS:
                return (*found, Bad(reader.line_num, RowFault.TOO_MANY))
            found += _row(reader.line_num, head, cells, today)
    except csv.Error:
        return (Bad(reader.line_num, RowFault.BROKEN),)
    return tuple(found)


def _row(line: int, head: list[str], cells: list[str], today: date) -> Iterator[Row | Bad]:
    if not any(cell.strip() for cell in cells):
        return
    if len(cells) != len(head):
        yield Bad(line, RowFault.COLUMNS)
        return
    named = {name: cell.strip() for name, cell in zip(head, cells, strict=True)}
    if named.get("sag"):
        return
    read = _entry(named)
    if isinstance(read, RowFault):
        yield Bad(line, read)
        return
    faults = () if read.number is not None else entry_faults(read, today)
    if faults:
        yield from (Bad(line, fault) for fault in faults)
    elif read.number is None and read.reverses is not None:
        yield Bad(line, RowFault.COUNTER_BY_FILE)
    else:
        yield Row(line, read)


def _entry(named: dict[str, str]) -> Entry | RowFault:
    kind, ore, day = _KINDS.get(named["art"].lower()), ore_of(named["beløb"]), _day(named["dato"])
    number, reverses = _number(named.get("nr", "")), _number(named.get("retter", ""))
    if day is None:
        return RowFault.BAD_DAY
    if kind is None:
        return RowFault.BAD_KIND
    if ore is None:
        return RowFault.BAD_AMOUNT
    if number == 0 or reverses == 0:
        return RowFault.BAD_NUMBER
    texts = (one_line(unguarded(named[name])) for name in ("turnering", "person", "tekst"))
    tournament, party, said = texts
    return Entry(tournament, kind, day, ore, party, said, number, reverses)


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
