"""Moves by mail: whole replies as a mail program writes them, over SMTP sessions kept open.

Not for the servers (children.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kskak.board.shapes import numeric
from kskak.regulation.editions import Side
from server.usecases.games.outbox_letters import ReplyPosition, make_key
from tools.bench.fixture import Game, email_of
from tools.bench.load import Talker
from tools.bench.spawned import DOMAIN


@dataclass(frozen=True, slots=True)
class Letter:
    """An envelope and a mail, as bytes of the SMTP dialogue."""

    sender: bytes
    recipient: bytes
    data: bytes


def reply(game: Game, ply: int, secret: bytes) -> Letter:
    """A player's reply with one move, quoting what was sent to him: about 7 KB."""
    side = Side.BLACK if ply % 2 else Side.WHITE
    to = f"parti+{make_key(secret, ReplyPosition(game.id, ply, side))}@{DOMAIN}"
    number = f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
    sender = email_of(game.mover(ply))
    values = {
        "sender": sender,
        "to": to,
        "id": f"{game.id}.{ply}",
        "move": f"{number} {numeric(game.line.moves[ply])}",
    }
    text = _MAIL.format(**values).replace("\n", "\r\n")
    return Letter(sender.encode(), to.encode(), text.encode("ascii") + b".\r\n")


class SmtpTalker(Talker):
    """Sends one mail at a time in one session."""

    def __init__(self, letters: Sequence[Letter]) -> None:
        super().__init__()
        self._letters = iter(letters)
        self._script: list[bytes] = []
        self._is_ready = False

    def start(self) -> None:
        """Send the first mail; the greeting is over."""
        self._next()

    def whole(self, buffer: bytes) -> int:
        """One reply with all its lines."""
        at = 0
        while (end := buffer.find(b"\r\n", at)) >= 0:
            if buffer[at + 3 : at + 4] != b"-":
                return end + 2
            at = end + 2
        return 0

    def answered(self, answer: bytes) -> None:
        """Continue the dialogue; 250 after the data is the acknowledgement."""
        if answer[:1] not in b"23":
            self.refuse(answer)
            self.finish()
        elif not self._is_ready:
            self._greet(answer)
        elif self._script:
            self.send(self._script.pop())
        else:
            self.acknowledged += 1
            self._next()

    def _greet(self, answer: bytes) -> None:
        if answer.startswith(b"220"):
            self.send(b"EHLO bench.example.org\r\n")
        else:
            self._is_ready = True
            self.finish()

    def again(self) -> None:
        """The greeting is done: the next ``done`` is for the mails."""
        self.done = self.done.get_loop().create_future()

    def _next(self) -> None:
        letter = next(self._letters, None)
        if letter is None:
            self.finish()
            return
        self._script = [letter.data, b"DATA\r\n", b"RCPT TO:<%s>\r\n" % letter.recipient]
        self.send(b"MAIL FROM:<%s>\r\n" % letter.sender)


_QUOTED = "\n".join(
    f"> {line}"
    for line in (
        "K=C3=A6re Spiller,",
        "",
        "Din modstander har spillet i partiet B-26. Tr=C3=A6kket kostede ingen dage.",
        *("Her er stillingen, kontoen og det, du kan skrive i dit svar." for _ in range(24)),
        "",
        "Venlig hilsen",
        "Skakserveren",
    )
)
_HTML = "\n".join(
    '<p style=3D"margin:0">Her er stillingen, kontoen og det, du kan skrive i dit svar.</p>'
    for _ in range(36)
)
_MAIL = (
    """From: Spiller <{sender}>
To: <{to}>
Subject: Re: Parti B-26
Date: Thu, 12 Nov 2026 19:00:00 +0100
Message-ID: <{id}@mail.example.org>
In-Reply-To: <relay.{id}@kskak.localhost>
References: <start.{id}@kskak.localhost> <relay.{id}@kskak.localhost>
MIME-Version: 1.0
User-Agent: Mozilla Thunderbird
Content-Type: multipart/alternative; boundary="b0undary"

--b0undary
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Hej,

{move}

Venlig hilsen
Spiller

Den tor. 12. nov. 2026 kl. 18.00 skrev Skakserver <parti@kskak.localhost>:

"""
    + _QUOTED
    + """

--b0undary
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<html><body><p>Hej,</p><p>{move}</p><p>Venlig hilsen<br>Spiller</p>
<div>Den tor. 12. nov. 2026 kl. 18.00 skrev Skakserver:</div><blockquote>
"""
    + _HTML
    + """
</blockquote></body></html>
--b0undary--
"""
)
