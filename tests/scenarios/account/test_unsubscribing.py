"""Letters that nobody has to get are ended by their own link, signed in or not (RFC 8058)."""

import re

import pytest

from server.usecases.account import signin
from server.usecases.letters import Series, link_to_end
from server.usecases.preferences import Pace
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


async def _old_link(world: World) -> str:
    """What stood in the head of every relay."""
    person = (await world.person(BO)).id
    return link_to_end(world.core, Series.MOVES, person).removeprefix("http://skak.example")


async def _pace(world: World) -> Pace:
    return (await signin.read_preferences(world.core, (await world.person(BO)).id)).letters


async def test_no_letter_that_is_the_game_can_be_ended_by_one_press(lite: World) -> None:
    """Start, relay, confirmation, question, answer, reminder: what plays the game has to come."""
    anna, bo = Player(lite), Player(lite, BO)
    await anna.reply("e4")
    for said in ("hm?", "opgiver", "12... e5", "1... e5"):
        await bo.reply(said)
    await anna.reply("2. Nf3")
    for _ in range(5):
        lite.clock.wait(days=7)
        await lite.pump()
    kinds = {row.kind for row in await lite.outbox()}
    assert {"relay", "reminder", "ask_back", "not_made", "confirmation"} <= kinds
    for letter in (*anna.letters, *bo.letters):
        assert letter.mail["List-Unsubscribe"] is None, letter.subject
        assert letter.mail["List-Unsubscribe-Post"] is None, letter.subject


async def test_an_old_link_pressed_in_a_mail_program_stops_no_relay(lite: World) -> None:
    anna, bo = Player(lite), Player(lite, BO)
    async with browser(lite) as program:
        for _ in range(2):
            shown = await program.post(await _old_link(lite), ONE_CLICK)
            assert shown.status == 200 and "får at vide" in shown.html
    assert await _pace(lite) is Pace.MOVES
    await anna.reply("e4")
    assert "e4" in bo.letters[-1].said
    assert "sendt til Bo Berg" in anna.letters[-1].said


@pytest.mark.parametrize("word", ["mails", "Send mails", "mejl"])
async def test_who_chose_the_web_is_told_as_his_opponent_is_and_undoes_it_by_mail(lite, word):
    anna, bo = Player(lite), Player(lite, BO, lang="en")
    async with browser(lite) as someone:
        asked = await someone.get(await _old_link(lite))
        assert asked.status == 200
        assert await _pace(lite) is Pace.MOVES, "looking is nothing"
        done = await someone.submit(asked, "")
    assert done.status == 200 and "/settings/letters" in done.links and "ordet mails" in done.html
    assert await _pace(lite) is Pace.DEADLINES
    before = len(bo.letters)
    await anna.reply("e4")
    said = anna.letters[-1].said
    assert "Bo Berg læser træk på nettet" in said and "sendt til Bo" not in said
    assert len(bo.letters) == before
    assert await bo.write_to_server(word) == "games_mails"
    assert "You get a mail again" in bo.letters[-1].said
    assert await _pace(lite) is Pace.MOVES
    listed = bo.letters[-1]
    key = re.findall(r"parti\+[a-z2-7]+@skak\.example", listed.text)[0]
    raw = bo.write("1... e5", listed, To=key, In_Reply_To=None, References=None)
    assert await bo.send(raw, key) == "moved"
    await anna.reply("2. Nf3")
    assert "2. Nf3" in bo.letters[-1].said or "2. 7163" in bo.letters[-1].said


async def test_the_word_beside_a_move_does_both(lite: World) -> None:
    bo = await lite.person(BO)
    await signin.keep(lite.core, bo, {"letters": Pace.DEADLINES.value})
    anna = Player(lite)
    await signin.keep(lite.core, await lite.person(anna.email), {"letters": "deadlines"})
    assert await anna.reply("e4\nmails") == "moved"
    assert (
        await signin.read_preferences(lite.core, (await lite.person(anna.email)).id)
    ).letters is (Pace.MOVES)


async def test_one_press_ends_the_daily_letter_but_not_what_was_chosen_since(lite: World) -> None:
    anna, bo = Player(lite), Player(lite, BO)
    person = await lite.person(BO)
    await signin.keep(lite.core, person, {"letters": Pace.DAILY.value})
    await anna.reply("e4")
    assert "daglige mail" in anna.letters[-1].said
    lite.clock.wait(days=1)
    await lite.pump()
    daily = link_of(bo.letters[-1])
    async with browser(lite) as program:
        await signin.keep(lite.core, person, {"letters": Pace.MOVES.value})
        assert (await program.post(daily, ONE_CLICK)).status == 200
        assert await _pace(lite) is Pace.MOVES
        await signin.keep(lite.core, person, {"letters": Pace.DAILY.value})
        assert (await program.post(daily, ONE_CLICK)).status == 200
    assert await _pace(lite) is Pace.DEADLINES


async def test_bulletins_are_ended_by_their_own_link_only(lite: World) -> None:
    person = await lite.person(BO)
    await bulletins.wants(lite.core, person, it=True)
    of_moves = await _old_link(lite)
    async with browser(lite) as program:
        assert (await program.post(of_moves, ONE_CLICK)).status == 200
        assert await bulletins.gets(lite.core, person)
        of_bulletins = of_moves.replace("/moves/", "/bulletins/")
        assert (await program.post(of_bulletins, ONE_CLICK)).status == 200
    assert not await bulletins.gets(lite.core, person)
    assert await _pace(lite) is Pace.MOVES


@pytest.mark.parametrize("token", ["aaaaaaaaaa", "aaaaaaaaab" + "c" * 16, "z" * 26])
async def test_a_link_that_we_did_not_make_ends_nothing(lite: World, token: str) -> None:
    async with browser(lite) as someone:
        for answer in (
            await someone.get(f"/unsubscribe/moves/{token}"),
            await someone.post(f"/unsubscribe/moves/{token}", ONE_CLICK),
        ):
            assert answer.status == 410
    assert await _pace(lite) is Pace.MOVES
