"""A story's beginning, told once a process on SQLite and copied for each test that goes on from it.

On PostgreSQL it is told each time. Not for the empty database (machinery/built.py).
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from server.store.tables.base import put_value
from server.usecases.reflection.silence_and_outages import HEARTBEAT
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


_told: dict[tuple[Telling, date], _Beginning] = {}


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
    if (telling, start) not in _told:
        _told[telling, start] = await _begin(folder, start, telling)
    begun = _told[telling, start]
    copy = sqlite_file(folder, content=begun.content)
    async with world_of(copy, str(folder), start=begun.at.date()) as world:
        world.clock.at, world.game = begun.at, begun.game
        world.host.letters += begun.letters
        yield world


def scene(telling: Telling, start: date = START) -> Any:
    """A fixture on the databases of ``database_url``: a world in which ``telling`` has happened."""

    @pytest.fixture
    async def told(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
        async with told_once(database_url, tmp_path, telling, start) as world:
            yield world

    return told


async def nothing(world: World) -> None:
    """Before any group."""


async def _begin(folder: Path, start: date, telling: Telling) -> _Beginning:
    name = "told.db"
    async with world_of(sqlite_file(folder, name), str(folder), start=start) as world:
        await telling(world)
        # The server was there all along: no outage, however long the telling was.
        async with world.core.store.write() as conn:
            await put_value(conn, HEARTBEAT, str(world.core.now_us))
    content = (folder / name).read_bytes()
    return _Beginning(content, world.game, world.clock.at, tuple(world.host.letters))
