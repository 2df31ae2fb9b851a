"""The game that most of these tests are about."""

import pytest

from tests.fakes.site import Site


@pytest.fixture
async def path(site: Site) -> str:
    """The address of the game of Anna against Bent."""
    return f"/games/{(await site.game()).id}"
