"""A claim that has become a case: what most tests of the desk begin with."""

import pytest

from tests.fakes.site import Site
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import claimed


@pytest.fixture
async def path(site: Site, browsers: Browsers) -> str:
    """The address of the case of Bent against Anna, whose time is out."""
    return await claimed(site, browsers)
