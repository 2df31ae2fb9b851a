"""Every form of the desks, pressed by those who have no right to it: nothing happens."""

import pytest

from server.store.cases import cases as case_rows
from server.store.play import people as person_rows
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import case_of, claimed, decided, letters_go, officials

UNTIL = "2027-01-01"
LOST = {"reasons": "Tiden er brugt.", "paragraphs": "§ 6.3.3.1"}
DESK = {
    "note": {"text": "Hm."},
    "ask": {"until": UNTIL},
    "close": {"text": "Hørt."},
    "widen": {"new_game": "1"},
    "suspend": {},
    "lift": {},
    "settle": {"text": "Forlig."},
    "decide": LOST | {"step": "draft"},
    "edit": LOST,
}
"""The official's forms."""
OUTSIDE = {"soren": 404, "ole": 404, "nina": 404}
"""A third player of the group, the leader of another group, the Board before any appeal."""


async def _before(site: Site, browsers: Browsers) -> tuple[str, int]:
    await officials(site)
    path = await claimed(site, browsers)
    return path, (await case_of(site)).seq


@pytest.mark.parametrize("deed", DESK)
async def test_the_desks_forms_are_the_leaders_alone(site: Site, browsers: Browsers, deed: str):
    """§ 6.4.1: neither player, nor a third, nor another group's leader, nor who is unknown."""
    path, seq = await _before(site, browsers)
    for name, status in {"anna": 403, "bent": 403, "kaj": 403, **OUTSIDE}.items():
        if (name, deed) == ("kaj", "note"):
            continue  # the controller may keep a note in any case
        browser = await browsers.of(name)
        answer = await browser.post(f"{path}/{deed}", DESK[deed])
        assert answer.status == status, (name, deed)
    answer = await (await browsers.stranger()).post(f"{path}/{deed}", DESK[deed])
    assert answer.status == 303 and answer.headers["Location"].startswith("/signin")
    assert (await case_of(site)).seq == seq


async def test_only_those_in_the_case_speak_in_it(site: Site, browsers: Browsers):
    path, seq = await _before(site, browsers)
    for name, status in OUTSIDE.items():
        answer = await (await browsers.of(name)).post(f"{path}/say", {"text": "Jeg mener …"})
        assert answer.status == status, name
    assert (await case_of(site)).seq == seq
    answer = await (await browsers.of("anna")).post(f"{path}/say", {"text": "Jeg mener …"})
    assert answer.status == 303
    assert (await case_of(site)).seq > seq


async def test_only_the_claimant_takes_his_claim_back(site: Site, browsers: Browsers):
    path, seq = await _before(site, browsers)
    for name, status in {"anna": 403, "tove": 403, **OUTSIDE}.items():
        answer = await (await browsers.of(name)).post(f"{path}/withdraw")
        assert answer.status == status, name
    assert (await case_of(site)).seq == seq
    assert (await (await browsers.of("bent")).post(f"{path}/withdraw")).status == 303
    assert (await case_of(site)).state == "withdrawn"


async def test_only_those_concerned_appeal_and_only_the_appellant_takes_it_back(
    site: Site, browsers: Browsers
):
    path, _ = await _before(site, browsers)
    tove = await browsers.of("tove")
    await tove.post(f"{path}/close", {"text": "Hørt."})
    await decided(tove, path, LOST)
    await letters_go(site)
    seq = (await case_of(site)).seq
    for name, status in {"tove": 403, "kaj": 403, **OUTSIDE}.items():
        answer = await (await browsers.of(name)).post(f"{path}/appeal", {"text": "Nej."})
        assert answer.status == status, name
    assert (await case_of(site)).seq == seq
    assert (
        await (await browsers.of("anna")).post(f"{path}/appeal", {"text": "Nej."})
    ).status == 303
    for name, status in {"bent": 403, "tove": 403, "kaj": 403, "soren": 404, "ole": 404}.items():
        assert (await (await browsers.of(name)).post(f"{path}/unappeal")).status == status, name
    assert (await case_of(site)).state == "appealed"


async def test_a_leader_who_plays_in_the_group_decides_nothing_there(
    site: Site, browsers: Browsers
):
    """§ 6.1.1: Søren is made leader of the group he plays in."""
    path, seq = await _before(site, browsers)
    kaj = await browsers.of("kaj")
    fields = {"email": "soren@example.org", "office": "tl", "group": "K-26-01"}
    assert (await kaj.post("/desk/kc/offices", fields)).status == 303
    soren = await browsers.of("soren")
    for deed in ("close", "decide", "settle"):
        assert (await soren.post(f"{path}/{deed}", DESK[deed])).status in (403, 404)
    assert (await case_of(site)).seq == seq


async def test_nobody_hears_an_appeal_from_his_own_decision(site: Site, browsers: Browsers):
    path, _ = await _before(site, browsers)
    tove = await browsers.of("tove")
    await tove.post(f"{path}/close", {"text": "Hørt."})
    await decided(tove, path, LOST)
    await letters_go(site)
    await (await browsers.of("anna")).post(f"{path}/appeal", {"text": "Nej."})
    async with site.core.store.write() as conn:
        tove_id = (await site.person("tove@example.org")).id
        await person_rows.add_office(conn, person_rows.NewOffice(tove_id, "kc", None, 0, 1))
    answer = await tove.post(f"{path}/decide", LOST | {"step": "draft"})
    assert answer.status == 403
    assert "sin egen afgørelse" in await answer.text()


@pytest.mark.parametrize("name", ["anna", "tove", "ole", "nina"])
async def test_who_is_not_the_controller_appoints_nobody(site: Site, browsers: Browsers, name: str):
    """§ 6.1.1: leaders and deputies are the controller's to appoint."""
    await officials(site)
    browser = await browsers.of(name)
    fields = {"email": "anna@example.org", "office": "deputy", "group": "K-26-01"}
    assert (await browser.post("/desk/kc/offices", fields)).status == 403
    assert (await browser.get("/desk/kc"))[0] == 404
    async with site.core.store.read() as conn:
        held = await person_rows.everyone(conn, site.core.now_us)
    assert (await browser.post(f"/desk/kc/offices/{held[0].id}")).status == 403
    async with site.core.store.read() as conn:
        assert await person_rows.everyone(conn, site.core.now_us) == held


async def test_the_controller_fills_no_office_of_the_unions(site: Site, browsers: Browsers):
    await officials(site)
    kaj = await browsers.of("kaj")
    for office in ("kc", "board", "admin"):
        fields = {"email": "kaj@example.org", "office": office, "group": ""}
        assert (await kaj.post("/desk/kc/offices", fields)).status == 403


async def test_a_stranger_sees_no_case_and_no_paper(site: Site, browsers: Browsers):
    path, _ = await _before(site, browsers)
    async with site.core.store.read() as conn:
        rows = await case_rows.list_cases(conn)
    assert len(rows) == 1
    for name in OUTSIDE:
        browser = await browsers.of(name)
        for page in (path, f"{path}/papers/1", f"{path}/mails/1"):
            assert (await browser.get(page))[0] == 404, (name, page)
    tove, anna = await browsers.of("tove"), await browsers.of("anna")
    assert (await tove.get(f"{path}/papers/1"))[0] == 200
    assert (await anna.get(f"{path}/papers/1"))[0] == 200


@pytest.mark.parametrize(
    ("name", "pages"),
    [
        ("anna", {"/desk": 404, "/desk/kc": 404, "/desk/board": 404}),
        ("tove", {"/desk": 200, "/desk/kc": 404, "/desk/board": 404}),
        ("nina", {"/desk/kc": 404, "/desk/board": 200}),
        ("kaj", {"/desk/kc": 200, "/desk/board": 404}),
    ],
)
async def test_each_desk_is_its_holders(
    site: Site, browsers: Browsers, name: str, pages: dict[str, int]
):
    await officials(site)
    browser = await browsers.of(name)
    for page, status in pages.items():
        assert (await browser.get(page))[0] == status, page


async def test_a_party_sees_neither_notes_nor_what_is_tried(site: Site, browsers: Browsers):
    path, _ = await _before(site, browsers)
    tove, anna = await browsers.of("tove"), await browsers.of("anna")
    await tove.post(f"{path}/note", {"text": "Hemmeligt notat"})
    assert "Hemmeligt notat" in (await tove.get(path))[1]
    status, text = await anna.get(f"{path}?try=1&white=12")
    assert status == 200
    assert "Hemmeligt notat" not in text and "Sådan bliver regnskabet" not in text
    assert "/decide" not in text
