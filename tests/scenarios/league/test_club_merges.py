"""A club that becomes part of another, on both databases (§ 6.7.3)."""

import pytest

from server.store import entries as entry_rows
from server.usecases.season import departures
from server.usecases.season.season_views import name_admin
from tests.fakes.league import begin_division, team_of
from tests.fakes.teams import club_id, members_of, register_clubs
from tests.fakes.world import ANNA, KC, World


@pytest.mark.both_engines
@pytest.mark.parametrize("into", ["Vest", ""])
async def test_members_administrators_and_playing_teams_go_with_it(world: World, into: str) -> None:
    core, kc = world.core, await world.person(KC)
    await register_clubs(core, "Nord", "Syd", "Vest")
    start = world.clock.today.isoformat()
    await begin_division(core, "DIV-1", ("Nord", "Syd"), start=start)
    nord, other = await club_id(core, "Nord"), await club_id(core, into) if into else None
    await name_admin(core, kc, nord, ANNA)
    await departures.end_club(core, kc, nord, other, world.clock.today, "web")
    assert len(await members_of(core, "Vest")) == (8 if into else 4)
    async with core.store.read() as conn:
        admins = [one.club for one in await entry_rows.list_club_admins(conn)]
    assert admins == ([into] if into else [])
    assert (await team_of(core, "DIV-1", into or "Nord")).club == (into or "Nord")
