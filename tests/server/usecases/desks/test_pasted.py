"""Pasted lines: columns with and without a header, whose they are, what they pay, what counts."""

from datetime import date

import pytest

from kskak.entries.entry import EntryProblem
from server.store import entries as entry_rows
from server.store.engine.store import Store
from server.store.entries import EntryRow, TeamEntryRow
from server.usecases import office
from server.usecases.desks.pasted import (
    BANK,
    ENTRIES,
    MOST_LINES,
    PastedRow,
    PastedRowNote,
    PastedRowOutcome,
    PasteError,
    PasteKind,
    amount_in,
    day_in,
    digest,
    join_cells,
    preview_entries,
    preview_fees,
    read_pasted,
    take_entries,
    take_fees,
)
from server.usecases.desks.pasted_teams import preview_teams
from server.usecases.register.csv_columns import MEMBERS
from server.usecases.rights import NotAllowed
from server.usecases.season.team_entering import TeamAsking, enter_team
from tests.fakes.entries import IN_K, Federation, federation
from tests.fakes.league import address, players_of
from tests.fakes.machinery.each import each, rows
from tests.fakes.teams import by_address, club_id, league_list, lineup, register_clubs

PAID = date(2026, 10, 30)


@pytest.fixture
async def fed(store: Store) -> Federation:
    """Open lists; Ane and Bo Berg may play in K, on 2 November 2026."""
    made = await federation(store)
    await named(made, "ane", "Ane Aa", "101")
    await named(made, "bo", "Bo Bent Berg", "102")
    return made


async def named(fed: Federation, key: str, name: str, number: str) -> None:
    """A player with a full name and a member number."""
    await fed.admit(key, name=name, member=number, club=None)
    await fed.result(key, IN_K)


async def rows_of(fed: Federation) -> list[EntryRow]:
    async with fed.core.store.read() as conn:
        return list(await entry_rows.on_lists(conn, None, ("waiting", "valid", "placed")))


async def looked(fed: Federation, text: str, list_id: int | None = None) -> tuple[PastedRow, ...]:
    return await preview_entries(fed.core, fed.people["kaj"], text, list_id)


async def taken(
    fed: Federation, text: str, ticked: list[str], list_id: int | None = None
) -> tuple[PastedRowOutcome, ...]:
    rows = await looked(fed, text, list_id)
    return await take_entries(fed.core, fed.people["kaj"], rows, ticked)


async def paid(fed: Federation, text: str) -> tuple[PastedRow, ...]:
    return await preview_fees(fed.core, fed.people["kaj"], text)


def ticks(rows: tuple[PastedRow, ...]) -> list[str]:
    return [f"{row.number}.{one.key}" for row in rows for one in row.matches if one.is_sure]


def first(text: str, what: PasteKind = PasteKind.ENTRIES) -> dict[str, str]:
    return dict(read_pasted(text, what)[0].cells)


@rows(
    "text",
    "Navn\tMedlemsnr\tKlasse\nAne Aa\t101\tK",
    "name;member no;class\nAne Aa;101;K",
    '"Full name","Number","List"\n"Ane Aa","101","K"',
    "\nAne Aa\t101\tK\n",
)
def test_the_columns_are_known_by_their_header_or_by_the_first_line(text: str):
    assert first(text) == {"name": "Ane Aa", "number": "101", "list": "K"}


@rows(
    "text",
    "Bogført dato;Tekst;Beløb i DKK;Saldo\n30-10-2026;Ane Aa;100,00;5.000,00",
    "Date,Description,Amount\n2026-10-30,Ane Aa,100.00",
    "30.10.2026\tAne Aa\t100,00\t5.000,00",
    "Bogføringsdato;Beløb;Afsender;Navn;Beskrivelse;Saldo\n2026/10/30;100,00;;;Ane Aa;5,00",
)
def test_a_banks_columns_too(text: str):
    got = first(text, PasteKind.FEES)
    assert (day_in(got["day"]), got["text"], amount_in(got["amount"])) == (PAID, "Ane Aa", 10_000)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"), (" \n\t\n", "empty"), ("Klasse\nK", "columns"),
        ("Navn;Navn\nA;B", "columns"), ("a@b.dk\n" * (MOST_LINES + 1), "many"),
    ],
)  # fmt: skip
def test_what_is_no_table_says_why(text: str, why: str):
    with pytest.raises(PasteError, match=why):
        read_pasted(text, PasteKind.ENTRIES)


@each(
    ("text", "ore"),
    [
        ("200", 20_000), ("1.234,50", 123_450), ("200 kr.", 20_000), ("DKK 200,00", 20_000),
        ("+200,00", 20_000), ("200.00", 20_000), ("-40", -4_000), ("12.5", None), ("to", None),
    ],
)  # fmt: skip
def test_amounts_as_banks_write_them(text: str, ore: int | None):
    assert amount_in(text) == ore


def test_a_line_is_named_by_what_it_says():
    assert join_cells({"name": "Ane", "list": "", "number": "1"}) == "Ane · 1"
    assert digest({"name": "Ane"}) == digest({"name": "Ane", "list": ""}) != digest({"name": "Bo"})
    assert ENTRIES["number"] == MEMBERS["number"] and "Beløb" in BANK["amount"]


async def test_lines_become_entries_once(fed: Federation):
    text = "Navn;Nr;Liste;Betalt\nAne Aa;101;Liste K;30-10-2026\n;102;K-26;\n"
    found = await looked(fed, text)
    assert [m.who for row in found for m in row.matches] == ["Ane Aa", "Bo Bent Berg"]
    assert not any(row.notes or row.refusal for row in found)
    assert await rows_of(fed) == [], "nothing counts before the second press"
    kaj = fed.people["kaj"]
    told = await taken(fed, text, ticks(found))
    assert [one.is_done for one in told] == [True, True]
    rows = {row.player: row for row in await rows_of(fed)}
    assert rows["Ane Aa"].fee_day == "2026-10-30" and rows["Ane Aa"].entered_by == kaj.id
    assert rows["Bo Bent Berg"].fee_day is None and rows["Bo Bent Berg"].list_name == "Liste K"
    again = await taken(fed, text, ticks(found))
    assert [one.note for one in again] == [PastedRowNote.STALE, PastedRowNote.STALE]
    assert [row.notes for row in await looked(fed, text)] == [
        (PastedRowNote.DONE,),
        (PastedRowNote.DONE,),
    ]
    assert len(await rows_of(fed)) == 2


async def test_only_what_is_ticked_is_entered(fed: Federation):
    text = "101\n102"
    found = await looked(fed, text, fed.lists["K"].id)
    told = await taken(fed, text, [ticks(found)[1], "9.x", "odd"], fed.lists["K"].id)
    assert [(one.who, one.note) for one in told] == [
        ("Bo Bent Berg", None),
        ("", PastedRowNote.STALE),
    ]
    assert [row.player for row in await rows_of(fed)] == ["Bo Bent Berg"]


@each(
    "line notes",
    ("Ane Aa;;;;K;", (PastedRowNote.BY_NAME,)),
    ("Aa, Ane;;;;K;", (PastedRowNote.BY_NAME,)),
    (";;ane@example.org;;K;", ()),
    (";999;;;K;", (PastedRowNote.UNKNOWN,)),
    ("Ane Aa;102;;;K;", (PastedRowNote.OTHER_NAME,)),
    ("Ane Aa;101;;;X;", (PastedRowNote.NO_LIST,)),
    ("x;;;;;", (PastedRowNote.UNKNOWN, PastedRowNote.NO_LIST)),
    ("Bo Bent Berg;;;1950-03-01;K;", (PastedRowNote.UNKNOWN,)),
    (";101;;;K;i går", (PastedRowNote.BAD_DAY,)),
    (";101;;;K;2026-11-03", (PastedRowNote.FUTURE,)),
    (";101;;;K;ja", ()),
    (";101", (PastedRowNote.CELLS,)),
)
async def test_a_doubt_is_said(fed: Federation, line: str, notes: tuple[PastedRowNote, ...]):
    (row,) = await looked(fed, f"Navn;Nr;E-mail;Født;Liste;Betalt\n{line}")
    assert row.notes == notes
    assert bool(row.matches) == (not notes or notes == (PastedRowNote.BY_NAME,))


async def test_two_of_a_name_the_same_twice_and_a_refusal(fed: Federation):
    await named(fed, "ib", "Ib Ib", "201")
    await named(fed, "ibs", "Ib Ib", "202")
    await fed.enter("bo")
    text = "Navn;Nr\nIb Ib;\nAne Aa;101\nane aa;101\n;102"
    several, ane, twice, bo = await looked(fed, text, fed.lists["K"].id)
    assert several.notes == (PastedRowNote.SEVERAL,) and not several.matches
    assert ane.matches and twice.notes == (PastedRowNote.TWICE,) and not twice.matches
    assert bo.refusal is not None and bo.refusal.reasons == (EntryProblem.ALREADY,)


async def test_the_banks_lines_find_the_unpaid_entries(fed: Federation):
    await fed.enter("ane")
    await fed.enter("bo")
    text = (
        "Dato;Tekst;Beløb\n30-10-2026;MobilePay Ane Aa K-skak;100,00\n"
        "31-10-2026;Indskud 102;100,00\n31-10-2026;Husleje;-5.000,00\n1-11-2026;Ukendt;100\n"
    )
    ane, bo, out, unknown = await paid(fed, text)
    assert [m.who for m in (*ane.matches, *bo.matches)] == ["Ane Aa", "Bo Bent Berg"]
    assert ticks((ane, bo)) == [f"2.{ane.matches[0].key}", f"3.{bo.matches[0].key}"]
    assert (out.notes, unknown.notes) == ((PastedRowNote.OUTGOING,), (PastedRowNote.NO_ENTRY,))
    kaj = fed.people["kaj"]
    told = await take_fees(fed.core, kaj, text, ticks((ane, bo)))
    assert [(one.who, one.is_done) for one in told] == [("Ane Aa", True), ("Bo Bent Berg", True)]
    rows = {row.player: row for row in await rows_of(fed)}
    assert (rows["Ane Aa"].fee_day, rows["Bo Bent Berg"].fee_day) == ("2026-10-30", "2026-10-31")
    found = await office.books_for(fed.core, kaj)
    assert sorted((li.entry.party, li.entry.ore) for li in found.lines) == [
        ("Ane Aa", 10_000), ("Bo Bent Berg", 10_000),
    ]  # fmt: skip
    assert [row.notes for row in await paid(fed, text)][:2] == [(PastedRowNote.NO_ENTRY,)] * 2
    stale = await take_fees(fed.core, kaj, text, ticks((ane, bo)))
    assert [one.note for one in stale] == [PastedRowNote.STALE, PastedRowNote.STALE]


@rows(
    "line notes",
    ("30-10-2026;Ane Aa;50", (PastedRowNote.AMOUNT,)),
    ("30-10-2026;Bo Berg;100", (PastedRowNote.PART_OF_NAME,)),
    ("i går;Ane Aa;100", (PastedRowNote.BAD_DAY,)),
    ("3-11-2026;Ane Aa;100", (PastedRowNote.FUTURE,)),
    ("30-10-2026;Ane Aa;mange", (PastedRowNote.BAD_AMOUNT,)),
    ("30-10-2026;Ane Aa Bo Bent Berg;100", (PastedRowNote.SEVERAL,)),
    ("30-10-2026;1012;100", (PastedRowNote.NO_ENTRY,)),
    ("30-10-2026;Ane", (PastedRowNote.CELLS,)),
)
async def test_a_payment_in_doubt_is_not_ticked(fed, line, notes):
    await fed.enter("ane")
    await fed.enter("bo")
    (row,) = await paid(fed, f"Dato;Tekst;Beløb\n{line}")
    assert row.notes == notes
    assert not ticks((row,))


async def test_one_payment_for_two_lists_and_a_line_pasted_again(fed: Federation):
    await fed.enter("ane")
    await fed.enter("ane", "cup")
    (both,) = await paid(fed, "Dato;Tekst;Beløb\n30-10-2026;Ane Aa;200")
    assert len(ticks((both,))) == 2 and not both.notes
    (one,) = await paid(fed, "Dato;Tekst;Beløb\n30-10-2026;Ane Aa P-26;100")
    assert [m.of for m in one.matches] == ["Liste cup"] and not one.notes
    text = "Dato;Tekst;Beløb\n30-10-2026;Ane Aa P-26;100\n30-10-2026;Ane Aa P-26;100"
    once, twice = await paid(fed, text)
    assert not once.notes and twice.notes == (PastedRowNote.TWICE,)
    await take_fees(fed.core, fed.people["kaj"], text, ticks((once,)))
    (again,) = await paid(fed, "Dato;Tekst;Beløb\n30-10-2026;Ane Aa;100")
    assert again.notes == (PastedRowNote.PAID_THAT_DAY,) and not ticks((again,))


async def test_nobody_but_the_controller_and_nobody_his_own(fed: Federation):
    kaj = fed.people["kaj"]
    for name in ("tove", "ane"):
        for work in (
            preview_entries(fed.core, fed.people[name], "101", None),
            preview_teams(fed.core, fed.people[name], "A;b;c;d;e", None),
            preview_fees(fed.core, fed.people[name], "Ane;100"),
            take_fees(fed.core, fed.people[name], "Ane;100", []),
        ):
            with pytest.raises(NotAllowed):
                await work
    await fed.result("kaj", IN_K)
    await fed.enter("kaj")
    text = "Tekst;Beløb\nKaj;100"
    (row,) = await paid(fed, text)
    (told,) = await take_fees(fed.core, kaj, text, ticks((row,)))
    assert told.note is PastedRowNote.OWN
    (own,) = await looked(fed, "E-mail;Betalt;Liste\nkaj@example.org;ja;Å")
    assert own.notes == (PastedRowNote.OWN,)


async def test_an_entry_without_a_fee_is_named_and_never_breaks_the_sum(fed: Federation):
    """His payment is for the list that has one; of a list without, nothing is due."""
    fed.lists["gratis"] = await fed.open_list(
        fed.people["kaj"], "Liste gratis", "emt M", "G", "tove", fee=None
    )
    await fed.enter("ane", "gratis", asks=True)
    (row,) = await paid(fed, "Dato;Tekst;Beløb\n30-10-2026;Ane Aa;100")
    assert [one.of for one in row.matches] == ["Liste gratis"] and row.notes == (
        PastedRowNote.AMOUNT,
    )
    await fed.enter("ane")
    (row,) = await paid(fed, "Dato;Tekst;Beløb\n30-10-2026;Ane Aa;100")
    assert PastedRowNote.SEVERAL not in row.notes and row.matches, row


async def test_a_team_that_has_paid_or_is_withdrawn_is_not_paid_for_again(store: Store):
    """§ 6.4.4.1, § 6.7.4.1: two clubs' teams, of which one has paid and one has left."""
    fed = await federation(store)
    kaj = fed.people["kaj"]
    await register_clubs(fed.core, "Nord", "Syd")
    listed = await league_list(fed.core, kaj, "tove@example.org")
    teams = {}
    for club in ("Nord", "Syd"):
        captain = await by_address(fed.core, address(f"{club} Et"))
        seats = await lineup(fed.core, *players_of(club))
        asked = TeamAsking(listed.id, await club_id(fed.core, club), captain.id, seats)
        done = await enter_team(fed.core, kaj, asked)
        assert isinstance(done, TeamEntryRow), done
        teams[club] = done
    fee = f"{(listed.fee or 0) // 100}"
    text = f"Dato;Tekst;Beløb\n30-10-2026;Nord;{fee}\n30-10-2026;Syd;{fee}"
    nord, syd = await paid(fed, text)
    assert [len(row.matches) for row in (nord, syd)] == [1, 1], (nord, syd)
    (told,) = await take_fees(fed.core, kaj, text, [f"{nord.number}.{nord.matches[0].key}"])
    assert told.is_done
    async with fed.core.store.write() as conn:
        await entry_rows.change_team_entry(conn, teams["Syd"].id, state="withdrawn")
    assert [row.notes for row in await paid(fed, text)] == [(PastedRowNote.NO_ENTRY,)] * 2
