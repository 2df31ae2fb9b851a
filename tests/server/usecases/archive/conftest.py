"""An archive on SQLite and on PostgreSQL."""

from pathlib import Path

import pytest

from server.store.engine.store import Store
from tests.fakes.history import Archive, open_archive


@pytest.fixture
def archive(store: Store, tmp_path: Path) -> Archive:
    """Nothing is in it."""
    return open_archive(store, tmp_path)
