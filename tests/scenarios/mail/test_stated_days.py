"""Days that a mail gives for its move: shown to both, an earlier receipt honoured (§ 6.8.2)."""

from datetime import timedelta

from kskak.game.game_events import MoveSent
from tests.fakes.machinery.player import Player
from tests.fakes.world import BO, TL, World


def _bo(world: World) -> Player:
    return Player(world, BO, layout="outlook", lang="en")


async def test_a_day_of_sending_that_differs_is_shown_to_both_and_does_not_count(lite):
    anna, bo = Player(lite), _bo(lite)
    day = lite.clock.today - timedelta(days=1)
    assert await anna.reply(f"1. e4 sendt {day.day}/{day.month}") == "moved"
    assert "som afsendelsesdag" in anna.letters[-1].said
    assert "gave" in bo.letters[-1].said and "as its day of sending" in bo.letters[-1].said
    assert (await lite.events())[-1].event.sent == lite.clock.today  # type: ignore[union-attr]
    assert not [
        one for one in lite.letters(TL) if "under way" in one.said or "undervejs" in one.said
    ]


async def test_a_mails_own_date_that_differs_is_shown_and_a_long_way_is_put_to_the_leader(lite):
    anna = Player(lite)
    assert await anna.reply("e4", Date="Thu, 12 Nov 2026 10:00:00 +0100") == "moved"
    counted, told = lite.clock.today, "12. november 2026" in anna.letters[-1].said
    assert told is (counted.isoformat() != "2026-11-12")
    bo, before = _bo(lite), len(lite.letters(TL))
    lite.clock.wait(days=6)
    sent = (lite.clock.at - timedelta(days=3)).strftime("%a, %d %b %Y 12:00:00 +0100")
    assert await bo.reply("e5", Date=sent) == "moved"
    letters = lite.letters(TL)[before:]
    assert len(letters) == 1 and "mere end en dag undervejs" in letters[0].said


async def test_a_clock_that_was_never_set_says_nothing(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply("e4", Date="Thu, 01 Jan 1970 10:00:00 +0100") == "moved"
    assert "som afsendelsesdag" not in anna.letters[-1].said


async def test_an_earlier_receipt_is_honoured_and_a_later_one_is_put_to_the_leader(lite):
    anna, bo = Player(lite), _bo(lite)
    sent = lite.clock.today
    assert await anna.reply("e4") == "moved"
    lite.clock.wait(days=3)
    assert await bo.reply(f"1... e5 received {sent.day}/{sent.month}") == "moved"
    event = (await lite.events())[-1].event
    assert isinstance(event, MoveSent) and event.received == sent
    assert (await lite.account())["totals"]["black"] == 3
    sent, before = lite.clock.today, len(lite.letters(TL))
    lite.clock.wait(days=5)
    late = sent + timedelta(days=3)
    assert await anna.reply(f"2. Sf3 modt. {late.day}/{late.month}") == "moved"
    event = (await lite.events())[-1].event
    assert isinstance(event, MoveSent) and event.received is None, "the usual day counts"
    assert (await lite.account())["totals"]["white"] == 4
    assert [one for one in lite.letters(TL)[before:] if "undervejs" in one.said]
