"""Lines pasted from a spreadsheet or a bank's file: which column is which, what a cell says.

Separated by tabs, semicolons or commas, or a bank's own file (bank_statements.py); a header in
Danish or English is recognised, and without one the columns are told by the first line. Not for
whom a line concerns (pasted_entries.py, pasted_fees.py).
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.entries.admission import EntryRefusal
from kskak.office.books_csv import ore_of
from server.usecases.register.cells import BadCell
from server.usecases.register.cells import day as day_of
from server.usecases.register.columns import MEMBERS
from server.usecases.register.csv_table import Aliases, BadFile, Row, plain, read_sheet

MOST_LINES = 300
ENTRIES: Aliases = {
    "number": MEMBERS["number"],
    "name": (*MEMBERS["name"], "Fulde navn", "Full name"),
    "email": (*MEMBERS["email"], "Email"),
    "birth": MEMBERS["birth"],
    "list": ("Liste", "Klasse", "Række", "Turnering", "List", "Class", "Tournament"),
    "paid": ("Betalt", "Indbetalt", "Indskud betalt", "Paid", "Fee paid"),
}
BANK: Aliases = {
    "day": ("Dato", "Bogføringsdato", "Bogført", "Bogført dato", "Date", "Booking date", "Booked"),
    "text": ("Tekst", "Posteringstekst", "Beskrivelse", "Text", "Description"),
    "party": ("Navn", "Name"),
    "sender": ("Afsender", "Indbetaler", "Modpart", "Sender", "Payer"),
    "message": ("Besked", "Meddelelse", "Message"),
    "reference": ("Reference", "Kommentar", "Comment"),
    "amount": ("Beløb", "Beløb i DKK", "Beløb DKK", "Indbetaling", "Amount", "Amount DKK"),
}
SAID = ("text", "party", "sender", "message", "reference")
"""The columns of a bank's file that may name who pays, and what."""
_NEEDED: dict[str, tuple[tuple[str, ...], ...]] = {
    "entries": (("number", "name", "email"),),
    "fees": (("amount",), SAID),
}
_YEAR_FIRST = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})", re.ASCII)
_POINTED = re.compile(r"-?\d+\.\d\d", re.ASCII)
_CURRENCY = re.compile(r"(?i)\b(?:dkk|kr)\b\.?|\s")
_SEPARATORS = "\t;,"


class What(StrEnum):
    """What pasted lines are."""

    ENTRIES = "entries"
    FEES = "fees"


class Note(StrEnum):
    """What the reader of a line should know; each has a text."""

    BY_NAME = "by_name"
    UNKNOWN = "unknown"
    SEVERAL = "several"
    OTHER_NAME = "other_name"
    NO_LIST = "no_list"
    TWICE = "twice"
    BAD_DAY = "bad_day"
    FUTURE = "future"
    BAD_AMOUNT = "bad_amount"
    OUTGOING = "outgoing"
    AMOUNT = "amount"
    NO_ENTRY = "no_entry"
    PART_OF_NAME = "part_of_name"
    PAID_THAT_DAY = "paid_that_day"
    CELLS = "cells"
    OWN = "own"
    DONE = "done"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that a line may be about. ``key`` names it in forms; ``is_sure``: ticked."""

    key: str
    who: str
    of: str
    is_sure: bool


@dataclass(frozen=True, slots=True)
class PastedRow:
    """A line with what was made of it; ``refusal``: why it can't be entered."""

    number: int
    text: str
    matches: tuple[Match, ...] = ()
    notes: tuple[Note, ...] = ()
    refusal: EntryRefusal | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a tick: a note or refusal, both empty when it was done."""

    number: int
    who: str
    of: str
    note: Note | None = None
    refusal: EntryRefusal | None = None

    @property
    def is_done(self) -> bool:
        """Whether it counts now."""
        return self.note is None and self.refusal is None


class Unreadable(Exception):
    """The pasted text as a whole can't be used; the text says why in a word."""


def read_pasted(text: str, what: What) -> tuple[Row, ...]:
    """The lines with named cells. Raises Unreadable: «empty», «columns», «many», «statement»."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise Unreadable("empty")
    payments = _payments(text) if what is What.FEES else None
    if payments is not None:
        return payments
    aliases = ENTRIES if what is What.ENTRIES else BANK
    known = {plain(name) for named in aliases.values() for name in named}
    mark = max(_SEPARATORS, key=lines[0].count)
    first = [cell.strip().strip('"') for cell in lines[0].split(mark)]
    if not any(plain(cell) in known for cell in first):
        lines = [mark.join(_columns(first, what, aliases)), *lines]
    try:
        sheet = read_sheet("\n".join(lines).encode(), aliases, _NEEDED[what])
    except BadFile:
        raise Unreadable("columns") from None
    if len(sheet.rows) > MOST_LINES:
        raise Unreadable("many")
    return sheet.rows


def _payments(text: str) -> tuple[Row, ...] | None:
    """The payments in a bank's own file; None where it is a table. Raises Unreadable."""
    # What reads banks' files is 5 MB, and few paste one.
    from server.usecases.desks.bank_statements import BadStatement, statement_lines

    try:
        found = statement_lines(text)
    except BadStatement:
        raise Unreadable("statement") from None
    if found is not None and len(found) > MOST_LINES:
        raise Unreadable("many")
    return found


def _columns(cells: Sequence[str], what: What, aliases: Aliases) -> list[str]:
    """A header for lines without one, from the cells of the first."""
    taken: set[str] = set()
    header = []
    for number, cell in enumerate(cells):
        field = next((f for f in _guesses(cell, what) if f not in taken), "")
        taken.add(field)
        header.append(aliases[field][0] if field else f"?{number}")
    return header


def _guesses(cell: str, what: What) -> tuple[str, ...]:
    """The fields that a cell may be of, the likeliest first."""
    is_day = day_in(cell) is not None
    if what is What.FEES:
        if is_day:
            return ("day",)
        return ("amount",) if amount_in(cell) is not None else SAID
    if is_day:
        return ("paid",)
    if "@" in cell:
        return ("email",)
    return ("number",) if cell.replace(" ", "").isdigit() else ("name", "list")


def day_in(text: str) -> date | None:
    """A day as spreadsheets write it; None for anything else."""
    try:
        return date.fromisoformat(day_of(_YEAR_FIRST.sub(r"\1-\2-\3", text.strip())))
    except BadCell:
        return None


def amount_in(text: str) -> int | None:
    """Øre of «1.234,50», «200 kr.», «+200,00» or «200.00»; None for anything else."""
    tidy = _CURRENCY.sub("", text).removeprefix("+").replace("\N{MINUS SIGN}", "-")
    return ore_of(tidy.replace(".", ",") if _POINTED.fullmatch(tidy) else tidy)


def shown(cells: Mapping[str, str]) -> str:
    """A line as it is shown."""
    return " · ".join(cell for cell in cells.values() if cell)


def digest(cells: Mapping[str, str]) -> str:
    """What names a line, so that the same one counts once."""
    return hashlib.sha256(shown(cells).encode()).hexdigest()[:16]
