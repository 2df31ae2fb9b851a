"""Databases without any table: where the migrations begin."""

from collections.abc import AsyncIterator

import pytest

from tests.conftest import own_database


@pytest.fixture
async def postgres_url(postgres_server: str) -> AsyncIterator[str]:
    """The URL of an empty database of this test's own."""
    async with own_database(postgres_server, "template1") as url:
        yield url
