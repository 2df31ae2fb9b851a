"""Letters that nobody has to get are ended by their own link, signed in or not (RFC 8058)."""

import re

import pytest

from server.usecases.account import choices
from server.usecases.core.preferences import Pace
from server.usecases.results import bulletins
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.world import BO, World

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def link_of(letter: Letter) -> str:
    found = re.fullmatch(r"<http://skak\.example(/\S+)>", letter.mail["List-Unsubscribe"])
    assert found is not None
    return found[1]


async def _pace(world: World) -> Pace:
    return (await choices.of_person(world.core, (await world.person(BO)).id)).letters


async def test_one_press_in_the_mail_program_ends_word_of_moves_but_not_what_is_demanded(
    lite: World,
) -> None:
    anna, bo = Player(lite), Player(lite, BO)
    assert bo.letters[-1].mail["List-Unsubscribe"] is None, "the start of a game has to come"
    await anna.reply("e4")
    link = link_of(bo.newest)
    async with browser(lite) as program:
        for _ in range(2):
            assert (await program.post(link, ONE_CLICK)).status == 200
    assert await _pace(lite) is Pace.DEADLINES
    before = len(bo.letters)
    await bo.reply("e5")
    answer = bo.newest
    assert answer.mail["List-Unsubscribe"] is None, "an answer to his own mail has to come"
    await anna.reply("Nf3")
    assert bo.letters[before:] == [answer]


async def test_who_opens_the_link_is_asked_first(lite: World) -> None:
    anna, bo = Player(lite), Player(lite, BO)
    await anna.reply("e4")
    async with browser(lite) as someone:
        asked = await someone.get(link_of(bo.newest))
        assert asked.status == 200
        assert await _pace(lite) is Pace.MOVES, "looking is nothing"
        done = await someone.submit(asked, "")
    assert done.status == 200 and "/settings/letters" in done.links
    assert await _pace(lite) is Pace.DEADLINES


async def test_bulletins_are_ended_by_their_own_link_only(lite: World) -> None:
    anna, bo = Player(lite), Player(lite, BO)
    person = await lite.person(BO)
    await bulletins.wants(lite.core, person, it=True)
    await anna.reply("e4")
    of_moves = link_of(bo.newest)
    async with browser(lite) as program:
        assert (await program.post(of_moves, ONE_CLICK)).status == 200
        assert await bulletins.gets(lite.core, person)
        of_bulletins = of_moves.replace("/moves/", "/bulletins/")
        assert (await program.post(of_bulletins, ONE_CLICK)).status == 200
    assert not await bulletins.gets(lite.core, person)


@pytest.mark.parametrize("token", ["aaaaaaaaaa", "aaaaaaaaab" + "c" * 16, "z" * 26])
async def test_a_link_that_we_did_not_make_ends_nothing(lite: World, token: str) -> None:
    async with browser(lite) as someone:
        for answer in (
            await someone.get(f"/unsubscribe/moves/{token}"),
            await someone.post(f"/unsubscribe/moves/{token}", ONE_CLICK),
        ):
            assert answer.status == 410
    assert await _pace(lite) is Pace.MOVES
