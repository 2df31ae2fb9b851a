"""§ 6.2.3 what is noted and kept, § 6.7.4.4 and § 6.8.9 who is told of a result."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from kskak.game.game_events import FaultySent, MoveReceived
from kskak.ledger.ledger_files import ledger_json, read_ledger
from kskak.regulation.editions import MoveFault, Result
from server.store.account.retention import TournamentRetention
from server.store.engine.rows import to_us
from server.usecases.desks.readiness import describe_retention
from server.usecases.games.game_units import start_of_day
from server.usecases.league.divisions import report_result
from server.usecases.rights import Rights
from tests.fakes.league import address, begin_division, board_game, game_row, team_of
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL, World, world_of
from tests.regulation.record import BLACK, EMAIL, Record, after

ZONE = "Europe/Copenhagen"
GAME, GROUP, OTHER_GROUP = 1, 7, 8


@pytest.fixture
async def world(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    async with world_of(sqlite_url, str(tmp_path)) as made:
        yield made


def test_6_2_3_everything_that_was_sent_is_noted_and_can_be_read_again():
    """§ 6.2.3: the games are noted. Verdict: moves, series, notices and faults, each with day."""
    record = Record(EMAIL).think(2).think(1, plies=1, proposes=2)
    record.add(FaultySent(record.mover, record.day, MoveFault.ILLEGAL))
    record.think(3)
    record.add(MoveReceived(BLACK, after(record.day, 1)))
    written = ledger_json(record.terms, record.events)
    assert [entry["kind"] for entry in written["entries"]] == [
        "move", "move", "invalid", "move", "receipt"
    ]  # fmt: skip
    assert list(read_ledger(written).events) == record.events


def test_6_2_3_the_leader_may_have_the_correspondence_at_any_time():
    """§ 6.2.3: at any time. Verdict: he of this group, running or over; no player, no other."""
    leader = Rights(5, led=frozenset({GROUP}))
    assert leader.may_watch(GAME, GROUP)
    assert not leader.may_watch(GAME, OTHER_GROUP)
    assert not Rights(5, plays=frozenset({GROUP})).may_watch(GAME, GROUP)
    playing = Rights(5, led=frozenset({GROUP}), plays=frozenset({GROUP}))
    assert not playing.may_watch(GAME, GROUP)


@pytest.mark.parametrize("months", [0, 11, 13, 40])
def test_6_2_3_nothing_goes_before_14_days_after_the_publication(months):
    """§ 6.2.3: 14 days after publication. Verdict: kept then, however late it was published."""
    ended = date(2024, 1, 10)
    published = ended + timedelta(days=30 * months)
    objections = published + timedelta(days=14)
    last_us = to_us(start_of_day(ended, ZONE))
    row = TournamentRetention("K-skak-EMT", 0, 0, last_us, objections.isoformat())
    found = describe_retention(row, ZONE, published + timedelta(days=14))
    assert not found.is_over
    assert found.until is not None and found.until > objections


def test_6_2_3_nothing_goes_while_a_game_or_a_case_runs():
    """§ 6.2.3. Verdict: no end, no term, after whatever time."""
    for running, cases in ((1, 0), (0, 1)):
        row = TournamentRetention("K-skak-EMT", running, cases, 0, "2020-01-01")
        assert describe_retention(row, ZONE, date(2030, 1, 1)).until is None


async def test_6_8_9_the_result_goes_to_the_leader_for_both_players_at_once(world: World):
    """§ 6.8.9: both, as soon as it is over. Verdict: leader and players, on the same day."""
    await world.begin()
    anna = Player(world)
    assert await anna.reply("e4") == "moved"
    assert await world.outbox("game_over") == ()
    assert await anna.reply("opgiver") == "asked_back"
    assert await anna.reply("ja") == "resigned"
    assert (await world.row()).result == Result.BLACK_WINS
    told = await world.outbox("game_over")
    people = [(await world.person(who)).id for who in (ANNA, BO, TL)]
    assert sorted(row.person_id for row in told) == sorted(people)
    assert all(row.state == "sent" for row in told), "nobody waited for another day"
    assert "0-1" in world.letters(TL)[-1].said


async def test_6_7_4_4_in_the_league_the_leader_is_told_of_each_result(world: World):
    """§ 6.7.4.4, § 6.7.2.2, § 6.7.6.1, as § 6.2.6 wants. Verdict: by the captain, in writing."""
    start = world.clock.today.isoformat()
    await begin_division(world.core, "DIV-1", ("Nord", "Syd"), start=start)
    line = await board_game(world.core, "DIV-1", 3, "Nord")
    team = await team_of(world.core, "DIV-1", "Nord")
    captain = await world.person(address("Nord Et"))
    await report_result(world.core, captain, team.id, line.id, Result.DRAW, "I telefonen.")
    await world.pump()
    assert "Nord indberetter 1/2-1/2" in world.letters(TL)[-1].said
    assert (await game_row(world.core, line.id)).result is None, "the leader rules on it"
