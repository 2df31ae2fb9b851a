"""Issue 5: faulty posts of deeds in lists come again with what was typed, the fault beside it."""

from datetime import date

import pytest

from kskak.entries.entry import EntryProblem, EntryRefusal
from kskak.office.books import BookEntry, EntryKind
from server.store.entries import EntryRow
from server.usecases import office
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, enter
from tests.fakes.faulty import Faulty, On
from tests.fakes.league import begin_division, team_of
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browsers
from tests.server.web.politeness import LONG, refused, spoken

LANGUAGES = pytest.mark.parametrize("lang", ["da", "en"])


@LANGUAGES
async def test_a_faulty_deed_with_an_entry_or_list_is_said_beside_its_field(site, browsers, lang):
    """§ 6.4.4, § 6.1.2: the fee's day, the refusal's reason and paragraph, the list's leader."""
    await officials(site)
    kaj = await site.person("kaj@example.org")
    await site.open_list(kaj, "EMT Å", "emt Å", "Å", "tove", tournament="EMT", fee=20_000)
    await site.open_list(kaj, "Pokal", "cup preliminary", "P", "tove", fee=None, how_to_pay="")
    frida = await site.admit("frida")
    stated = EntryStatement(member="1", born=date(1980, 1, 1), club="Nord")
    done = await enter(site.core, frida, EntryRequest(1, stated, frida.id))
    assert isinstance(done, EntryRow)
    await spoken(site, lang)
    await refused(site, browsers, of_entry(done.id, 1))


async def test_no_channel_takes_a_birth_that_cannot_be(site: Site):
    """§ 6.4.4.1: what the page, the API and an official enter goes the same way."""
    await officials(site)
    kaj, anna = await site.person("kaj@example.org"), await site.person("anna@example.org")
    await site.open_list(kaj, "EMT Å", "emt Å", "Å", "tove", tournament="EMT", fee=20_000)
    for born in (date(1850, 5, 1), date(2026, 9, 2)):
        done = await enter(site.core, anna, EntryRequest(1, EntryStatement(member="1", born=born)))
        assert isinstance(done, EntryRefusal) and EntryProblem.BORN in done.reasons
    stated = EntryStatement(member="1", born=date(1930, 5, 1), club="Nord")
    done = await enter(site.core, anna, EntryRequest(1, stated, asks=True))
    assert isinstance(done, EntryRow)


@LANGUAGES
async def test_a_faulty_deed_with_the_books_is_said_beside_its_field(site, browsers, lang):
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
async def test_a_faulty_shortening_of_leave_is_said_beside_its_field(site, browsers, lang):
    """§ 6.3.6."""
    first, last = "2026-10-05", "2026-10-20"
    anna = await browsers.of("anna")
    assert (await anna.post("/leave", {"first": first, "last": last})).status == 303
    await spoken(site, lang)
    await refused(site, browsers, of_shorter_leave(first, last))


# Faulty posts of deeds in lists: an entry's, an open list's, a reserve's, the books', a leave's.


def of_entry(entry: int, list_id: int) -> list[Faulty]:
    """The fee, discretion and refusal of an entry; a list's leader (§ 6.4.4, § 6.1.2)."""
    here, lists = f"/desk/entries/{entry}", f"/desk/entries/lists/{list_id}"
    fee = On("kaj", here, f"{here}/fee")
    refuse = On("kaj", here, f"{here}/refuse", {"paragraph": "6.4.4", "reason": "Nej."})
    leader = On("kaj", "/desk/entries", lists, {"act": "leader"})
    pay = On("kaj", "/desk/entries", lists, {"act": "pay"})
    right = {"name": "EMT K", "tournament": "EMT", "fee_kr": "200"}
    correct = On("kaj", "/desk/entries", f"{lists}/correct", right)
    new = On("kaj", "/desk/cups", "/desk/cups", {"edition": "2026", "list": "2"})
    return [
        *(fee("on", text) for text in ("", "i går", "2026-02-30")),
        *(refuse("reason", text, "paragraph") for text in ("", LONG)),
        *(refuse("paragraph", text, "reason") for text in ("", "6." * 20)),
        *(leader("leader", text) for text in ("", "ingen@example.org", "x" * 300)),
        *(pay("how_to_pay", text) for text in (" ", "x" * 501)),
        *(correct("name", text, "tournament", "fee_kr") for text in ("", "x" * 121, "x" * 201)),
        *(correct("tournament", text, "name", "fee_kr") for text in ("", "x" * 121)),
        *(correct("fee_kr", text, "name", "tournament") for text in ("mange", "-5", "9" * 9)),
        correct.foreign("/desk/entries/lists/999/correct"),
        *(new("edition", text) for text in ("", "i år")),
        *(new("list", text, "edition") for text in ("", "x")),
        fee.foreign("/desk/entries/999/fee"),
    ]


def of_books(entry: int) -> list[Faulty]:
    """An entry taken back, and a file of entries (§ 6.1.2)."""
    books = "/desk/kc/economy"
    back = On("kaj", books, f"{books}/{entry}")
    file = On("kaj", books, f"{books}/import", {"act": "take"})
    return [
        *(back("text", text) for text in ("", "x" * 301)),
        *(file.above("csv", text) for text in ("ikke en fil", "dato;beløb\nx;y")),
        On("kaj", books, "", {"text": "Fejl"}).foreign(f"{books}/999"),
    ]


def of_reserve(reserve: int) -> list[Faulty]:
    """The leader's answer to a reserve (§ 6.7.4.3)."""
    desk = "/desk/league/DIV-1"
    answer = On("tl", desk, f"{desk}/reserves/{reserve}", {"answer": "approve"})
    return [
        answer("note", LONG),
        *(answer.above("answer", text, "note", note="Fint") for text in ("", "måske")),
        answer.foreign(f"{desk}/reserves/999"),
    ]


def of_shorter_leave(first: str, last: str) -> list[Faulty]:
    """A booked leave made shorter (§ 6.3.6)."""
    leave = On("anna", "/leave", "/leave/shorten", {"first": first, "last": last})
    return [
        *(leave("until", text) for text in ("", "i morgen", "2026-02-30", "2099-01-01")),
        *(leave.above("first", text, until="2026-10-20") for text in ("", "x", "2026-01-01")),
    ]


# Faulty posts of the controller's pages that open a season and take pasted lines.


SEASON, PASTED, UNION = "/desk/kc/season", "/desk/kc/pasted", "/desk/kc/union"
ROW = "emt-K-email"


def of_season() -> list[Faulty]:
    """One ticked row, with everything that can be wrong in it."""
    right = {
        "open": "1",
        "name": "K-klassen 2027",
        "tournament": "EMT 2027",
        "prefix": "K-27",
        "regulation": "email",
        "leader": "tove@example.org",
        "fee_kr": "200",
        "how_to_pay": "MobilePay 12345",
    }
    fields = {f"{name}-{ROW}": text for name, text in right.items()} | {"season": "2027"}
    row = On("kaj", SEASON, SEASON, fields)
    dm = {name.replace("-K-", "-DM-"): text for name, text in fields.items()}
    other = On("kaj", SEASON, SEASON, dm | {"deadline-emt-DM-email": "", "reason": "Ferie"})
    wrong = {
        "name": ("", "x" * 121, "x" * 201),
        "tournament": ("", "x" * 121),
        "prefix": ("", "x" * 41),
        "leader": ("", "ingen@example.org", "x" * 201),
        "fee_kr": ("mange", "-5", "9" * 17),
        "how_to_pay": ("x" * 501,),
    }
    return [
        *(
            row(
                f"{name}-{ROW}",
                text,
                *(f"{kept}-{ROW}" for kept in right if kept not in ("open", name)),
            )
            for name, texts in wrong.items()
            for text in texts
        ),
        *(
            other("start-emt-DM-email", text, "name-emt-DM-email", "reason")
            for text in ("i går", "2027-10-01", "2099-09-01")
        ),
        other("reason", "x" * 501, "name-emt-DM-email", **{"start-emt-DM-email": "2027-09-02"}),
        other("reason", "", "name-emt-DM-email", **{"start-emt-DM-email": "2027-09-02"}),
    ]


def of_union() -> list[Faulty]:
    """The deposit and the regulation's address, either of them wrong."""
    both = On("kaj", SEASON, UNION, {"deposit": "540", "book": "https://skak.example.org/r.pdf"})
    return [
        *(both("deposit", text, "book") for text in ("mange", "-5", "0", "100001")),
        both("since", "1. juli", "deposit", "book"),
        *(both("book", text, "deposit") for text in ("r.pdf", "ftp://x", "https://x y", "x" * 501)),
    ]


def of_pasted() -> list[Faulty]:
    """Lines that are no table, too long or too many; of either kind, at either press."""
    lines = On("kaj", PASTED, PASTED, {"what": "entries", "step": "look", "list": ""})
    wrong = ("", "Klasse\nK", "Navn;Navn\nA;B", "a@b.dk\n" * 301, "x" * 400_001)
    return [
        *(lines("lines", text) for text in wrong),
        *(lines("lines", text, step="take") for text in ("", "Klasse\nK")),
        *(lines("lines", text, what="fees") for text in ("", "Ane Aa", "Dato;Beløb\n1-1-2026;5")),
    ]
