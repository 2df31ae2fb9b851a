"""A game between Debian's cmail and a player on the web, to the end.

Not for what other programs write, nor for cmail where it is not installed (test_chess_programs.py).
"""

from pathlib import Path

import pytest

from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.cmail import PROGRAM, Cmail
from tests.fakes.machinery.player import Player
from tests.fakes.world import World

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="cmail is not installed (package xboard)")


async def _offered(world: World) -> bool:
    return bool((await world.events())[-1].event.offers_draw)  # type: ignore[union-attr]


async def test_a_game_between_cmail_and_the_web_to_mate(lite: World, tmp_path: Path) -> None:
    cmail = Cmail(Player(lite), tmp_path / "chess")
    async with browser(lite) as bo:
        await bo.sign_in()
        assert await cmail.play("e4", "s") == "moved"
        await bo.move("e5")
        assert await cmail.play("Bc4", "d", "c", "Remis, Bo?", "", "s") == "moved"
        assert await _offered(lite)
        assert "Remis, Bo?" in (await bo.get(f"/games/{lite.game}")).text
        await bo.move("Nc6", draw="1")
        assert await _offered(lite)
        assert b"{Black offers a draw}" in cmail.letter.mail.as_bytes()
        assert await cmail.play("Qh5", "s") == "moved"
        await bo.move("Nf6")
        assert await cmail.play("Qf7", "s") == "moved"
    assert (await lite.row()).result == "1-0"


async def test_cmail_accepts_a_draw_and_resigns_after_a_question(lite, tmp_path):
    anna = Player(lite)
    cmail = Cmail(anna, tmp_path / "chess")
    assert await cmail.play("e4", "s") == "moved"
    async with browser(lite) as bo:
        await bo.sign_in()
        await bo.move("e5", draw="1")
    opponent = f"-oppna {anna.newest.reply_to}"  # at a terminal it mails a yes to its own player
    assert await cmail.play("a", "s", options=opponent) == "asked_back"
    assert await cmail.play("r", "s") == "asked_back"
    assert (await lite.row()).result is None
    assert "tilbudt remis" in anna.letters[-1].said, "a yes alone would not say which"
    assert await anna.reply("opgiver") == "resigned"
    assert (await lite.row()).result == "0-1"
