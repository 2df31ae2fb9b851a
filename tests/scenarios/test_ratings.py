"""Ratings from the server's own tournaments: computed when published, and again when things change.

§ 4.5.4.1, § 4.5.4.2, § 6.7.6.2.
"""

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from server.usecases.rating.computing import compute
from tests.fakes.ratings import calculations, kept, seven_done
from tests.fakes.seven import SEVEN
from tests.fakes.world import World, world_of

START = date(2026, 1, 5)


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """A server before any group."""
    async with world_of(database_url, str(tmp_path), start=START) as made:
        yield made


async def test_a_published_group_is_rated_from_what_was_registered_at_its_start(
    world: World,
) -> None:
    """All have 1900 over the board: expected 3 of 6; 5½ brings a bonus of ½: 30 × 3 = 90."""
    await seven_done(world)
    now = await kept(world)
    assert now.printed["Anna Ager"] == 1990
    assert now.printed["Gry Holm"] == 1930
    anna = next(one for one in now.ratings if one.value == 1990)
    assert (anna.on_day, anna.source, anna.is_computed) == ("2026-01-06", "K-26-07", True)
    assert not anna.is_provisional
    (row,) = await calculations(world, "K-26-07")
    assert (row.number, row.reason, row.day, row.made_by) == (1, "finished", "2026-01-06", None)
    assert sum(now.printed[name] or 0 for name in SEVEN) == 7 * 1900 + 30 // 2
    assert (await compute(world.core)).groups == ()
    assert await kept(world) == now
