"""The SMTP listener: accepts mail for our domain, answering 250 only once the inbox has kept it.

Runs in the app's own loop, in production behind a relay on loopback. Any failure on our side
gives a fixed 451, so that the sender's relay tries again: aiosmtpd's own answer to an exception
would be a permanent 500 with the exception's text: a lost move. NOT for reading mail.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from typing import Any, AnyStr, Protocol

from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from mail.incoming import mime
from mail.incoming.parse_mail import is_own_recipient

_log = logging.getLogger(__name__)

# What incoming mail needs from the server: a place to keep raw mail, and a way to refuse it.


@dataclass(frozen=True, slots=True)
class RawMail:
    """A mail as it reached our SMTP dialogue.

    `mail_from` is '' for the null sender. `received_at`: aware UTC, when all data had arrived.
    `peer`: the relay's IP address. `raw`: the octets as received, dots unstuffed.
    """

    raw: bytes
    mail_from: str
    rcpt_to: tuple[str, ...]
    peer: str
    received_at: datetime


class Refuse(Exception):  # noqa: N818 - reads as the command it is
    """Raised by an inbox to refuse a mail with an SMTP code and text of its own."""

    def __init__(self, code: int, text: str) -> None:
        """`code`: 4xx to try again, 5xx for good. `text`: one line of ASCII."""
        super().__init__(f"{code} {text}")
        self.code = code
        self.text = text


class Inbox(Protocol):
    """Where raw mail goes. Implemented by the server."""

    async def accept(self, mail: RawMail) -> None:
        """Keep the mail durably; return only once it is kept. Raise Refuse to refuse it.

        Any other exception makes the sender's relay try again later. A mail may arrive twice.
        """

    async def deferred(self, mail: RawMail) -> None:
        """Best-effort notification that we deferred this mail.

        The day of sending counts from the first attempt that we deferred.
        """


# How many large mails come in at the same time, so that they do not take the machine's memory.

LIGHT = 128 * 1024
"""Octets up to which a mail takes no place."""
_TOGETHER = LIGHT // 2
"""Octets of lines that are given together at most."""
PLACES = 2
"""Mails larger than that which are read, checked and kept at a time."""
LONGEST = 120.0
"""Seconds that one may hold its place while others wait for it: a sender that dribbles is hung up
on then, and may come again."""


class Room:
    """The places for large mails of one listener."""

    def __init__(self, places: int = PLACES, longest: float = LONGEST) -> None:
        self._free = asyncio.Semaphore(places)
        self.longest = longest
        self._waiting = 0

    @property
    def is_wanted(self) -> bool:
        """Whether anybody waits for a place."""
        return self._waiting > 0

    async def enter(self) -> None:
        """Wait for a place."""
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1

    def leave(self) -> None:
        """Give the place back."""
        self._free.release()


class MeteredReader:
    """A connection's stream, whose reading waits for room when a mail becomes large.

    Of a mail's content it gives the lines that have come together, where aiosmtpd asks for each:
    those from which no dot is taken and which do not end it (`_together`). `hang_up` ends the
    connection of a mail that keeps others waiting for too long. Not for what the lines mean.
    """

    def __init__(
        self, reader: asyncio.StreamReader, room: Room, hang_up: Callable[[], None]
    ) -> None:
        self._reader, self._room, self._hang_up = reader, room, hang_up
        self._octets: int | None = None  # of the mail in hand; None: commands are read
        self._limit: asyncio.TimerHandle | None = None  # set while the mail has a place

    def begin(self) -> None:
        """What comes now is a mail."""
        self._octets = 0

    def end(self) -> None:
        """The mail is kept, or given up: its place is another's."""
        self._octets = None
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
            self._room.leave()

    async def readuntil(self, separator: bytes = b"\n") -> bytes:
        """The next line; of a mail's content, perhaps some lines more."""
        if self._octets is None:
            return await self._reader.readuntil(separator)
        octets = self._together()
        if octets:
            return await self._counted(await self._reader.readexactly(octets))
        return await self._counted(await self._reader.readuntil(separator))

    async def read(self, octets: int = -1) -> bytes:
        """So many octets of a line that is too long."""
        return await self._counted(await self._reader.read(octets))

    def _together(self) -> int:
        """The octets of the whole lines that have come, up to the first that begins with a dot.

        0: the next line is to be read by itself, as it begins with one, has not come, or is long.
        """
        come: bytearray = self._reader._buffer  # type: ignore[attr-defined]  # as aiosmtpd does
        if come.startswith(b"."):
            return 0
        dot = come.find(b"\r\n.", 0, _TOGETHER)
        end = dot if dot >= 0 else come.rfind(b"\r\n", 0, _TOGETHER)
        return end + 2 if end >= 0 else 0

    async def _counted(self, lines: bytes) -> bytes:
        if self._octets is not None and self._limit is None:
            self._octets += len(lines)
            if self._octets > LIGHT:
                await self._room.enter()
                self._take_time()
        return lines

    def _take_time(self) -> None:
        """Time to be read in, again and again while nobody else wants the place."""
        loop = asyncio.get_running_loop()
        self._limit = loop.call_later(self._room.longest, self._time_is_up)

    def _time_is_up(self) -> None:
        if self._room.is_wanted:
            self._hang_up()
        else:
            self._take_time()


# The SMTP listener: accepts mail for our domain, answering 250 only once the inbox has kept it.

MAX_RECIPIENTS = 10
# The relay in front breaks lines at 998; we are no stricter (a longer line gets 552).
_MAX_LINE = 1024 * 1024
_LATER = "451 4.3.0 Temporary failure, please try again later"
_NO_KEY = "550 5.1.1 Wrong key in the reply address; answer our newest letter of the game"
_ODD = re.compile(r"[^\x20-\x7e\xa0-\ud7ff\uf900-\ufffd\U00010000-\U0010ffff]")
_ROUTE = re.compile(r"to:\s*<?\s*@", re.IGNORECASE)
# Fits nearly all addresses; parsing one in aiosmtpd takes a tenth of a mail's time.
_ATOM = r"[A-Za-z0-9+=_-]+"
_PLAIN = re.compile(
    rf"<({_ATOM}(?:\.{_ATOM})*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)>(?: ([A-Z0-9][A-Z0-9= ]*))?"
)
_BUSY = b"421 4.7.0 Too many connections, please try again later\r\n"
_DEFERRED_WAIT = 5.0  # seconds for the best-effort note about a deferred mail


@dataclass(frozen=True, slots=True)
class ListenerSettings:
    """Where to listen and what to accept. `port` 0: any free one. `timeout`: idle seconds.

    `per_peer` and `in_all`: connections at a time from one address and altogether; the web shares
    our files and must have some. `is_relay`: an address to which the first does not apply.
    """

    domain: str
    host: str = "127.0.0.1"
    port: int = 8025
    max_size: int = mime.MAX_MESSAGE
    timeout: float = 300.0
    per_peer: int = 50
    in_all: int = 200
    is_relay: Callable[[str], bool] = lambda _: False


class _Protocol(SMTP):
    """aiosmtpd's protocol with our line limit; in the handler's `open` set while connected."""

    line_length_limit = _MAX_LINE

    def __init__(self, handler: "_Handler", settings: ListenerSettings) -> None:
        super().__init__(
            handler,
            data_size_limit=settings.max_size,
            enable_SMTPUTF8=True,
            hostname=settings.domain,
            ident="ESMTP",  # no name, no version
            timeout=settings.timeout,
            loop=asyncio.get_running_loop(),
        )
        self.answered = asyncio.Event()  # cleared while a mail is kept and not yet answered
        self.answered.set()
        self._handler, self._is_taken = handler, False
        self.address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.address = _address(transport.get_extra_info("peername"))
        self._is_taken = self._handler.has_room(self.address)
        if self._is_taken:
            self._handler.open.add(self)
            super().connection_made(transport)
        elif isinstance(transport, asyncio.WriteTransport):
            transport.write(_BUSY)
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._handler.open.discard(self)
        self.answered.set()
        if self._is_taken:
            super().connection_lost(error)

    def eof_received(self) -> bool | None:
        return super().eof_received() if self._is_taken else None

    def _cb_client_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        super()._cb_client_connected(reader, writer)
        self._metered = MeteredReader(reader, self._handler.room, writer.close)
        self._reader = self._metered  # type: ignore[assignment]

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Address and parameters of MAIL and RCPT as aiosmtpd parses them, but faster if plain."""
        plain = _PLAIN.fullmatch(arg) if not self.local_part_limit else None
        if plain is None:
            return super()._getaddr(arg)
        return plain[1], plain[2] or ""

    @syntax("RCPT TO: <address>", extended=" [SP <mail-parameters>]")
    async def smtp_RCPT(self, arg: str | None) -> None:  # noqa: N802 - aiosmtpd's name
        if arg is not None and _ROUTE.match(arg):  # aiosmtpd would drop the route and go on
            await self.push("550 5.1.1 No such mailbox here")
        else:
            await super().smtp_RCPT(arg)

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        self._metered.begin()
        try:
            await super().smtp_DATA(arg)
        finally:
            self._metered.end()
            self.answered.set()

    def push(self, status: AnyStr) -> Coroutine[Any, Any, None]:
        if isinstance(status, str) and status.startswith("500 Line too long"):
            return super().push("552 5.3.4 Line too long")
        return super().push(status)


class _Handler:
    """The dialogue's decisions: which recipients to accept, and how to answer DATA."""

    def __init__(
        self,
        inbox: Inbox,
        settings: ListenerSettings,
        clock: Callable[[], datetime],
        is_made_up: Callable[[str], bool],
    ) -> None:
        self._inbox = inbox
        self._settings = settings
        self._clock = clock
        self._is_made_up = is_made_up
        self.room = Room()
        self.tasks: set[asyncio.Task[None]] = set()
        self.open: set[_Protocol] = set()

    def has_room(self, address: str) -> bool:
        """Whether one more connection from there is within the limits."""
        if len(self.open) >= self._settings.in_all:
            return False
        if self._settings.is_relay(address):
            return True
        theirs = sum(one.address == address for one in self.open)
        return theirs < self._settings.per_peer

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(address) > 320 or _ODD.search(address):
            return "553 5.1.7 Sender address not understood"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address.lower() == "postmaster":
            address += f"@{self._settings.domain}"  # RFC 5321, 4.5.1: it needs no domain
        if not is_own_recipient(address, self._settings.domain):
            return "550 5.1.1 No such mailbox here"
        if self._is_made_up(address):
            return _NO_KEY
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if isinstance(server, _Protocol):
            server.answered.clear()
        try:
            return await self._take(session, envelope)
        except Exception:
            _log.exception("inbound mail deferred")
            return _LATER

    async def _take(self, session: Session, envelope: Envelope) -> str:
        content = envelope.original_content or b""
        refusal = mime.refusal(content)
        if refusal is not None:
            return f"{refusal[0]} {refusal[1]}"
        mail = _raw_mail(session, envelope, content, self._clock())
        try:
            await self._keep(mail)
        except Refuse as refuse:
            if refuse.code < 500:
                self._note_deferred(mail)
            return f"{refuse.code} {_ODD.sub(' ', refuse.text)[:400]}"
        except Exception:
            _log.exception("inbound mail deferred: the inbox failed")
            self._note_deferred(mail)
            return _LATER
        return "250 2.0.0 Kept"

    async def _keep(self, mail: RawMail) -> None:
        """Shielded: a peer that hangs up must not interrupt a commit."""
        await asyncio.shield(self._start(self._inbox.accept(mail)))

    def _note_deferred(self, mail: RawMail) -> None:
        self._start(asyncio.wait_for(self._inbox.deferred(mail), _DEFERRED_WAIT))

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.debug("work for an inbound mail failed", exc_info=task.exception())

    async def handle_exception(self, error: Exception) -> str:
        _log.error("error in the SMTP dialogue", exc_info=error)
        return _LATER


def _address(peer: object) -> str:
    """The IP address in a socket's peer name."""
    return str(peer[0]) if isinstance(peer, tuple) and peer else ""


def _raw_mail(
    session: Session, envelope: Envelope, content: bytes, received_at: datetime
) -> RawMail:
    sender = envelope.mail_from or ""
    return RawMail(
        raw=content,
        mail_from="" if sender == "<>" else sender,
        rcpt_to=tuple(envelope.rcpt_tos),
        peer=_address(session.peer),
        received_at=received_at,
    )


class SmtpServer:
    """A running listener."""

    def __init__(self, server: asyncio.Server, handler: _Handler) -> None:
        """Made by `start_smtp`."""
        self._server = server
        self._handler = handler

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Accept no new connections, finish keeping what has arrived, then hang up."""
        self._server.close()
        while self._handler.tasks:
            await asyncio.wait(set(self._handler.tasks))
        for protocol in list(self._handler.open):
            await protocol.answered.wait()
        for protocol in list(self._handler.open):
            if protocol.transport is not None:
                protocol.transport.close()
        await self._server.wait_closed()


async def start_smtp(
    inbox: Inbox,
    settings: ListenerSettings,
    clock: Callable[[], datetime],
    is_made_up: Callable[[str], bool] = lambda _: False,
) -> SmtpServer:
    """Listen in the running loop. `clock`: aware UTC now. OSError if the port is taken.

    `is_made_up`: whether a recipient of ours has a key that we never made.
    """
    handler = _Handler(inbox, settings, clock, is_made_up)
    server = await asyncio.get_running_loop().create_server(
        lambda: _Protocol(handler, settings), settings.host, settings.port
    )
    return SmtpServer(server, handler)
