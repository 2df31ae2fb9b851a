"""Debian's Scid: a player files his letter's game in it, moves, and sends it by its e-mail manager.

The program's own reading and writing of games and its own sending are run; its windows, which need
a screen, are not. ``xfcc``: the same over its other protocol.
"""

import asyncio
import os
import shutil
from dataclasses import dataclass
from email.utils import format_datetime
from pathlib import Path

from tests.fakes.machinery.clock import ZONE
from tests.fakes.machinery.player import Player

PROGRAM = shutil.which("tkscid", path=f"{os.environ.get('PATH', '')}:/usr/games")
_MANAGER = "/usr/share/scid/tcl/tools/email.tcl"
_XFCC = """
lassign $argv file folder uri user key wish
set in [open $file]
fconfigure $in -encoding utf-8
regexp {\\nnamespace eval Xfcc .*?\\n\\}} [read $in] all
set scidVersion 4.7.4
set scidVersionDate 2020
proc tk {args} { return x11 }
namespace eval ::CorrespondenceChess {}
proc ::CorrespondenceChess::updateConsole {args} {}
package require http
package require tdom
eval $all
if {$wish eq ""} {
  set xml [::Xfcc::Receive $uri $user $key]
  ::Xfcc::SOAPError K-skak $xml
  ::Xfcc::WritePGN $folder K-skak ICCF $xml
} else {
  set xml [::Xfcc::SendMove $uri $user $key {*}$wish false false false false]
}
puts $xml
"""
"""Its own code for Xfcc, in Tcl's interpreter."""
_CORRESPONDENCE = "/usr/share/scid/tcl/tools/correspondence.tcl"
TCLSH = shutil.which("tclsh")
_SCRIPT = """
lassign $argv manager folder file to subject san
namespace eval ::tools::email {}
source -encoding utf-8 $manager
set in [open $file]
fconfigure $in -encoding utf-8
sc_game new
sc_game import [read $in]
sc_move end
foreach one $san { sc_move addSan $one }
array set email [list smtp 0 smproc "$folder/sendmail" logfile "$folder/log" from "" bcc ""]
set pgn [sc_game pgn -width 70 -tags 0 -variations 0 -comments 0]
::tools::email::sendMessage "" $to $subject "" "\\n$pgn\\nHilsen"
regexp {CmailGameName "([^"]*)"} [sc_game pgn -tags 1] all name
puts "$name: [sc_game tags get White] - [sc_game tags get Black]"
"""


@dataclass
class Scid:
    """A player at Scid, and the folder where it works."""

    player: Player
    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir()
        (self.folder / "play.tcl").write_text(_SCRIPT)
        sendmail = self.folder / "sendmail"
        sendmail.write_text(f"#!/bin/sh\ncat > {self.folder}/mail\n")
        sendmail.chmod(0o755)

    async def play(self, *san: str) -> tuple[str, str]:
        """File the newest letter's game, move, send: the name it is filed under, the outcome."""
        letter = [one for one in self.player.letters if list(one.mail.iter_attachments())][-1]
        (file,) = letter.mail.iter_attachments()
        (self.folder / "in.pgn").write_bytes(file.get_content())
        arguments = (_MANAGER, self.folder, self.folder / "in.pgn", letter.reply_to)
        filed = await self._run(*map(str, arguments), f"Re: {letter.subject}", " ".join(san))
        world = self.player.world
        world.mails += 1
        head = (
            f"From: {self.player.email}\nDate: {format_datetime(world.clock.at.astimezone(ZONE))}\n"
            f"Message-ID: <scid{world.mails}.{self.player.email}>\n"
        )
        raw = (head + (self.folder / "mail").read_text()).replace("\n", "\r\n").encode()
        return filed, await self.player.send(raw, str(letter.reply_to))

    async def _run(self, *arguments: str) -> str:
        assert PROGRAM is not None
        process = await asyncio.create_subprocess_exec(
            PROGRAM, self.folder / "play.tcl", *arguments,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        said, faults = await process.communicate()
        assert process.returncode == 0, faults.decode()
        return said.decode().strip()


async def xfcc(folder: Path, uri: str, keys: tuple[str, str], *wish: object) -> str:
    """The answer to GetMyGames, whose games Scid writes into a folder, or to a move.

    ``wish``: the game's number, the move's number, the move, a message.
    """
    assert TCLSH is not None
    (folder / "xfcc.tcl").write_text(_XFCC)
    words = " ".join(f"{{{one}}}" for one in wish)
    process = await asyncio.create_subprocess_exec(
        TCLSH, folder / "xfcc.tcl", _CORRESPONDENCE, folder, uri, *keys, words,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    said, faults = await process.communicate()
    assert process.returncode == 0, faults.decode()
    return said.decode()
