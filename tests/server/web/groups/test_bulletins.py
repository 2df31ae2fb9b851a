"""The bulletin's pages, the start letter's PDF and the prizes: who may, and what is shown."""

import pytest

from server.store import group_results as result_rows
from server.usecases.results import publishing
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import case_of, claimed, decided


@pytest.fixture
async def staffed(site: Site) -> Site:
    """The site with its officials, seen on the first day after its first quarter."""
    await officials(site)
    site.clock.turn(30)
    return site


async def test_a_draft_is_edited_previewed_and_sent_by_the_page(staffed: Site, browsers: Browsers):
    """§ 6.4.5.1: what is typed stays after a slip; a draft is nobody's to read."""
    kaj, anna = await browsers.of("kaj"), await browsers.of("anna")
    assert (await anna.post("/bulletins", {"act": "get"})).status == 303
    assert "Du får hver ny bulletin" in (await anna.get("/bulletins"))[1]
    fields = {"number": "1", "first": "2026-07-01", "last": "2026-06-01", "act": "save"}
    answer = await kaj.post("/desk/bulletin", fields | {"foreword": "<b>Hej</b>"})
    text = await answer.text()
    assert answer.status == 422 and "&lt;b&gt;Hej&lt;/b&gt;" in text
    assert 'value="2026-06-01"' in text and 'name="seal"' not in text
    saved = fields | {"last": "2026-09-30", "foreword": "<b>Hej</b>"}
    assert (await kaj.post("/desk/bulletin", saved)).status == 303
    page = (await kaj.get("/desk/bulletin"))[1]
    assert '<p class="text"><b>Hej</b></p>' in page, "unescaped by the test's browser only"
    assert "1 læser får den med mail" in page
    for path in ("/bulletins/1", "/bulletins/1.pdf", "/bulletins/99"):
        assert (await anna.get(path))[0] == 404, path
    seal = page.split('name="seal" value="')[1].split('"')[0]
    issue = {"number": "1", "seal": seal, "act": "issue"}
    answer = await kaj.post("/desk/bulletin", issue)
    assert answer.headers["Location"] == "/bulletins/1"
    again = await kaj.post("/desk/bulletin", issue)
    assert again.status == 422 and "er sendt ud" in await again.text()
    visitor = await browsers.stranger()
    assert "Nye grupper" in (await visitor.get("/bulletins/1"))[1]
    assert len(await staffed.written("bulletin")) == 1


async def test_a_decision_is_told_only_when_chosen_and_in_the_officials_words(site, browsers):
    """§ 6.4.5.1: of general interest, chosen by the official; the reasons are not published."""
    await officials(site)
    path = await claimed(site, browsers)
    tove, kaj = await browsers.of("tove"), await browsers.of("kaj")
    await tove.post(f"{path}/close", {"text": "Hørt."})
    await decided(tove, path, {"reasons": "Hemmelige grunde.", "paragraphs": "§ 6.3.3.1"})
    case = await case_of(site)
    site.clock.turn(60)
    page = (await kaj.get("/desk/bulletin"))[1]
    assert "afgørelser i perioden" in page, "the case was decided in the quarter after"
    days = {"number": "1", "first": "2026-07-01", "last": "2026-12-31", "act": "save"}
    assert (await kaj.post("/desk/bulletin", days)).status == 303
    page = (await kaj.get("/desk/bulletin"))[1]
    form, draft = page.split('id="draft"')
    assert case.number in form and "Hemmelige grunde." in form
    assert "Hemmelige grunde." not in draft and case.number not in draft
    chosen = days | {f"case{case.id}": "1"}
    assert (await kaj.post("/desk/bulletin", chosen)).status == 422
    told = chosen | {f"text{case.id}": "Et krav skal rejses, før der trækkes."}
    assert (await kaj.post("/desk/bulletin", told)).status == 303
    draft = (await kaj.get("/desk/bulletin"))[1].split('id="draft"')[1]
    assert "Et krav skal rejses" in draft and case.number in draft


async def test_the_start_letters_pdf_is_for_the_group_and_its_officials(staffed, browsers):
    """§ 6.5.2.1: it has everybody's address; who reads it: cases/test_who_reads.py."""
    path, anna = "/groups/K-26-01/start.pdf", await browsers.of("anna")
    answer = await anna.http.get(path)
    assert (await answer.read()).startswith(b"%PDF-")
    assert answer.content_type == "application/pdf"
    assert (await (await browsers.of("kaj")).get("/groups/none/start.pdf"))[0] == 404
    assert f'href="{path}"' in (await anna.get("/groups/K-26-01"))[1]
    assert path not in (await (await browsers.stranger()).get("/groups/K-26-01"))[1]


async def finished(site: Site) -> int:
    """The group played out and published: its publication's number."""
    for name in ("K-26-01/1", "K-26-01/2", "K-26-01/3"):
        for text in ("f3", "e5", "g4", "Dh4"):
            await site.play(await site.game(name), text)
    site.clock.turn(1)
    await publishing.daily(site.core)
    return 4


async def test_prizes_are_recorded_by_the_groups_officials_and_shown_to_all(staffed, browsers):
    """§ 6.5.4: by its leader or the controller; not by players, others' leaders or the Board."""
    number = await finished(staffed)
    path, fields = "/results/K-26-01", {"act": "amounts", "publication": str(number)}
    for name in ("anna", "soren", "ole", "nina"):
        answer = await (await browsers.of(name)).post(path, fields | {"amounts": "1"})
        assert answer.status == 403, name
    tove = await browsers.of("tove")
    for wrong in ("mange penge", "-5", "1e3", "500,123", ";".join("1" * 25)):
        assert (await tove.post(path, fields | {"amounts": wrong})).status == 422, wrong
    async with staffed.core.store.read() as conn:
        assert await result_rows.prizes_of_group(conn, 1) == ()
    assert (await tove.post(path, fields | {"amounts": "500; 300,5"})).status == 303
    async with staffed.core.store.read() as conn:
        assert await result_rows.prizes_of_group(conn, 1) == (50000, 30050)
    shown = (await (await browsers.stranger()).get(path))[1]
    assert "Præmie:" in shown and "kr." in shown
    assert 'name="amounts"' not in shown
    assert 'value="500; 300,50"' in (await tove.get(path))[1]
    kaj = await browsers.of("kaj")
    assert (await kaj.post(path, fields | {"amounts": ""})).status == 303
    async with staffed.core.store.read() as conn:
        assert await result_rows.prizes_of_group(conn, 1) == ()
