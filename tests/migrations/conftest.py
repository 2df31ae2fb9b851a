"""Databases without any table: where the migrations begin."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store.engine.migrate import migrate
from server.store.engine.store import Store
from tests.conftest import own_database


@pytest.fixture
async def postgres_url(postgres_server: str) -> AsyncIterator[str]:
    """The URL of an empty database of this test's own."""
    async with own_database(postgres_server, "template1") as url:
        yield url


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """An open store whose tables the migrations have just built."""
    opened = await Store.open(database_url)
    await migrate(opened, None)
    yield opened
    await opened.close()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file that is not there yet."""
    return f"sqlite+aiosqlite:///{tmp_path / 'kskak.db'}"
