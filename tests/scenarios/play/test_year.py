"""A winter of a game in virtual time: every duty on its day, none twice, nobody forgotten."""

from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import chess

from kskak.board.shapes import numeric
from kskak.game.game_events import LeaderTold, MoveSent, OpponentReminded
from tests.fakes.machinery.player import Player
from tests.fakes.world import BO, World, world_of
from tests.scenarios.play.test_whole_game import MOVES

WINTER = 225
"""Days from the first of September, over Christmas and Easter."""
PATTERNS = ((1, 1, 16, 1, 1, 2, 1, 1, 8, 1), (2, 1, 1, 1, 23, 1, 2, 1, 1, 1))
"""Days until each player's next answers: within the control, some over 14, one over 21."""
CHRISTMAS = (date(2026, 12, 20), date(2026, 12, 31))
EASTER = (date(2027, 3, 23), date(2027, 3, 30))


def _is_free(day: date) -> bool:
    return any(first <= day <= last for first, last in (CHRISTMAS, EASTER))


async def _live(world: World) -> None:
    """Both answer by mail when their days are over; the server works when something is due."""
    players, ply = (Player(world), Player(world, BO, layout=None, lang="en")), 0
    end, left, board = world.clock.today + timedelta(days=WINTER), 0, chess.Board()
    while world.clock.today < end and ply < len(MOVES):
        if await world.is_due():
            await world.pump()
        left -= not _is_free(world.clock.today)
        if left <= 0:
            move = board.push_san(MOVES[ply])
            assert await players[ply % 2].reply(numeric(move)) == "moved", (ply, MOVES[ply])
            ply += 1
            left = PATTERNS[ply % 2][ply // 2 % 10] + 1
        world.clock.wait(days=1)


async def test_a_winter_of_duties_each_on_its_day(sqlite_url: str, tmp_path: Path) -> None:
    async with world_of(sqlite_url, str(tmp_path), start=date(2026, 9, 1)) as world:
        await world.begin()
        await _live(world)
        events = [row.event for row in await world.events()]
        moved = [event.sent for event in events if isinstance(event, MoveSent)]
        reminded = [event.on for event in events if isinstance(event, OpponentReminded)]
        told = [event.on for event in events if isinstance(event, LeaderTold)]
        assert len(moved) > 35
        assert not [on for on in (*reminded, *told) if _is_free(on)], "nobody on a holiday"
        for sent, answered in pairwise(moved):
            assert isinstance(sent, date) and isinstance(answered, date)
            counted = [sent + timedelta(days=n) for n in range((answered - sent).days)]
            days = len([day for day in counted if not _is_free(day)])
            within = [on for on in reminded if sent < on <= answered]
            reported = [on for on in told if sent < on <= answered]
            assert (len(within), len(reported)) == (int(days >= 14), int(days >= 21)), sent
        assert len(reminded) > len(told) > 1
        for kind, count in (("reminder", len(reminded)), ("silence", len(told))):
            assert len(await world.outbox(kind)) == count
        answered_late = await world.outbox("silence_copy")
        assert len(answered_late) == 2 * len(reminded), "the reminder and the answer to it"
        assert len(await world.outbox("think_warning")) == len(reminded)
        await world.assert_whole()
