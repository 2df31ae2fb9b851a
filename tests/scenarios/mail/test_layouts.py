"""Replies of four programs in four languages, in five encodings: the move, and nothing quoted.

The letter that is answered is full of moves and words of command; none of it may be read, and
none of it may go on to the opponent as the player's message.
"""

from dataclasses import replace

import pytest

from kskak.game.game_events import MoveSent
from server.store.play import notes_and_messages as note_rows
from tests.fakes.layouts import DAYS, ENCODINGS, LAYOUTS
from tests.fakes.machinery.draws import turns
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import BO, World

GREETING = "Kære Bo, god fornøjelse med partiet. Det blæser en halv pelikan på Ærø."
SHORT = (
    "Den 12. nov. skrev K-skak:",
    "K-skak skrev:",
    "K-skak <parti@skak.example> skrev følgende den 12/11:",
    "Den ons. 12. nov. 2026 kl. 18.00 skrev K-skak <\nparti@skak.example>:",
    "On 12 Nov, K-skak wrote:",
    "On Wed, Nov 12, 2026 at 6:00 PM K-skak <parti@skak.example>\nwrote:",
    "Am 12. Nov. schrieb K-skak:",
    "Den 12 nov. skrev K-skak:",
)


async def _message(world: World) -> str:
    """What went on to the opponent as the player's own words, as it is kept."""
    row = await world.row()
    async with world.core.store.read() as conn:
        told = {one.seq: one.text for one in await note_rows.messages_of_game(conn, row.id)}
    return told.get(row.seq, "")


@pytest.mark.thinned
@pytest.mark.parametrize("lang", DAYS)
@pytest.mark.parametrize("layout", LAYOUTS)
async def test_every_programs_reply_plays_its_move_and_only_its_words_go_on(lite, layout, lang):
    """One game: each reply in another encoding, to the first mail, then to relays.

    In each run two encodings by turns: all of them for each program, in one language or another.
    """
    turn = list(LAYOUTS).index(layout) + list(DAYS).index(lang)
    encodings = turns(list(ENCODINGS), turn, 2)
    anna = Player(lite, layout=layout, lang=lang)
    bo = Player(lite, BO, layout="outlook", lang="en")
    ours = ("Sf3", "Sc3", "e4", "d3", "Le2")
    theirs = ("Nf6", "Nc6", "e5", "d6", "Be7")
    for number, encoding in enumerate(encodings):
        writer = replace(anna, encoding=encoding)
        assert await writer.reply(f"{ours[number]}\n\n{GREETING}") == "moved", encoding
        assert await _message(lite) == GREETING, encoding
        relay = lite.letters(BO)[-1]
        assert GREETING in relay.said
        assert await bo.reply(f"{number + 1}... {theirs[number]}") == "moved"
    moves = [row.event for row in await lite.events() if isinstance(row.event, MoveSent)]
    assert [len(move.plies) for move in moves] == [1] * 2 * len(encodings)
    assert not any(move.proposes for move in moves)


@pytest.mark.parametrize("layout", LAYOUTS)
async def test_an_answer_without_words_sends_no_message(lite: World, layout: str) -> None:
    anna = Player(lite, layout=layout, lang="da")
    assert await anna.reply("e4") == "moved"
    assert await _message(lite) == ""
    relay = lite.letters(BO)[-1]
    assert "writes:" not in relay.said
    assert await Player(lite, BO, layout=layout, lang="en").reply("1... c5") == "moved"
    assert await _message(lite) == ""


@pytest.mark.parametrize("between", ["\n", "\n\n"])
async def test_the_line_above_a_quote_is_not_the_players_own(lite, between):
    """With the year left out, wrapped, or with a name alone, as phones write it."""
    anna, bo = Player(lite, layout=None), Player(lite, BO)
    for number, (file, line) in enumerate(zip("abcdefgh", SHORT, strict=True), 1):
        said = f"{number}. {file}3\n\n{line}{between}> 5254\n> 1. d4\n> remis?\n"
        assert await anna.reply(said) == "moved", line
        assert await _message(lite) == "", line
        assert await bo.reply(f"{number}... {file}6") == "moved"


@rows("language", "Od: {} Wysłano: {} Do: {} Temat: {}", "De : {} À : {} Le : {}")
async def test_head_lines_of_any_language_and_his_name_stay_behind(lite, language):
    """Our address is known by the settings, his name by the mail."""
    anna = Player(lite, layout=None)
    answered = anna.newest
    head = language.replace(" {} ", " {}\n").format(*[f"K-skak <{answered.reply_to}>"] * 4)
    said = f"e4\n\n{GREETING}\n\nAnna\n\n{head}\n\n{answered.text}"
    assert await anna.reply(said) == "moved"
    assert await _message(lite) == GREETING
