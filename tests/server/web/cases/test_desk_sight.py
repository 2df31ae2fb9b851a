"""Who looks into a running game, and at the held mails, for his office: those in office now."""

import pytest

from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office, Role
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers

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
async def test_who_leads_beside_the_groups_leader_sees_its_running_games(site, browsers, office):
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
