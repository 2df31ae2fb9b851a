"""A game between Debian's Scid and a player on the web: our file filed in it, its mail read by us.

Not for Scid where it is not installed (test_chess_programs.py has mails in its form).
"""

from pathlib import Path

import pytest

from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.scid import PROGRAM, Scid
from tests.fakes.world import World

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="Scid is not installed (package scid)")


async def test_a_game_between_scid_and_the_web_to_mate(lite: World, tmp_path: Path) -> None:
    scid = Scid(Player(lite), tmp_path / "scid")
    filed = "K-26-01-1: Anna Ager - Bo Berg"
    async with browser(lite) as bo:
        await bo.sign_in()
        for move, answer in (("e4", "e5"), ("Bc4", "Nc6"), ("Qh5", "Nf6")):
            assert await scid.play(move) == (filed, "moved")
            await bo.move(answer)
        assert await scid.play("Qxf7#") == (filed, "moved")
    assert (await lite.row()).result == "1-0"


async def test_a_game_that_scid_has_taken_too_far_is_asked_about(lite, tmp_path):
    """Two moves of his line in the file: which is meant is not guessed."""
    _, outcome = await Scid(Player(lite), tmp_path / "scid").play("e4", "e5", "Nf3")
    assert outcome != "moved"
    assert await lite.kinds() == []
