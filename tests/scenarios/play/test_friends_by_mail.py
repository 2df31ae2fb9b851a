"""A friendly game from the challenge to the first move by mail alone, each «ja» to its own letter;
and the news of those whom one follows, ended with one press."""

import re

import pytest

from kskak.regulation.editions import Regulation
from server.store.play import friends as rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.starts import friends
from server.usecases.starts.friends import ChallengeColour, ChallengeRequest
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.world import BO, TL, World


@pytest.fixture
async def lite(lite: World) -> World:
    """Both read Danish."""
    bo = await lite.person(BO)
    async with lite.core.store.write() as conn:
        await person_rows.speak(conn, bo.id, "da")
    return lite


async def _open(world: World, person: PersonRow) -> int:
    return len(await world.core.store.look(lambda conn: rows.list_open(conn, person.id)))


def _about(player: Player, said: str) -> Letter:
    return next(one for one in reversed(player.letters) if said in one.subject)


@pytest.mark.parametrize("said", ["udfordr Bo Berg", "Udfordring: bo berg", "challenge Bo Berg"])
async def test_a_game_is_asked_for_accepted_and_played_by_mail(lite: World, said: str) -> None:
    anna, bo = Player(lite), Player(lite, BO)
    person = await lite.person(BO)
    assert await anna.write_to_server(said) == "challenge_asked"
    asked = _about(anna, "Vil du udfordre Bo Berg?")
    assert await _open(lite, person) == 0, "nothing without a yes"
    assert asked.reply_to is not None and "+q-" in asked.reply_to
    assert await anna.reply("ja", asked) == "challenge_answered"
    assert await anna.reply("ja", asked) == "challenge_answered"
    assert await _open(lite, person) == 1, "twice is once"
    assert "er sendt" in anna.letters[-1].subject
    challenge = _about(bo, "Anna Ager udfordrer dig")
    assert "»nej«" in challenge.said
    assert await bo.reply("Ja tak, gerne!", challenge) == "challenge_answered"
    start = _about(bo, "V-1")
    assert "K-skak chef" in start.said and "så skriv til turneringslederen" not in start.said
    assert await bo.reply("ja", challenge) == "challenge_fault", "a second yes begins no other"
    games = await lite.core.store.look(lambda conn: rows.find(conn, 1))
    assert games is not None and games.state == rows.PLAYED
    white = next(one for one in (anna, bo) if "V-1" in one.newest.text)
    assert await white.reply("e4", _about(white, "V-1/1")) == "moved"
    assert await white.reply("e4 e5", _about(white, "V-1/1")) != "moved"
    for letter in (*anna.letters, *bo.letters):
        if "V-1/1" in letter.subject:
            assert "urneringsleder" not in letter.text, letter.text


@pytest.mark.parametrize("no", ["nej tak", "Nej tak, ikke lige nu.", "no thanks"])
async def test_no_thanks_is_told_and_what_is_neither_is_asked_again(lite: World, no: str) -> None:
    anna, bo = Player(lite), Player(lite, BO)
    to = (await lite.person(BO)).id
    asked = ChallengeRequest(to, Regulation.EMAIL, ChallengeColour.WHITE)
    await friends.challenge(lite.core, await lite.person(anna.email), asked)
    await lite.pump()
    challenge = _about(bo, "udfordrer dig")
    assert await bo.reply("Hvornår begynder det?", challenge) == "challenge_fault"
    assert "ja eller nej" in bo.letters[-1].said
    assert await bo.write_to_server("ja") != "challenge_answered", "a yes to nothing"
    stranger = bo.write("ja", challenge, From_="fremmed@example.com")
    assert await bo.send(stranger, str(challenge.reply_to)) == "held"
    assert await anna.reply("ja", challenge) != "challenge_answered", "another's letter"
    assert await _open(lite, await lite.person(BO)) == 1
    assert await bo.reply(no, challenge) == "challenge_answered"
    assert "Bo Berg vil ikke spille lige nu" in anna.letters[-1].subject


async def test_everybody_is_invited_and_the_first_yes_to_that_letter_plays(lite: World) -> None:
    anna, bo = Player(lite), Player(lite, BO)
    assert await bo.write_to_server("invitationer") == "challenge_fault"
    assert "Ingen har en åben invitation" in bo.letters[-1].said
    assert await anna.write_to_server("udfordr alle") == "challenge_asked"
    assert await anna.reply("ja", _about(anna, "invitere alle")) == "challenge_answered"
    for _ in range(2):
        assert await bo.write_to_server("Invitationer?") == "challenge_asked"
    shown = _about(bo, "Anna Ager udfordrer dig")
    assert await bo.reply("nej tak", shown) == "challenge_answered"
    assert await _open(lite, await lite.person(BO)) == 1, "it is not his to decline"
    assert await bo.reply("ja", shown) == "challenge_answered"
    assert "V-1" in _about(bo, "V-1").subject


@pytest.mark.parametrize("whom", ["Ukendt Person", "Anna Ager", "E. Nonymous e4"])
async def test_who_is_not_known_by_that_name_is_not_challenged(lite: World, whom: str) -> None:
    anna = Player(lite)
    assert await anna.write_to_server(f"udfordr {whom}") == "challenge_fault"
    assert "Vælg en anden" in anna.letters[-1].said


async def test_news_of_whom_one_follows_is_ended_with_one_press(lite: World) -> None:
    tl, anna = await lite.person(TL), await lite.person(Player(lite).email)
    await friends.follow(lite.core, tl, anna.id, "", is_on=True)
    await Player(lite).reply("opgiver")
    await Player(lite).reply("ja", Player(lite).letters[-1])
    lite.clock.wait(days=1)
    await lite.pump()
    news = next(one for one in lite.letters(TL) if one.subject == "Anna Ager – Bo Berg 0-1")
    assert news.mail["List-Unsubscribe-Post"] is None, "no https here"
    found = re.fullmatch(r"<http://skak\.example(/unsubscribe/followed/\S+)>",
                         news.mail["List-Unsubscribe"])  # fmt: skip
    assert found is not None
    async with browser(lite) as program:
        asked = await program.get(found[1])
        assert "partier, du følger" in asked.html
        assert (await friends.friends_of(lite.core, tl)).followed != ()
        done = await program.post(found[1], {"List-Unsubscribe": "One-Click"})
        assert done.status == 200 and "/friends" in done.links
    assert (await friends.friends_of(lite.core, tl)).followed == ()
