"""A club's list as it comes: whichever way it was saved, with the headings that clubs use.

Real bytes of each: Windows-1252, UTF-16 with tabs, UTF-8, a workbook; and what is none of them.
"""

import csv
import io
import zipfile
from xml.sax.saxutils import escape

import pytest

from kskak.values import unguard_formula
from server.usecases.register.csv_columns import MEMBERS
from server.usecases.register.csv_table import BadFile, read_sheet, read_text
from server.usecases.workbook import write_workbook
from tests.fakes.machinery.each import rows
from tests.fakes.register import Register

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
HEAD = ("Medlemsnr.", "Fornavn", "Efternavn", "Email", "Født", "Medlemskab")
LINES = (
    ("101", "Søren", "Ågård", "soeren@example.org", "28-02-1950", "enkelt"),
    ("102", "Jógvan", "á Rógvi", "jogvan@example.fo", "1/3 1961", "enkelt"),
)


def workbook(*rows: tuple[object, ...], name: str = "sheet2") -> bytes:
    """A workbook whose first sheet is not its first part; a number is a day if it is over 10 000.

    Texts are shared, as Excel writes them, but for those that begin with «=»: they are inline.
    """
    shared: list[str] = []

    def cell(row: int, at: int, value: object) -> str:
        ref = f"{chr(ord('A') + at)}{row}"
        if isinstance(value, int | float):
            style = ' s="1"' if value > 10_000 else ""
            return f'<c r="{ref}"{style}><v>{value}</v></c>'
        text = str(value)
        if text.startswith("="):
            return f'<c r="{ref}" t="inlineStr"><is><t>{escape(text[1:])}</t></is></c>'
        shared.append(text)
        return f'<c r="{ref}" t="s"><v>{len(shared) - 1}</v></c>'

    lines = [
        f'<row r="{number}">{"".join(cell(number, at, one) for at, one in enumerate(row) if one)}'
        "</row>"
        for number, row in enumerate(rows, 1)
        if any(row)
    ]
    texts = "".join(f"<si><r><t>{escape(one)}</t></r></si>" for one in shared)
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{REL}"><sheets>'
        '<sheet name="Medlemmer" sheetId="2" r:id="rId2"/><sheet name="Andet" sheetId="1" '
        'r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="x">'
        '<Relationship Id="rId1" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Target="/xl/worksheets/{name}.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>',
        f"xl/worksheets/{name}.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}'
        "</sheetData></worksheet>",
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{texts}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="164" '
        'formatCode="dd\\-mm\\-yyyy;@"/></numFmts><cellXfs><xf numFmtId="0"/>'
        '<xf numFmtId="164"/></cellXfs></styleSheet>',
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for path, text in parts.items():
            book.writestr(path, text)
    return out.getvalue()


def text(mark: str) -> str:
    return "\r\n".join(mark.join(row) for row in (HEAD, *LINES)) + "\r\n"


SAVED = {
    "windows-1252": text(";").encode("windows-1252"),
    "utf-16 with tabs": text("\t").encode("utf-16"),
    "utf-16 the other way": b"\xfe\xff" + text(";").encode("utf-16-be"),
    "utf-8 with a mark": text(",").encode("utf-8-sig"),
    "workbook": workbook(
        HEAD,
        (101, "Søren", "=Ågård", "soeren@example.org", 18322, "enkelt"),
        (102.0, "Jógvan", "á Rógvi", "jogvan@example.fo", 22341.5, "enkelt"),
    ),
}


@pytest.mark.parametrize("how", SAVED)
async def test_a_clubs_list_is_taken_however_it_was_saved(register: Register, how: str):
    report = await register.take(SAVED[how])
    assert report.fault is None and report.is_done, report
    people = await register.everybody()
    told = {(row.number, row.name, row.email, row.birth) for row in people.values()}
    assert told == {
        ("101", "Søren Ågård", "soeren@example.org", "1950-02-28"),
        ("102", "Jógvan á Rógvi", "jogvan@example.fo", "1961-03-01"),
    }


def test_lines_keep_the_numbers_that_the_sheet_shows():
    raw = workbook(("Navn", "Nr."), (), ("Bo", 7), ("", ""), ("Ib",))
    found = read_sheet(raw, MEMBERS, (("name",),))
    assert [(row.number, dict(row.cells)) for row in found.rows] == [
        (3, {"name": "Bo", "number": "7"}),
        (5, {"name": "Ib", "number": ""}),
    ]


def test_one_column_of_the_name_is_enough_and_a_whole_name_stands_first():
    found = read_sheet("Efternavn;Nr\nBergstrøm;1\n".encode("cp1252"), MEMBERS, (("name",),))
    assert found.rows[0].cells["name"] == "Bergstrøm"
    whole = b"Fornavn;Mellemnavn;Efternavn;Nr\nAnna;Maria;Ager;1\nIb;;Holm;2\n"
    named = read_sheet(whole, MEMBERS, (("name",),))
    assert [row.cells["name"] for row in named.rows] == ["Anna Maria Ager", "Ib Holm"]
    both = read_sheet(b"Navn;Fornavn;Nr\nBo Berg;Bo;1\n;Ib;2\n", MEMBERS, (("name",),))
    assert [row.cells["name"] for row in both.rows] == ["Bo Berg", "Ib"]


@rows(
    "raw code",
    (b"PK\x03\x04" + bytes(50), "not_workbook"),
    (workbook(("Navn",))[:-40], "not_workbook"),
    (b"\xff\xfeN", "not_utf8"),
    (b"\x89PNG\r\n\x1a\n\0\0", "not_text"),
)
def test_what_is_no_list_is_said_to_be_none(raw: bytes, code: str):
    with pytest.raises(BadFile) as bad:
        read_text(raw)
    assert bad.value.problem.code == code


def test_a_workbook_that_unpacks_to_too_much_is_not_unpacked():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/workbook.xml", "0" * (65 * 1024 * 1024))
    with pytest.raises(BadFile) as bad:
        read_text(out.getvalue())
    assert bad.value.problem.code == "file_large"


def test_a_workbooks_entities_are_not_followed():
    raw = workbook(("Navn",), ("Bo",))
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as book, zipfile.ZipFile(out, "w") as made:
        for part in book.namelist():
            data = book.read(part)
            if part.endswith("sharedStrings.xml"):
                data = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>' + data.replace(
                    b"Bo", b"&e;"
                )
            made.writestr(part, data)
    try:
        assert "Bo" not in read_text(out.getvalue()) and "\n" in read_text(out.getvalue())
    except BadFile as bad:
        assert bad.problem.code == "not_workbook"


@rows(
    "rows",
    ("Navn;Nr.;Født", "Æ. Ø;007;1899-12-31", "'=1+1;12;1970-02-28", "<b>&;-5;2026-13-01"),
    ("Dato;Beløb;Tekst", "2026-09-01;-1234,56;a\u0001b", '2026-09-02;0,05;"x;y"'),
    ("A", "", "1.234", "0", "00", "9" * 16),
)
def test_a_table_comes_back_from_a_workbook_as_it_was(rows):
    text = "\r\n".join(rows)
    cells = list(csv.reader(io.StringIO(text), delimiter=";"))
    cells = [[unguard_formula(one).replace("\u0001", " ") for one in row] for row in cells]
    raw = write_workbook(text)
    assert raw == write_workbook(text), "the same table is the same file"
    found = list(csv.reader(io.StringIO(read_text(raw)), delimiter=";"))
    assert [row or [""] for row in found] == [row or [""] for row in cells]


def test_a_spreadsheet_reckons_with_numbers_and_days_and_with_no_formula():
    raw = write_workbook("Navn;Tal;Beløb;Dag;Nr.\r\n'=1+1;12;-1234,50;2026-09-01;012")
    with zipfile.ZipFile(io.BytesIO(raw)) as book:
        sheet = book.read("xl/sheet.xml").decode()
    assert '<c s="0"><v>12</v></c><c s="3"><v>-1234.50</v></c><c s="2"><v>46266</v></c>' in sheet
    assert ">012<" in sheet and ">=1+1<" in sheet and "<f>" not in sheet
