"""Debian's cmail at a terminal of its own: a player feeds it his letter's file and types his move.

Not for mails recorded from it (tests/mails_programs).
"""

import asyncio
import os
import pty
import shutil
from dataclasses import dataclass
from email.utils import format_datetime
from pathlib import Path
from select import select

from tests.fakes.machinery.clock import ZONE
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter

PROGRAM = shutil.which("cmail", path=f"{os.environ.get('PATH', '')}:/usr/games")
_SECONDS = 10
"""Of silence before it is known to wait for an answer that was not typed."""


@dataclass
class Cmail:
    """A player at cmail, and the folder where it keeps his games."""

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

    async def play(self, *typed: str, options: str = "") -> str:
        """What he types, mailed as cmail mails it; the outcome of the mail."""
        return await self.player.send(await self.write(*typed, options=options), self._to)

    async def write(self, *typed: str, options: str = "") -> bytes:
        """The mail for what he types; sendmail adds who and when."""
        await asyncio.to_thread(self._at_terminal, *typed, options=options)
        assert self._to == self.letter.reply_to
        world = self.player.world
        world.mails += 1
        head = (
            f"From: {self.player.email}\nDate: {format_datetime(world.clock.at.astimezone(ZONE))}\n"
            f"Message-ID: <cmail{world.mails}.{self.player.email}>\n"
        )
        return (head + (self.folder / "mail").read_text()).replace("\n", "\r\n").encode()

    @property
    def _to(self) -> str:
        return (self.folder / "to").read_text().strip()

    def _at_terminal(self, *typed: str, options: str) -> None:
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
            while select([terminal], [], [], _SECONDS)[0] and os.read(terminal, 4096):
                pass
        except OSError:  # the terminal closes when the program ends
            pass
        os.close(terminal)  # a program that still waits for an answer ends with it
        os.waitpid(child, 0)
