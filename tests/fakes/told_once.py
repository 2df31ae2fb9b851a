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
from tests.fakes.world import START, World, world_of

Telling = Callable[[World], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Beginning:
    """What a telling leaves behind: the file, the game, the hour and the letters that went out."""

    content: bytes
    game: int
    at: datetime
    letters: tuple[Letter, ...]


async def begin(world: World) -> None:
    """The game of Anna and Bo has started; nobody has moved."""
    await world.begin()


_told: dict[Telling, _Beginning] = {}


@asynccontextmanager
async def told_once(
    url: str, folder: Path, telling: Telling, start: date = START
) -> AsyncIterator[World]:
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
        world.clock.at, world.game = begun.at, begun.game
        world.host.letters += begun.letters
        yield world


async def _begin(folder: Path, start: date, telling: Telling) -> _Beginning:
    name = "told.db"
    async with world_of(sqlite_file(folder, name), str(folder), start=start) as world:
        await telling(world)
    content = (folder / name).read_bytes()
    return _Beginning(content, world.game, world.clock.at, tuple(world.host.letters))
