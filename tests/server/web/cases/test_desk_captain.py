"""A captain and the cases of his players: read, spoken in, told of (§ 6.7.6).

That he neither leads nor appeals is in server/api/cases/test_permissions.py.
"""

from dataclasses import replace

import pytest

from mail.office_letters.case_letters import CaseDecision
from server.store.play import people as person_rows
from server.store.play.people import Office
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import claimed, decided

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
    assert status == 200 and "Du ser sagen som holdkaptajn" in text
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
async def test_a_captain_of_no_club_or_another_sees_nothing(site, browsers, club):
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
        (held,) = await person_rows.list_offices(conn, site.core.now_us, person_id=holger)
        await person_rows.end(conn, held.id, site.core.now_us)
    site.clock.turn(1)
    assert (await (await browsers.of("holger")).get(path))[0] == 404
