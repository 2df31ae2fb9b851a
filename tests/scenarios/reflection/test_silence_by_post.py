"""Silence in a game played by cards that are entered late, by hand (§ 6.3.4, § 6.3.3.1)."""

from datetime import date

from kskak.game import game_events as ev
from kskak.regulation.editions import Side
from tests.fakes.postal import begin_postal, enter
from tests.fakes.world import ANNA, BO, TL, World

WHITE, BLACK = Side
POSTED, DUE = date(2026, 11, 3), date(2026, 11, 19)
"""14 days from the posting and the post both ways, a day each."""


def on(day: int, month: int = 11) -> date:
    return date(2026, month, day)


PLAY = {"first_move", "card"}
"""Letters that no silence causes."""


async def begin(world: World, entered: date) -> None:
    """Anna's first card, posted on the 3rd, entered on a day."""
    await begin_postal(world)
    world.clock.go(entered)
    await enter(world, "white", "e4", postmark=POSTED)


async def reminders(world: World) -> list[date]:
    return [
        row.event.on for row in await world.events() if isinstance(row.event, ev.OpponentReminded)
    ]


async def test_the_reminder_counts_from_the_posting_and_says_how_to_enter_a_card(world):
    """§ 6.3.4: 14 days and the post both ways; to him, to her and to the leader."""
    await begin(world, on(6))
    await world.wait_until(on(18))
    assert await reminders(world) == []
    await world.wait_until(DUE)
    assert await reminders(world) == [DUE]
    assert "If you have already sent your card" in world.letters(BO)[-1].said
    assert f"/games/{world.game}/card" in world.letters(BO)[-1].text
    assert "er der noget at gøre: Indfør det" in world.letters(ANNA)[-1].said
    assert f"/games/{world.game}/card" in world.letters(ANNA)[-1].text
    assert "poststemplet afgør" in world.letters(TL)[-1].said
    await world.assert_whole()


async def test_a_card_sent_before_the_reminder_and_entered_after_it_costs_nothing(lite):
    """§ 6.3.4, § 6.3.2: 15 days, the postmark is of the day before the reminder."""
    await begin(lite, on(6))
    await lite.wait_until(on(24))
    await enter(lite, "black", "e5", received=POSTED, postmark=on(18), who=BO)
    assert await lite.total(BLACK) == 15


async def test_a_card_sent_after_the_reminder_costs_three_days(lite: World) -> None:
    """§ 6.3.4: 16 days, with the reminder."""
    await begin(lite, on(6))
    await lite.wait_until(on(24))
    await enter(lite, "black", "e5", received=POSTED, postmark=DUE, who=BO)
    assert await lite.total(BLACK) == 16 + 3


async def test_who_enters_old_cards_one_after_the_other_causes_no_reminder(world: World) -> None:
    """Reading of § 6.3.4: what was overdue on entry waits until the second day after it."""
    await begin(world, on(30))
    assert await reminders(world) == []
    await world.wait_until(on(1, 12))
    assert await reminders(world) == []
    assert {row.kind for row in await world.outbox() if row.game_id == world.game} <= PLAY
    await enter(world, "black", "e5", received=on(5), postmark=on(12), who=BO)
    await world.wait_until(on(2, 12))
    assert await reminders(world) == []
    assert await world.total(BLACK) == 7
    await world.assert_whole()


async def test_a_late_reminder_bears_the_day_on_which_it_went_and_the_leader_waits_seven_more(
    world: World,
) -> None:
    """§ 6.3.4: nobody is charged or reported by a day on which nobody was reminded."""
    await begin(world, on(30))
    await world.wait_until(on(1, 12))
    assert await reminders(world) == []
    await world.wait_until(on(2, 12))
    assert await reminders(world) == [on(2, 12)]
    await world.wait_until(on(8, 12))
    assert "LeaderTold" not in await world.kinds()
    await world.wait_until(on(9, 12))
    assert (await world.kinds())[-1] == "LeaderTold"
    await world.assert_whole()


async def test_the_control_warning_counts_from_the_earliest_receipt_and_says_so(world):
    """§ 6.3.3.1, § 6.3.1: the receipt is not told; from the 4th, 27 days are used on 1 December."""
    await begin(world, on(6))
    await world.wait_until(on(30))
    assert await world.outbox("control_warning") == ()
    await world.wait_until(on(1, 12))
    assert len(await world.outbox("control_warning")) == 1
    (letter,) = [one for one in world.letters(BO) if "may be down to 3 days" in one.said]
    assert "the earliest day it can have come" in letter.said
    assert f"/games/{world.game}/card" in letter.text


async def test_a_control_that_is_near_on_entry_is_warned_of_after_two_days(world: World) -> None:
    """§ 6.3.3.1: 20 days are used; from the 27th on, 7 more are used in the days of entering."""
    await begin_postal(world)
    world.clock.go(on(3, 12))
    await enter(world, "white", "e4", postmark=POSTED)
    await enter(world, "black", "e5", received=on(4), postmark=on(24), arrived=on(25), who=BO)
    await enter(world, "white", "Sf3", received=on(25), postmark=on(26))
    await world.wait_until(on(4, 12))
    assert await world.outbox("control_warning") == ()
    await world.wait_until(on(5, 12))
    assert len(await world.outbox("control_warning")) == 1
    assert any("may be down to 2 days" in one.said for one in world.letters(BO))
    await world.wait_until(on(11, 12))
    assert await reminders(world) == []
    await world.wait_until(on(12, 12))
    assert await reminders(world) == [on(12, 12)], "what comes after the warning is not lost"
