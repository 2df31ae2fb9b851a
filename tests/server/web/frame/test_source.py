"""Whoever uses the server over the net is offered its source on every page (AGPL, section 13)."""

import io
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from server.settings import Settings, SettingsError, settings_from
from server.web.frame import assets
from server.web.frame.context import CORE
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers

ROOT = Path(__file__).parents[4]


async def test_every_kind_of_page_links_to_the_source(site: Site, browsers: Browsers) -> None:
    anna, visitor = await browsers.of("anna"), await browsers.stranger()
    game = f"/games/{(await site.game()).id}"
    pages = [(anna, one) for one in ("/", game, "/settings", "/desk", f"{game}/end/resign")]
    pages += [(visitor, one) for one in ("/", "/signin", "/nowhere", "/offline?lang=da")]
    for browser, path in pages:
        text = (await browser.get(path))[1]
        assert '<a href="/source.zip">Kildekode</a>' in text.partition('<footer class="foot"')[2], (
            path
        )


async def test_the_source_that_runs_is_given_whole_and_nothing_of_the_operators(stranger):
    answer = await stranger.http.get("/source.zip")
    assert (answer.status, answer.content_type) == (200, "application/zip")
    archive = zipfile.ZipFile(io.BytesIO(await answer.read()))
    names = set(archive.namelist())
    for name in (
        "LICENSE",
        "pyproject.toml",
        "kskak/play/decide_command.py",
        "server/web/frame/assets.py",
    ):
        assert archive.read(f"kskak/{name}") == (ROOT / name).read_bytes()
    words = "mail/words/da/frame/web.toml"
    for name in (words, "migrations/alembic.ini", "server/web/static/sw.js"):
        assert f"kskak/{name}" in names
    wrong = [one for one in names if one.endswith((".db", ".pyc")) or "/." in one]
    assert not wrong and "kskak/config.toml" not in names


async def test_the_archive_goes_out_from_the_disk_and_is_never_whole_in_memory(stranger):
    assets.pack_source()
    tracemalloc.start()
    async with stranger.http.get("/source.zip") as answer:
        size = sum([len(one) async for one in answer.content.iter_chunked(1 << 16)])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1_000_000 < size


async def test_the_operator_names_another_address(site: Site) -> None:
    address = "https://example.org/kskak?a=1&b=2"
    settings = Settings.model_validate({"web": {"source_url": address}})
    object.__setattr__(site.app[CORE], "settings", settings)
    client = TestClient(TestServer(site.app))
    await client.start_server()
    text = await (await client.get("/signin")).text()
    assert '<a href="https://example.org/kskak?a=1&amp;b=2">Kildekode</a>' in text
    await client.close()


@pytest.mark.parametrize("wrong", ["example.org", "ftp://example.org", "https://a b", "/source"])
def test_an_address_that_is_none_is_refused_with_its_key(wrong: str) -> None:
    with pytest.raises(SettingsError, match=r"web\.source_url"):
        settings_from({"web": {"source_url": wrong}})
