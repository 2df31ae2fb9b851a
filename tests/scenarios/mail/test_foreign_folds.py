"""What a foreign mail program leaves of our letters costs nobody anything (§ 6.8.4, § 6.8.6).

Each letter sent back without marks, its lines cut or its paragraphs filled anew: whether the server
still has the letter or not, nothing of it is played, charged or done without a question. NOT for
the player's own words beside a letter that is known (test_own_letter.py).
"""

import random
import textwrap
from typing import Any

import pytest
from sqlalchemy import update

from mail.compose import compose
from mail.game_letters.cast import ENVELOPE
from mail.incoming.parse_mail import letter_texts
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import LANGUAGES, Words
from server.store.tables.base import outbox
from tests.fakes.machinery.draws import AT_NIGHT
from tests.fakes.machinery.each import each
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.told_once import begin, scene
from tests.fakes.world import BO, COMMANDS, World

ALL = GAME_LETTERS | NOTICES
NAMED = [
    (name, lang)
    for name in ("confirmation", "card_corrected", "case_appeal_asked", "position", "ambiguous")
    for lang in ("da", "en")
]
"""Those whose sentences ended in a move or a word alone."""
_REST = sorted({(name, lang) for name in ALL for lang in LANGUAGES} - set(NAMED))
_SEED = None if AT_NIGHT else 33
FOLDS = [(width, filled) for width in (60, 72) for filled in (False, True)]
DRAWN = random.Random(_SEED).sample(_REST, 4 * len(FOLDS))
"""Of the others four for each fold at night, two in each run."""
WORST = (
    "(Lb5)",
    "6125 (Lb5)",
    "Sf3",
    "7163",
    "1. 5254",
    "5254",
    "1716",
    "6125 1716",
    "3. 6125 1716",
    "6125 1716 (2... Sc6 3. Lb5 a6).",
    "c7, d7, e5, f7, g7, h7",
    "f7, g7, h7",
    "ja.",
    "hjælp.",
)
PROSE = "Din modstander har spillet, og du er i trækket i partiet"
SAYS_NOTHING = {"not_understood", "automatic", "told"}
"""A letter that speaks of leave looks like a program's notice of absence."""
ASKED = {
    *("confirm", "games_unclear", "games_help", "held", "unsure", "contradiction"),
    *("wrong_number", "asked_back", "told", "no_overstep", "not_understood"),
    *("draw_unclear", "ambiguous"),
}
"""Asked about or told at the registered address, or shown to an official if asked often; nothing is
done."""
FRESH: dict[str, Any] = {"In_Reply_To": None, "References": None, "To": COMMANDS}


def _folded(text: str, width: int, *, filled: bool) -> str:
    if not filled:
        return "\n".join("\n".join(textwrap.wrap(line, width)) for line in text.split("\n"))
    paragraphs = (" ".join(one.split()) for one in text.split("\n\n"))
    return "\n\n".join("\n".join(textwrap.wrap(one, width)) for one in paragraphs)


def _chosen(width: int, filled: bool) -> list[tuple[str, str]]:
    """The letters that are folded so: at night all that are named, in each run half, by turns."""
    fold = FOLDS.index((width, filled))
    drawn = DRAWN[fold :: len(FOLDS)]
    if AT_NIGHT:
        return [*NAMED, *drawn]
    return [
        *[one for n, one in enumerate(NAMED) if (n // 2 + n + fold // 2 + fold) % 2 == 0],
        *drawn[:2],
    ]


def _bare(text: str) -> str:
    """Without the cut line, and so without any sign that it is ours."""
    return text.split("--", 2)[-1].lstrip(" \n")


async def _keep(world: World, letter: bytes, answered: Letter) -> None:
    """That letter is what the server sent to Anna when it sent the one she answers."""
    kept = update(outbox).where(outbox.c.message_id == answered.message_id)
    async with world.core.store.write() as conn:
        done = await conn.execute(kept.values(raw=letter))
    assert done.rowcount == 1


async def _stands(world: World) -> tuple[list[str], object]:
    return await world.kinds(), (await world.account()).get("charges", [])


async def _opened(world: World) -> None:
    await begin(world)
    assert await Player(world).reply("e4") == "moved"
    assert await Player(world, BO, layout="outlook", lang="en").reply("1... e5") == "moved"


world = scene(_opened)
"""White is to move, and may play 7163, Sf3, 6125 and Lb5; 5254 and 1716 are faults."""


@pytest.fixture
def anna(world: World) -> Player:
    return Player(world, layout=None)


@pytest.mark.thinned
@pytest.mark.parametrize("width, filled", FOLDS)
async def test_a_letter_that_is_kept_says_nothing_when_it_comes_back(world, anna, width, filled):
    answered, before = anna.newest, await _stands(world)
    for name, lang in _chosen(width, filled):
        raw = compose(ALL[name], Words.load(lang), ENVELOPE).as_bytes()
        for text in letter_texts(raw):
            await _keep(world, raw, answered)
            bare = _folded(_bare(text), width, filled=filled)
            outcome = await anna.reply(bare, answered)
            assert outcome in SAYS_NOTHING, (name, lang, outcome)
            assert await _stands(world) == before, (name, lang)


async def test_what_a_letter_of_ours_quotes_makes_nobody_a_robot(world, anna):
    """«PS: jeg er på ferie» is the opponent's, in a letter that came back without marks."""
    answered, raw = anna.newest, compose(ALL["thread"], Words.load("da"), ENVELOPE).as_bytes()
    for text in letter_texts(raw):
        await _keep(world, raw, answered)
        said = _folded(_bare(text), 72, filled=False)
        assert await anna.reply(said, answered) in SAYS_NOTHING


@pytest.mark.thinned
@pytest.mark.parametrize("width, filled", FOLDS)
async def test_a_letter_that_is_no_longer_known_is_asked_about(world, anna, width, filled):
    answered, before = anna.newest, await _stands(world)
    for name, lang in _chosen(width, filled):
        raw = compose(ALL[name], Words.load(lang), ENVELOPE).as_bytes()
        for text in letter_texts(raw):
            bare = _folded(_bare(text), width, filled=filled)
            mail = anna.write(bare, answered, **FRESH)
            outcome = await anna.send(mail, COMMANDS)
            assert outcome in ASKED | SAYS_NOTHING, (name, lang, outcome)
            assert await _stands(world) == before, (name, lang)


@each("line", WORST)
async def test_the_worst_line_alone_below_a_line_of_ours_is_asked_about(world, anna, line):
    world.clock.wait(days=1)  # a day's questions are limited
    await world.pump()
    answered, before = anna.newest, await _stands(world)
    mail = anna.write(f"{PROSE}\n{line}", answered, **FRESH)
    outcome = await anna.send(mail, COMMANDS)
    assert outcome in ASKED, outcome
    assert await _stands(world) == before


@pytest.mark.parametrize("line", ["7163", "Sf3", "6125 (Lb5)"])
async def test_the_same_line_is_the_players_move_when_he_answers_with_it(world, anna, line):
    assert await anna.reply(f"Hej Bo, tak for sidst\n{line}") == "moved"
    assert len(await world.kinds()) == 3
