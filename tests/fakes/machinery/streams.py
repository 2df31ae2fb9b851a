"""A page's ear: reads the server's stream of events over HTTP, as a browser's EventSource does."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

PATIENCE_S = 20.0


@dataclass(frozen=True)
class Heard:
    """One event: its name, the id that a browser would come back with, and the data."""

    name: str
    id: str
    data: dict[str, int]


@dataclass
class Ear:
    """An open stream. ``last`` is the id that a browser would come back with."""

    answer: aiohttp.ClientResponse
    last: str = ""

    async def next(self, *, seconds: float = PATIENCE_S) -> Heard | None:
        """The next event; None when the stream has ended."""
        fields: dict[str, str] = {}
        async with asyncio.timeout(seconds):
            while line := await self.answer.content.readline():
                name, colon, value = line.decode().rstrip("\n").partition(": ")
                if colon and name:
                    fields[name] = value
                elif not name and "event" in fields:
                    self.last = fields.get("id", self.last)
                    return Heard(fields["event"], self.last, json.loads(fields["data"]))
        return None

    async def named(self, name: str) -> Heard:
        """The next event, which must have this name."""
        heard = await self.next()
        assert heard is not None and heard.name == name, heard
        return heard

    async def hears_nothing(self, *, seconds: float = 2.0) -> bool:
        """Whether it stays silent for that long."""
        try:
            heard = await self.next(seconds=seconds)
        except TimeoutError:
            return True
        raise AssertionError(heard)


@asynccontextmanager
async def listening(http: aiohttp.ClientSession, url: str, last: str = "") -> AsyncIterator[Ear]:
    """Open a stream; it has begun when the block is entered, unless it was refused."""
    head = {"Last-Event-ID": last} if last else {}
    async with http.get(url, headers=head) as answer:
        yield Ear(answer, last)
