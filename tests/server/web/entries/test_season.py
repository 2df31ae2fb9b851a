"""«Åbn sæsonen» on the controller's desk: one page, one press, nobody else's (§ 6.1.2)."""

import re
from html import unescape

import pytest

from server.store import books as book_rows
from server.store import entries as entry_rows
from server.store.entries import ListRow
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.filled import fields_in
from tests.server.web.politeness import spoken

PAGE = "/desk/kc/season"
K, DM, CUP = "emt-K-email", "emt-DM-email", "cup-preliminary-email"


async def lists(site: Site) -> dict[str, ListRow]:
    async with site.core.store.read() as conn:
        return {row.name: row for row in await entry_rows.everything(conn)}


async def test_a_season_without_a_past_opens_as_it_stands(site: Site, kaj: Browser):
    raw = await (await kaj.http.get(PAGE)).text()
    fields = fields_in(raw, PAGE)
    assert fields[f"leader-{K}"] == "kaj@example.org" and fields[f"start-{DM}"] == "2027-09-01"
    fields |= {
        f"leader-{K}": "tove@example.org",
        f"fee_kr-{K}": "200",
        f"how_to_pay-{K}": "Konto 1",
        f"start-{DM}": "2027-09-06",
    }
    answer = await kaj.post(PAGE, fields)
    assert answer.headers["Location"] == f"{PAGE}?season=2027&done=6"
    made = await lists(site)
    assert set(made) == {
        "DM-klassen 2027", "Mesterklassen 2027", "Kvalifikationsklassen 2027", "Åben klasse 2027",
        "Pokalturneringen 2027", "Holdturneringen 2027",
    }  # fmt: skip
    one = made["Kvalifikationsklassen 2027"]
    tove = await site.person("tove@example.org")
    assert (one.fee, one.leader_id, one.prefix) == (20_000, tove.id, "K-27")
    _, text = await kaj.get(answer.headers["Location"])
    assert "6 lister er åbnet." in text and f'href="/desk/entries#list-{one.id}"' in text
    assert f'id="list-{one.id}"' in (await kaj.get("/desk/entries"))[1]
    assert 'href="/desk/cups/1"' in text
    async with site.core.store.read() as conn:
        (deed,) = await book_rows.list_actions(conn)
    assert (deed.form, deed.day, deed.reason) == (
        "dm", "2027-09-06", "Fastsat, da sæsonen blev åbnet.",
    )  # fmt: skip
    again = await kaj.post(PAGE, fields)
    assert again.headers["Location"] == f"{PAGE}?season=2027&done=0", "the press sent twice"
    assert await lists(site) == made


async def test_the_years_dates_lead_to_their_deeds_in_the_readers_language(kaj, site):
    # The years dates lead to their deeds and close with them.
    link = f'<a href="{PAGE}?season=2027">Holdturneringen 2027: annoncering</a>'
    for page in ("/desk/kc", "/desk/kc/year?year=2026"):
        assert link in (await kaj.get(page))[1], page
    fields = fields_in(await (await kaj.http.get(PAGE)).text(), PAGE)
    await kaj.post(PAGE, fields)
    assert link not in (await kaj.get("/desk/kc"))[1]
    _, year = await kaj.get("/desk/kc/year?year=2026")
    assert f'{link} <span class="flag">klaret</span>' in year
    for place in set(re.findall(r'<p class="step[^>]*>.*?<a href="([^"]+)"', year)):
        assert (await kaj.get(place.partition("#")[0]))[0] == 200, place
    # The page is in english for who reads english.
    await spoken(site, "en")
    _, text = await kaj.get(f"{PAGE}?season=2026")
    assert "Open the season 2026" in text and "Filled from the regulation" in text
    for odd in ("1800", "9999", "x", "9" * 40):
        assert (await kaj.get(f"{PAGE}?season={odd}"))[0] == 200


async def test_a_refusal_names_row_and_field_and_keeps_all_that_was_typed(site: Site, kaj: Browser):
    fields = fields_in(await (await kaj.http.get(PAGE)).text(), PAGE)
    del fields[f"open-{CUP}"]
    fields |= {f"name-{DM}": "DM <1>", f"leader-{K}": "ingen@example.org", "reason": "Ny plan"}
    answer = await kaj.post(PAGE, fields)
    assert answer.status == 422
    raw = await answer.text()
    assert fields_in(raw, PAGE) == fields
    said = "Kvalifikationsklassen, Leder (mailadresse): Skriv lederens adresse, og navnet foran"
    assert f'<a href="#leader-{K}">{said}' in unescape(raw)
    assert not await lists(site)
    nothing = {name: text for name, text in fields.items() if not name.startswith("open-")}
    answer = await kaj.post(PAGE, nothing)
    assert answer.status == 422 and "Sæt kryds ved mindst én liste" in await answer.text()


async def test_an_open_list_is_corrected_where_the_page_leads(site: Site, browsers: Browsers):
    await officials(site)
    kaj, tove = await browsers.of("kaj"), await browsers.of("tove")
    fields = fields_in(await (await kaj.http.get(PAGE)).text(), PAGE)
    await kaj.post(PAGE, fields | {f"leader-{K}": "tove@example.org"})
    one = (await lists(site))["Kvalifikationsklassen 2027"]
    path = f"/desk/entries/lists/{one.id}/correct"
    raw = await (await kaj.http.get("/desk/entries")).text()
    right = fields_in(raw, path)
    assert right == {"name": one.name, "tournament": one.tournament, "fee_kr": ""}
    assert (await tove.post(path, right)).status == 403
    assert path not in (await tove.get("/desk/entries"))[1]
    answer = await kaj.post(path, right | {"fee_kr": "175"})
    assert answer.headers["Location"] == f"/desk/entries#list-{one.id}"
    assert (await lists(site))[one.name].fee == 17_500


@pytest.mark.parametrize("odd", ["²", "9" * 5000, "-1", "x"])
async def test_an_address_that_nobody_made_shows_the_page_without_a_word(site, browsers, odd):
    await officials(site)
    kc = await browsers.of("kaj")
    status, text = await kc.get(f"{PAGE}?done={odd}")
    assert status == 200 and 'class="notice" role="status"' not in text
