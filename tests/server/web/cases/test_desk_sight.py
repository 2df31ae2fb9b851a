"""Who looks into a running game, and at the held mails, for his office: those in office now."""

from dataclasses import replace

import pytest

from mail.office_letters.case_letters import CaseDecision
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office, Role
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import case_of, claimed, decided, letters_go

PAGES = ("", "/statement", "/case.zip")


async def _appoint(site: Site, name: str, office: Office, *, until: int | None = None) -> None:
    """Made if nobody is called so; of the group K-26-01, where the office is of a group."""
    person = (await site.admit(name)).id
    async with site.core.store.write() as conn:
        row = NewOffice(person, office.value, (await site.game()).group_id, 0, 1)
        made = await person_rows.add_office(conn, row)
        if until is not None:
            assert await person_rows.end(conn, made, until)


async def _statuses(site: Site, browsers: Browsers, name: str) -> set[int]:
    browser = await browsers.of(name)
    game = f"/games/{(await site.game()).id}"
    # The file is no text; only its status is asked for.
    answers = [await browser.http.get(game + page) for page in PAGES]
    return {answer.status for answer in answers}


async def _listed(browsers: Browsers, name: str) -> int:
    """The running games in the group's PGN."""
    browser = await browsers.of(name)
    answer = await browser.http.get("/pgn/K-26-01.pgn")
    return (await answer.text()).count("[Event ")


@pytest.mark.parametrize("office", [Office.TL, Office.DEPUTY])
async def test_who_leads_beside_the_groups_leader_sees_its_running_games(
    site: Site, browsers: Browsers, office: Office
):
    """§ 6.1.1: a deputy's or second leader's sight is the leader's."""
    await _appoint(site, "dea", office)
    assert await _statuses(site, browsers, "dea") == {200}
    assert await _listed(browsers, "dea") == 3
    assert (await (await browsers.of("dea")).get("/desk/mail"))[0] == 200


async def test_an_official_sees_the_links_that_he_may_follow(site: Site, browsers: Browsers):
    await _appoint(site, "dea", Office.DEPUTY)
    page = (await (await browsers.of("dea")).get(f"/games/{(await site.game()).id}"))[1]
    assert "/case.zip" in page


async def test_a_former_deputy_sees_nothing_any_more(site: Site, browsers: Browsers):
    await _appoint(site, "dea", Office.DEPUTY, until=site.core.now_us)
    assert await _statuses(site, browsers, "dea") == {403}
    assert (await (await browsers.of("dea")).get("/desk/mail"))[0] == 404


async def test_a_leader_of_nothing_has_neither_desk_nor_mails(site: Site, browsers: Browsers):
    """He was a leader once: the word in his row opens no door."""
    await site.admit("finn", role=Role.TL)
    finn = await browsers.of("finn")
    assert (await finn.get("/desk"))[0] == (await finn.get("/desk/mail"))[0] == 404
    assert 'href="/desk"' not in (await finn.get("/"))[1]


# What rights on a case's page leave undone; who has which: api/cases/test_permissions.py.


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
        held = await person_rows.everyone(conn, site.core.now_us)
    for name in ("anna", "tove", "ole", "nina"):
        browser = await browsers.of(name)
        assert (await browser.post(f"/desk/kc/offices/{held[0].id}")).status == 403
    async with site.core.store.read() as conn:
        assert await person_rows.everyone(conn, site.core.now_us) == held


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


# A captain and the cases of his players: read, spoken in, told of (§ 6.7.6). That he neither leads
# nor appeals is in server/api/cases/test_permissions.py.


CLUB = "Nordre Skakklub"
"""Anna's."""


async def _captain(site: Site, name: str, club: str | None) -> int:
    game = await site.game()
    return (await site.admit(name, Office.CAPTAIN, game.group_id, club=club)).id


async def test_a_captain_reads_his_players_case_and_speaks_in_it(site: Site, browsers: Browsers):
    """§ 6.7.6: he finds it among his own, and is told what is said in it."""
    holger = await _captain(site, "holger", CLUB)
    path = await claimed(site, browsers)
    browser, tove = await browsers.of("holger"), await browsers.of("tove")
    assert path in (await browser.get("/"))[1]
    game = f"/games/{(await site.game()).id}"
    assert (await browser.get(game))[0] == 403, "no board of a team of his; the game is at rest"
    status, text = await browser.get(path)
    assert status == 200 and "Du ser sagen som holdleder" in text
    assert "case.zip" not in text and "/decide" not in text and "Ank" not in text
    await tove.post(f"{path}/note", {"text": "Hemmeligt notat"})
    assert "Hemmeligt notat" not in (await browser.get(path))[1]
    assert (await browser.post(f"{path}/say", {"text": "Anna var på hospitalet."})).status == 303
    assert "Anna var på hospitalet." in (await tove.get(path))[1]
    await tove.post(f"{path}/say", {"text": "Tak for oplysningen."})
    await tove.post(f"{path}/close", {"text": "Hørt."})
    await decided(tove, path, {"reasons": "X.", "paragraphs": "§ 6.3.3.1"})
    letters = [row for row in await site.written() if row.person_id == holger]
    assert [row.kind for row in letters].count(CaseDecision.kind) == 1
    assert len(letters) == 3, "the claim's case, a copy of the leader's word, not of his own"


@pytest.mark.parametrize("club", [None, "", "Søndre Skakklub"])
async def test_a_captain_of_no_club_or_another_sees_nothing(
    site: Site, browsers: Browsers, club: str | None
):
    """Reading of § 6.7.2: his players are those of his own club; no club is nobody's."""
    await _captain(site, "holger", club)
    async with site.core.store.write() as conn:
        bent = await site.person("bent@example.org")
        await person_rows.change(conn, replace(bent, club=None))
    path = await claimed(site, browsers)
    browser = await browsers.of("holger")
    assert (await browser.get(path))[0] == 404
    assert (await browser.post(f"{path}/say", {"text": "Hm."})).status == 404
    assert path not in (await browser.get("/"))[1]


async def test_a_captains_office_that_has_ended_opens_nothing(site: Site, browsers: Browsers):
    holger = await _captain(site, "holger", CLUB)
    path = await claimed(site, browsers)
    async with site.core.store.write() as conn:
        (held,) = await person_rows.list_person_offices(conn, holger, site.core.now_us)
        await person_rows.end(conn, held.id, site.core.now_us)
    site.clock.turn(1)
    assert (await (await browsers.of("holger")).get(path))[0] == 404
