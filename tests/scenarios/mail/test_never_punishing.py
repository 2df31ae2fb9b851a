"""What people write beside a move, and what it costs: nothing that is no plain try costs a day.

One game, White has played e4; what Bo answers, what becomes of it, and whether "ja" plays it.
"""

import pytest

from tests.fakes.machinery.player import Player
from tests.fakes.world import World

PLAYED = (
    "Jeg spiller e6",
    "Mit træk er e6.",
    "e6 :-)",
    "e6 😊",
    "e6, tak",
    "e6 mvh Bo",
    "e6\u200b",
    "(e6)",
    "Træk: e6",
    "57 56",
)
ASKED = (
    *("Jeg spiller nok e6", "Sort: e6", "5756?", "e6??", "e6\nfortryd", "e6 fortryd"),
    *(
        "Mit træk er måske e6.",
        "Jeg har tænkt længe.\nMen det bliver nok e6 denne gang.\nHilsen Bo",
    ),
)
FREE = (
    *("5254", "e4", "Du skrev: 1. e4", "8361 Hasselager", "Jeg har nu 1854 i rating", "d4?"),
    *("Vestergade 4\n8361", "Min nye rating er\n1854", "Hej Anna\n1234\nGod weekend"),
    *("Du skrev:\n1. a3", "Tak for sidst, vi endte\n0-0", "1... Ke7\nhov, jeg mener Kd6"),
)


async def _answered(bo: Player, anna: Player, said: str) -> str:
    assert await anna.reply("e4") == "moved"
    bo.layout = "outlook"
    return await bo.reply(said)


async def _charges(world: World) -> object:
    return (await world.account()).get("charges", [])


@pytest.mark.parametrize("said", PLAYED)
async def test_thanks_faces_and_signs_nobody_sees_do_not_hide_a_move(world, anna, bo, said):
    assert await _answered(bo, anna, said) == "moved"
    assert (await world.row()).ply == 2


@pytest.mark.parametrize("said", ASKED)
async def test_a_move_that_is_not_certain_is_asked_about_and_yes_plays_it(world, anna, bo, said):
    arrived = world.clock.today
    await _answered(bo, anna, said)
    assert (await world.row()).ply == 1
    asked = bo.letters[-1]
    assert "Did you mean 1... 5756" in asked.said or "Do you mean 1... 5756" in asked.said
    assert "could not be read" not in asked.said
    world.clock.wait(days=1)
    assert await bo.reply("ja") == "moved"
    assert (await world.row()).ply == 2
    assert (await world.events())[-1].event.sent == arrived  # type: ignore[union-attr]
    assert await _charges(world) == []


@pytest.mark.parametrize("said", FREE)
async def test_what_is_no_plain_try_at_his_own_move_costs_no_day(world, anna, bo, said):
    await _answered(bo, anna, said)
    assert (await world.row()).ply == 1
    assert await _charges(world) == []
    assert "days added" not in bo.letters[-1].said


@pytest.mark.parametrize("said", ["Ke7", "1... Ke7", "Dh4"])
async def test_a_plain_try_that_is_illegal_costs_three_days(world, anna, bo, said):
    """§ 6.8.6: and the letter says so."""
    assert await _answered(bo, anna, said) == "illegal"
    assert "days added to Black: illegal move (§ 6.8.6)" in bo.letters[-1].said
    assert len(await _charges(world)) == 1  # type: ignore[arg-type]


async def test_a_finnish_knight_is_asked_about(world: World, anna: Player, bo: Player) -> None:
    await _answered(bo, anna, "Rf6")
    assert await _charges(world) == []
    assert await bo.reply("ja") == "moved"


async def test_a_number_that_is_off_is_guessed_in_the_letters_that_were_written(world, anna):
    """A Danish player who writes English letters: his own read none of it."""
    assert await anna.reply("12. Nf3") == "wrong_number"
    assert "Mener du 1. 7163 (Sf3)?" in anna.letters[-1].said
    assert await anna.reply("ja") == "moved"
