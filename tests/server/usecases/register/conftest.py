"""A register on SQLite and on PostgreSQL."""

import pytest

from server.store.engine.store import Store
from tests.fakes.register import Register, open_register


@pytest.fixture
async def register(store: Store) -> Register:
    """Nobody is in it."""
    return await open_register(store)
