"""A move that waits ten minutes before it is sent, in virtual time and with the server killed.

§ 6.2.4: what is dispatched can't be taken back. § 6.8.6: days are charged by the sending date.
"""

import asyncio
import signal
from datetime import timedelta

import chess
import pytest
from sqlalchemy import update

from kskak.game.game_commands import Resign, SendMoves
from kskak.game.game_events import MoveSent
from kskak.regulation.days import local_day
from kskak.regulation.editions import Side
from server.clock import SystemClock
from server.jobs.daily_duties import DeadlineJob
from server.store.engine.rows import MINUTE_US, from_us
from server.store.engine.store import Store
from server.store.mail import due_work as due_rows
from server.store.play import games as game_rows
from server.store.play.requests import DueMove
from server.store.tables.base import people
from server.usecases.desks import database_care
from server.usecases.play import private_side
from server.usecases.play.game_requests import FieldReader, GameRequest, ask
from server.usecases.play.private_side import DelayedMoveOutcome
from server.usecases.reflection.silence_and_outages import do_due
from tests.fakes.machinery.child import PATIENCE_S, Child
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.smarthost import smarthost
from tests.fakes.world import ANNA, BO, START, World, settings_of, world_on

ZONE = "Europe/Copenhagen"


async def _hold(world: World, text: str, key: str, *, minutes: int = 10) -> DueMove:
    """The side to move enters a move on the web and lets it wait."""
    game = await world.row()
    state = game.state()
    ply, side = state.position.ply, state.mover
    command = SendMoves(side, ply, (state.board.parse_san(text),))
    entered = (FieldReader(text, ply, False, world.clock.today, "en"), command, ("Hej", key))
    assert await private_side.delay(world.core, game, *entered, minutes) is not None
    return DueMove(game.id, game.person_of(side))


async def _sent(world: World) -> list[MoveSent]:
    return [row.event for row in await world.events() if isinstance(row.event, MoveSent)]


async def test_held_taken_back_held_again_and_sent_with_its_letters(world, anna, bo_web):
    assert await anna.reply("e4") == "moved"
    shown = await bo_web.preview("e5", message="Good luck")
    held = await bo_web.post(f"/games/{world.game}/hold", shown.form("/move").fields)
    assert "1… e5 will be sent at" in held.text
    undone = await bo_web.submit(held, "/delayed")
    assert "Nothing has been sent" in undone.text
    world.clock.wait(minutes=30)
    await world.pump()
    assert len(await _sent(world)) == 1
    shown = await bo_web.preview("c5", message="Good luck")
    await bo_web.post(f"/games/{world.game}/hold", shown.form("/move").fields)
    before = len(world.letters(ANNA))
    world.clock.wait(minutes=11)
    await world.pump()
    move = (await _sent(world))[-1]
    assert (move.by, move.plies) == (Side.BLACK, (chess.Move.from_uci("c7c5"),))
    assert "Good luck" in world.letters(ANNA, before)[0].said
    assert [row.at_us for row in await world.events()][-1] <= world.core.now_us - MINUTE_US
    await world.assert_whole()


@pytest.mark.parametrize("days", [1, 3])
async def test_who_waited_while_the_server_was_away_loses_nothing(world: World, days: int) -> None:
    """Due at 23.52, the server back days later: sent as of 23.52, and nothing is due before it."""
    world.clock.go(START + timedelta(days=40), hour=23, minute=42)
    entered_on = world.clock.today
    await _hold(world, "e4", "k1")
    world.clock.wait(days=days)
    await world.pump()
    (move,) = await _sent(world)
    assert move.sent == entered_on
    assert await world.kinds() == ["MoveSent"], "no overstep was found before the move"
    assert await world.total(Side.WHITE) == (entered_on - START).days
    at = from_us((await world.events())[0].at_us)
    assert local_day(at, ZONE) == entered_on and at.minute == 52
    await world.assert_whole()


async def test_a_process_that_found_the_time_run_out_first_takes_no_day_from_him(world):
    """Two processes come back; the other looks at the time before this one sends the move."""
    world.clock.go(START + timedelta(days=40), hour=23, minute=42)
    which = await _hold(world, "e4", "k1")
    world.clock.wait(days=2)
    while found := await due_rows.claim(world.core.store, world.core.now_us):
        for row in found:
            await do_due(world.core, row)
    assert "OverstepFound" in await world.kinds()
    assert await private_side.send(world.core, which) is DelayedMoveOutcome.SENT
    assert (await _sent(world))[0].sent == START + timedelta(days=40)
    assert await world.total(Side.WHITE) == 40
    assert (await world.row()).state().overstep is None
    assert (await database_care.verify(world.core.store)).is_sound


async def test_many_pollers_and_an_undo_beside_them_send_it_once_or_never(world: World) -> None:
    for number in range(4):
        key = f"k{number}"
        ply = (await world.row()).ply
        which = await _hold(world, ("e4", "e5", "Nf3", "Nc6")[ply], key, minutes=1)
        world.clock.wait(minutes=1)
        jobs = [DeadlineJob(world.core).work() for _ in range(3)]
        undo = private_side.take_back(world.core, which.game_id, which.person_id, key)
        *_, undone = await asyncio.gather(*jobs, undo)
        is_sent = (await world.row()).ply == ply + 1
        assert is_sent != (undone is not None)
        is_known = await private_side.was_sent(world.core, which.game_id, which.person_id, key)
        assert is_known == is_sent
    await world.pump()
    await world.assert_whole()


@pytest.mark.parametrize("point", ["writer-before-commit", "writer-after-commit"])
async def test_killed_while_it_sends_it_is_sent_once_by_the_next(sqlite_url, tmp_path, point):
    async with smarthost() as host:
        settings = settings_of(sqlite_url, host, str(tmp_path), zone=midday_zone())
        async with world_on(settings, host, real_day(settings.clock.zone)) as world:
            await world.begin()
            world.clock.at = SystemClock().now() - timedelta(minutes=2)
            which = await _hold(world, "e4", "k1", minutes=1)
        child = Child(settings, tmp_path)
        await child.start(crash_at=point)
        assert await child.died() == -signal.SIGKILL, f"{point} was not reached"
        await child.start()
        store = await Store.open(sqlite_url)
        for _ in range(int(PATIENCE_S / 0.05)):
            if len(host.to(BO)) > 1:
                break
            await asyncio.sleep(0.05)
        assert await child.stop() == 0
        async with store.read() as conn:
            found = await game_rows.history(conn, which.game_id)
        assert [type(row.event).__name__ for row in found] == ["MoveSent"]
        assert (await database_care.verify(store)).is_sound
        await store.close()
        assert len({letter.message_id for letter in host.to(BO)}) == len(host.to(BO)) == 2


@pytest.mark.parametrize(("lang", "said"), [("da", "blev ikke sendt"), ("en", "was not sent")])
async def test_who_waited_in_vain_gets_one_letter_in_his_language_with_what_to_do(
    world: World, lang: str, said: str
) -> None:
    """Nothing lost: the game ended while the move waited; many look, one letter goes."""
    anna = await world.person(ANNA)
    async with world.core.store.write() as conn:
        await conn.execute(update(people).where(people.c.id == anna.id).values(lang=lang))
    await _hold(world, "e4", "k1")
    game = await world.row()
    await ask(world.core, GameRequest(game.id, game.black_id, "web", lambda _, by: Resign(by)))
    await world.pump()
    before = len(world.letters(ANNA))
    world.clock.wait(minutes=11)
    await asyncio.gather(*(DeadlineJob(world.core).work() for _ in range(3)))
    await world.pump()
    (letter,) = world.letters(ANNA, before)
    assert said in letter.said and "e4" in letter.said and "Hej" in letter.said
    assert f"/games/{game.id}" in letter.said
    assert len(await world.outbox("not_sent")) == 1
    await world.assert_whole()


async def test_a_waiting_move_that_another_move_overtook_is_told_and_one_sent_is_not(world, anna):
    await _hold(world, "d4", "k1")
    assert await anna.reply("e4") == "moved"
    world.clock.wait(minutes=11)
    await world.pump()
    (letter,) = [one for one in world.letters(ANNA) if "blev ikke sendt" in one.said]
    assert "allerede besvaret" in letter.said and "ikke dig, der er i trækket" in letter.said
    await _hold(world, "e5", "k2")
    world.clock.wait(minutes=11)
    await world.pump()
    assert len(await _sent(world)) == 2 and len(await world.outbox("not_sent")) == 1


async def test_who_presses_the_button_himself_is_told_by_the_page_alone(world: World) -> None:
    which = await _hold(world, "e4", "k1")
    game = await world.row()
    await ask(world.core, GameRequest(game.id, game.black_id, "web", lambda _, by: Resign(by)))
    assert await private_side.send(world.core, which, key="k1") is DelayedMoveOutcome.DROPPED
    await world.pump()
    assert await world.outbox("not_sent") == ()
