"""A register's CSV file: its table, columns and cells, and what an import would do with them."""

import csv
import difflib
import hashlib
import io
import re
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeVar

from kskak.ledger.ledger_files import HIGHEST_RATING
from kskak.regulation.days import is_birth
from kskak.values import is_line, unguard_formula
from mail.incoming.parse_mail import normal_address
from mail.text.catalogue import find_language_code
from server.store.members import MemberKind, RatingKind
from server.usecases import workbook
from server.usecases.register.csv_columns import Aliases

# What an import would do, or did: line by line, with what was not understood. No words here.

Progress = Callable[[str, int, int], None]
"""Told a step's name, how many lines are done and how many there are."""


def no_progress(step: str, done: int, total: int) -> None:
    """Nobody is watching."""


class RegisterKind(StrEnum):
    """The registers that files can be imported into."""

    MEMBERS = "members"
    CLUBS = "clubs"
    RATINGS = "ratings"


class RegisterLineOutcome(StrEnum):
    """What becomes of a line."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """Something in a line that can't be used, or that was left as it was.

    ``code`` is a key of the catalogue; ``field`` the column, ``value`` what it contains, ``hint``
    what may have been meant, or whom it clashes with.
    """

    code: str
    field: str = ""
    value: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a line: what is there and what is to be. None: nothing."""

    field: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class RegisterLine:
    """A line of the file, by its number in the file. ``notes`` block nothing."""

    number: int
    name: str
    outcome: RegisterLineOutcome
    changes: tuple[FieldChange, ...] = ()
    problems: tuple[ImportProblem, ...] = ()
    notes: tuple[ImportProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class UnusedColumn:
    """An unrecognised column, and the known one that may have been meant."""

    name: str
    near: str


@dataclass(frozen=True, slots=True)
class RegisterImportReport:
    """An import as it would be or was. ``fault``: the file as a whole can't be read."""

    what: RegisterKind
    lines: tuple[RegisterLine, ...] = ()
    unused: tuple[UnusedColumn, ...] = ()
    fault: ImportProblem | None = None
    is_done: bool = False

    @property
    def counts(self) -> dict[RegisterLineOutcome, int]:
        """How many lines have which outcome."""
        found = Counter(line.outcome for line in self.lines)
        return {outcome: found[outcome] for outcome in RegisterLineOutcome}

    @property
    def is_clean(self) -> bool:
        """Whether every line can be used."""
        return self.fault is None and not self.counts[RegisterLineOutcome.REFUSED]

    @property
    def digest(self) -> str:
        """A digest of what would change: the same as long as file and register are."""
        changing = [(li.number, li.outcome.value, li.changes, li.notes) for li in self.lines]
        return hashlib.sha256(repr((self.what.value, changing)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Rules:
    """How an import is to be done.

    ``skip_bad``: lines that can't be used are left out; else one such line stops the import.
    ``take_emails``: the file's address wins over the one that the player uses.
    ``digest``: of the report that was seen; if it has changed, nothing is written.
    """

    dry_run: bool = False
    skip_bad: bool = False
    take_emails: bool = False
    digest: str = ""


@dataclass(frozen=True, slots=True)
class RegisterEditor:
    """Who changes the register, through which channel, and why. ``person_id`` None: the operator.

    ``may_readdress``: may change the address of somebody who holds an office.
    """

    person_id: int | None
    channel: str
    reason: str
    may_readdress: bool = False


# Parsing a cell: days, numbers, yes and no, kinds; as written in Danish and in English.

CLEAR = "-"
"""In a cell: clear the field. An empty cell leaves what is there."""
LONGEST_NUMBER = 16
"""Characters; the unions use up to 8."""
FIRST_YEAR = 1850
LAST_YEAR = 2200
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DANISH = re.compile(r"(\d{1,2})[-./ ]{1,2}(\d{1,2})[-./ ]{1,2}(\d{4})")
_NUMBER = re.compile(r"(\d{1,2}\.\d{3}|\d{1,6})(?:,(\d{1,3}))?")
_POINTED = re.compile(r"(\d{1,6})\.(\d{1,2})")
_YES_NO: Mapping[str, bool] = {
    **dict.fromkeys(("ja", "j", "yes", "y", "true", "sand", "1", "x", "dansk", "danish"), True),
    **dict.fromkeys(("nej", "n", "no", "false", "falsk", "0"), False),
}
_KINDS: Mapping[str, str] = {
    word: kind.value
    for kind, words in {
        MemberKind.CLUB: "klub|klubmedlem|club|klubb|klubbmedlem",
        MemberKind.INDIVIDUAL: "enkelt|enkeltmedlem|personligt|personligt medlem|individual"
        "|personal|enskild|enskild medlem",
        MemberKind.PASSIVE: "passiv|passivt medlem|passive|passiv medlem",
        MemberKind.HONORARY: "æresmedlem|honorary|hedersmedlem",
        MemberKind.NET: "net|netmedlem|nettmedlem|net member|nätmedlem",
        MemberKind.NONE: "ingen|ikke-medlem|none|inte medlem|non-member",
    }.items()
    for word in words.split("|")
}
_PROVISIONAL: Mapping[str, bool] = {
    **dict.fromkeys(("endelig", "endeligt", "final", "slutgiltig"), False),
    **dict.fromkeys(("midlertidig", "midlertidigt", "provisional", "tillfällig"), True),
}
_RATINGS: Mapping[str, str] = {
    **dict.fromkeys(("k", "k-skak", "k-rating"), RatingKind.K.value),
    **dict.fromkeys(
        ("otb", "bræt", "nærskak", "närschack", "over the board"), RatingKind.OTB.value
    ),
}


class BadCell(Exception):
    """A cell that can't be used."""

    def __init__(self, code: str, hint: str = "") -> None:
        super().__init__(code)
        self.code, self.hint = code, hint

    def problem(self, field: str, value: str) -> ImportProblem:
        """The fault with its place."""
        return ImportProblem(self.code, field, value, self.hint)


def normalize_line(text: str) -> str:
    """A text on one line, with single spaces and composed letters (NFC)."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def fold_name(text: str) -> str:
    """A name in the form used for comparison."""
    return normalize_line(text).casefold()


def day(text: str) -> str:
    """2026-11-20, 20-11-2026, 20.11.2026, 20/11/2026 or 20/11 2026, as an ISO day."""
    if found := _ISO.fullmatch(text):
        year, month, number = (int(part) for part in found.groups())
    elif found := _DANISH.fullmatch(text):
        number, month, year = (int(part) for part in found.groups())
    else:
        raise BadCell("bad_day")
    try:
        made = date(year, month, number)
    except ValueError:
        raise BadCell("no_such_day") from None
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise BadCell("no_such_day")
    return made.isoformat()


def rating(text: str) -> int:
    """1542, 1.542, or 1542,6 and 1542.6, rounded to the nearest point."""
    if found := _NUMBER.fullmatch(text):
        whole, part = int(found[1].replace(".", "")), found[2] or "0"
    elif found := _POINTED.fullmatch(text):
        whole, part = int(found[1]), found[2]
    else:
        raise BadCell("bad_rating")
    value = whole + (part[0] >= "5")
    if value > HIGHEST_RATING:
        raise BadCell("bad_rating")
    return value


Word = TypeVar("Word", bool, str)


def one_of(known: Mapping[str, Word], code: str) -> Callable[[str], Word]:
    """A reader of a few words in any case; BadCell with ``code`` for any other."""

    def read(text: str) -> Word:
        try:
            return known[text.casefold()]
        except KeyError:
            raise BadCell(code) from None

    return read


yes_no = one_of(_YES_NO, "bad_yes_no")
"""Ja, nej and their equivalents."""
member_kind = one_of(_KINDS, "bad_kind")
"""Klub, enkelt, ingen and their equivalents."""
is_provisional = one_of(_PROVISIONAL, "bad_status")
"""Endelig or midlertidig (§ 6.4.4)."""
rating_kind = one_of(_RATINGS, "bad_rating_kind")
"""K, or over the board."""


def email(text: str) -> str:
    """One address in the form that is stored."""
    found = normal_address(text)
    if found is None:
        raise BadCell("bad_email")
    return found


def number(text: str) -> str:
    """A member's or club's number: what is printed on a card, without spaces."""
    tidy = "".join(text.split())
    if len(tidy) > LONGEST_NUMBER or not any(char.isalnum() for char in tidy):
        raise BadCell("bad_number")
    return tidy


def lang(text: str) -> str:
    """The language of a member's letters."""
    code = find_language_code(text)
    if code is None:
        raise BadCell("bad_lang")
    return code


# A file as a table of named cells: as spreadsheets save them, the header in any order.

MOST_BYTES = 16 * 1024 * 1024
MOST_ROWS = 200_000
_MOST_UNPACKED = 4 * MOST_BYTES
PARTS_OF_NAME = ("first", "middle", "last")
"""Fields that make up the name where a file has it in two columns."""
_SEPARATORS = ";,\t"
_NEAR = 0.8


class BadFile(Exception):
    """The file as a whole can't be read; ``problem`` says why."""

    def __init__(self, problem: ImportProblem) -> None:
        super().__init__(problem.code)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class CsvLine:
    """A line: its number in the file, its cells by field; the ``problem`` where they don't fit."""

    number: int
    cells: Mapping[str, str]
    problem: ImportProblem | None = None


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A file's lines, and the columns that are not recognised."""

    fields: frozenset[str]
    rows: tuple[CsvLine, ...]
    unused: tuple[UnusedColumn, ...]


def plain(name: str) -> str:
    """A column's name as compared: lower-case letters and digits only."""
    return "".join(char for char in name.casefold() if char.isalnum())


def read_sheet(raw: bytes, aliases: Aliases, needed: Sequence[Sequence[str]]) -> CsvTable:
    """The table in a file. Raises BadFile.

    ``needed``: of each of these groups of fields, one must be present.
    """
    lines = _lines(read_text(raw))
    if not lines:
        raise BadFile(ImportProblem("file_empty"))
    fields, unused = _header(lines[0][1], aliases)
    found = frozenset(field for field in fields if field)
    if found & set(PARTS_OF_NAME):
        found = found - set(PARTS_OF_NAME) | {"name"}
    for group in needed:
        if not found & set(group):
            names = ", ".join(aliases[field][0] for field in group)
            raise BadFile(ImportProblem("column_missing", value=names, hint=", ".join(lines[0][1])))
    rows = tuple(_row(number, cells, fields) for number, cells in lines[1:])
    if len(rows) > MOST_ROWS:
        raise BadFile(ImportProblem("file_long", value=str(MOST_ROWS)))
    return CsvTable(found, rows, unused)


def read_text(raw: bytes) -> str:
    """A file's text: UTF-8, UTF-16 or Windows-1252, whichever way a spreadsheet saved it; the
    first sheet of an .xlsx workbook as CSV. Raises BadFile."""
    if len(raw) > MOST_BYTES:
        raise BadFile(ImportProblem("file_large", value=str(MOST_BYTES // 1024**2)))
    if raw.startswith(workbook.MARK):
        try:
            return workbook.read_workbook(raw, MOST_ROWS, _MOST_UNPACKED)
        except workbook.BadWorkbook as error:
            raise BadFile(ImportProblem(error.code, value=error.most)) from error
    is_wide = raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    for codec in ("utf-16",) if is_wide else ("utf-8-sig", "windows-1252"):
        try:
            text = raw.decode(codec)
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            continue
        if "\0" in text:
            raise BadFile(ImportProblem("not_text"))
        return text
    raise BadFile(ImportProblem("not_utf8", value=str(line)))


def _lines(text: str) -> list[tuple[int, list[str]]]:
    """Every line that is not blank, with the number it begins at."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    found: list[tuple[int, list[str]]] = []
    begins = 1
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                found.append((begins, stripped))
            begins = reader.line_num + 1
    except csv.Error:
        raise BadFile(ImportProblem("not_csv", value=str(begins))) from None
    return found


def _header(
    names: list[str], aliases: Aliases
) -> tuple[list[str | None], tuple[UnusedColumn, ...]]:
    """The field of each column, None for one that is not recognised."""
    known = {plain(name): field for field, named in aliases.items() for name in (field, *named)}
    fields: list[str | None] = []
    unused: list[UnusedColumn] = []
    for name in names:
        field = known.get(plain(name))
        if field is not None and field in fields:
            raise BadFile(ImportProblem("column_twice", value=name, hint=aliases[field][0]))
        fields.append(field)
        if field is None and name:
            near = difflib.get_close_matches(plain(name), known, 1, _NEAR)
            unused.append(UnusedColumn(name, aliases[known[near[0]]][0] if near else ""))
    return fields, tuple(unused)


def _row(number: int, cells: list[str], fields: Sequence[str | None]) -> CsvLine:
    if len(cells) != len(fields):
        problem = ImportProblem("cell_count", value=str(len(cells)), hint=str(len(fields)))
        return CsvLine(number, {}, problem)
    named = {
        field: unguard_formula(cell) for field, cell in zip(fields, cells, strict=True) if field
    }
    if parts := " ".join(filter(None, (named.pop(part, "") for part in PARTS_OF_NAME))):
        named["name"] = named.get("name") or parts
    return CsvLine(number, named)


NEEDED = {
    RegisterKind.MEMBERS: (("name",), ("number", "birth")),
    RegisterKind.CLUBS: (("name",),),
    RegisterKind.RATINGS: (("number", "birth"), ("rating_kind",), ("value",), ("date",)),
}
"""Of each group of fields, one must be present."""


# A line's cells as values, or what is wrong with them.

Value = str | int | bool | None
"""What a cell says; None: the field is to be cleared."""

READERS: Mapping[str, Callable[[str], Value]] = {
    "number": number,
    "name": normalize_line,
    "email": email,
    "birth": day,
    "kind": member_kind,
    "club": normalize_line,
    "district": normalize_line,
    "citizen": yes_no,
    "since": day,
    "until": day,
    "arrears": day,
    "lang": lang,
    "k_rating": rating,
    "k_status": is_provisional,
    "k_date": day,
    "k_source": normalize_line,
    "rating": rating,
    "rating_date": day,
    "rating_source": normalize_line,
    "rating_kind": rating_kind,
    "value": rating,
    "status": is_provisional,
    "date": day,
    "source": normalize_line,
}
MOST_CHARS = 300
"""In a cell; more means a quotation mark that was never closed."""
_CLEARABLE = frozenset(
    {"number", "email", "birth", "club", "district", "citizen", "since", "until", "arrears"}
)
_PAST = frozenset({"birth", "since", "arrears", "k_date", "rating_date", "date"})


@dataclass(frozen=True, slots=True)
class ParsedRegisterLine:
    """A line's filled cells as values, and what was not understood."""

    number: int
    values: Mapping[str, Value]
    problems: tuple[ImportProblem, ...]

    def text(self, name: str) -> str | None:
        """A cell that holds a text; None when it is empty or to be emptied."""
        value = self.values.get(name)
        return value if isinstance(value, str) else None


def understand(row: CsvLine, today: str) -> ParsedRegisterLine:
    """What a line says. ``today`` (ISO): past days lie on or before it."""
    if row.problem is not None:
        return ParsedRegisterLine(row.number, {}, (row.problem,))
    values: dict[str, Value] = {}
    problems: list[ImportProblem] = []
    for name, text in row.cells.items():
        if not text:
            continue
        if len(text) > MOST_CHARS or not is_line(text):
            problems.append(ImportProblem("not_one_line", name, normalize_line(text)[:40]))
            continue
        if text == CLEAR:
            if name in _CLEARABLE:
                values[name] = None
            else:
                problems.append(ImportProblem("not_clearable", name, text))
            continue
        try:
            values[name] = READERS[name](text)
        except BadCell as fault:
            problems.append(fault.problem(name, text))
            continue
        if name in _PAST and str(values[name]) > today:
            problems.append(ImportProblem("in_future", name, text))
    born = values.get("birth")
    if isinstance(born, str) and born <= today and not _was_alive(born, values.get("until"), today):
        problems.append(ImportProblem("too_old", "birth", row.cells["birth"]))
    return ParsedRegisterLine(row.number, values, tuple(problems))


def _was_alive(born: str, until: Value, today: str) -> bool:
    """Whether somebody born on an ISO day can have been a member until leaving, or be one today."""
    last = until if isinstance(until, str) and until >= born else today
    return is_birth(date.fromisoformat(born), date.fromisoformat(last))


def token(value: Value, name: str) -> str | None:
    """A value as recorded in a change; whoever displays it puts it into words."""
    if isinstance(value, bool):
        if name.endswith("status"):
            return "provisional" if value else "final"
        return "yes" if value else "no"
    return None if value is None else str(value)
