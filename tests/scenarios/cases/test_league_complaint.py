"""A complaint in the league, from the protest to the decision: the captain gets the copies.

§ 6.7.6.1: copies of what leader and players write about complaints from opponents; and a report of
a result that was played elsewhere (§ 6.7.4.4). Mails for real.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kskak.cases.case import CaseRefusal, CloseHearing
from kskak.cases.case_events import CaseKind
from kskak.regulation.editions import Result
from server.store.cases.cases import CaseRow
from server.store.play import game_lists
from server.usecases.cases import case_actions
from server.usecases.cases.case_decisions import decide
from server.usecases.cases.decision_preparing import Order
from server.usecases.context import poster_of
from server.usecases.games.case_opening import take_claim
from server.usecases.games.game_units import NewClaim
from server.usecases.league.divisions import report_result
from server.usecases.rights import NoSuch
from server.usecases.season.season_views import captain_desk
from tests.fakes.league import address, begin_division, board_game, game_row, team_of
from tests.fakes.world import TL, World, world_of

CAPTAIN, CONCERNED = address("Nord Et"), address("Nord To")
THIRD_CAPTAIN = address("Oster Et")
OTHER_CAPTAIN, CLAIMANT = address("Syd Et"), address("Syd To")


@pytest.fixture
async def league(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    async with world_of(sqlite_url, str(tmp_path)) as world:
        start = world.clock.today.isoformat()
        await begin_division(world.core, "DIV-1", ("Nord", "Syd"), start=start)
        await begin_division(world.core, "DIV-2", ("Oster", "Vester"), division=2)
        await world.pump()
        yield world


async def test_the_captain_gets_copies_of_the_cases_letters_to_his_player(league: World) -> None:
    """§ 6.7.6.1: from the complaint to the decision; a captain of neither team gets none."""
    line = await board_game(league.core, "DIV-1", 2, "Nord")
    claimant, tl = await league.person(CLAIMANT), await league.person(TL)
    protest = (line.id, CaseKind.DAYS, "Han talte to dage for lidt.")
    case = await case_actions.object_to(league.core, claimant, *protest)
    assert isinstance(case, CaseRow)
    await league.pump()
    assert "Han talte to dage for lidt." in league.letters(CAPTAIN)[-1].said
    assert (
        "(Nord)" in league.letters(CAPTAIN)[-1].said and "(Syd)" in league.letters(CAPTAIN)[-1].said
    )
    assert not isinstance(
        await case_actions.act(league.core, tl, case.id, CloseHearing("hørt")), CaseRefusal
    )
    order = Order(paragraphs=("6.3.1",), reasons="Dagene var talt rigtigt.")
    assert not isinstance(await decide(league.core, tl, case.id, order), CaseRefusal)
    await league.pump()
    assert "Dagene var talt rigtigt." in league.letters(CAPTAIN)[-1].said
    assert case.number in league.letters(OTHER_CAPTAIN)[-1].subject
    assert league.letters(THIRD_CAPTAIN) == []
    desk = await captain_desk(league.core, await league.person(CAPTAIN))
    assert [one.number for one in desk.cases] == [case.number]


async def test_the_captain_of_an_opponent_who_comes_into_a_case_later_is_told_once(
    sqlite_url: str, tmp_path: Path
) -> None:
    """§ 6.7.6.1: a silent player's case takes in his later games, and their opponents' captains."""
    async with world_of(sqlite_url, str(tmp_path)) as world:
        start = world.clock.today.isoformat()
        await begin_division(world.core, "DIV-1", ("Nord", "Syd", "Vest"), start=start)
        await world.pump()
        silent = await world.person(CONCERNED)
        async with world.core.store.read() as conn:
            rows = await game_lists.running_of(conn, [silent.id])
        for row in rows:
            side = row.side_of(silent.id)
            assert side is not None
            at, poster = world.core.clock.now(), poster_of(world.core)
            claim = NewClaim(row, None, at, poster, side, CaseKind.SILENCE)
            async with world.core.store.deciding() as conn:
                await conn.run_sync(take_claim, claim)
        await world.pump()
        told = {
            captain: len([one for one in world.letters(captain) if "26/" in one.subject])
            for captain in (CAPTAIN, OTHER_CAPTAIN, address("Vest Et"))
        }
        assert told == dict.fromkeys(told, 1)


async def test_a_captain_reports_a_result_to_the_leader(league: World) -> None:
    """§ 6.7.4.4, § 6.7.6.1: in writing to the leader; the ledger stays as the players left it."""
    line = await board_game(league.core, "DIV-1", 3, "Nord")
    team, captain = await team_of(league.core, "DIV-1", "Nord"), await league.person(CAPTAIN)
    args = (team.id, line.id, Result.DRAW, "De blev enige i telefonen.")
    await report_result(league.core, captain, *args)
    await league.pump()
    letter = league.letters(TL)[-1].said
    assert "Nord indberetter 1/2-1/2" in letter and "enige i telefonen" in letter
    assert (await game_row(league.core, line.id)).result is None
    other = await begin_division(league.core, "DIV-9", ("Ost", "Vest"), division=3)
    assert other.games == 4
    foreign = await board_game(league.core, "DIV-9", 1, "Ost")
    with pytest.raises(NoSuch):
        await report_result(league.core, captain, team.id, foreign.id, Result.DRAW)
