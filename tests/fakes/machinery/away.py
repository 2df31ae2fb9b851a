"""A PostgreSQL server that can be away: a socket before the real one, closed by a test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

_SOCKET = ".s.PGSQL.5432"


@dataclass
class Passage:
    """Passes on what comes to ``here`` while it is open."""

    here: Path
    there: Path
    server: asyncio.Server | None = None
    lines: set[asyncio.StreamWriter] = field(default_factory=set)

    async def open(self) -> None:
        """The database can be reached (again)."""
        self.server = await asyncio.start_unix_server(self._line, str(self.here / _SOCKET))

    async def close(self) -> None:
        """It can't, and every line to it is cut."""
        assert self.server is not None
        self.server.close()
        (self.here / _SOCKET).unlink(missing_ok=True)
        for line in self.lines:
            line.transport.abort()
        self.lines.clear()

    async def _line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_unix_connection(str(self.there / _SOCKET))
        self.lines |= {writer, outer}
        await asyncio.gather(_pass_on(reader, outer), _pass_on(inner, writer))


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    target.close()


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
