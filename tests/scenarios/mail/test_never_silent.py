"""A player's mail with a right key and a move in it is played or asked about, never left lying.

The traits are those of mails that real programs and providers write. Not for who may move at all
(test_authentication.py).
"""

from random import Random

import pytest

from kskak.game.game_events import MoveSent
from server.usecases.games.game_units import MOST_ANSWERS
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import BO, KC, STRANGER, World
from tests.mail.people import people_mails

UNTHREADED: dict[str, None] = {"In_Reply_To": None, "References": None}


def _with_field(raw: bytes, field: bytes) -> bytes:
    return field + b"\r\n" + raw


@pytest.mark.both_engines
async def test_a_nul_character_in_a_players_words_stops_no_move(world: World) -> None:
    """PostgreSQL keeps no such text: the mail was tried again and again, and never played."""
    anna, bo = Player(world), Player(world, BO, layout="outlook", lang="en")
    await world.begin("K-26-02")
    assert await anna.reply("e4\n\nHej\0 du gamle ven") == "moved"
    assert "Hej\ufffd du gamle ven" in bo.newest.said
    assert await bo.reply("e5\n\nSee\0\0you\0") == "moved"


WORDS = sorted(
    {word for one in people_mails() if one.lang == "da" for word in one.said.split()}
    | {"Fravær", "bortrejst", "fraværende", "tilbage", "uge", "51", "automatisk", "kontoret"}
)
SUBJECTS = ("", "Re:", "Fravær", "Ferie uge 52", "Ikke på kontoret", "Sne", "Svar")


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_a_person_writes_with_his_key_is_answered(lite: World, seed: int) -> None:
    """Words of people's mails in any order, below any subject: each mail gets a letter."""
    anna, dice = Player(lite, layout=None), Random(seed)
    for _ in range(12):
        said = " ".join(dice.choices(WORDS, k=dice.randint(1, 25)))
        before, subject = len(anna.letters), dice.choice(SUBJECTS)
        outcome = await anna.reply(said, Subject=subject)
        assert len(anna.letters) > before, (outcome, subject, said)
        lite.clock.wait(hours=6)
    assert "FaultySent" not in await lite.kinds()


TRAITS = {
    "a list's name": b"List-Id: <skakvenner.example.dk>",
    "bulk": b"Precedence: bulk",
    "a field twice": b"MIME-Version: 1.0",
    "a line that is no field": b"Received from nowhere",
}


@pytest.mark.parametrize("field", TRAITS.values(), ids=TRAITS)
async def test_a_move_with_a_right_key_in_an_odd_mail_is_asked_about(world, anna, field):
    arrived, before = world.clock.today, len(anna.letters)
    raw = _with_field(anna.write("e4"), field)
    assert await anna.send(raw, anna.newest.reply_to or "") == "confirm"
    (asked,) = anna.letters[before:]
    assert "5254" in asked.said and "venter derfor på dit ord" in asked.said
    world.clock.wait(days=2)
    async with browser(world) as one:
        await one.submit(await one.get(asked.link("/c/")), "", answer="yes")
    await world.pump()
    (row,) = await world.events()
    assert isinstance(row.event, MoveSent)
    assert row.event.sent == arrived, "it counts from its arrival"


async def test_a_comma_in_a_name_without_quotes_is_asked_about(world: World, anna: Player) -> None:
    raw = anna.write("e4").replace(b"From: Anna Ager <", b"From: Ager, Anna <")
    assert b"From: Ager, Anna <" in raw
    assert await anna.send(raw, anna.newest.reply_to or "") == "confirm"


@pytest.mark.parametrize("dash", ["–", "-", ","])
async def test_a_persons_subject_like_a_robots_does_not_hide_a_move(world, anna, dash):
    before = len(anna.letters)
    said = await anna.reply("e4", Subject=f"Ikke på kontoret {dash} men her er mit træk")
    assert said == "confirm"
    (asked,) = anna.letters[before:]
    assert "som om et program" in asked.said
    assert await world.kinds() == []


async def test_a_field_of_nine_kilobytes_is_no_hindrance(world: World, anna: Player) -> None:
    raw = _with_field(anna.write("e4"), b"X-Provags-ID: " + b"V03:K1:" + b"x" * 8884)
    assert await anna.send(raw, anna.newest.reply_to or "") == "moved"


async def test_words_without_a_move_behind_a_list_are_asked_about_and_in_an_odd_mail_told(
    world: World, anna: Player
) -> None:
    """A list or a gateway may carry a person's word, whatever it says; nothing is done by it."""
    letter = anna.newest
    for name, field in TRAITS.items():
        before = len(anna.letters)
        raw = anna.write("Jeg er på ferie og læser mail igen på mandag.", letter)
        await anna.send(_with_field(raw, field), letter.reply_to or "")
        (told,) = anna.letters[before:]
        assert ("/c/" in told.said) is (name in ("a list's name", "bulk")), name
    assert await world.kinds() == []


async def test_officials_are_told_of_held_mail_within_the_hour_and_of_strangers_once_a_day(
    world: World, anna: Player
) -> None:
    key = anna.newest.reply_to or ""
    for number in range(3):
        spam = anna.write("Buy!", From_=STRANGER, To="parti@skak.example", **UNTHREADED)
        await anna.send(spam.replace(b"<m", f"<spam{number}.".encode()), "parti@skak.example")
    assert [row.state for row in await world.inbox()] == ["held"] * 3
    (told,) = world.letters(KC)
    assert "(1)" in told.said or "(3)" in told.said, "strangers alone: the first day's letter"
    world.clock.wait(minutes=59)
    foreign = anna.write("e4", From_=BO)
    assert await anna.send(foreign, key) == "held"
    assert len(world.letters(KC)) == 1
    world.clock.wait(minutes=2)
    await world.pump()
    assert len(world.letters(KC)) == 2
    assert BO in world.letters(KC)[1].said
    world.clock.wait(hours=2)
    await world.pump()
    assert len(world.letters(KC)) == 2, "each mail is told of once"
    async with browser(world) as kc:
        await kc.sign_in(KC)
        desk = (await kc.get("/desk/mail")).text
    assert desk.index(BO) < desk.index(STRANGER), "strangers stand last"


async def test_what_can_not_be_read_is_held_and_its_player_told_of_each(world, anna):
    """A zero octet, and a mail built oddly without a move: the key says whose it is."""
    letter, before = anna.newest, len(anna.letters)
    for raw in (
        anna.write("e4", letter).replace(b"e4", b"e4\x00", 1),
        _with_field(anna.write("Tillykke med sejren i går", letter), TRAITS["a field twice"]),
    ):
        assert await anna.send(raw, str(letter.reply_to)) == "held"
    first, second = anna.letters[before:]
    for told in (first, second):
        assert "kunne" not in told.subject and "En leder ser på den" in told.said
        assert "koster ingen dage" in told.said
    for _ in range(2 * MOST_ANSWERS):
        again = anna.write("e4", letter).replace(b"e4", b"e4\x00", 1)
        assert await anna.send(again, str(letter.reply_to)) == "held"
    assert len(anna.letters) == before + MOST_ANSWERS
    assert await world.kinds() == []
