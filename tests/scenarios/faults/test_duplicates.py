"""Cases 4D: the same mail again, late, crossed or by another way: one move, one relay."""

import asyncio

import pytest

from kskak.game.game_events import MoveSent
from tests.fakes.machinery.browser import Browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, COMMANDS, World


async def _one_move_one_relay(world: World) -> None:
    assert await world.kinds() == ["MoveSent"]
    assert len(await world.outbox("relay")) == 1
    assert len(await world.outbox("confirmation")) == 1
    ids = [letter.message_id for letter in world.host.letters]
    assert len(ids) == len(set(ids)), "nothing was sent twice"
    await world.assert_whole()


async def test_identical_bytes_twice_before_and_after_the_work(world: World, anna: Player) -> None:
    """D01: the 250 was lost and the sender's relay tries again."""
    key, raw = anna.newest.reply_to, anna.write("e4")
    for _ in range(2):
        assert (await world.smtp(raw, key))[0] == 250
    await world.pump()
    assert (await world.smtp(raw, key))[0] == 250
    await world.pump()
    assert [outcome for _, outcome in await world.fates()] in (
        ["moved", "duplicate", "duplicate"],
        ["moved"],
    )
    await _one_move_one_relay(world)


async def test_the_same_mail_by_two_ways_is_one(world: World, anna: Player) -> None:
    """Other trace fields and another envelope: Message-ID, sender and content are the same."""
    key, raw = anna.newest.reply_to, anna.write("e4")
    again = b"Received: from a by b; Mon, 02 Nov 2026 10:00:00 +0100\r\n" + raw
    await world.smtp(raw, key)
    await world.smtp(again, COMMANDS)
    await world.pump()
    await _one_move_one_relay(world)


async def test_a_new_message_id_under_the_same_key_gets_one_polite_answer(world, anna):
    """D02, D09."""
    first = anna.newest
    assert await anna.reply("e4", first) == "moved"
    before = len(anna.letters)
    for _ in range(3):
        assert await anna.reply("e4", first) == "spent"
    assert len(anna.letters) == before + 1
    await _one_move_one_relay(world)


async def test_fifty_copies_at_once_are_one_move(world: World, anna: Player) -> None:
    """D05: half of them byte for byte, half with a Message-ID of their own."""
    first = anna.newest
    same = anna.write("e4", first)
    raws = [same if n % 2 else anna.write("e4", first) for n in range(50)]
    answers = await asyncio.gather(*(world.smtp(raw, first.reply_to) for raw in raws))
    assert {code for code, _ in answers} == {250}
    await world.pump()
    outcomes = [outcome for _, outcome in await world.fates()]
    assert outcomes.count("moved") == 1
    assert set(outcomes) <= {"moved", "duplicate", "spent"}
    assert len(anna.letters) == 4, "start, first mail, confirmation, one polite answer"
    await _one_move_one_relay(world)


async def test_two_recipients_of_one_mail_are_one_effect(world: World, anna: Player) -> None:
    """D06: the reply address and the command address together."""
    key = anna.newest.reply_to
    raw = anna.write("e4", To=f"{COMMANDS}, {key}")
    assert (await world.smtp(raw, COMMANDS, key))[0] == 250
    await world.pump()
    await _one_move_one_relay(world)


async def test_another_move_two_minutes_later_does_not_take_the_first_back(world, anna):
    """D03, § 6.8.4: a lawful move can't be taken back."""
    first = anna.newest
    await anna.reply("e4", first)
    world.clock.wait(minutes=2)
    assert await anna.reply("d4", first) == "spent"
    assert (await world.row()).state().position.board.piece_at(28) is not None
    await _one_move_one_relay(world)


async def test_two_moves_in_one_mail_are_asked_about(world: World, anna: Player) -> None:
    """D04: nothing is guessed, nothing is charged."""
    assert await anna.reply("1. e4\n1. d4") == "contradiction"
    assert await world.kinds() == []
    assert "koster ingen dage" in anna.letters[-1].said


async def test_a_mail_that_was_delayed_until_it_is_his_turn_again_is_stale(world, anna, bo):
    """D07: nine days in a queue; the move would be lawful now."""
    first = anna.newest
    late = anna.write("Sf3", first)
    await anna.reply("e4")
    await bo.reply("1... c5")
    world.clock.wait(days=9)
    assert await anna.send(late, first.reply_to) == "spent"
    assert (await world.row()).ply == 2


async def test_mail_and_web_in_the_same_second_are_one_move(world, anna, bo_web):
    """D10: Bo's own answer by both ways at once."""
    await anna.reply("e4")
    bo = Player(world, BO, lang="en")
    letter = bo.newest
    shown = await bo_web.preview("c5")
    assert (await world.smtp(bo.write("1... c5", letter), letter.reply_to, sender=BO))[0] == 250
    _, sent = await asyncio.gather(world.pump(), bo_web.submit(shown, "/move"))
    await world.pump()
    assert sent.status in (200, 409)
    assert await world.kinds() == ["MoveSent", "MoveSent"]
    assert len(await world.outbox("relay")) == 2
    await world.assert_whole()


@pytest.mark.both_engines
async def test_different_moves_by_web_and_mail_at_once_the_first_committed_stands(
    world: World, anna: Player, bo_web: Browser
) -> None:
    """D11: the other is told, nothing is mixed."""
    await anna.reply("e4")
    bo = Player(world, BO, lang="en")
    letter = bo.newest
    shown = await bo_web.preview("c5")
    await world.smtp(bo.write("1... e5", letter), letter.reply_to, sender=BO)
    _, sent = await asyncio.gather(world.pump(), bo_web.submit(shown, "/move"))
    await world.pump()
    played = [r.event.plies for r in await world.events() if isinstance(r.event, MoveSent)]
    assert len(played) == 2
    by_web = str(played[1][0]) == "c7c5"
    outcome = (await world.fates())[-1][1]
    assert (sent.status, outcome) == ((200, "spent") if by_web else (409, "moved"))
    assert len(await world.outbox("relay")) == 2
    await world.assert_whole()


async def test_mails_without_message_id_in_two_games_are_two_mails(world: World) -> None:
    """The same words from the same player: only the address tells the games apart."""
    anna = Player(world, layout=None)
    one = anna.newest
    await world.begin("K-26-02")
    other = anna.newest
    for letter in (one, other):
        head = {"Message_ID": None, "In_Reply_To": None, "References": None}
        mail = anna.write("e4", letter, **head)
        assert (await world.smtp(mail, letter.reply_to))[0] == 250
    await world.pump()
    assert [outcome for _, outcome in await world.fates()] == ["moved", "moved"]
    assert len(world.letters(BO)) == 4, "two start letters, two relays"
    assert len(world.letters(ANNA)) == 6


async def test_a_late_move_by_mail_and_the_claim_on_the_web_at_once_leave_one_account(
    world: World, anna: Player, bo_web: Browser
) -> None:
    """D12: both are taken in some order, and nobody's result comes of it but by a decision."""
    first = anna.newest
    running = (await world.row()).state().running()
    assert running is not None and running.flag_on is not None
    world.clock.go(running.flag_on, 0, 1)
    await world.pump()
    shown = await bo_web.get(f"/games/{world.game}/end/time")
    assert (await world.smtp(anna.write("e4", first), first.reply_to))[0] == 250
    _, claimed = await asyncio.gather(world.pump(), bo_web.submit(shown, ""))
    await world.pump()
    row, outcome, kinds = await world.row(), (await world.fates())[-1][1], await world.kinds()
    assert outcome in ("moved", "at_rest")
    assert kinds.count("MoveSent") == (outcome == "moved")
    assert row.state().rests == (claimed.status == 200)
    assert row.state().rests or outcome == "moved", "one of them took effect"
    assert row.result is None
    await world.assert_whole()
