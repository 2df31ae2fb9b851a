"""A federation with the cup's two lists, on SQLite and on PostgreSQL; no players, no cup."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from server.settings import settings_from
from server.store.engine.store import Store
from server.usecases.context import Core
from server.usecases.games.writer import Writer
from tests.fakes.cups import CupScene, cup_scene
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.machinery.clock import FakeClock

START = date(2026, 11, 2)


@pytest.fixture
def clock() -> FakeClock:
    """The last quarter of 2026."""
    return FakeClock(START)


def _core(store: Store, clock: FakeClock) -> Core:
    return Core(store, Writer(store), clock, settings_from({}), b"s" * 32)


@pytest.fixture
async def scene(store: Store, clock: FakeClock) -> CupScene:
    """Officials and lists."""
    return await cup_scene(_core(store, clock))


def told(telling: Callable[[CupScene], Awaitable[None]]) -> Any:
    """A fixture: the same in which ``telling`` has happened, on SQLite once a process."""
    kept: list[tuple[bytes, CupScene]] = []

    @pytest.fixture
    async def scene(database_url: str, tmp_path: Path, clock: FakeClock) -> AsyncIterator[CupScene]:
        if not kept or not database_url.startswith("sqlite"):
            store = await Store.open(database_url)
            made = await cup_scene(_core(store, clock))
            await telling(made)
            if not database_url.startswith("sqlite"):
                yield made
                await store.close()
                return
            await store.close()
            kept.append(((tmp_path / "kskak.db").read_bytes(), made))
        content, begun = kept[0]
        store = await Store.open(sqlite_file(tmp_path, content=content))
        yield CupScene(_core(store, clock), dict(begun.people), dict(begun.lists), begun.cup)
        await store.close()

    return scene
