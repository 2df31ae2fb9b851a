"""Whom a line is about: number, name and birth date, address; and what it may not change."""

import pytest

from server.store.engine.store import Store
from server.store.play import people as person_rows
from server.usecases.register.csv_table import RegisterEditor
from tests.fakes.machinery.each import each
from tests.fakes.register import Register, open_register

ANNA = "Nr;Navn;Født;Mail;Klub\n4711;Anna Andersen;1951-02-03;anna@example.org;Nordre Skakklub\n"


@pytest.fixture
async def register(store: Store) -> Register:
    """Anna is member 4711 of Nordre, and nobody else."""
    opened = await open_register(store)
    assert (await opened.take(ANNA)).is_done
    return opened


async def test_a_new_member_stands_with_club_birth_date_and_ratings_as_lists_print_them(register):
    text = (
        "Navn;Nr;Født;Klub;K-rating;Rating;Dansk statsborger\nBo Bak;5;1.2.1960;1002;1500;1600;ja"
    )
    assert await register.fates(text) == ["added"]
    bo = (await register.everybody())["Bo Bak"]
    assert (bo.number, bo.birth, bo.club, bo.kind) == (
        "5", "1960-02-01", "Østerbro Skakforening", "club",
    )  # fmt: skip
    assert (bo.k_rating, bo.rating, bo.citizen) == (1500, 1600, True)
    async with register.core.store.read() as conn:
        person = await person_rows.find_person(conn, bo.id)
    assert person is not None
    assert (person.club, person.k_rating, person.rating) == (bo.club, 1500, 1600)


async def test_number_or_name_and_birth_date_tell_who_it_is(register: Register):
    for text in (
        "Nr;Navn\n4711;Ana Andersen",
        "Nr;Navn;Født\n4711;Anna Bertelsen-Skov;3-2-1951",
        "Navn;Født;Klub\nANNA  bertelsen-skov;3.2.1951;Ærø Skakklub",
    ):
        assert await register.fates(text) == ["changed"], text
        assert len(await register.everybody()) == 1
        if "Bertelsen" in text:
            assert "Anna Bertelsen-Skov" in await register.everybody()


@each(
    "code text",
    ("other_person", "Nr;Navn\n4711;Gudrun Gade"),
    ("other_birth", "Nr;Navn;Født\n4711;Gudrun Gade;1970-01-01"),
    ("other_number", "Nr;Navn;Født\n4799;Anna Andersen;1951-02-03"),
    ("unrecognisable", "Nr;Navn\n;Bo Bak"),
    ("twice", "Nr;Navn;Født\n4711;Anna Andersen;\n;Anna Andersen;1951-02-03"),
    ("twice", "Nr;Navn\n8;Bo Bak\n8;Ib Bak"),
    ("email_taken", "Nr;Navn;Mail\n5;Bo Bak;anna@example.org"),
    ("email_twice", "Nr;Navn;Mail\n5;Bo Bak;x@example.org\n6;Ib Bak;X@example.org"),
)
async def test_a_line_about_nobody_or_two_is_refused(register: Register, code: str, text: str):
    assert await register.problem(text) == code


async def test_a_member_without_a_number_gets_the_one_in_the_file(register: Register):
    await register.take("Navn;Født\nBo Bak;1960-02-01")
    assert await register.fates("Nr;Navn;Født\n5;Bo Bak;1960-02-01") == ["changed"]
    assert (await register.everybody())["Bo Bak"].number == "5"


async def test_two_of_one_name_and_birth_date_are_refused_until_a_number_tells(register: Register):
    for email in ("b1@example.org", "b2@example.org"):
        await register.person("Bo Bak", email=email, birth="1960-02-01")
    assert await register.problem("Navn;Født\nBo Bak;1960-02-01") == "ambiguous"


async def test_two_who_bear_one_number_are_refused(register: Register):
    for name in ("Bo Bak", "Ib Bak"):
        await register.person(name, member="77")
    assert await register.problem("Nr;Navn\n77;Bo Bak") == "ambiguous"


async def test_a_player_known_by_his_address_alone_is_recognised_by_name_and_address(register):
    await register.person("Bo Bak")
    text = "Nr;Navn;Født;Mail\n5;Bo Bak;1960-02-01;Bo@Example.org"
    assert await register.fates(text) == ["changed"]
    assert (await register.everybody())["Bo Bak"].number == "5"


async def _proved(register: Register) -> None:
    anna = (await register.everybody())["Anna Andersen"]
    async with register.core.store.write() as conn:
        await person_rows.prove_email(conn, anna.id, 1)


async def test_an_address_that_nobody_has_used_is_changed(register: Register):
    assert await register.fates("Nr;Navn;Mail\n4711;Anna Andersen;ny@example.org") == ["changed"]
    assert (await register.everybody())["Anna Andersen"].email == "ny@example.org"


async def test_the_players_own_address_is_kept_and_that_is_said(register: Register):
    await _proved(register)
    text = "Nr;Navn;Mail;Klub\n4711;Anna Andersen;ny@example.org;Ærø Skakklub"
    report = await register.take(text)
    (line,) = report.lines
    assert [note.code for note in line.notes] == ["own_email"]
    assert [change.field for change in line.changes] == ["club"]
    assert report.is_done
    anna = (await register.everybody())["Anna Andersen"]
    assert (anna.email, anna.club) == ("anna@example.org", "Ærø Skakklub")


async def test_the_players_own_address_is_changed_when_that_is_asked_and_is_then_unproved(register):
    await _proved(register)
    text = "Nr;Navn;Mail\n4711;Anna Andersen;ny@example.org"
    assert await register.fates(text, take_emails=True) == ["changed"]
    anna = (await register.everybody())["Anna Andersen"]
    assert (anna.email, anna.email_proved_us) == ("ny@example.org", None)


async def test_an_officials_address_is_not_the_controllers_to_change(register: Register):
    """Whoever could change it could sign in as him."""
    await register.person("Otto Olsen", role="admin", member="9")
    controller = RegisterEditor(1, "web", "import")
    report = await register.take("Nr;Navn;Mail\n9;Otto Olsen;mig@example.org", doer=controller)
    assert [note.code for note in report.lines[0].notes] == ["official_email"]
    assert (await register.everybody())["Otto Olsen"].email == "otto@example.org"
