"""A smarthost on the loopback: takes what the outbox hands over, or puts off, refuses, hangs.

What it took it keeps, so that tests read the letters that really went out.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from functools import cached_property

from aiosmtpd.smtp import SMTP, Envelope, Session


@dataclass(frozen=True)
class Letter:
    """A mail as it was handed over; read when it is asked for."""

    sender: str
    to: str
    raw: bytes

    @cached_property
    def mail(self) -> EmailMessage:
        """Its parts."""
        return _read(self.raw)

    @cached_property
    def head(self) -> EmailMessage:
        """Its fields alone: most letters are only looked for."""
        return _read(self.raw[: self.raw.index(b"\r\n\r\n") + 4])

    @cached_property
    def text(self) -> str:
        """Its plain text."""
        return _content(self.raw, "text/plain")

    @property
    def said(self) -> str:
        """Its plain text with every run of white space as one blank, for looking things up."""
        return " ".join(self.text.split())

    @cached_property
    def html(self) -> str:
        """Its HTML."""
        return _content(self.raw, "text/html")

    @property
    def subject(self) -> str:
        return str(self.head["Subject"])

    @property
    def message_id(self) -> str:
        return str(self.head["Message-ID"])

    @property
    def reply_to(self) -> str | None:
        """Where an answer goes, as a bare address."""
        field_ = self.head["Reply-To"]
        return None if field_ is None else str(field_.addresses[0].addr_spec)

    def link(self, under: str) -> str:
        """The path of the first link of this site below ``under``, e.g. ``/c/``."""
        found = re.search(rf"https?://[^/\s]+({re.escape(under)}\S+)", self.text)
        assert found is not None, f"no link {under} in:\n{self.text}"
        return found[1]


def _read(octets: bytes) -> EmailMessage:
    return BytesParser(EmailMessage, policy=policy.default).parsebytes(octets)


def _content(octets: bytes, kind: str) -> str:
    """The text of the first part of a kind; pictures and sheets after it are not read."""
    part = next(_parts(octets, kind), None)
    assert part is not None, f"no {kind} in:\n{octets.decode(errors='replace')}"
    return str(_read(part).get_content())


def _parts(octets: bytes, kind: str) -> Iterator[bytes]:
    head, gap, body = octets.partition(b"\r\n\r\n")
    mail = _read(head + gap)
    if mail.get_content_maintype() == "multipart":
        boundary = f"\r\n--{mail.get_boundary()}".encode()
        for part in (b"\r\n" + body).split(boundary)[1:-1]:
            yield from _parts(part.removeprefix(b"\r\n"), kind)
    elif mail.get_content_type() == kind and not mail.is_attachment():
        yield octets


class _Reading(SMTP):
    """Reads a letter at once: line by line, with its picture, took 7 % of a story."""

    line_length_limit = 2**24

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        assert self.envelope is not None and self.envelope.rcpt_tos and not arg
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        data = await self._reader.readuntil(b"\r\n.\r\n")
        self.envelope.original_content = data[:-3].replace(b"\r\n..", b"\r\n.")
        status = await self._call_handler_hook("DATA")
        self._set_post_data_state()
        await self.push(status)


@dataclass
class Smarthost:
    """What came, and how the next mail is met.

    Addresses in ``refused`` get 550 at RCPT, those in ``put_off`` 451 after the data, those in
    ``hanging`` no answer to the data until ``answers`` is set.
    """

    port: int = 0
    letters: list[Letter] = field(default_factory=list)
    put_off: set[str] = field(default_factory=set)
    hangs: bool = False
    hanging: set[str] = field(default_factory=set)
    answers: asyncio.Event = field(default_factory=asyncio.Event)
    refused: set[str] = field(default_factory=set)
    tries: int = 0
    connections: int = 0
    _server: asyncio.Server | None = None
    _open: set[SMTP] = field(default_factory=set)

    def to(self, address: str) -> list[Letter]:
        """The letters to one address, oldest first."""
        return [letter for letter in self.letters if letter.to == address]

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.tries += 1
        if address in self.refused:
            return "550 5.1.1 No such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if self.hangs:
            await asyncio.sleep(3600)
        if self.hanging & set(envelope.rcpt_tos):
            await self.answers.wait()
        if self.put_off & set(envelope.rcpt_tos):
            return "451 4.7.1 Greylisted, come again"
        raw = envelope.original_content or b""
        (to,) = envelope.rcpt_tos
        self.letters.append(Letter(envelope.mail_from or "", to, raw))
        return "250 OK"

    async def open(self) -> None:
        """Listen; after ``close`` on the same port again."""
        host = self

        class Protocol(_Reading):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                host.connections += 1
                host._open.add(self)
                super().connection_made(transport)

            def connection_lost(self, error: Exception | None) -> None:
                host._open.discard(self)
                super().connection_lost(error)

        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: Protocol(self, hostname="relay.example", loop=loop, timeout=3600),
            "127.0.0.1",
            self.port,
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Be away: nobody can connect and who is connected is cut off."""
        if self._server is None:
            return
        self._server.close()
        for protocol in list(self._open):
            if protocol.transport is not None:
                protocol.transport.abort()
        await self._server.wait_closed()
        self._server = None
        await asyncio.sleep(0)


@asynccontextmanager
async def smarthost() -> AsyncIterator[Smarthost]:
    """A smarthost that listens."""
    host = Smarthost()
    await host.open()
    try:
        yield host
    finally:
        await host.close()
