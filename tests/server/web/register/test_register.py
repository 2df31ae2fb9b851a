"""The register's pages: who finds them, looking up, changing with a reason, files in two steps."""

import re
from html import unescape

import pytest
from aiohttp import FormData

from server.store import members as member_rows
from server.store.members import MemberRow
from server.store.play.people import Role
from server.usecases.register.csv_table import RegisterEditor, RegisterKind, Rules
from server.usecases.register.register_desk import import_file
from tests.fakes.site import Site, officials
from tests.server.web.conftest import OWN, Browser, Browsers

CLUBS = "Klub;Hovedkreds\nNordre Skakklub;1. hovedkreds\nÆrø Skakklub;3. hovedkreds\n"
MEMBERS = (
    "Nr;Navn;E-mail;Født;Klub\n"
    "4711;Anna Andersen;anna@example.org;3-2-1951;Nordre Skakklub\n"
    "4712;Ægir Ås;aegir@example.org;1-1-1960;Ærø Skakklub\n"
)
FILES = "/desk/members/files"


@pytest.fixture
async def desk(site: Site) -> Site:
    """Kaj is controller; Anna and Ægir are members, Anna in Tove's group."""
    await officials(site)
    doer = RegisterEditor(None, "command", "import: m.csv", may_readdress=True)
    for what, text in ((RegisterKind.CLUBS, CLUBS), (RegisterKind.MEMBERS, MEMBERS)):
        report = await import_file(site.core, what, text.encode(), doer, Rules())
        assert report.is_done, report
    return site


async def _member(site: Site, name: str) -> MemberRow:
    async with site.core.store.read() as conn:
        return next(row for row in await member_rows.everybody(conn) if row.name == name)


async def _path(site: Site, name: str = "Anna Andersen") -> str:
    return f"/desk/members/{(await _member(site, name)).id}"


async def test_what_is_found_and_who_sees_what_of_a_member(desk, browsers, tove):
    # A member is found by name club or number in any case.
    kaj = await browsers.of("kaj")
    for words in ("ægir", "ÆRØ", "4712", "ås ærø"):
        _, text = await kaj.get("/desk/members", params={"q": words})
        assert "Ægir Ås" in text and ">Anna Andersen<" not in text, words
    _, text = await kaj.get("/desk/members", params={"q": "%"})
    assert "Ingen medlemmer passer" in text
    # A leader sees the address of his own player only.
    _, text = await tove.get("/desk/members")
    assert "anna@example.org" in text and "aegir@example.org" not in text
    _, text = await tove.get(await _path(desk, "Ægir Ås"))
    assert "1. januar 1960" not in text and "aegir@" not in text and "Ret oplysninger" not in text
    # A player sees his own data and others do not.
    anna = await browsers.of("anna")
    _, text = await anna.get("/settings")
    assert "3. februar 1951" in text and "anna@example.org" in text and "4711" in text
    _, text = await (await browsers.of("bent")).get("/settings")
    assert not _has(text, "1951") and "anna@example.org" not in text
    public = f"/players/{(await _member(desk, 'Anna Andersen')).id}"
    for browser in (anna, await browsers.of("bent"), await browsers.stranger()):
        _, text = await browser.get(public)
        assert "anna@example.org" not in text
        assert not _has(text, "1951") and not _has(text, "4711")


async def test_a_change_needs_a_reason_and_is_kept_with_it(desk: Site, browsers: Browsers):
    kaj, path = await browsers.of("kaj"), await _path(desk)
    fields = {"name": "Anna Andersen", "kind": "club", "club": "Ærø Skakklub"}
    answer = await kaj.post(path, fields)
    assert answer.status == 422 and "Skriv, hvorfor" in await answer.text()
    assert (await _member(desk, "Anna Andersen")).club == "Nordre Skakklub"
    answer = await kaj.post(path, fields | {"reason": "flyttet til Ærø"})
    assert answer.status == 303
    _, text = await kaj.get(answer.headers["Location"])
    assert "klub: Nordre Skakklub → Ærø Skakklub" in text and "Kaj: flyttet til Ærø" in text


async def test_a_change_needs_a_reason_and_what_was_typed_wrong_comes_back(desk, browsers):
    # What was typed wrong comes back with what to write.
    kaj, path = await browsers.of("kaj"), await _path(desk)
    answer = await kaj.post(path, {"name": "", "reason": "x"})
    assert answer.status == 422 and "Navnet mangler" in await answer.text()
    fields = {"kind": "club", "club": "Ærø Skaklub", "reason": "<b>x</b>"}
    text = await (await kaj.post(path, fields)).text()
    assert "Mente du »Ærø Skakklub«" in text and 'value="Ærø Skaklub"' in text
    assert "<b>x</b>" not in text
    # A rating is entered with its day and stands in the list.
    rated = {"k_rating": "1555", "k_status": "midlertidig", "k_date": "2026-08-01", "reason": "x"}
    assert (await kaj.post(path, rated | {"k_source": "liste"})).status == 303
    _, text = await kaj.get(path)
    assert "1. august 2026" in text and "midlertidig" in text and "1555" in text
    # A new member is added once.
    kaj = await browsers.of("kaj")
    fields = {"name": "Ib Iversen", "birth": "1970-01-01", "kind": "individual", "reason": "ny"}
    answer = await kaj.post("/desk/members/new", fields)
    assert answer.status == 303
    assert (await _member(desk, "Ib Iversen")).kind == "individual"
    answer = await kaj.post("/desk/members/new", fields)
    assert answer.status == 422 and "er i registret" in await answer.text()


async def test_an_emptied_field_is_emptied_and_the_players_own_address_needs_a_tick(desk, browsers):
    await browsers.of("anna")  # signing in proves the address
    kaj, path = await browsers.of("kaj"), await _path(desk)
    fields = {"email": "ny@example.org", "birth": "", "reason": "x"}
    answer = await kaj.post(path, fields)
    assert answer.status == 422 and "spilleren bruger selv" in await answer.text()
    assert (await _member(desk, "Anna Andersen")).birth == "1951-02-03"
    assert (await kaj.post(path, fields | {"take_email": "1"})).status == 303
    anna = await _member(desk, "Anna Andersen")
    assert (anna.email, anna.birth) == ("ny@example.org", None)


async def _upload(browser: Browser, text: str) -> str:
    _, shown = await browser.get(FILES)
    token = re.search(r'name="csrf" value="([^"]+)"', shown)
    assert token is not None
    form = FormData({"csrf": token[1], "step": "check", "what": "members"})
    form.add_field("file", text.encode(), filename="nye.csv", content_type="text/csv")
    answer = await browser.http.post(FILES, data=form, headers=OWN)
    assert answer.status in (200, 422)
    return await answer.text()


def _carried(text: str) -> dict[str, str]:
    """What the confirmation's form sends."""
    form = text[text.index('enctype="multipart/form-data"') :]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    area = re.search(r'<textarea name="csv" hidden>\n(.*?)</textarea>', form, re.DOTALL)
    assert area is not None
    return fields | {"csv": unescape(area[1]).replace("\n", "\r\n"), "step": "do"}


NEW = 'Nr;Navn;Klub\n4711;Anna Andersen;Ærø Skakklub\n5;"Bo ""B"" <Bak>";Ærø Skakklub\n'


async def test_a_file_is_shown_first_and_written_when_confirmed(desk: Site, browsers: Browsers):
    kaj = await browsers.of("kaj")
    shown = await _upload(kaj, NEW)
    assert "Intet er ændret endnu" in shown
    assert "klub: Nordre Skakklub → Ærø Skakklub" in shown and "<Bak>" not in shown
    assert (await _member(desk, "Anna Andersen")).club == "Nordre Skakklub"
    answer = await kaj.post(FILES, _carried(shown))
    assert "Registret er ændret" in await answer.text()
    assert (await _member(desk, "Anna Andersen")).club == "Ærø Skakklub"
    assert (await _member(desk, 'Bo "B" <Bak>')).number == "5"


async def test_what_has_changed_since_it_was_shown_is_shown_again(desk: Site, browsers: Browsers):
    kaj = await browsers.of("kaj")
    carried = _carried(await _upload(kaj, NEW))
    await kaj.post(await _path(desk), {"kind": "individual", "club": "", "reason": "x"})
    text = await (await kaj.post(FILES, carried)).text()
    assert "ikke længere det, du så" in text
    assert (await _member(desk, "Anna Andersen")).kind == "individual"


async def test_a_file_that_cannot_be_used_or_has_bad_lines(desk, browsers):
    # Bad lines stop the file until they are skipped.
    kaj = await browsers.of("kaj")
    shown = await _upload(kaj, NEW + "6;Ib;Vestre\n")
    assert "Linje 4" in shown and "Vestre" in shown
    carried = _carried(shown)
    await kaj.post(FILES, carried)
    assert (await _member(desk, "Anna Andersen")).club == "Nordre Skakklub"
    await kaj.post(FILES, carried | {"skip_bad": "1"})
    assert (await _member(desk, "Anna Andersen")).club == "Ærø Skakklub"
    # A file that cant be read is answered with the remedy.
    assert "En kolonne mangler" in await _upload(kaj, "x;y\n1;2\n")
    assert "Filen er tom" in await _upload(kaj, "")


def _has(text: str, digits: str) -> bool:
    """Whether a page has them as a word: they may stand in a token too."""
    return re.search(rf"\b{digits}\b", text) is not None


async def test_the_administrator_may_readdress_an_official(desk: Site, browsers: Browsers):
    await desk.admit("ada", role=Role.ADMIN)
    tove = await desk.person("tove@example.org")
    path, fields = f"/desk/members/{tove.id}", {"email": "t@example.org", "reason": "x"}
    answer = await (await browsers.of("kaj")).post(path, fields)
    assert answer.status == 422 and "af administratoren" in await answer.text()
    assert (await (await browsers.of("ada")).post(path, fields)).status == 303
