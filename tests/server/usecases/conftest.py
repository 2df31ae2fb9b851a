"""What several of these rooms begin with: a takeover's day, a site, a federation."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store.engine.store import Store
from tests.fakes.entries import Federation, federation
from tests.fakes.site import Site, close_site, open_site
from tests.fakes.takeovers import ON
from tests.fakes.world import World, world_of


@pytest.fixture
async def world(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """On SQLite; nothing has been taken over."""
    async with world_of(sqlite_url, str(tmp_path), start=ON) as made:
        yield made


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """A group of three, started on 1 September 2026; nobody has moved."""
    opened = await open_site(tmp_path)
    yield opened
    await close_site(opened)


@pytest.fixture
async def fed(store: Store) -> Federation:
    """Officials and open lists on 2 November 2026; no players."""
    return await federation(store)
