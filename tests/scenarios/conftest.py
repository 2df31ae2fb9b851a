"""A world per test: the whole server on SQLite and on PostgreSQL, with the game of Anna and Bo."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.machinery.browser import Browser, browser
from tests.fakes.machinery.player import Player
from tests.fakes.postal import nine_moves
from tests.fakes.told_once import begin, scene, told_once
from tests.fakes.world import BO, World


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """A started game on either kind of database; nobody has moved."""
    async with told_once(database_url, tmp_path, begin) as made:
        yield made


@pytest.fixture
async def lite(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """The same on SQLite alone, for what the database has no part in."""
    async with told_once(sqlite_url, tmp_path, begin) as made:
        yield made


tenth = scene(nine_moves)
"""A game by cards in which White's tenth move is due, and no day is left to him."""


@pytest.fixture
def anna(world: World) -> Player:
    """White, by mail, in Danish."""
    return Player(world)


@pytest.fixture
def bo(world: World) -> Player:
    """Black, by mail, in English."""
    return Player(world, BO, layout="outlook", lang="en")


@pytest.fixture
async def bo_web(world: World) -> AsyncIterator[Browser]:
    """Black, on the web."""
    async with browser(world) as made:
        await made.sign_in()
        yield made
