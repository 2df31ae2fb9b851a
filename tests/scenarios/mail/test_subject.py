"""A move or a word of command in the subject, where the text has none.

Not for whose mail it is (test_authentication.py).
"""

from datetime import date

import pytest

from mail.compose import compose
from mail.game_letters.cast import ENVELOPE
from mail.samples import GAME_LETTERS
from mail.text.catalogue import LANGUAGES, Words
from server.store.play import notes_and_messages as note_rows
from server.usecases.mail.parsed_mail import with_subject
from tests.fakes.machinery.each import each, rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import World

ALONE = ("e4", "Re: 1. e4", "Sv: 52 54", "SV: Re: e4 :-)", "[K-26-01/1] 1. 5254", "Mit træk: e4")


async def _said(world: World) -> list[str]:
    row = await world.row()
    async with world.core.store.read() as conn:
        return [one.text for one in await note_rows.messages_of_game(conn, row.id)]


@pytest.mark.parametrize("subject", ALONE)
async def test_a_move_in_the_subject_alone_is_played(world, anna, subject):
    assert await anna.reply("", Subject=subject) == "moved"
    assert (await world.row()).ply == 1
    assert await _said(world) == []


async def test_the_text_below_it_goes_on(world: World, anna: Player) -> None:
    assert await anna.reply("Glædelig jul!\n\nMvh Anna", Subject="1. e4") == "moved"
    assert await _said(world) == ["Glædelig jul!"]


@pytest.mark.parametrize("said", ["d4", "1. d4", "remis?\n1. d4"])
async def test_what_the_text_says_counts(world: World, anna: Player, said: str) -> None:
    assert await anna.reply(said, Subject="e4") == "moved"
    (row,) = await world.events()
    assert row.event.plies[0].uci() == "d2d4"  # type: ignore[union-attr]


async def test_a_move_among_the_words_is_asked_about_and_not_the_one_above(world, anna):
    await anna.reply("Jeg vil hellere spille d4", Subject="e4")
    assert (await world.row()).ply == 0
    assert await anna.reply("ja") == "moved"
    (row,) = await world.events()
    assert row.event.plies[0].uci() == "d2d4"  # type: ignore[union-attr]


@pytest.mark.parametrize("subject", ["Opgiver!", "Jeg opgiver.", "Sv: Resign!"])
async def test_resigning_in_the_subject_alone_is_asked_about(world, anna, subject):
    asked = await anna.reply("opgiver", Subject="Hej")
    assert await anna.reply("", Subject=subject) == asked
    assert await anna.reply("ja") == "resigned"


@pytest.mark.parametrize("subject", ["Opgiver!", "remis?", "tid"])
async def test_a_word_in_the_subject_of_a_mail_that_says_something_is_asked_about_at_most(
    world: World, anna: Player, subject: str
) -> None:
    assert await anna.reply("Skal vi snart ses?", Subject=subject) in ("asked_back", "told")
    assert await world.kinds() == []


@pytest.mark.parametrize("subject", ["", "Re:", "SV: ", "(intet emne)"])
@rows("said outcome", ("e4", "moved"), ("Sikke et vejr", "not_understood"))
async def test_a_mail_without_a_subject_is_read_like_any_other(world, anna, subject, said, outcome):
    before = len(anna.letters)
    assert await anna.reply(said, Subject=subject) == outcome
    assert len(anna.letters) == before + 1


async def test_our_own_subject_is_no_move(world: World, anna: Player) -> None:
    assert await anna.reply("") == "not_understood"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("reply", ["Re: ", "SV: AW: ", "Fwd: ", ""])
@each("name", GAME_LETTERS)
def test_a_subject_of_ours_is_never_taken_for_his_words(name: str, lang: str, reply: str) -> None:
    """It says the opponent's move, and the day's questions."""
    subject = compose(GAME_LETTERS[name], Words.load(lang), ENVELOPE)["Subject"]
    assert with_subject("", f"{reply}{subject}", date(2026, 12, 4)) == ""
    said = "Tak for partiet indtil nu!"
    assert with_subject(said, f"{reply}{subject}", date(2026, 12, 4)) == said
