"""Due work that a move puts off; what claims and clears it is in engine/test_rows.py."""

from dataclasses import replace

import pytest

from server.store.mail import due_work as due_rows
from server.store.mail.due_work import NewDeadline
from server.usecases.games.writer import Writer
from tests.fakes.play import NOW_US, RUY, Move, find_game_due_work, start_games

pytestmark = pytest.mark.both_engines


async def test_what_a_move_puts_off_is_looked_at_where_it_was_and_done_when_it_is_due(store):
    (game_id,) = await start_games(store)
    async with store.write() as conn:
        await due_rows.replace(conn, game_id, 0, (NewDeadline("flag", NOW_US),))
    await Writer(store).submit(Move(game_id, RUY[0]))

    async def due() -> due_rows.DeadlineRow:
        async with store.read() as conn:
            row = await find_game_due_work(conn, game_id)
        assert row is not None
        return row

    moved = await due()
    assert (moved.wake_us, moved.seq) == (NOW_US, 1) and moved.due_us > NOW_US
    assert await due_rows.claim(store, NOW_US) == ()
    assert await due() == replace(moved, wake_us=moved.due_us)
    assert await due_rows.claim(store, moved.due_us - 1) == ()
    assert [row.game_id for row in await due_rows.claim(store, moved.due_us)] == [game_id]
