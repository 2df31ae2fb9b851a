"""The controller's year, accounts and quarantines on his pages; strangers find no such page.

§ 6.1.2, § 6.4.2, § 6.4.5.
"""

from io import BytesIO

from aiohttp import FormData

from server.store.cases import publications as publication_rows
from server.store.cases.publications import NewSanction
from server.store.play.people import Office
from server.usecases import office
from tests.fakes.machinery.each import rows
from tests.fakes.site import Site, officials
from tests.server.web.conftest import OWN, Browser, Browsers
from tests.server.web.desk_cast import case_of, claimed

FEE = {
    "tournament": "Pokal", "kind": "fee", "way": "in", "amount": "1.150,50", "day": "2026-09-01",
    "party": "Nordre <b>Skakklub</b>", "text": "Indskud", "key": "k1",
}  # fmt: skip
MOVE = {"form": "dm", "season": "2027", "step": "start", "year": "2027"}
HEAD = "dato;turnering;art;beløb;person;tekst\n"


async def cast(site: Site) -> None:
    """The officials, and Dan who runs the server."""
    await officials(site)
    await site.admit("dan", Office.ADMIN)


async def amounts(site: Site) -> list[int]:
    found = await office.books_for(site.core, await site.person("kaj@example.org"))
    return [line.entry.ore for line in found.lines]


async def test_an_entry_by_the_form_once_and_back_again(site: Site, browsers: Browsers):
    await cast(site)
    kaj = await browsers.of("kaj")
    for _ in range(2):  # the browser sends the form twice
        assert (await kaj.post("/desk/kc/economy", FEE)).status == 303
    assert await amounts(site) == [115_050]
    _, text = await kaj.get("/desk/kc/economy")
    assert "1.150,50" in text and "Ført af Kaj" in text
    status, desk = await kaj.get("/desk/kc")
    assert status == 200 and "1.150,50" in desk
    assert (await kaj.post("/desk/kc/economy/1", {"text": "Forkert"})).status == 303
    assert await amounts(site) == [115_050, -115_050]
    answer = await kaj.post("/desk/kc/economy/1", {"text": "Igen"})
    assert answer.status == 422 and "allerede ført tilbage" in await answer.text()
    assert (await kaj.post("/desk/kc/economy/99", {"text": "x"})).status == 404


async def test_the_page_shows_this_years_lines_unless_another_year_is_asked_for(site, browsers):
    await cast(site)
    kaj = await browsers.of("kaj")
    for key, day, text in (("a", "2025-12-31", "Gammel"), ("b", "2026-01-01", "Ny")):
        await kaj.post("/desk/kc/economy", FEE | {"key": key, "day": day, "party": text})

    async def shown(query: str) -> tuple[bool, bool]:
        text = (await kaj.get(f"/desk/kc/economy{query}"))[1]
        return "<td>Gammel</td>" in text, "<td>Ny</td>" in text

    assert await shown("") == (False, True)
    assert await shown("?year=2025") == (True, False)
    assert await shown("?tournament=&year=") == (True, True)
    assert await shown("?tournament=Andet&year=") == (False, False)
    _, text = await kaj.get("/desk/kc/economy/year/2026")
    told = " ".join(text.split())
    assert "I alt 2026" in told and "2.301,00" in told, "what 2025 left and 2026 brought"
    assert ">Ny</td>" in text and ">Gammel</td>" not in text


async def test_a_text_is_shown_as_text(site: Site, browsers: Browsers):
    await cast(site)
    kaj = await browsers.of("kaj")
    await kaj.post("/desk/kc/economy", FEE)
    answer = await kaj.http.get("/desk/kc/economy")
    assert "Nordre &lt;b&gt;Skakklub&lt;/b&gt;" in await answer.text()


async def test_a_refused_day_names_the_step_in_the_way_with_a_link_to_it(site: Site, kaj: Browser):
    moved = {"form": "league", "season": "2027", "act": "moved", "reason": "Kongressen"}
    step = moved | {"step": "deadline", "day": "2027-01-05", "year": "2026"}
    refused = await kaj.post("/desk/kc/year", step)
    said = await refused.text()
    assert refused.status == 422 and "står til den 20. december 2026" in said
    assert '<a href="/desk/kc/year?year=2026">' in said
    for other in ("letters", "divisions"):
        first = moved | {"step": other, "day": "2027-01-08"}
        assert (await kaj.post("/desk/kc/year", first)).status == 303
    assert (await kaj.post("/desk/kc/year", step)).status == 303


@rows(
    "wrong said",
    ({"amount": "12.50"}, "Beløbet kan ikke læses"),
    ({"amount": "-5"}, "Beløbet kan ikke læses"),
    ({"amount": "0"}, "Beløbet kan ikke læses"),
    ({"day": "2026-09-02"}, "ikke kommet endnu"),
    ({"day": "2026-02-30"}, "Datoen kan ikke læses"),
    ({"kind": "gave"}, "Arten skal være"),
    ({"way": "up"}, "Arten skal være"),
    ({"party": ""}, "hvem der betalte"),
    ({"text": "x" * 201}, "højst fylde 200 tegn"),
)
async def test_what_is_wrong_is_said_and_what_was_typed_stays(site, browsers, wrong, said):
    await cast(site)
    kaj = await browsers.of("kaj")
    answer = await kaj.post("/desk/kc/economy", FEE | wrong)
    text = await answer.text()
    assert answer.status == 422 and said in text
    assert 'value="Pokal"' in text
    assert await amounts(site) == []


async def send_file(browser: Browser, raw: bytes, act: str = "try") -> str:
    token = await browser.http.get("/leave")
    csrf = (await token.text()).split('name="csrf" value="')[1].split('"')[0]
    form = FormData({"csrf": csrf, "act": act})
    form.add_field("file", BytesIO(raw), filename="konto.csv", content_type="text/csv")
    answer = await browser.http.post("/desk/kc/economy/import", data=form, headers=OWN)
    assert answer.status in (200, 422)
    return await answer.text()


async def test_a_file_is_shown_before_it_is_taken(site: Site, browsers: Browsers):
    await cast(site)
    kaj = await browsers.of("kaj")
    raw = (HEAD + "1-8-2026;Pokal;indskud;150;Åse;Indskud\n").encode("windows-1252")
    text = await send_file(kaj, raw)
    assert "Nye poster: 1. Kendte: 0. Fejl: 0." in text and "Åse" in text
    assert await amounts(site) == []
    csv = text.split('<textarea name="csv" hidden>\n')[1].split("</textarea>")[0]
    answer = await kaj.post("/desk/kc/economy/import", {"csv": csv, "act": "take"})
    assert "Læst ind" in await answer.text()
    assert await amounts(site) == [15_000]
    bad = await send_file(kaj, (HEAD + "1-8-2026;Pokal;gave;150;Bo;x\n").encode())
    assert "Linje 2: Arten skal være" in bad and "Intet er læst ind" in bad
    assert "for stor" in await send_file(kaj, b"x" * 500_001)
    exported = await (await kaj.http.get("/desk/kc/economy.csv?tournament=Pokal&year=2026")).read()
    assert exported.startswith(b"\xef\xbb\xbfnr;dato;turnering")
    assert "150,00;Åse".encode() in exported
    book = await (await kaj.http.get("/desk/kc/economy.xlsx?tournament=Pokal&year=2026")).read()
    assert "Nye poster: 0. Kendte: 1. Fejl: 0." in await send_file(kaj, book)
    assert "Kendte: 0. Fejl: 1." in await send_file(kaj, book[:-30])
    other = await (await kaj.http.get("/desk/kc/economy.csv?year=2025")).read()
    assert len(other.splitlines()) == 1


async def test_a_step_is_moved_with_a_reason_and_the_history_shows_it(site, browsers):
    """§ 6.5.2: not out of September; refused moves leave nothing."""
    await cast(site)
    kaj = await browsers.of("kaj")
    fields = MOVE | {"act": "moved", "day": "2027-10-05", "reason": "Kongres"}
    answer = await kaj.post("/desk/kc/year", fields)
    text = await answer.text()
    assert answer.status == 422 and "begynder i september (§ 6.5.2)" in text
    assert 'value="Kongres"' in text and 'value="2027-10-05"' in text
    answer = await kaj.post("/desk/kc/year", fields | {"day": "2027-09-08"})
    assert (answer.status, answer.headers["Location"]) == (303, "/desk/kc/year?year=2027")
    _, text = await kaj.get("/desk/kc/year?year=2027")
    assert "Flyttet til 8. september 2027: Kongres" in text
    assert "flyttet" in text.split("DM-klassen 2027: start")[1][:80]
    for odd in ({"form": "x"}, {"step": "x"}, {"act": "x"}, {"season": "1"}, {"season": "x"}):
        assert (await kaj.post("/desk/kc/year", fields | odd)).status == 400
    for year in ("", "x", "99999", "1", "\u0662\u0660\u0662\u0667"):
        assert (await kaj.get(f"/desk/kc/year?year={year}"))[0] == 200


async def test_the_desk_lists_the_quarantines_in_force_and_no_others(site, browsers):
    """§ 6.4.2: from its first day to its last; what was annulled or is a warning is none."""
    await cast(site)
    await claimed(site, browsers)
    case, today = await case_of(site), site.core.today("Europe/Copenhagen").isoformat()
    people = [(await site.person(f"{n}@example.org")).id for n in ("anna", "bent", "soren", "ole")]
    kinds = [("quarantine", today), ("quarantine", "2026-09-30"), ("warning", None)]
    rows = [
        NewSanction(who, case.id, kind, None, "2026-09-01", last)
        for who, (kind, last) in zip(people, kinds, strict=False)
    ]
    rows += [
        NewSanction(people[3], case.id, "quarantine", None, "2026-09-01", None),
        NewSanction(people[2], case.id, "quarantine", None, "2026-09-02", None),
    ]
    await site.core.store.transact(lambda conn: publication_rows.add_sanction(conn, rows))
    await site.core.store.transact(
        lambda conn: publication_rows.annul(
            conn, case.id, people[2], "2026-09-02", site.core.now_us
        )
    )
    kaj = await browsers.of("kaj")

    async def listed() -> str:
        text = (await kaj.get("/desk/kc"))[1]
        return text.split('<section id="quarantines">')[1].split("</section>")[0]

    text = await listed()
    assert "Anna Andersen" in text and "Ole" in text and "uden slutdato" in text
    assert "Bent" not in text and "Søren" not in text
    assert f"/desk/cases/{case.number}" in text
    site.clock.turn(1)
    assert "Anna Andersen" not in await listed()
