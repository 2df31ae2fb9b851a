"""A server on the day of a takeover, in virtual time."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.takeovers import ON
from tests.fakes.world import World, world_of


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """On either kind of database; nothing has been taken over."""
    async with world_of(database_url, str(tmp_path), start=ON) as made:
        yield made


@pytest.fixture
async def lite(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """The same on SQLite alone."""
    async with world_of(sqlite_url, str(tmp_path), start=ON) as made:
        yield made
