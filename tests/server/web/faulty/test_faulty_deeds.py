"""Issue 5: faulty posts of deeds in lists come again with what was typed, the fault beside it."""

from datetime import date

import pytest

from kskak.entries.entry import EntryProblem, EntryRefusal
from kskak.office.books import BookEntry, EntryKind
from kskak.regulation.editions import Regulation
from server.store.entries import EntryRow
from server.store.play import people as person_rows
from server.store.play.people import NewPerson
from server.usecases import office
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryListRequest, EntryRequest, enter, open_list
from tests.fakes.league import begin_division, team_of
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browsers
from tests.server.web.faulty.faulty_deeds import of_books, of_entry, of_reserve, of_shorter_leave
from tests.server.web.politeness import refused, spoken

LANGUAGES = pytest.mark.parametrize("lang", ["da", "en"])


@LANGUAGES
async def test_a_faulty_deed_with_an_entry_or_list_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.4.4, § 6.1.2: the fee's day, the refusal's reason and paragraph, the list's leader."""
    await officials(site)
    kaj = await site.person("kaj@example.org")
    emt = ("EMT Å", "emt", "Å", "EMT", Regulation.EMAIL, "Å", "tove@example.org", 20_000, "K")
    await open_list(site.core, kaj, EntryListRequest(*emt))
    cup = ("Pokal", "cup", "preliminary", "Pokal", Regulation.EMAIL, "P", "tove@example.org", None)
    await open_list(site.core, kaj, EntryListRequest(*cup))
    async with site.core.store.write() as conn:
        new = NewPerson(name="Frida", email="frida@example.org", created_us=0)
        frida = await person_rows.add_person(conn, new)
    stated = EntryStatement(member="1", born=date(1980, 1, 1), club="Nord")
    done = await enter(
        site.core, await site.person("frida@example.org"), EntryRequest(1, stated, frida)
    )
    assert isinstance(done, EntryRow)
    await spoken(site, lang)
    await refused(site, browsers, of_entry(done.id, 1))


async def test_no_channel_takes_a_birth_that_cannot_be(site: Site):
    """§ 6.4.4.1: what the page, the API and an official enter goes the same way."""
    await officials(site)
    kaj, anna = await site.person("kaj@example.org"), await site.person("anna@example.org")
    emt = ("EMT Å", "emt", "Å", "EMT", Regulation.EMAIL, "Å", "tove@example.org", 20_000, "K")
    await open_list(site.core, kaj, EntryListRequest(*emt))
    for born in (date(1850, 5, 1), date(2026, 9, 2)):
        done = await enter(site.core, anna, EntryRequest(1, EntryStatement(member="1", born=born)))
        assert isinstance(done, EntryRefusal) and EntryProblem.BORN in done.reasons
    stated = EntryStatement(member="1", born=date(1930, 5, 1), club="Nord")
    done = await enter(site.core, anna, EntryRequest(1, stated, asks=True))
    assert isinstance(done, EntryRow)


@LANGUAGES
async def test_a_faulty_deed_with_the_books_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    await officials(site)
    kaj = await site.person("kaj@example.org")
    fee = BookEntry("EMT", EntryKind.FEE, date(2026, 9, 1), 20_000, "Anna", "Indskud")
    assert not isinstance(await office.enter(site.core, kaj, fee, "k"), tuple)
    (line,) = (await office.books_for(site.core, kaj)).lines
    await spoken(site, lang)
    await refused(site, browsers, of_books(line.entry.number))


@LANGUAGES
async def test_a_faulty_answer_to_a_reserve_is_said_and_not_taken_for_a_refusal(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.7.4.3."""
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"))
    team = (await team_of(site.core, "DIV-1", "Nord")).id
    captain = await browsers.of("nord.et")
    fields = {"board": "2", "name": "Rosa", "email": "rosa@example.org", "rating": "1900"}
    answer = await captain.post(f"/captain/{team}/reserve", fields | {"reason": "Syg"})
    assert answer.status == 303
    await spoken(site, lang)
    await refused(site, browsers, of_reserve(1))


@LANGUAGES
async def test_a_faulty_shortening_of_leave_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.3.6."""
    first, last = "2026-10-05", "2026-10-20"
    anna = await browsers.of("anna")
    assert (await anna.post("/leave", {"first": first, "last": last})).status == 303
    await spoken(site, lang)
    await refused(site, browsers, of_shorter_leave(first, last))
