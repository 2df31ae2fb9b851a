"""Issue 5: faulty posts of results, bulletin, season plans, team entries and passkeys."""

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from server.store.account import sign_in as access
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, enter
from server.usecases.results import publishing
from server.usecases.season.composing import plans
from server.usecases.season.team_entering import TeamAsking, TeamRefused, enter_team
from tests.fakes.league import address, begin_division, players_of, team_of
from tests.fakes.machinery.authenticator import Authenticator
from tests.fakes.site import Site, close_site, officials, open_site
from tests.fakes.teams import (
    by_address,
    club_id,
    league_list,
    lineup,
    register_clubs,
    register_individuals,
)
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import case_of, claimed, decided
from tests.server.web.faulty.faulty_published import (
    ACCESS,
    PLANS,
    of_bulletin,
    of_passkeys,
    of_plans,
    of_results,
    of_team_desk,
    of_team_entries,
)
from tests.server.web.politeness import refused, spoken

SINGLE = ("Ene Et", "Ene To", "Ene Tre", "Ene Fire")
LANGUAGES = pytest.mark.parametrize("lang", ["da", "en"])


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """A site with a name: passkeys belong to names."""
    opened = await open_site(tmp_path, public_url="http://localhost:8080")
    yield opened
    await close_site(opened)


@LANGUAGES
async def test_a_faulty_form_of_a_result_is_said_and_nothing_typed_is_lost(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.4.5, § 6.5.4: objections and prizes; a stale page is told as one."""
    for name in ("K-26-01/1", "K-26-01/2", "K-26-01/3"):
        for text in ("f3", "e5", "g4", "Dh4"):
            await site.play(await site.game(name), text)
    site.clock.turn(1)
    await publishing.daily(site.core)
    await spoken(site, lang)
    anna = (await site.person("anna@example.org")).id
    games = [await site.game(f"K-26-01/{n}") for n in (1, 2, 3)]
    own = next(game.id for game in games if game.side_of(anna))
    await refused(site, browsers, of_results("K-26-01", 4, own))


@LANGUAGES
async def test_a_faulty_form_of_the_bulletin_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.4.5.1: the period, the foreword, a decision without words, a draft that is gone."""
    await officials(site)
    path = await claimed(site, browsers)
    tove, kaj = await browsers.of("tove"), await browsers.of("kaj")
    await tove.post(f"{path}/close", {"text": "Hørt."})
    await decided(tove, path, {"reasons": "Grunde.", "paragraphs": "§ 6.3.3.1"})
    site.clock.turn(60)
    days = {"number": "1", "first": "2026-07-01", "last": "2026-12-31", "act": "save"}
    assert (await kaj.post("/desk/bulletin", days)).status == 303
    await spoken(site, lang)
    await refused(site, browsers, of_bulletin((await case_of(site)).id))


async def league(site: Site) -> None:
    """September 2026: Nord and Syd played in 2026; Leif leads the list for 2027."""
    await register_clubs(site.core, "Nord", "Syd")
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"), start="2026-01-10")
    await officials(site)
    await site.admit("leif")
    await league_list(site.core, await site.person("kaj@example.org"), "leif@example.org", "H27")


@LANGUAGES
async def test_a_faulty_form_of_a_season_plan_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.7.5.1: a line that can't be read, a day, a dispensation's reason and its stale page."""
    await league(site)
    team = (await team_of(site.core, "DIV-1", "Nord")).id
    await entered(site, "Syd")
    kaj = await browsers.of("kaj")
    fields = {"deadline": "2026-12-13", "new": "Midt: 1500 1500 1500 1500", f"team-{team}": "1"}
    assert (await kaj.post(PLANS, fields)).status == 303
    (row,) = await plans(site.core)
    await spoken(site, lang)
    await refused(site, browsers, of_plans(row.id, team))
    faulty = await kaj.post(PLANS, {"deadline": "2026-11-30", "new": "Midt 1500"})
    text = await faulty.text()
    assert 'name="deadline" value="2026-11-30"' in text, "the day that was asked for"
    assert f'name="team-{team}" value="1">' in text, "a team that was left out stays left out"


@LANGUAGES
async def test_words_for_a_plan_that_another_took_the_place_of_are_not_lost(
    site: Site, browsers: Browsers, lang: str
):
    await league(site)
    kaj = await browsers.of("kaj")
    await kaj.post(PLANS, {"deadline": "2026-12-13", "new": "Midt: 1500 1500 1500 1500"})
    (row,) = await plans(site.core)
    path = f"{PLANS}/{row.id}/grant"
    fields = {"club": "Midt", "division": "1", "answer": "refuse", "reason": "For svagt"}
    assert (await kaj.post(path, fields)).status == 303
    await spoken(site, lang)
    stale = await kaj.post(path, fields | {"reason": "Vel begrundet"})
    assert stale.status == 422 and "Vel begrundet" in await stale.text()


async def entered(site: Site, club: str, **more: object) -> int:
    """A club's captain enters its team: the entry's number."""
    captain = await by_address(site.core, address(f"{club} Et"))
    seats = await lineup(site.core, *players_of(club))
    asked = TeamAsking(1, await club_id(site.core, club), captain.id, seats, **more)  # type: ignore[arg-type]
    done = await enter_team(site.core, captain, asked)
    assert not isinstance(done, TeamRefused)
    return done.id


@LANGUAGES
async def test_a_faulty_form_of_team_entries_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.7.3-6.7.4.1: the desk's deeds, a district's team, the club's own form and line-up."""
    await league(site)
    entry = await entered(site, "Nord", asks=True)
    await register_individuals(site.core, *SINGLE)
    kaj = await site.person("kaj@example.org")
    single = [(await by_address(site.core, address(name))).id for name in SINGLE]
    for person in single:
        await enter(
            site.core,
            kaj,
            EntryRequest(1, EntryStatement(member="1"), person, fee=date(2026, 9, 1)),
        )
    nord = [(await by_address(site.core, address(name))).id for name in players_of("Nord")]
    syd = [(await by_address(site.core, address(name))).id for name in players_of("Syd")]
    await spoken(site, lang)
    await refused(site, browsers, of_team_desk(entry, nord[1], 1, single))
    clubs = [await club_id(site.core, name) for name in ("Nord", "Syd")]
    of_club = of_team_entries(clubs[1], entry, syd), of_team_entries(clubs[0], entry, nord)
    await refused(site, browsers, [one for one in of_club[0] if one.who == "leif"])
    await refused(site, browsers, [one for one in of_club[1] if one.who != "leif"])


@LANGUAGES
async def test_a_faulty_form_of_passkeys_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """Issue 5: made, renamed and used; an answer that proves nothing keeps the name typed."""
    anna, key = await browsers.of("anna"), Authenticator()
    asked = await anna.post(f"{ACCESS}/passkeys/options", {"name": "Tavlen", "answer": ""})
    fields = {"name": "Tavlen", "answer": key.make(await asked.text())}
    assert (await anna.post(f"{ACCESS}/passkeys", fields)).status == 303
    async with site.core.store.read() as conn:
        (row,) = await access.passkeys_of(conn, (await site.person("anna@example.org")).id)
    await spoken(site, lang)
    await refused(site, browsers, of_passkeys(row.id))
