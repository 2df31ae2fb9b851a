"""Accounts through the real server on both databases: deposits of cases, prizes, files.

§ 6.1.2, § 6.4.3, § 6.4.5.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta

import pytest

from kskak.office.books import BookEntry, BookEntryFault, EntryKind
from server.store import books as book_rows
from server.store.cases import publications as publication_rows
from server.store.cases.publications import NewPublication
from server.store.play import people as person_rows
from server.usecases import office
from server.usecases.desks.desk_overview import load_controller_overview
from server.usecases.office import BookImportReport
from server.usecases.results import publishing
from server.usecases.rights import NotAllowed
from tests.fakes.desk import BOARD, Desk, desk_of
from tests.fakes.world import ANNA, BO, KC, TL, World

FEE = BookEntry("Pokal", EntryKind.FEE, date(2026, 11, 2), 15_000, "Anna Ager", "Indskud")
HEAD = "dato;turnering;art;beløb;person;tekst\r\n"


@pytest.fixture
async def desk(world: World) -> AsyncIterator[Desk]:
    async with desk_of(world) as made:
        yield made


async def to_the_board(desk: Desk) -> int:
    """A case that Bo took to the Board with his deposit."""
    opened = await desk.call(
        BO, "POST", "/cases", {"game": desk.world.game, "kind": "days", "text": "Forkert talt."}
    )
    case = opened["id"]
    await desk.hear(TL, case)
    for who in (TL, KC):
        await desk.decide(who, case, paragraphs=["6.3.3"], reasons="Talt rigtigt.")
        await desk.appeal(BO, case, paid=who == KC)
    return case


async def deposits(desk: Desk, who: str = KC) -> list[tuple[str, int, str]]:
    found = await desk.call(who, "GET", "/accounts")
    return [(e["fate"], e["amount"], e["person"]) for e in found["entries"] if e["case"]]


async def noted(desk: Desk, case: int, action: str, who: str = KC) -> tuple[int, dict]:
    """The controller notes that Bo's deposit came, or went back."""
    body = {"action": action, "person": await desk.id_of(BO), "reference": "Giro"}
    body["on"] = desk.world.clock.today.isoformat()
    if action == "received":
        body["amount"] = 30000
    return await desk.ask(who, "POST", f"/cases/{case}/deposit", body)


@pytest.mark.both_engines
async def test_a_deposit_is_booked_when_it_comes_and_when_it_has_gone_back(desk: Desk) -> None:
    """§ 6.4.3: not by his word nor by the Board's, but the controller's, once."""
    case = await to_the_board(desk)
    assert await deposits(desk) == [], "he says that he has paid"
    assert (await noted(desk, case, "received", BO))[0] == 403
    for _ in range(2):
        assert (await noted(desk, case, "received"))[0] == 200
    assert await deposits(desk) == [("paid", 30000, "Bo Berg")]
    balances = (await desk.call(KC, "GET", "/accounts"))["balances"]
    assert [(b["tournament"], b["deposits"], b["balance"]) for b in balances] == [
        ("K-skak-EMT 2026", 30000, 30000)
    ]
    assert (await noted(desk, case, "paid_back"))[0] == 409
    await desk.decide(
        BOARD, case, paragraphs=["6.3.3"], reasons="Ja.", grants=[await desk.id_of(BO)],
        annuls=["2026/1/2"],
    )  # fmt: skip
    assert await deposits(desk) == [("paid", 30000, "Bo Berg")], "owed, not paid"
    for _ in range(2):
        assert (await noted(desk, case, "paid_back"))[0] == 200
    assert await deposits(desk) == [("paid", 30000, "Bo Berg"), ("returned", -30000, "Bo Berg")]
    balances = (await desk.call(KC, "GET", "/accounts"))["balances"]
    assert [b["balance"] for b in balances] == [0]


async def test_a_deposit_is_kept_when_the_appeal_fails(desk: Desk) -> None:
    """§ 6.4.3: nothing moves, for it was paid in; the line says so."""
    case = await to_the_board(desk)
    await noted(desk, case, "received")
    await desk.decide(BOARD, case, paragraphs=["6.3.3"], reasons="Nej.")
    assert await deposits(desk) == [("paid", 30000, "Bo Berg"), ("kept", 0, "Bo Berg")]
    kaj = await desk.world.person(KC)
    found = await office.books_for(desk.world.core, kaj)
    assert [one.after for one in found.balances] == [30_000]
    tried = await take(desk.world, office.decode_file(office.write_file(found.lines)))
    assert (tried.new, tried.bad) == ((), ()), "deposits in a file are nobody's entries"


async def take(world: World, text: str, *, is_dry: bool = False) -> BookImportReport:
    return await office.import_text(world.core, await world.person(KC), text, is_dry=is_dry)


async def kept(world: World) -> list[tuple[int, str]]:
    async with world.core.store.read() as conn:
        return [(row.ore, row.party) for row in await book_rows.everything(conn)]


async def test_a_file_is_tried_then_taken_once(world: World) -> None:
    row = "2026-10-01;Pokal;indskud;150,00;Bo Æble;Indskud\r\n"
    other = "2026-10-02;Pokal;præmie;-1.000,50;Åse;Præmie\r\n"
    tried = await take(world, HEAD + row + row + other, is_dry=True)
    assert (len(tried.new), tried.known, tried.bad, tried.is_done) == (3, 0, (), False)
    assert await kept(world) == [], "a dry run writes nothing"
    assert (await take(world, "\ufeff" + HEAD + row)).is_done
    again = await take(world, HEAD + row + row + other)
    assert (len(again.new), again.known) == (2, 1), "the second like row is another entry"
    assert await kept(world) == [(15000, "Bo Æble"), (15000, "Bo Æble"), (-100050, "Åse")]
    assert (await take(world, HEAD + row + row + other)).known == 3
    assert len(await kept(world)) == 3


async def test_an_exported_file_comes_back_as_known_and_a_changed_row_is_refused(world):
    """§ 6.1.2: an entry is never edited, by file neither."""
    kaj = await world.person(KC)
    for text in ('Med "gåse"; og komma, ', "=1+1"):
        assert not isinstance(
            await office.enter(world.core, kaj, replace(FEE, text=text)), tuple
        )  # fmt: skip
    raw = office.write_file((await office.books_for(world.core, kaj)).lines)
    assert raw.startswith(b"\xef\xbb\xbfnr;dato;")
    text = office.decode_file(raw)
    assert ";150,00;" in text and "\r\n" in text
    again = await take(world, text)
    assert (again.new, again.known, again.bad) == ((), 2, ())
    changed = await take(world, text.replace("150,00", "151,00", 1))
    assert [one.fault.value for one in changed.bad] == ["differs"]
    number = text.splitlines()[1].partition(";")[0]
    strange = await take(world, text.replace(f"\n{number};", "\n99999;", 1))
    assert [one.fault.value for one in strange.bad] == ["unknown_number"]
    assert len(await kept(world)) == 2
    old = text.removeprefix("\ufeff").encode("windows-1252")
    assert (await take(world, office.decode_file(old))).known == 2


async def published(world: World) -> int:
    """The group as published today; the publication's number."""
    today = world.clock.today
    async with world.core.store.write() as conn:
        return await publication_rows.add_publication(
            conn,
            NewPublication(
                group_id=(await world.row()).group_id,
                kind="standing",
                game_id=None,
                day=today.isoformat(),
                objections_until=(today + timedelta(days=14)).isoformat(),
                prizes_until=(today + timedelta(days=21)).isoformat(),
                done_us=None,
            ),
        )


async def test_prizes_wait_until_they_are_ticked_off_with_what_was_paid(world: World) -> None:
    """§ 6.4.5: within 3 weeks; the money goes out of the group's own tournament, once."""
    number, kaj = await published(world), await world.person(KC)
    (due,) = (await load_controller_overview(world.core)).prizes
    assert (due.publication, due.until) == (number, "2026-11-23")
    paid = replace(FEE, tournament="", kind=EntryKind.PRIZE, ore=-50_000, text="1. præmie")
    faulty = replace(paid, party="")
    assert await publishing.send_prizes(world.core, kaj, number, [faulty]) == (
        BookEntryFault.NO_PARTY,
    )
    assert len((await load_controller_overview(world.core)).prizes) == 1, (
        "with a fault nothing is ticked"
    )
    with pytest.raises(NotAllowed):
        await publishing.send_prizes(world.core, await world.person(TL), number, [paid])
    for _ in range(2):
        assert await publishing.send_prizes(world.core, kaj, number, [paid]) == ()
    assert (await load_controller_overview(world.core)).prizes == ()
    found = await office.books_for(world.core, kaj)
    assert [(line.entry.tournament, line.entry.ore) for line in found.lines] == [
        ("K-skak-EMT 2026", -50_000)
    ]


async def test_the_controller_ticks_no_prizes_of_a_group_he_plays_in(world: World) -> None:
    """§ 6.1.1: he is no official there."""
    number, anna = await published(world), await world.person(ANNA)
    async with world.core.store.write() as conn:
        await person_rows.change(conn, replace(anna, role="kc"))
    with pytest.raises(NotAllowed):
        await publishing.send_prizes(world.core, await world.person(ANNA), number)
