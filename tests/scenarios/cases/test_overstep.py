"""Time that runs out: found once, on its day, for whoever is late; never acted on alone."""

from datetime import timedelta

import pytest

from kskak.play.game_state import GameState
from kskak.regulation.editions import Result, Side
from tests.fakes.machinery.browser import browser
from tests.fakes.world import ANNA, BO, TL, World, world_of


async def _late(world: World) -> None:
    """To the first day on which the side to move is over its limit."""
    running = (await world.row()).state().running()
    assert running is not None and running.flag_on is not None
    world.clock.go(running.flag_on, 0, 1)
    await world.pump()


async def at_rest(world: World) -> GameState:
    """The game as it rests: claimed, and nobody has decided it."""
    row = await world.row()
    assert (row.result, row.to_move_id, row.flag_on) == (None, None, None)
    assert row.state().rests
    return row.state()


async def test_white_who_never_moves_is_found_and_nobody_is_told_twice(world: World) -> None:
    await _late(world)
    world.clock.wait(days=1)
    await world.pump()
    assert sorted(await world.kinds()) == ["LeaderTold", "OpponentReminded", "OverstepFound"]
    assert len(await world.outbox("overstep")) == 3, "both and the leader, once"
    assert (await world.row()).result is None


async def test_what_else_happens_in_a_late_game_does_not_warn_again(world, anna):
    """Leave that is booked afterwards changes nothing about the overstep."""
    await anna.reply("e4")
    await _late(world)
    day = world.clock.today + timedelta(days=10)
    assert await anna.reply(f"ferie {day} {day}") == "leave"
    world.clock.wait(days=1)
    await world.pump()
    assert (await world.kinds()).count("OverstepFound") == 1


@pytest.mark.both_engines
async def test_who_plays_on_after_saying_no_claim_loses_with_the_late_one(world, anna, bo):
    """§ 6.3.3.4: asked once, warned, and then it is his own doing."""
    await anna.reply("e4")
    await _late(world)
    assert await bo.reply("1... c5", bo.letters[-2]) == "moved"
    assert await anna.reply("2. Sf3") == "late_asked"
    arrived = world.clock.today
    world.clock.wait(days=2)
    async with browser(world) as one:
        shown = await one.get(anna.letters[-1].link("/c/"))
        assert "6.3.3.4" in anna.letters[-1].said
        before = {who: len(world.letters(who)) for who in (ANNA, BO, TL)}
        await one.submit(shown, "", answer="waive")
    await world.pump()
    assert (await world.row()).result == Result.BOTH_LOSE
    assert (await world.events())[-1].event.sent == arrived, "her mail keeps its date"
    for who, count in before.items():
        assert any("0-0" in letter.said for letter in world.letters(who, count)), who
    await world.assert_whole()


async def test_a_claim_by_mail_and_by_the_web_page(world, anna, bo_web):
    """The word `tid` under any letter of the position; the button on the game's page."""
    await _late(world)
    assert (await bo_web.get(f"/games/{world.game}")).status == 200
    done = await bo_web.submit(await bo_web.get(f"/games/{world.game}/end/time"), "")
    assert done.status == 200
    await world.pump()
    assert (await at_rest(world)).overstep.by is Side.WHITE
    await world.begin("K-26-02")
    await anna.reply("e4")
    assert await anna.reply("tid") == "no_overstep"
    await _late(world)
    assert await anna.reply("tid") == "claimed"
    assert (await at_rest(world)).overstep.by is Side.BLACK
    assert len(await world.outbox("claim")) == 6, "both players and the leader, twice"
    assert not await world.outbox("game_over"), "nobody has decided anything"
    await world.assert_whole()


async def test_on_the_web_the_opponent_is_asked_before_sending(world, anna, bo_web):
    await _late(world)
    assert await anna.reply("e4", anna.letters[1]) == "moved"
    shown = await bo_web.preview("c5")
    form = shown.form("/move")
    assert form.fields["overstep"] == "claim"
    claimed = await bo_web.submit(shown, "/move")
    assert claimed.path.endswith("/end/time")
    assert (await world.row()).result is None
    await bo_web.submit(claimed, "")
    assert (await at_rest(world)).overstep.by is Side.WHITE


@pytest.mark.parametrize("claims", ["server"])
async def test_a_tournament_may_let_the_server_file_the_claim(sqlite_url, tmp_path, claims):
    async with world_of(sqlite_url, str(tmp_path)) as world:
        await world.begin(claims=claims)
        await _late(world)
        assert (await at_rest(world)).overstep.by is Side.WHITE
        told = [row.kind for row in await world.outbox() if row.kind in ("claim", "game_over")]
        assert told == ["claim"] * 3, "both and the leader; nothing has ended"
        await world.assert_whole()


async def test_a_mail_that_came_in_time_but_was_held_is_in_time_when_it_is_confirmed(world, anna):
    """It counts from its arrival, though an overstep was found meanwhile."""
    key = anna.newest.reply_to
    running = (await world.row()).state().running()
    assert running is not None and running.flag_on is not None
    world.clock.go(running.flag_on - timedelta(days=1), 22)
    await anna.send(anna.write("e4", From_="fremmed@example.com"), key)
    (held,) = [one for one in anna.letters if "/c/" in one.text]
    link = held.link("/c/")
    await _late(world)
    async with browser(world) as one:
        await one.submit(await one.get(link), "", answer="yes")
    await world.pump()
    state = (await world.row()).state()
    assert (state.position.ply, state.overstep) == (1, None)
    world.clock.wait(days=60)
    await world.pump()
    assert (await world.kinds())[-1] == "OverstepFound", "and now it is Black who is late"
    await world.assert_whole()
