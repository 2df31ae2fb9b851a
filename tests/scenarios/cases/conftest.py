"""A dispute over time, told to its claim, for the tests of its readings."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.desk import Desk, desk_of
from tests.fakes.disputes import START, STORIES, TELLINGS
from tests.fakes.told_once import told_once


@pytest.fixture
async def told(
    database_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[tuple[Desk, int, int]]:
    """A story's game on the server, claimed; the reading to choose, of how many."""
    name, index = request.param
    async with (
        told_once(database_url, tmp_path, TELLINGS[name], START) as world,
        desk_of(world) as desk,
    ):
        yield desk, index, STORIES[name][2]
