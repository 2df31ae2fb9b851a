"""What rights on a case's page leave undone; who has which: api/cases/test_permissions.py."""

from server.store.play import people as person_rows
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import case_of, claimed, decided, letters_go

LOST = {"reasons": "Tiden er brugt.", "paragraphs": "§ 6.3.3.1"}


async def _before(site: Site, browsers: Browsers) -> tuple[str, int]:
    await officials(site)
    path = await claimed(site, browsers)
    return path, (await case_of(site)).seq


async def test_whom_the_case_is_shut_to_changes_nothing_in_it(site: Site, browsers: Browsers):
    """Nobody signed in is led to sign in; what is refused leaves no event (§ 6.4.1)."""
    path, seq = await _before(site, browsers)
    for name in ("anna", "kaj", "soren", "ole", "nina"):
        for deed in ("close", "settle", "decide"):
            answer = await (await browsers.of(name)).post(f"{path}/{deed}", LOST | {"text": "Nej."})
            assert answer.status in (403, 404), (name, deed)
    answer = await (await browsers.stranger()).post(f"{path}/close", {"text": "Hørt."})
    assert answer.status == 303 and answer.headers["Location"].startswith("/signin")
    assert (await browsers.of("ole")) and (await case_of(site)).seq == seq


async def test_whom_the_controller_did_not_appoint_dismisses_nobody(site: Site, browsers: Browsers):
    """§ 6.1.1: leaders and deputies are the controller's to appoint and dismiss."""
    await officials(site)
    async with site.core.store.read() as conn:
        held = await person_rows.list_offices(conn, site.core.now_us)
    for name in ("anna", "tove", "ole", "nina"):
        browser = await browsers.of(name)
        assert (await browser.post(f"/desk/kc/offices/{held[0].id}")).status == 403
    async with site.core.store.read() as conn:
        assert await person_rows.list_offices(conn, site.core.now_us) == held


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


async def test_a_party_sees_neither_notes_nor_what_is_tried(site: Site, browsers: Browsers):
    path, _ = await _before(site, browsers)
    tove, anna = await browsers.of("tove"), await browsers.of("anna")
    await tove.post(f"{path}/note", {"text": "Hemmeligt notat"})
    assert "Hemmeligt notat" in (await tove.get(path))[1]
    status, text = await anna.get(f"{path}?try=1&white=12")
    assert status == 200
    assert "Hemmeligt notat" not in text and "Sådan bliver regnskabet" not in text
    assert "/decide" not in text
