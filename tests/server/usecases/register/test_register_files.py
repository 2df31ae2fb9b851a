"""Files of the register: ways of writing, bad input line by line, all or nothing, dry runs."""

from server.usecases.register.csv_table import RegisterKind, RegisterLineOutcome
from tests.fakes.machinery.each import rows
from tests.fakes.register import Register

CODES = {
    "bad_day": "Nr;Navn;Født\n1;Bo;i går",
    "no_such_day": "Nr;Navn;Født\n1;Bo;30-02-1960",
    "in_future": "Nr;Navn;Født\n1;Bo;2027-01-01",
    "too_old": "Nr;Navn;Født\n1;Bo;01-05-1850",
    "bad_rating": "Nr;Navn;K-rating\n1;Bo;4001",
    "bad_yes_no": "Nr;Navn;Dansk statsborger\n1;Bo;måske",
    "bad_kind": "Nr;Navn;Medlemskab\n1;Bo;kammerat",
    "bad_status": "Nr;Navn;K-rating;K-rating status\n1;Bo;1500;god",
    "bad_email": "Nr;Navn;E-mail\n1;Bo;bo@",
    "bad_number": "Nr;Navn\n12345678901234567;Bo",
    "bad_lang": "Nr;Navn;Sprog\n1;Bo;tysk",
    "no_name": "Nr;Navn\n1;",
    "not_clearable": "Nr;Navn\n1;-",
    "no_club": "Nr;Navn;Medlemskab\n1;Bo;klub",
    "club_too_many": "Nr;Navn;Medlemskab;Klub\n1;Bo;enkelt;Nordre Skakklub",
    "club_district": "Nr;Navn;Klub;Hovedkreds\n1;Bo;Nordre Skakklub;3. hovedkreds",
    "unknown_club": "Nr;Navn;Klub\n1;Bo;Søndre Skakklub",
    "unknown_district": "Nr;Navn;Medlemskab;Hovedkreds\n1;Bo;enkelt;9. kreds",
    "days_crossed": "Nr;Navn;Medlem siden;Udmeldt\n1;Bo;2020-01-01;2019-12-31",
    "no_rating": "Nr;Navn;K-rating;K-rating dato\n1;Bo;;2026-01-01",
    "cell_count": "Nr;Navn\n1;Bo;3",
    "not_one_line": 'Nr;Navn\n1;"Bo\nBak"',
}
FAULTS = {
    "file_empty": b"",
    "column_missing": b"Nr;Klub\n1;Nordre Skakklub\n",
    "column_twice": b"Nr;Navn;Name\n1;Bo;Bo\n",
    "not_utf8": b"Nr;Navn\n1;S\x81ren\n",
    "not_workbook": b"PK\x03\x04 no zip",
    "not_text": b"Nr;Navn\n1;Bo\0\n",
    "not_csv": b'Nr;Navn\n1;"Bo\n',
}


async def test_each_bad_cell_is_told_apart_and_nothing_is_written(register: Register):
    found = {code: await register.problem(text) for code, text in CODES.items()}
    assert found == {code: code for code in CODES}


async def test_each_file_that_cant_be_read_is_told_apart(register: Register):
    reports = {code: await register.take(raw) for code, raw in FAULTS.items()}
    assert {code: report.fault and report.fault.code for code, report in reports.items()} == {
        code: code for code in FAULTS
    }
    assert await register.everybody() == {}


async def test_a_nearly_right_club_is_proposed(register: Register):
    report = await register.take("Nr;Navn;Klub\n1;Bo;Ærø Skaklub")
    assert report.lines[0].problems[0].hint == "Ærø Skakklub"


@rows(
    "text",
    "\ufeffMedlemsnummer;Navn;Fødselsdato;Rating\r\n1;Bo Bak;20-11-1960;1.542,6\r\n",
    "rating,date of birth,NAME,Member number\n1542.6,1960-11-20,Bo Bak,1\n",
    'Navn;Født;Nr;Rating\n"Bo  Bak";20.11.1960; 1 ;"1543"\n\n;;;\n',
    "Navn\tFødt\tNr\tRating\nBo Bak\t20/11/1960\t1\t1543,0\n",
    ids=["danish-bom", "english-commas", "quoted-blank-lines", "tabs"],
)
async def test_the_same_member_in_every_way_of_writing(register: Register, text: str):
    assert await register.fates(text) == ["added"]
    bo = (await register.everybody())["Bo Bak"]
    assert (bo.number, bo.birth, bo.rating) == ("1", "1960-11-20", 1543)


async def test_columns_that_mean_nothing_are_named_with_the_nearest_that_does(register: Register):
    report = await register.take("Nr;Navn;Telefon;K-ratng\n1;Bo;12345678;1500")
    assert [(column.name, column.near) for column in report.unused] == [
        ("Telefon", ""),
        ("K-ratng", "K-rating"),
    ]
    assert (await register.everybody())["Bo"].k_rating is None


MIXED = 'Nr;Navn;Født\n1;"Bo Bak";1960-01-01\n\n2;Ib;aldrig\n3;Kim Kok;1970-01-01\n'


async def test_one_bad_line_stops_all_and_is_named_by_its_number_in_the_file(register: Register):
    report = await register.take(MIXED)
    assert not report.is_done and await register.everybody() == {}
    assert [
        line.number for line in report.lines if line.outcome is RegisterLineOutcome.REFUSED
    ] == [4]


async def test_bad_lines_are_left_out_when_that_is_asked(register: Register):
    report = await register.take(MIXED, skip_bad=True)
    assert report.is_done and set(await register.everybody()) == {"Bo Bak", "Kim Kok"}


async def test_a_dry_run_says_what_an_import_then_does_and_writes_nothing(register: Register):
    await register.take("Nr;Navn;Klub\n1;Bo;1001")
    text = "Nr;Navn;Klub;K-rating\n1;Bo;Ærø Skakklub;1500\n2;Ib;;\n"
    dry = await register.take(text, dry_run=True)
    assert not dry.is_done and (await register.everybody())["Bo"].club == "Nordre Skakklub"
    fields = [(change.field, change.before, change.after) for change in dry.lines[0].changes]
    assert fields[:2] == [("club", "Nordre Skakklub", "Ærø Skakklub"), ("k_rating", None, "1500")]
    real = await register.take(text)
    assert real.is_done and (real.lines, real.digest) == (dry.lines, dry.digest)


async def test_what_is_no_longer_what_was_seen_is_not_written(register: Register):
    text = "Nr;Navn;Klub\n1;Bo;1001"
    seen = await register.take(text, dry_run=True)
    await register.take("Nr;Navn;Klub\n1;Bo;1002")
    report = await register.take(text, digest=seen.digest)
    assert not report.is_done
    assert (await register.everybody())["Bo"].club == "Østerbro Skakforening"


async def test_who_left_long_ago_may_be_born_longer_ago_than_anybody_lives(register: Register):
    head = "Nr;Navn;Født;Medlem siden;Udmeldt"
    assert await register.fates(f"{head}\n1;Bo;1880-05-01;1910-01-01;1950-01-01") == ["added"]
    assert await register.problem(f"{head}\n2;Ib;1850-05-01;1910-01-01;1990-01-01") == "too_old"
    assert await register.problem(f"{head}\n2;Ib;1880-05-01;1910-01-01;") == "too_old"


async def test_an_empty_cell_keeps_and_a_dash_empties(register: Register):
    await register.take("Nr;Navn;Født;Dansk statsborger\n1;Bo;1960-01-01;ja")
    assert await register.fates("Nr;Navn;Født;Dansk statsborger\n1;Bo;;") == ["unchanged"]
    assert await register.fates("Nr;Navn;Dansk statsborger\n1;Bo;-") == ["changed"]
    bo = (await register.everybody())["Bo"]
    assert (bo.birth, bo.citizen) == ("1960-01-01", None)


async def test_two_lines_that_swap_their_numbers_are_refused_and_nothing_is_half_done(register):
    text = "Klubnr;Klub\n1001;Midtby\n1002;Nordre Skakklub\n"
    report = await register.take(text, RegisterKind.CLUBS)
    assert not report.is_done
    assert "Midtby" not in await register.out(RegisterKind.CLUBS)


async def test_clubs_are_known_by_number_and_a_new_name_is_printed_at_once(register: Register):
    await register.take("Nr;Navn;Klub\n1;Bo;1001")
    report = await register.take(
        "Klubnr;Klub;Hovedkreds\n1001;Nordre;8. hovedkreds", RegisterKind.CLUBS
    )
    assert report.is_done
    assert [change.field for change in report.lines[0].changes] == ["name", "district"]
    assert (await register.everybody())["Bo"].club == "Nordre"
    assert "1001;Nordre;8. hovedkreds" in await register.out(RegisterKind.CLUBS)


async def test_a_number_and_a_name_of_two_clubs_are_refused(register: Register):
    assert (
        await register.problem("Klubnr;Klub\n1001;Ærø Skakklub", RegisterKind.CLUBS) == "two_clubs"
    )
    assert (
        await register.problem("Klubnr;Klub\n9;Ærø Skakklub", RegisterKind.CLUBS) == "other_number"
    )
