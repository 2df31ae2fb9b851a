"""A federation with the cup's two lists, on SQLite and on PostgreSQL; no players, no cup."""

from datetime import date

import pytest

from server.settings import settings_from
from server.store.engine.store import Store
from server.usecases.context import Core
from server.usecases.games.writer import Writer
from tests.fakes.cups import CupScene, cup_scene
from tests.fakes.machinery.clock import FakeClock

START = date(2026, 11, 2)


@pytest.fixture
def clock() -> FakeClock:
    """The last quarter of 2026."""
    return FakeClock(START)


@pytest.fixture
async def scene(store: Store, clock: FakeClock) -> CupScene:
    """Officials and lists."""
    return await cup_scene(Core(store, Writer(store), clock, settings_from({}), b"s" * 32))
