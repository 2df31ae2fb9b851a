"""Cases 4B: automatic mail, lists and loops: kept, never answered, never a move."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from server.jobs.mail_jobs import InboxJob
from server.usecases.games.game_units import MOST_ANSWERS, MOST_QUESTIONS
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, World

HOSTILE = Path(__file__).parents[2] / "mails_hostile"
CORPUS_KEY = b"parti+k7q2m3abcdefghij234567@skak.example"
ROBOTS = sorted(path.stem for path in HOSTILE.glob("b*.eml"))
ASKED = {"b06_precedence_bulk", "b18_list"}
"""A person's mail may look so: with a key and a move its owner is asked."""


@pytest.mark.parametrize("name", ROBOTS)
async def test_what_no_person_wrote_is_kept_moves_nothing_and_is_never_answered(lite, name):
    letter = lite.letters(ANNA)[-1]
    assert letter.reply_to is not None
    raw = (HOSTILE / f"{name}.eml").read_bytes()
    raw = raw.replace(CORPUS_KEY, letter.reply_to.encode()).replace(b"2. Nf3", b"1. Nf3")
    before = len(lite.host.letters)
    null_sender = name.startswith(("b07", "b09", "b12"))
    code, said = await lite.smtp(raw, letter.reply_to, sender="" if null_sender else ANNA)
    assert code == 250, said
    await lite.pump()
    assert await lite.kinds() == []
    told = [one.to for one in lite.host.letters[before:]]
    assert told == ([ANNA] if name in ASKED else [])
    (row,) = await lite.inbox()
    assert (row.state, row.outcome == "confirm") == ("done", name in ASKED)


async def test_a_mail_that_went_round_fifty_times_is_refused_in_the_dialogue(lite):
    """B16."""
    anna = Player(lite)
    hops = b"".join(b"Received: from a by b; x\r\n" for _ in range(51))
    code, _ = await lite.smtp(hops + anna.write("e4"), anna.newest.reply_to)
    assert code == 554
    assert await lite.inbox() == ()


async def test_two_robots_that_answer_each_other_fall_silent(world: World) -> None:
    """B17: a vacation program that knows no RFC 3834 answers every letter of ours."""
    robot = Player(world, ANNA, layout=None)
    answered = sent = 0
    for _ in range(60):
        letters = [one for one in robot.letters if one.reply_to is not None][answered:]
        if not letters:
            break
        answered += len(letters)
        for letter in letters:
            sent += 1
            text = f"Tak for din mail nr. {sent}. Jeg er tilbage paa mandag."
            assert letter.reply_to is not None
            raw = robot.write(text, letter)
            assert (await world.smtp(raw, letter.reply_to))[0] == 250
        await world.pump()
    else:
        raise AssertionError(f"still talking after {sent} mails")
    assert sent < 25
    assert await world.kinds() == []


async def test_a_robot_that_says_the_same_again_and_again_is_answered_ten_times_a_day(world):
    """B17: fifty in an hour, the same words, under the same key."""
    robot = Player(world, ANNA, layout=None)
    letter = robot.newest
    before = len(robot.letters)
    for _ in range(50):
        world.clock.wait(minutes=1)
        await robot.reply("Jeg er paa ferie.", letter)
    assert len(robot.letters) == before + MOST_ANSWERS
    assert await world.kinds() == []
    world.clock.wait(days=1)
    assert await robot.reply("e4", letter) == "moved", "a move is read all the same"


async def _flood(world: World, count: int, sender: str) -> None:
    """So many mails about one position, each with words of its own, before any is handled."""
    robot = Player(world, ANNA, layout=None)
    key = robot.newest.reply_to
    assert key is not None
    for number in range(count):
        raw = robot.write(f"Tak for mail nr. {number}.", robot.newest)
        raw = raw.replace(f"<{ANNA}>".encode(), f"<{sender}>".encode())
        assert (await world.smtp(raw, key, sender=sender))[0] == 250


async def _handled_by_two(world: World) -> None:
    """Two batches at once, as two processes on one database take them."""
    while any(await asyncio.gather(*(InboxJob(world.core).work() for _ in range(2)))):
        pass
    await world.pump()


async def test_a_flood_that_comes_at_once_gets_no_more_answers_than_one_spread_over_the_day(world):
    """B17: the limit of a day's answers holds within a batch and across batches."""
    before = len(world.letters(ANNA))
    await _flood(world, 90, ANNA)
    await _handled_by_two(world)
    assert len(world.letters(ANNA)) - before == MOST_ANSWERS
    assert {fate for _, fate in await world.fates()} == {"not_understood"}
    await _flood(world, 3, ANNA)
    await world.pump()
    assert len(world.letters(ANNA)) - before == MOST_ANSWERS
    world.clock.wait(days=1)
    await _flood(world, 1, ANNA)
    await world.pump()
    assert len(world.letters(ANNA)) - before == MOST_ANSWERS + 1, "a new day"


async def test_a_flood_from_a_foreign_address_asks_the_player_so_often_and_no_more(world):
    """«Was this you?» a few times a day; the rest is held for an official."""
    before = len(world.letters(ANNA))
    await _flood(world, 80, "fremmed@example.com")
    await _handled_by_two(world)
    assert len(world.letters(ANNA)) - before == MOST_QUESTIONS
    fates = Counter(state for state, _ in await world.fates())
    assert fates == {"done": MOST_QUESTIONS, "held": 80 - MOST_QUESTIONS}
