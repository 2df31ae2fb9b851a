"""Consent where it binds: leave without a key or far ahead, robots' leave, foreign keys."""

import pytest

from server.usecases.games.game_units import MOST_QUESTIONS
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import BO, TL, World

LEAVE = "ferie 2026-11-20 2026-11-25"


async def _answer(world: World, player: Player, said: str) -> None:
    async with browser(world) as page:
        await page.submit(await page.get(player.letters[-1].link("/c/")), "", answer=said)
    await world.pump()


async def test_leave_without_a_key_books_nothing_until_its_owner_says_so(world, anna):
    before = {one: len(world.letters(one)) for one in (BO, TL)}
    assert await anna.write_to_server(LEAVE) == "confirm"
    assert await world.kinds() == []
    assert {one: len(world.letters(one)) for one in (BO, TL)} == before
    assert LEAVE in anna.letters[-1].said
    world.clock.wait(days=3)
    await _answer(world, anna, "yes")
    assert await world.kinds() == ["LeaveBooked"], "notified the day the mail came"
    assert len(world.letters(BO)) == before[BO] + 1
    await world.assert_whole()


async def test_no_books_nothing_and_a_flood_of_forged_leave_is_soon_held(lite: World) -> None:
    anna = Player(lite)
    assert await anna.write_to_server(LEAVE) == "confirm"
    await _answer(lite, anna, "no")
    before = len(anna.letters)
    for day in range(10, 20):
        await anna.write_to_server(f"ferie 2026-12-{day} 2026-12-{day}")
    assert await lite.kinds() == []
    assert len(anna.letters) - before == MOST_QUESTIONS - 1
    assert [fate for fate, _ in await lite.fates()].count("held") == 10 - (MOST_QUESTIONS - 1)


async def test_shorter_leave_without_a_key_is_asked_about_too(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply(LEAVE) == "leave"
    assert await anna.write_to_server("ferie slut 22/11") == "confirm"
    assert await lite.kinds() == ["LeaveBooked"]
    await _answer(lite, anna, "yes")
    assert await lite.kinds() == ["LeaveBooked", "LeaveShortened"]


@pytest.mark.parametrize(
    ("first", "last", "outcome"),
    [
        ("2027-04-20", "2027-04-29", "leave"), ("2027-05-01", "2027-05-10", "confirm"),
        ("2027-10-20", "2027-10-25", "confirm"),
    ],
)  # fmt: skip
async def test_leave_more_than_half_a_year_ahead_is_asked_about_with_the_key_too(
    lite: World, first: str, last: str, outcome: str
) -> None:
    anna = Player(lite)
    assert await anna.reply(f"ferie {first} {last}") == outcome
    assert await lite.kinds() == (["LeaveBooked"] if outcome == "leave" else [])
    if outcome == "confirm":
        assert "mere end et halvt år" in anna.letters[-1].said
        await _answer(lite, anna, "yes")
        assert await lite.kinds() == ["LeaveBooked"]


@rows(
    "said head outcome",
    ("Ferie fra 20/12 til 3/1", {"Auto-Submitted": "auto-replied"}, "automatic"),
    ("Ferie fra 20/12 til 3/1", {"Subject": "Autosvar: [K-26-01/1]"}, "automatic"),
    ("Ferie fra 20/12 til 3/1", {"Subject": "Ikke på kontoret"}, "confirm"),
    ("Jeg holder ferie og er tilbage i januar.\nFerie fra 20/12 til 3/1", {}, "confirm"),
    ("Jeg holder ferie og er tilbage i januar.", {}, "confirm"),
    ("Jeg holder ferie og er tilbage i januar.\ne4", {}, "moved"),
)
async def test_a_robots_leave_books_nothing(lite, said, head, outcome):
    anna = Player(lite)
    before = len(anna.letters)
    assert await anna.reply(said, **head) == outcome
    assert await lite.kinds() == (["MoveSent"] if outcome == "moved" else [])
    asks_days = outcome == "moved"  # in a letter beside the move's
    assert len(anna.letters) - before == (outcome != "automatic") + asks_days
