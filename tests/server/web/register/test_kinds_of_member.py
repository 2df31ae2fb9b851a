"""Membership by the statutes: who is a member, of what kind, and who may enter (§ 6.1, § 1.3.4)."""

from datetime import date

import pytest

from server.store import members as member_rows
from server.store.members import MEMBERS, MemberKind, MemberRow
from server.usecases.entries.entry_judging import EntryStatement, knowledge
from server.usecases.register.csv_table import RegisterEditor, RegisterKind, Rules
from server.usecases.register.register_desk import export, import_file
from server.usecases.rights import UnionValues, keep_union_values
from tests.fakes.site import Site

CLUBS = "Klub;Hovedkreds\nNordre Skakklub;1. hovedkreds\n"
FILE = (
    "Nr;Navn;E-mail;Født;Medlemskab;Klub;Hovedkreds;Restance siden\n"
    "1;Klara Klub;k@example.org;3-2-1951;klub;Nordre Skakklub;;\n"
    "2;Per Personlig;p@example.org;3-2-1951;personligt medlem;;1. hovedkreds;\n"
    "3;Nete Net;n@example.org;3-2-1951;netmedlem;;;\n"
    "4;Pia Passiv;pp@example.org;3-2-1951;passiv;Nordre Skakklub;;\n"
    "5;Ære Olsen;ae@example.org;3-2-1951;æresmedlem;;;\n"
    "6;Rita Restance;r@example.org;3-2-1951;klub;Nordre Skakklub;;31-08-2026\n"
    "7;Ulla Uden;u@example.org;3-2-1951;ingen;;;\n"
)


@pytest.fixture
async def register(site: Site) -> Site:
    doer = RegisterEditor(None, "command", "import: m.csv")
    for what, text in ((RegisterKind.CLUBS, CLUBS), (RegisterKind.MEMBERS, FILE)):
        report = await import_file(site.core, what, text.encode(), doer, Rules())
        assert report.is_done, report
    return site


async def _rows(site: Site) -> dict[str, MemberRow]:
    async with site.core.store.read() as conn:
        return {row.name: row for row in await member_rows.everybody(conn)}


async def test_the_kinds_are_read_kept_and_written_as_they_were(register: Site):
    rows = await _rows(register)
    kinds = {name: row.kind for name, row in rows.items() if row.kind is not None}
    assert kinds == {
        "Klara Klub": "club", "Per Personlig": "individual", "Nete Net": "net",
        "Pia Passiv": "passive", "Ære Olsen": "honorary", "Rita Restance": "club",
        "Ulla Uden": "none",
    }  # fmt: skip
    assert rows["Pia Passiv"].club == "Nordre Skakklub"
    again = await export(register.core, RegisterKind.MEMBERS)
    assert "netmedlem" in again.decode() and "2026-08-31" in again.decode()
    doer = RegisterEditor(None, "command", "import: m.csv")
    report = await import_file(register.core, RegisterKind.MEMBERS, again, doer, Rules())
    assert all(not line.changes for line in report.lines), "an export imported changes nothing"


@pytest.mark.parametrize(
    ("on", "is_one"), [(date(2027, 2, 27), True), (date(2027, 2, 28), True),
                       (date(2027, 3, 1), False)],
)  # fmt: skip
async def test_1_3_10_arrears_are_tolerated_for_six_months(register: Site, on: date, is_one: bool):
    """§ 1.3.10: «kun kontingent-restancer indtil 6 måneder», since 31 August; that day included."""
    row = (await _rows(register))["Rita Restance"]
    assert (row.is_member(on), row.is_shut_out(on)) == (is_one, not is_one)


async def _may_enter(site: Site, name: str, number: str | None = "99") -> bool:
    person = (await _rows(site))[name]
    async with site.core.store.read() as conn:
        known = await knowledge(conn, person.id, site.core.today("Europe/Copenhagen"))
    assert known is not None
    return known.is_member(EntryStatement(member=number))


async def test_6_1_a_net_member_is_none_until_the_controller_reads_it_otherwise(register: Site):
    """§ 6.1, § 1.3.4: a number alone makes no member of a kind that may not enter."""
    may = {name: await _may_enter(register, name) for name in await _rows(register)}
    assert may["Nete Net"] is False
    assert all(may[name] for name in ("Klara Klub", "Per Personlig", "Pia Passiv", "Ære Olsen"))
    assert may["Ulla Uden"], "a number he states is looked up (§ 6.4.4.1)"
    entrants = (MEMBERS | {MemberKind.NET}) - {MemberKind.PASSIVE}
    await keep_union_values(register.core, UnionValues((), "", entrants))
    assert await _may_enter(register, "Nete Net")
    assert not await _may_enter(register, "Pia Passiv")
