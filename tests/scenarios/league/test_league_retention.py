"""A division long over: its players' and captains' contact data go, names and boards stay.

REGULATION, "Personal data": 12 months after the tournament and its objections.
"""

from datetime import date, timedelta
from pathlib import Path

from kskak.game.game_commands import Resign
from server.jobs.daily_duties import DailyJob
from server.store import divisions as division_rows
from server.store.account.retention import REMOVED_DOMAIN
from server.usecases.desks.readiness import overview
from server.usecases.league.reserves import ReserveInput, ask_reserve
from server.usecases.play.game_requests import GameRequest, ask
from tests.fakes.league import begin_division, team_of, view_of
from tests.fakes.world import World, world_of

CAPTAIN = "kaptajn@example.org"


async def _later(world: World, day: date) -> None:
    world.clock.wait(days=(day - world.clock.today).days)
    await DailyJob(world.core).work()


async def test_captains_and_reserves_asked_for_are_forgotten_with_the_tournament(
    sqlite_url: str, tmp_path: Path
) -> None:
    """On the last day all is there, on the next nothing of contact is; who played stays."""
    async with world_of(sqlite_url, str(tmp_path)) as world:
        start = world.clock.today.isoformat()
        captains = {"Nord": CAPTAIN}
        await begin_division(world.core, "DIV-1", ("Nord", "Syd"), start=start, captains=captains)
        team = await team_of(world.core, "DIV-1", "Nord")
        wish = ReserveInput(2, "Rosa Reserve", "rosa@example.org", 1900, "Syg.")
        captain = await world.person(CAPTAIN)
        assert isinstance(await ask_reserve(world.core, captain, team.id, wish), int)
        for game in (await view_of(world.core, "DIV-1")).games:
            asked = GameRequest(game.id, game.white_id, "web", lambda _, by: Resign(by))
            await ask(world.core, asked)
        await world.pump()
        ended = world.clock.today
        await _later(world, ended + timedelta(days=1))
        (term,) = await overview(world.core.store, "Europe/Copenhagen", world.clock.today)
        until = term.until
        assert until is not None
        await _later(world, until)
        assert (await world.person(CAPTAIN)).id == captain.id
        await _later(world, until + timedelta(days=1))
        for team_view in (await view_of(world.core, "DIV-1")).teams:
            assert team_view.captain.email.endswith(REMOVED_DOMAIN)
            assert all(
                seat.email.endswith(REMOVED_DOMAIN) for seats in team_view.boards for seat in seats
            )
            assert team_view.boards[0][0].name.endswith(" Et")
        (asked_for,) = await world.core.store.look(
            lambda conn: division_rows.reserves(conn, [team.id])
        )
        assert (asked_for.name, asked_for.email) == ("Rosa Reserve", "")
