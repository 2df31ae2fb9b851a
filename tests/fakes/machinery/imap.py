"""A mailbox with just enough IMAP for our reader: mails with numbers, and word of new ones."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime

PASSWORD = "hemmelig"  # noqa: S105


@dataclass
class FakeMailbox:
    """The folder INBOX of one user. ``mails``: octets and delivery by UID; ``refuses``: the command
    that is answered by NO, or HELLO: no connection is taken."""

    port: int = 0
    validity: int = 7
    has_idle: bool = True
    refuses: str = ""
    mails: dict[int, tuple[bytes, datetime]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    sessions: int = 0
    _came: asyncio.Event = field(default_factory=asyncio.Event)
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    def deliver(self, raw: bytes, at: datetime) -> int:
        """A mail comes; its UID."""
        uid = max(self.mails, default=10) + 1
        self.mails[uid] = (raw, at)
        self._came.set()
        return uid

    def hang_up(self) -> None:
        """All connections are lost."""
        for writer in list(self._open):
            writer.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.sessions += 1
        if self.refuses == "HELLO":
            writer.close()
            return
        self._open.add(writer)
        writer.write(b"* OK ready\r\n")
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while line := (await reader.readline()).decode().strip():
                tag, _, rest = line.partition(" ")
                self.said.append(rest)
                if rest.upper() == "IDLE":
                    await self._idle(reader, writer)
                    writer.write(f"{tag} OK idle\r\n".encode())
                else:
                    writer.write(self._answer(rest) + f"{tag} {self._end(rest)}\r\n".encode())
                await writer.drain()
        self._open.discard(writer)
        writer.close()

    async def _idle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"+ idling\r\n")
        done = asyncio.create_task(reader.readline())
        came = asyncio.create_task(self._came.wait())
        await asyncio.wait({done, came}, return_when=asyncio.FIRST_COMPLETED)
        if came.done():
            writer.write(f"* {len(self.mails)} EXISTS\r\n".encode())
        came.cancel()
        await done

    def _end(self, asked: str) -> str:
        if self.refuses and asked.upper().startswith(self.refuses):
            return "NO not now"
        is_login = asked.upper().startswith("LOGIN")
        return "NO wrong password" if is_login and PASSWORD not in asked else "OK done"

    def _answer(self, asked: str) -> bytes:
        word = asked.upper()
        if word.startswith("CAPABILITY"):
            return b"* CAPABILITY IMAP4rev1" + (b" IDLE" if self.has_idle else b"") + b"\r\n"
        if word.startswith("SELECT"):
            upcoming = max(self.mails, default=10) + 1
            told = f"* {len(self.mails)} EXISTS\r\n* OK [UIDVALIDITY {self.validity}] valid\r\n"
            return f"{told}* OK [UIDNEXT {upcoming}] next\r\n".encode()
        if found := re.match(r"UID SEARCH UID (\d+):\*", word):
            self._came.clear()
            asked_for = {uid for uid in self.mails if uid >= int(found[1])}
            numbers = asked_for | ({max(self.mails)} if self.mails else set())  # RFC 3501, 6.4.8
            return ("* SEARCH " + " ".join(map(str, sorted(numbers)))).encode() + b"\r\n"
        if found := re.match(r"UID FETCH (\d+) \((.*)\)", word):
            return self._mail(int(found[1]), found[2])
        return b""

    def _mail(self, uid: int, parts: str) -> bytes:
        if uid not in self.mails:
            return b""
        raw, at = self.mails[uid]
        head = f"* 1 FETCH (UID {uid}"
        if "BODY.PEEK[]" in parts:
            return f"{head} BODY[] {{{len(raw)}}}\r\n".encode() + raw + b")\r\n"
        day = at.strftime("%d-%b-%Y %H:%M:%S %z")
        return f'{head} RFC822.SIZE {len(raw)} INTERNALDATE "{day}")\r\n'.encode()


@asynccontextmanager
async def fake_mailbox() -> AsyncIterator[FakeMailbox]:
    """One that listens."""
    made = FakeMailbox()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    yield made
    made.hang_up()
    server.close()
    await server.wait_closed()
