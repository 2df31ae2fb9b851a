"""§ 6.1, § 6.4.4.1: who joins without his number gets in, is told how to pay, and no refusal
names a field that his page has not."""

from collections.abc import AsyncIterator
from itertools import product

import pytest
from sqlalchemy import update

from kskak.entries.entry import EntryFault, EntryProblem
from mail.text.catalogue import Words
from server.store.tables.base import people
from server.usecases.register.csv_table import RegisterEditor, RegisterKind, Rules
from server.usecases.register.register_desk import import_file
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.world import KC, TL, World

NEW, CLUB = "jogvan@example.fo", "Nordre Skakklub"
PAY = "MobilePay 12345, skriv dit navn"
FIELDS = {
    "klubben": "club", "the club empty": "club", "nummeret": "member", "the number": "member",
    "feltet": "", "the field": "", "Sæt kryds": "second", "Tick the box": "second",
}  # fmt: skip
"""Words of a refusal that point at a field, and the field; "": the one that the refusal is of."""
OWN_FIELD = {EntryFault.NO_BIRTH_DATE: "born", EntryProblem.NO_ADDRESS: "address"}
OFFICIALS_OWN = {EntryFault.NO_MEMBERSHIP, EntryFault.ENTERED_BY_CLUB}
"""What they say of the number and the club is for the leader and the club's captain."""
WISHES = ("emt Å", "cup preliminary", "cup semi", "theme theme", "league league")


@pytest.fixture
async def kaj(lite: World) -> AsyncIterator[Browser]:
    """The controller's browser; the register knows one club."""
    clubs = f"Klubnr;Klub;Hovedkreds\n1001;{CLUB};1. hovedkreds\n".encode()
    await import_file(
        lite.core, RegisterKind.CLUBS, clubs, RegisterEditor(None, "command", "klubber"), Rules()
    )
    async with browser(lite) as one:
        await one.sign_in(KC)
        yield one


async def _open(kaj: Browser, wish: str, **more: str) -> Page:
    fields = {
        "name": f"Liste {wish}", "wish": wish, "tournament": f"K-skak {wish}",
        "regulation": "email", "prefix": f"{wish[:5]}-26", "leader": TL, "fee_kr": "200",
        "how_to_pay": PAY,
    }  # fmt: skip
    return await kaj.submit(await kaj.get("/desk/entries"), "/desk/entries/lists", **fields | more)


async def _join(world: World, kaj: Browser, new: Browser, kind: str = "club") -> Page:
    """A newcomer without a number is admitted as asked; his page after the letter's link."""
    club = CLUB if kind == "club" else ""
    asked = {"name": "Jógvan á Rógvi", "email": NEW, "born": "1961-04-05", "kind": kind,
             "club": club, "member": "", "address": ""}  # fmt: skip
    await new.submit(await new.get("/join"), "/join", **asked)
    await world.pump()
    await new.submit(await new.get(world.letters(NEW)[-1].link("/join/")), "")
    desk = await kaj.get("/desk/join")
    assert ("Nummeret mangler. Kender du det" in desk.text) is (kind != "none")
    done = await kaj.submit(desk, "/admit", kind=kind, club=club)
    assert done.status == 200, done.text
    await world.pump()
    return await new.submit(await new.get(world.letters(NEW)[-1].link("/login/")), "")


async def test_a_club_member_without_his_number_enters_pays_and_is_valid_when_it_is_confirmed(
    lite: World, kaj: Browser
) -> None:
    assert (await _open(kaj, "emt Å")).status == 200
    async with browser(lite) as new, browser(lite) as tove:
        page = await _join(lite, kaj, new)
        done = await new.submit(page, "/enter", list="1")
        assert done.status == 200 and "Nummeret bekræftes" in done.text, done.text
        assert f"Indskud: 200,00 kr. Sådan betaler du: {PAY}" in done.text
        await lite.pump()
        letter = lite.letters(NEW)[-1].said
        assert "Nummeret bekræftes" in letter and PAY in " ".join(letter.split())
        await tove.sign_in(TL)
        own = "/desk/entries/1"
        assert "medlemsnummer" in (await tove.get("/desk/entries")).text
        await tove.submit(await tove.get(own), f"{own}/fee")
        assert (await tove.submit(await tove.get(own), f"{own}/number", number=" ")).status == 422
        bad = await tove.submit(await tove.get(own), f"{own}/number", number="47\u202e11")
        assert bad.status == 422 and "Skriv medlemsnummeret på én linje" in bad.text
        done = await tove.submit(await tove.get(own), f"{own}/number", number="4711")
        assert done.status == 200 and "gyldig" in done.text and "4711" in done.text
        assert "/number" not in done.html
        await lite.pump()
        assert "er gyldig" in lite.letters(NEW)[-1].said
        again = await tove.post(f"{own}/number", done.form("/withdraw").fields | {"number": "1"})
        assert again.status in (200, 422), "a second click is answered"


@pytest.mark.parametrize("lang", ["da", "en"])
@pytest.mark.parametrize("kind", ["club", "individual", "none"])
async def test_no_refusal_names_a_field_that_is_not_on_the_page(lite, kaj, kind, lang):
    for wish in WISHES:
        assert (await _open(kaj, wish)).status == 200
    words = Words.load(lang)
    async with browser(lite) as new:
        page = await _join(lite, kaj, new, kind)
        if lang == "en":
            async with lite.core.store.write() as conn:
                await conn.execute(update(people).where(people.c.email == NEW).values(lang=lang))
        said = 0
        for number, again in product(range(1, len(WISHES) + 1), range(2)):
            page = await new.get("/enter")
            fields = page.form("/enter").fields
            sent = await new.submit(page, "/enter", list=str(number), key=f"{number}-{again}")
            for reason in (*EntryFault, *EntryProblem):
                remedy = words(f"entries.remedy.{reason.value}")
                if remedy not in sent.text or reason in OFFICIALS_OWN:
                    continue
                said += 1
                for phrase, field in FIELDS.items():
                    if phrase in remedy and sent.status == 422:
                        named = field or OWN_FIELD[reason]
                        is_there = named in fields or f'name="{named}"' in sent.html
                        assert is_there, (reason, remedy)
        assert said


@pytest.mark.parametrize("lang", ["da", "en"])
def test_what_is_for_others_to_mend_tells_nobody_to_fill_in_or_empty_a_field(lang: str) -> None:
    words = Words.load(lang)
    for reason in OFFICIALS_OWN:
        remedy = words(f"entries.remedy.{reason.value}")
        assert not any(told in remedy for told in ("tom", "empty", "feltet", "the field")), remedy


async def test_who_opens_a_list_with_a_fee_is_asked_how_it_is_paid_and_old_lists_name_the_leader(
    lite: World, kaj: Browser
) -> None:
    for pay in ("", "  \n "):
        asked = await _open(kaj, "emt Å", how_to_pay=pay)
        assert asked.status == 422 and "Hvordan betales indskuddet?" in asked.text
    assert (await _open(kaj, "emt Å", how_to_pay="", fee_kr="")).status == 200, "no fee"
    desk = await kaj.get("/desk/entries")
    done = await kaj.submit(desk, "/lists/1/correct", fee_kr="150")
    assert done.status == 200, "a list from before the question is corrected as ever"
    async with browser(lite) as new:
        shown = await new.submit(await _join(lite, kaj, new), "/enter", list="1")
        assert f"Skriv til turneringslederen, T. Leder ({TL})" in shown.text, shown.text
        await lite.pump()
        assert TL in lite.letters(NEW)[-1].said.partition("Sådan betaler du")[2]
