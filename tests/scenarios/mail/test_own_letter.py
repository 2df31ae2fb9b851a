"""Our own letter, sent back without a mark: none of it is the player's word (§ 6.8.6)."""

import re
import textwrap
from collections.abc import Callable

import pytest

from mail.incoming.own_words import html_to_text
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.world import BO, World


def _html(letter: Letter) -> str:
    part = letter.mail.get_body(("html",))
    return html_to_text(part.get_content())[0]


def _wrapped(width: int) -> Callable[[Letter], str]:
    def wrap(letter: Letter) -> str:
        return "\n".join("\n".join(textwrap.wrap(line, width)) for line in letter.text.split("\n"))

    return wrap


FOLDS: dict[str, Callable[[Letter], str]] = {
    "as it was": lambda letter: letter.text,
    "its HTML": _html,
    "paragraphs joined": lambda letter: re.sub(r"(?<!\n)\n(?!\n)", " ", letter.text),
    "blank lines gone": lambda letter: re.sub(r"\n\n+", "\n", letter.text),
    "each line twice spaced": lambda letter: letter.text.replace("\n", "\n\n"),
    "starred": lambda letter: "\n".join(
        f"*{line}*" if line else "" for line in letter.text.split("\n")
    ),
    "dashed": lambda letter: re.sub("(?m)^", "- ", letter.text),
    "bulleted": lambda letter: re.sub("(?m)^(?=.)", "• ", letter.text),
    "angled": lambda letter: re.sub("(?m)^", "» ", letter.text),
} | {f"wrapped at {width}": _wrapped(width) for width in (30, 60, 64, 68, 72, 76, 80)}


def _bare(letter: Letter, fold: str) -> str:
    """Without the cut line, and so without any sign that it is ours."""
    return FOLDS[fold](letter).split("--", 2)[-1].lstrip(" \n")


@pytest.mark.parametrize("fold", FOLDS)
async def test_a_move_above_or_below_the_bare_letter_is_all_that_is_read(world, anna, bo, fold):
    bo.layout = None
    for white, black, is_above in (("e4", "1... e5", True), ("2. Sf3", "2... Nc6", False)):
        assert await anna.reply(white) == "moved"
        letter = _bare(bo.newest, fold)
        said = f"{black}\n\n{letter}" if is_above else f"{letter}\n\n{black}"
        assert await bo.reply(said) == "moved", black
        played = [event.event.plies for event in await world.events()][-1][0].uci()
        assert played == ("e7e5" if is_above else "b8c6")
        told = (await world.outbox("relay"))[-1]
        assert told.params == "{}" or "message" not in told.params, told.params
    assert (await world.account()).get("charges", []) == []


@pytest.mark.parametrize("fold", FOLDS)
async def test_the_bare_letter_without_a_move_says_nothing(world, anna, bo, fold):
    assert await anna.reply("e4") == "moved"
    bo.layout = None
    letter = bo.newest
    for said in ("", "Hej", "Tak for brevet"):
        assert await bo.reply(f"{said}\n\n{_bare(letter, fold)}") == "not_understood", said
    assert await world.kinds() == ["MoveSent"]
    assert (await world.account()).get("charges", []) == []


@pytest.mark.parametrize("fold", FOLDS)
async def test_a_move_typed_over_the_cut_line_sends_nothing_of_the_letter_on(world, anna, fold):
    anna.layout = None
    letter = anna.newest
    said = f"1. e4 Held og lykke\n{_bare(letter, fold)}"
    await anna.reply(said.replace("1. e4 ", "1. e4\n"))
    relay = world.letters(BO)[-1].said
    assert "Held og lykke" in relay
    for line in letter.text.split("\n"):
        if len(line.split()) > 5:
            assert f"> {line}" not in relay


async def test_what_a_player_writes_in_our_words_is_his(world: World, anna: Player) -> None:
    """Moves and commands that stand in the letter too, with nothing of the letter beside them."""
    anna.layout = None
    assert await anna.reply("5254\nremis?") == "moved"
    state = (await world.row()).state()
    assert state.draw_offer is not None
