"""A mail about a position before a game was set back plays nothing in the one after (FIDE 7.5)."""

from typing import Any
from unittest.mock import AsyncMock

import pytest

from server.jobs import mail_jobs
from server.usecases.cases.decision_preparing import Order
from tests.fakes.cases import decided, only_case, set_back
from tests.fakes.machinery.player import Player
from tests.fakes.postal import begin_postal, call, enter
from tests.fakes.world import ANNA, BO, TL, World


def _fresh(player: Player, *said: str) -> None:
    """His newest letter is of the position now, with an address of its own."""
    letter = player.newest
    assert all(one in letter.said for one in said), letter.said
    before = {one.reply_to for one in player.letters if one.message_id != letter.message_id}
    assert letter.reply_to not in before


async def _plays_anew(anna: Player) -> None:
    """The letter that confirmed 1. e4 is about a position that is gone; a fresh one is there."""
    _fresh(anna, "begynder forfra", "Svar på denne mail")
    assert await anna.reply("d4") == "moved"


async def test_an_answer_to_a_letter_from_before_is_told_and_not_played(world, anna, bo):
    """Bo's letter was about 1. e4; set back, and 1. d4 played, the ply is the same."""
    await anna.reply("e4")
    stale, confirmed = bo.newest, anna.newest
    world.clock.wait(minutes=1)
    await set_back(world, 0)
    assert (await world.row()).ply == 0
    fresh = anna.newest
    assert await anna.reply("d4", confirmed) == "spent"
    assert (await world.row()).ply == 0
    assert await anna.reply("d4", fresh) == "moved"
    fresh = bo.newest
    assert await bo.reply("1... d5", stale) == "spent"
    assert (await world.row()).ply == 1
    assert "allerede" in bo.letters[-1].said or bo.letters[-1].reply_to
    assert await bo.reply("1... d5", fresh) == "moved"
    assert await anna.reply("2. c4") == "moved", "and so it goes on"


async def test_a_key_without_its_letter_is_told_so_too(world, anna, bo):
    await anna.reply("e4")
    stale = bo.newest
    await set_back(world, 0)
    await _plays_anew(anna)
    bare = bo.write("1... d5", stale, In_Reply_To=None, References=None)
    local, _, domain = (stale.reply_to or "").partition("@")
    assert await bo.send(bare, f"{local.partition('.')[0]}@{domain}") == "spent"
    assert (await world.row()).ply == 1


async def test_set_back_to_the_opponents_move_the_mover_answers_a_fresh_letter(world, anna, bo):
    """Back to after 1. e4: Bo has the move again and simply answers; Anna is told by the ruling."""
    await anna.reply("e4")
    await bo.reply("1... e5")
    told = len(anna.letters)
    await set_back(world, 1)
    assert (await world.row()).ply == 1
    _fresh(bo, "1. 5254 (e4)", "has been put right", "Reply to this mail")
    assert any("stilles tilbage" in one.said for one in anna.letters[told:])
    assert not any("Stillingen er rettet" in one.said for one in anna.letters)
    assert await bo.reply("c5") == "moved"
    assert await anna.reply("2. Sf3") == "moved"
    await world.assert_whole()


async def test_an_annulled_set_back_gives_a_letter_of_the_old_position(world, anna, bo):
    """The Board restores 1. e4 e5; what Anna played in between is void, and she moves again."""
    await anna.reply("e4")
    await bo.reply("1... e5")
    latest = (await set_back(world, 0)).state.latest
    assert latest is not None
    await anna.reply("d4")
    undo = Order(paragraphs=("6.4.1",), reasons="Det var dog rigtigt.", annuls=(latest.ref,))
    await decided(world, TL, await only_case(world), undo)
    assert (await world.row()).ply == 2
    _fresh(anna, "1... 5755 (e5)", "Stillingen er rettet")
    assert await anna.reply("2. Sf3") == "moved"
    assert (await world.row()).ply == 3


@pytest.mark.parametrize("agreed", [False, True])
async def test_a_corrected_card_is_answered_by_mail_where_both_agreed_on_that(lite, agreed):
    """By cards alone the letter of the correction is all; else Bo has a letter to answer too."""
    bo = Player(lite, BO, "outlook", "en")
    await begin_postal(lite)
    for who in (ANNA, BO) if agreed else ():
        assert (await call(lite, who, "email", {"agrees": True}))[0] == 200
    day = lite.clock.today
    card = (await enter(lite, "white", "5254", postmark=day, who=TL))["card"]
    await enter(lite, "white", "4244", postmark=day, corrects=card, who=TL)
    row = await lite.row()
    assert row.ply == 1 and row.state().recent[-1].san == "d4"
    of_position = [one for one in bo.letters if "has been put right" in one.said]
    assert len(of_position) == agreed
    if agreed:
        assert "1. 4244 (d4)" in of_position[0].said
        assert await bo.reply("1... d5", of_position[0]) == "moved"
        assert (await lite.row()).ply == 2


async def test_a_mail_that_is_read_as_the_game_is_set_back_is_told_so_too(
    world: World, anna: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known of its batch is from before; the writer looks again."""
    await anna.reply("e4")
    stale = bo.newest

    async def know_before(*asked: Any) -> Any:
        known = await mail_jobs_know(*asked)
        monkeypatch.undo()
        with pytest.MonkeyPatch.context() as meanwhile:
            meanwhile.setattr(World, "pump", AsyncMock())  # this mail is being worked on
            await set_back(world, 0)
            status, _ = await call(world, ANNA, "moves", {"text": "d4"})
        assert status == 200
        return known

    mail_jobs_know = mail_jobs.know
    monkeypatch.setattr(mail_jobs, "know", know_before)
    assert await bo.reply("1... d5", stale) == "spent"
    assert (await world.row()).ply == 1
