"""A story's beginning, told once a process on SQLite and copied for each test that goes on from it.

On PostgreSQL it is told each time. Not for the empty database (machinery/built.py).
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from tests.fakes.machinery.built import sqlite_file
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.world import World, world_of

Telling = Callable[[World], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Beginning:
    """What a telling leaves behind: the file, the hour and the letters that went out."""

    content: bytes
    at: datetime
    letters: tuple[Letter, ...]


_told: dict[Telling, _Beginning] = {}


@asynccontextmanager
async def told_once(url: str, folder: Path, start: date, telling: Telling) -> AsyncIterator[World]:
    """A world of a test's own in which ``telling`` has happened, from ``start`` on."""
    if not url.startswith("sqlite"):
        async with world_of(url, str(folder), start=start) as world:
            await telling(world)
            yield world
        return
    if telling not in _told:
        _told[telling] = await _begin(folder, start, telling)
    begun = _told[telling]
    copy = sqlite_file(folder, content=begun.content)
    async with world_of(copy, str(folder), start=begun.at.date()) as world:
        world.clock.at = begun.at
        world.host.letters += begun.letters
        yield world


async def _begin(folder: Path, start: date, telling: Telling) -> _Beginning:
    name = "told.db"
    async with world_of(sqlite_file(folder, name), str(folder), start=start) as world:
        await telling(world)
    return _Beginning((folder / name).read_bytes(), world.clock.at, tuple(world.host.letters))
