"""A game between Debian's cmail, at a terminal of its own, and the server.

Not for what other programs write (test_chess_programs.py).
"""

import asyncio
import os
import pty
import shutil
from dataclasses import dataclass
from email.utils import format_datetime
from pathlib import Path

import pytest

from tests.fakes.machinery.clock import ZONE
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.world import World

PROGRAM = shutil.which("cmail", path=f"{os.environ.get('PATH', '')}:/usr/games")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="cmail is not installed (package xboard)")


@dataclass
class Cmail:
    """A player at cmail: he feeds it the letter's file and types his move."""

    player: Player
    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir()
        sendmail = self.folder / "sendmail"
        sendmail.write_text(f'#!/bin/sh\necho "$1" > {self.folder}/to\ncat > {self.folder}/mail\n')
        sendmail.chmod(0o755)

    @property
    def letter(self) -> Letter:
        """The newest that brings him the game."""
        return [one for one in self.player.letters if list(one.mail.iter_attachments())][-1]

    def at_terminal(self, *typed: str, options: str = "") -> None:
        """Run it on the newest letter's file, with answers to its questions."""
        (file,) = self.letter.mail.iter_attachments()
        (self.folder / "in.pgn").write_bytes(file.get_content())
        line = (
            f"cd {self.folder} && exec {PROGRAM} -xxboard -dir {self.folder} -arcdir {self.folder}"
            f" -mailprog {self.folder}/sendmail {options} < in.pgn"
        )
        child, terminal = pty.fork()
        if child == 0:
            os.execve("/bin/sh", ["sh", "-c", line], {**os.environ, "HOME": str(self.folder)})
        os.write(terminal, "".join(f"{one}\n" for one in typed).encode())
        try:
            while os.read(terminal, 4096):
                pass
        except OSError:  # the terminal closes when the program ends
            pass
        os.waitpid(child, 0)
        os.close(terminal)

    async def play(self, *typed: str, options: str = "") -> str:
        """His move, mailed as cmail mails it; sendmail adds who and when."""
        async with asyncio.timeout(60):
            await asyncio.to_thread(self.at_terminal, *typed, options=options)
        to = (self.folder / "to").read_text().strip()
        assert to == self.letter.reply_to
        self.player.world.mails += 1
        when = format_datetime(self.player.world.clock.at.astimezone(ZONE))
        head = (
            f"From: {self.player.email}\nDate: {when}\n"
            f"Message-ID: <real{self.player.world.mails}.{self.player.email}>\n"
        )
        raw = (head + (self.folder / "mail").read_text()).replace("\n", "\r\n")
        return await self.player.send(raw.encode(), to)


async def test_a_game_between_cmail_and_the_web_to_the_end(lite: World, tmp_path: Path) -> None:
    anna, bo = Player(lite), Player(lite, "bo@example.net", layout="outlook", lang="en")
    cmail = Cmail(anna, tmp_path / "chess")
    assert await cmail.play("e4", "s") == "moved"
    assert await bo.reply("e5") == "moved"
    assert await cmail.play("Nf3", "d", "s") == "moved"
    assert (await lite.events())[-1].event.offers_draw  # type: ignore[union-attr]
    assert await bo.reply("Nc6\nremis?") == "moved"
    opponent = f"-oppna {anna.newest.reply_to}"  # at a terminal it mails a yes to its own player
    assert await cmail.play("a", "s", options=opponent) == "asked_back"
    assert await cmail.play("r", "s") == "asked_back"
    assert (await lite.row()).result is None
    assert await anna.reply("ja") == "resigned"
    assert (await lite.row()).result == "0-1"
