"""Issue 5: the officials' faulty forms come again with what was typed and the fault beside it."""

import pytest

from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.league import begin_division, board_game, team_of
from tests.fakes.site import Site, group_text, officials
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import claimed
from tests.server.web.faulty.faulty_officials import of_case, of_controller, of_league
from tests.server.web.faulty.faulty_season import of_pasted, of_season, of_union
from tests.server.web.politeness import refused, spoken


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_the_controllers_faulty_form_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    await officials(site)
    person = (await site.admit("frida")).id
    await spoken(site, lang)
    await refused(site, browsers, of_controller(person))


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_faulty_season_and_faulty_lines_are_said_beside_their_field(
    site: Site, browsers: Browsers, lang: str
):
    await officials(site)
    await spoken(site, lang)
    await refused(site, browsers, [*of_season(), *of_pasted(), *of_union()])


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_faulty_form_of_a_case_or_group_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.4, § 6.2.8: what is said in a case, its decision, a withdrawal, special leave."""
    case = await claimed(site, browsers)
    game = (await site.game()).id
    anna = (await site.person("anna@example.org")).id
    await start_group(site.core, read_group_file(group_text("K-26-02")))
    await spoken(site, lang)
    await refused(site, browsers, of_case(case, game, anna))


async def test_days_that_no_game_has_are_tried_as_none(site: Site, browsers: Browsers):
    """The form that tries facts writes nothing: what it can't use counts as not given."""
    case = await claimed(site, browsers)
    tove = await browsers.of("tove")
    for days in ("1000000", "9" * 400, "x"):
        asked = {"try": "1", "days_by": "white" * 9, "days": days}
        assert (await tove.get(case, params=asked | {"days_by": "white"}))[0] == 200, days
        assert (await tove.get(case, params=asked))[0] == 200, days


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_faulty_form_of_captain_or_league_leader_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.7.2, § 6.7.4.3, § 6.7.6.1: a reserve, a report, the order of boards, a captain."""
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"))
    site.clock.turn(131)
    team = (await team_of(site.core, "DIV-1", "Nord")).id
    line = await board_game(site.core, "DIV-1", 2, "Nord")
    await spoken(site, lang)
    await refused(site, browsers, of_league(team, line.id))
