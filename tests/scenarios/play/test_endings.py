"""Draws and resigning by mail and web: asked back once, done once (§ 6.2.6, FIDE 9.1-9.3)."""

import pytest

from kskak.regulation.editions import Result
from tests.fakes.machinery.browser import Browser, browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL, World

SHUFFLE = (("Sf3", "Nf6"), ("Sg1", "Ng8"))


async def _first_moves(anna: Player, bo: Player) -> None:
    """No draw is agreed before both have moved (FIDE 5.2.3)."""
    assert await anna.reply("e4") == "moved"
    assert await bo.reply("1... c5") == "moved"


async def test_an_offer_goes_with_the_move_and_is_accepted_after_one_question(world, anna, bo):
    await _first_moves(anna, bo)
    assert await anna.reply("2. Sf3\nremis?") == "moved"
    relay = world.letters(BO)[-1]
    assert "draw yes" in relay.text
    assert await bo.reply("draw yes") == "asked_back"
    assert (await world.row()).result is None
    assert await bo.reply("yes") == "drawn"
    assert (await world.row()).result == Result.DRAW
    for who in (ANNA, BO, TL):
        assert any("½" in one.said or "1/2" in one.said for one in world.letters(who)[-1:]), who
    assert len(await world.outbox("game_over")) == 3
    assert await bo.reply("yes", bo.letters[-2]) == "game_over"
    assert (await world.kinds()).count("DrawMade") == 1
    await world.assert_whole()


async def test_a_draw_that_is_only_spoken_of_is_asked_about_and_yes_plays_the_move_alone(
    world: World, anna: Player, bo: Player
) -> None:
    await _first_moves(anna, bo)
    assert await anna.reply("2. Sf3\nDet ligner remis?\nGod jul") == "draw_unclear"
    asked = anna.letters[-1].said
    assert "»Det ligner remis?«" in asked
    assert "»remis?«" in asked
    assert (await world.row()).ply == 2
    assert await anna.reply("ja") == "moved"
    assert (await world.row()).state().draw_offer is None
    assert "God jul" in world.letters(BO)[-1].said


async def test_a_draw_before_both_have_moved_is_refused_without_a_question(world, anna, bo):
    await anna.reply("e4\nremis?")
    assert await bo.reply("draw yes") == "draw_too_early"
    assert await world.kinds() == ["MoveSent"]


async def test_an_offer_is_declined_by_a_word_or_by_a_move(world, anna, bo):
    await anna.reply("e4\nremis?")
    assert await bo.reply("draw no") == "declined"
    assert "afslået" in world.letters(ANNA)[-1].said
    assert (await world.row()).state().draw_offer is None
    relay = next(one for one in reversed(bo.letters) if one.reply_to is not None)
    assert await bo.reply("1... c5\ndraw?", relay) == "moved"
    assert await anna.reply("2. Sf3") == "moved"
    assert "has declined your offer of a draw" in world.letters(BO)[-1].said
    assert (await world.row()).state().draw_offer is None
    assert await bo.reply("draw yes") == "no_offer"
    assert (await world.row()).result is None
    await world.assert_whole()


async def test_an_offer_alone_waits_for_the_next_move(world, anna, bo):
    await _first_moves(anna, bo)
    heard = len(world.letters(BO))
    assert await anna.reply("remis?") == "offer_noted"
    assert len(world.letters(BO)) == heard, "Bo hears of it with the move"
    assert await anna.reply("2. Sf3") == "moved"
    assert await bo.reply("draw yes") == "asked_back"
    link = bo.letters[-1].link("/c/")
    async with browser(world) as one:
        shown = await one.get(link)
        assert (await world.row()).result is None, "looking changes nothing"
        await one.submit(shown, "", answer="yes")
    await world.pump()
    assert (await world.row()).result == Result.DRAW
    await world.assert_whole()


async def test_resigning_is_asked_back_once_and_done_by_the_word_yes(world, anna):
    first = anna.newest
    assert await anna.reply("opgiver") == "asked_back"
    assert await anna.reply("opgiver") == "asked_back"
    assert (await world.row()).result is None
    assert len(world.letters(BO)) == 1, "Bo hears nothing of a question"
    assert await anna.reply("ja") == "resigned"
    assert (await world.row()).result == Result.BLACK_WINS
    assert await anna.reply("ja", first) == "game_over"
    assert (await world.kinds()).count("PlayerResigned") == 1
    await world.assert_whole()


async def test_resigning_is_done_by_the_link_and_the_word_afterwards_does_nothing(world, anna):
    await anna.reply("opgiver")
    asked = anna.letters[-1]
    async with browser(world) as one:
        await one.submit(await one.get(asked.link("/c/")), "", answer="yes")
        await one.post(asked.link("/c/"), {"answer": "yes"})
    await world.pump()
    assert (await world.row()).result == Result.BLACK_WINS
    assert await anna.reply("ja", asked) == "game_over"
    assert (await world.kinds()) == ["PlayerResigned"]
    await world.assert_whole()


async def test_a_move_after_the_question_plays_on(world: World, anna: Player) -> None:
    await anna.reply("opgiver")
    asked = anna.letters[-1]
    assert await anna.reply("e4", asked) == "moved"
    async with browser(world) as one:
        assert (await one.get(asked.link("/c/"))).status == 410, "the move is his newest word"
    assert await anna.reply("ja", asked) == "spent"
    assert (await world.row()).result is None


async def _shuffle(world: World, anna: Player, bo_web: Browser, rounds: int) -> None:
    """Both players' knights out and home, by mail and web."""
    for number in range(rounds):
        white, black = SHUFFLE[number % 2]
        assert await anna.reply(white) == "moved"
        await bo_web.move(black)
    await world.pump()


async def test_a_right_claim_of_what_stands_on_the_board_needs_no_move(world, anna, bo_web):
    await _shuffle(world, anna, bo_web, 4)
    assert await anna.reply("Sf3") == "moved"
    await bo_web.submit(await bo_web.get(f"/games/{world.game}/end/draw"), "")
    await world.pump()
    assert (await world.row()).result == Result.DRAW
    await world.assert_whole()


@pytest.mark.parametrize("intended", ["", "Nc6"])
async def test_a_wrong_claim_costs_nothing_and_stands_as_an_offer(world, anna, bo_web, intended):
    await anna.reply("Sf3")
    await bo_web.move("Nf6")
    await anna.reply("2. d4")
    page = await bo_web.get(f"/games/{world.game}/end/draw")
    done = await bo_web.submit(page, "", text=intended)
    assert done.status == 200
    await world.pump()
    state = (await world.row()).state()
    assert state.result is None
    assert state.black.total == 0
    told = world.letters(ANNA)[-1]
    assert "remis" in told.said
    assert await anna.reply("remis ja") == "asked_back"
    assert await anna.reply("ja") == "drawn"
    await world.assert_whole()


async def test_a_mate_ends_the_game_at_once_by_mail(world: World, anna: Player, bo: Player) -> None:
    for white, black in (("f3", "e5"), ("g4", "Qh4")):
        await anna.reply(white)
        await bo.reply(black)
    assert (await world.row()).result == Result.BLACK_WINS
    told = world.letters(ANNA)[-1]
    assert "mat" in told.said
    assert "0-1" in told.said
    assert await anna.reply("a3", anna.newest) == "game_over"
    await world.assert_whole()
