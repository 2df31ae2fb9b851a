"""A federation on SQLite and on PostgreSQL."""

import pytest

from server.store.engine.store import Store
from tests.fakes.entries import Federation, federation


@pytest.fixture
async def fed(store: Store) -> Federation:
    """Officials and open lists; no players."""
    return await federation(store)
