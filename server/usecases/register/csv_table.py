"""A CSV file as a table of named cells: UTF-8 with or without BOM, «;» or «,», header in any order.

Not for what the cells mean (cells.py) nor whom they are about.
"""

import csv
import difflib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kskak.values.spreadsheet import unguarded
from server.usecases.register.report import Slip, Unused

MOST_BYTES = 16 * 1024 * 1024
MOST_ROWS = 200_000
_SEPARATORS = ";,\t"
_NEAR = 0.8


class BadFile(Exception):
    """The file as a whole can't be read; ``slip`` says why."""

    def __init__(self, slip: Slip) -> None:
        super().__init__(slip.code)
        self.slip = slip


@dataclass(frozen=True, slots=True)
class Row:
    """A line: its number in the file, its cells by field. ``slip``: it does not fit the header."""

    number: int
    cells: Mapping[str, str]
    slip: Slip | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file's lines, and the columns that are not recognised."""

    fields: frozenset[str]
    rows: tuple[Row, ...]
    unused: tuple[Unused, ...]


Aliases = Mapping[str, Sequence[str]]
"""A field's names in headers; the first is the one we write."""


def plain(name: str) -> str:
    """A column's name as compared: lower-case letters and digits only."""
    return "".join(char for char in name.casefold() if char.isalnum())


def read_sheet(raw: bytes, aliases: Aliases, needed: Sequence[Sequence[str]]) -> Sheet:
    """The table in a file. Raises BadFile.

    ``needed``: of each of these groups of fields, one must be present.
    """
    if len(raw) > MOST_BYTES:
        raise BadFile(Slip("file_large", value=str(MOST_BYTES // 1024**2)))
    lines = _lines(_text(raw))
    if not lines:
        raise BadFile(Slip("file_empty"))
    fields, unused = _header(lines[0][1], aliases)
    for group in needed:
        if not set(group) & {field for field in fields if field}:
            names = ", ".join(aliases[field][0] for field in group)
            raise BadFile(Slip("column_missing", value=names, hint=", ".join(lines[0][1])))
    rows = tuple(_row(number, cells, fields) for number, cells in lines[1:])
    if len(rows) > MOST_ROWS:
        raise BadFile(Slip("file_long", value=str(MOST_ROWS)))
    return Sheet(frozenset(field for field in fields if field), rows, unused)


def _text(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BadFile(Slip("not_utf8", value=str(line))) from None
    if "\0" in text:
        raise BadFile(Slip("not_text"))
    return text


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
        raise BadFile(Slip("not_csv", value=str(begins))) from None
    return found


def _header(names: list[str], aliases: Aliases) -> tuple[list[str | None], tuple[Unused, ...]]:
    """The field of each column, None for one that is not recognised."""
    known = {plain(name): field for field, named in aliases.items() for name in (field, *named)}
    fields: list[str | None] = []
    unused: list[Unused] = []
    for name in names:
        field = known.get(plain(name))
        if field is not None and field in fields:
            raise BadFile(Slip("column_twice", value=name, hint=aliases[field][0]))
        fields.append(field)
        if field is None:
            near = difflib.get_close_matches(plain(name), known, 1, _NEAR)
            unused.append(Unused(name, aliases[known[near[0]]][0] if near else ""))
    return fields, tuple(unused)


def _row(number: int, cells: list[str], fields: Sequence[str | None]) -> Row:
    if len(cells) != len(fields):
        slip = Slip("cell_count", value=str(len(cells)), hint=str(len(fields)))
        return Row(number, {}, slip)
    named = {field: unguarded(cell) for field, cell in zip(fields, cells, strict=True) if field}
    return Row(number, named)
