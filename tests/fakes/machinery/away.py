"""A PostgreSQL server that can be away: a test closes the socket before it, or makes it silent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

_SOCKET = ".s.PGSQL.5432"


@dataclass(eq=False)
class _Line:
    """A connection through the passage: once deaf, it swallows what comes, and closes nothing."""

    writers: tuple[asyncio.StreamWriter, asyncio.StreamWriter]
    is_deaf: bool = False

    async def pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                if not self.is_deaf:
                    target.write(data)
                    await target.drain()
        if not self.is_deaf:
            target.close()


@dataclass
class Passage:
    """Passes on what comes to ``here`` while it is open."""

    here: Path
    there: Path
    server: asyncio.Server | None = None
    lines: list[_Line] = field(default_factory=list)
    is_silent: bool = False

    async def open(self) -> None:
        """The database can be reached (again)."""
        self.server = await asyncio.start_unix_server(self._line, str(self.here / _SOCKET))

    async def close(self) -> None:
        """It can't, and every line to it is cut."""
        assert self.server is not None
        self.server.close()
        (self.here / _SOCKET).unlink(missing_ok=True)
        for line in self.lines:
            for writer in line.writers:
                writer.transport.abort()
        self.lines.clear()

    def fall_silent(self) -> None:
        """Every line there is, and each new one, swallows what it is given, for ever."""
        self.is_silent = True
        for line in self.lines:
            line.is_deaf = True

    def speak(self) -> None:
        """New lines lead to the database again."""
        self.is_silent = False

    async def _line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_unix_connection(str(self.there / _SOCKET))
        line = _Line((writer, outer), self.is_silent)
        self.lines.append(line)
        await asyncio.gather(line.pass_on(reader, outer), line.pass_on(inner, writer))


@asynccontextmanager
async def passage(url: str, folder: Path) -> AsyncIterator[tuple[str, Passage]]:
    """An open passage to the database of ``url``, and the URL that leads through it."""
    there = parse_qs(urlsplit(url).query)["host"][0]
    made = Passage(folder, Path(there))
    await made.open()
    try:
        yield (
            url.replace(quote(there, safe=""), quote(str(folder), safe="")).replace(
                there, str(folder)
            ),
            made,
        )
    finally:
        await made.close()
