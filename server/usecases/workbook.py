"""An .xlsx workbook's first sheet as the text of a CSV file, and such a text as a workbook.

A zip of XML, read without macros, formulas or links; numbers and days are written as such.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any
from xml.sax.saxutils import escape

from kskak.values import unguard_formula

MARK = b"PK\x03\x04"
"""What the file of a workbook begins with."""
MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_MOST_COLUMNS, _MOST_DAYS = 16_384, 200_000


class BadWorkbook(Exception):
    """A workbook that can't be read: why, and the most that is read if it is too large."""

    def __init__(self, code: str, most: int | None = None) -> None:
        super().__init__(code)
        self.code, self.most = code, "" if most is None else str(most)


_DAY_FORMATS = frozenset({*range(14, 23), *range(45, 48)})
"""The numbers of the formats for days and times that are built in."""
_NO_FORMAT = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_DAY_0 = date(1899, 12, 30)


def read_workbook(raw: bytes, most_rows: int, most_octets: int) -> str:
    """The first sheet as CSV, unpacked at most so many octets. Raises BadWorkbook."""
    # Few upload a workbook, and each start would load what reads it.
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    out = io.StringIO()
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as book:
            if sum(info.file_size for info in book.infolist()) > most_octets:
                raise BadWorkbook("file_large", most_octets // 1024**2)
            parts = {
                name.removeprefix("xl/"): etree.fromstring(book.read(name), parser)
                for name in book.namelist()
                if name.startswith("xl/") and name.endswith((".xml", ".rels"))
            }
        csv.writer(out, delimiter=";", lineterminator="\n").writerows(_sheet_rows(parts, most_rows))
    except BadWorkbook:
        raise
    except (zipfile.BadZipFile, ValueError, LookupError, SyntaxError, RuntimeError) as error:
        raise BadWorkbook("not_workbook") from error
    return out.getvalue()


def _sheet_rows(parts: Mapping[str, Any], most_rows: int) -> list[list[str]]:
    """The rows of the first sheet, each as wide as the first, blank ones kept for their number."""
    book = parts["workbook.xml"]
    own = book.find(".//{*}sheet").attrib
    number = next(value for name, value in own.items() if name.endswith("}id"))
    links = parts["_rels/workbook.xml.rels"]
    target = next(one.get("Target") for one in links if one.get("Id") == number)
    texts = [
        "".join(t.text or "" for path in ("{*}t", "{*}r/{*}t") for t in item.iterfind(path))
        for item in parts.get("sharedStrings.xml", ())
    ]
    days = _day_styles(parts.get("styles.xml"))
    rows: list[list[str]] = []
    for row in parts[target.removeprefix("/").removeprefix("xl/")].iter("{*}row"):
        at = int(row.get("r", len(rows) + 1))
        if at > most_rows:
            raise BadWorkbook("file_long", most_rows)
        cells: dict[int, str] = {}
        for cell in row.iterfind("{*}c"):
            cells[_column(cell.get("r", ""), max(cells, default=-1) + 1)] = _cell(cell, texts, days)
        last = max((place for place, text in cells.items() if text.strip()), default=-1)
        width = max(last + 1, len(rows[0]) if rows else 0)
        rows += [[] for _ in range(at - len(rows) - 1)]
        rows.append([cells.get(place, "") for place in range(width)])
    return rows


def _column(reference: str, otherwise: int) -> int:
    """The place of a cell from 0: of «C7» 2."""
    found = 0
    for letter in reference.rstrip("0123456789"):
        found = found * 26 + ord(letter) - ord("A") + 1
    return found - 1 if 0 < found <= _MOST_COLUMNS else otherwise


def _day_styles(styles: Any) -> frozenset[int]:
    """The numbers of the cell styles that show a day."""
    if styles is None:
        return frozenset()
    formats = {
        int(one.get("numFmtId")): _NO_FORMAT.sub("", one.get("formatCode", "")).casefold()
        for one in styles.iterfind("{*}numFmts/{*}numFmt")
    }
    own = {number for number, code in formats.items() if set("dy") & set(code)}
    found = enumerate(styles.iterfind("{*}cellXfs/{*}xf"))
    return frozenset(at for at, xf in found if int(xf.get("numFmtId", 0)) in _DAY_FORMATS | own)


def _cell(cell: Any, texts: Sequence[str], days: frozenset[int]) -> str:
    """What a cell shows, a day in ISO form."""
    kind, value = cell.get("t", "n"), cell.findtext("{*}v") or ""
    if kind == "inlineStr":
        return "".join(part.text or "" for part in cell.iterfind(".//{*}t"))
    if kind == "s" and value:
        return texts[int(value)]
    if kind != "n" or not value:
        return value
    number = float(value)
    if int(cell.get("s", 0)) in days and 0 < number < _MOST_DAYS:
        return (_DAY_0 + timedelta(days=int(number))).isoformat()
    return str(int(number)) if number.is_integer() else repr(number).replace(".", ",")


# Writing: one sheet, its first row bold and kept in sight.

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_FRAME = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels"'
    ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/>'
    f'<Override PartName="/xl/sheet.xml" ContentType="{_TYPES}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1"'
    f' Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="K-skak" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="sheet.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><numFmts count="1">'
    '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>'
    "<fonts><font/><font><b/></font></fonts>"
    '<fills><fill><patternFill/></fill><fill><patternFill patternType="gray125"/></fill></fills>'
    "<borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf/>"
    '<xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/>'
    '<xf numFmtId="4" applyNumberFormat="1"/></cellXfs></styleSheet>',
}
_BOLD, _DAY, _MONEY = 1, 2, 3
"""The cell styles above, from 0."""
_WHOLE, _PARTS = re.compile(r"0|-?[1-9]\d{0,14}"), re.compile(r"-?\d{1,12},\d{2}")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_DAY_1 = date(1900, 3, 1)
"""Excel counts a 29 February 1900, which was not: days before are text."""
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_workbook(table: str) -> bytes:
    """The text of a CSV file of ours, with its heads, as a workbook of one sheet."""
    rows = csv.reader(io.StringIO(table, newline=""), delimiter=";")
    written = "".join(f"<row>{''.join(_cells(row, at))}</row>" for at, row in enumerate(rows))
    sheet = (
        f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1"'
        ' topLeftCell="A2" state="frozen"/></sheetView></sheetViews>'
        f'<sheetFormatPr defaultColWidth="16" defaultRowHeight="15"/>'
        f"<sheetData>{written}</sheetData></worksheet>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in {**_FRAME, "xl/sheet.xml": sheet}.items():
            # A fixed instant: the same table is the same file.
            book.writestr(zipfile.ZipInfo(name), (_HEAD + text).encode(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _cells(row: Sequence[str], at: int) -> Iterator[str]:
    for text in map(unguard_formula, row):
        number, style = _number(text) if at else (None, _BOLD)
        if number is not None:
            yield f'<c s="{style}"><v>{number}</v></c>'
        elif text:
            shown = escape(_NOT_XML.sub(" ", text))
            yield f'<c s="{style}" t="inlineStr"><is><t xml:space="preserve">{shown}</t></is></c>'
        else:
            yield "<c/>"


def _number(text: str) -> tuple[str | None, int]:
    """What a spreadsheet reckons with, and its style; None and 0 for what is words."""
    if _WHOLE.fullmatch(text):
        return text, 0
    if _PARTS.fullmatch(text):
        return text.replace(",", "."), _MONEY
    if _ISO.fullmatch(text):
        try:
            day = date.fromisoformat(text)
        except ValueError:
            return None, 0
        return (str((day - _DAY_0).days), _DAY) if day >= _DAY_1 else (None, 0)
    return None, 0
