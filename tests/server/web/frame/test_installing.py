"""What makes the site a program: manifest, icons, worker; and which pages may be kept for whom."""

import io
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer
from PIL import Image

from server.settings import Settings, SettingsError, settings_from
from server.store.play.games import GameRow
from server.web.frame import assets
from server.web.frame.context import CORE
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers


async def test_the_manifest_names_icons_that_there_are_in_the_sizes_it_says(stranger: Browser):
    answer = await stranger.http.get("/manifest.webmanifest?lang=en")
    assert answer.content_type == "application/manifest+json"
    told = await answer.json()
    assert (told["name"], told["lang"], told["start_url"], told["display"]) == (
        "K-skak", "en", "/", "standalone",
    )  # fmt: skip
    assert {"192x192", "512x512"} <= {one["sizes"] for one in told["icons"]}
    whole = [one["sizes"] for one in told["icons"] if one.get("purpose") == "maskable"]
    assert whole == ["512x512"]
    for one in told["icons"]:
        picture = await stranger.http.get(one["src"])
        body = await picture.read()
        assert body.startswith(b"\x89PNG")
        width, height = struct.unpack("!II", body[16:24])
        assert f"{width}x{height}" == one["sizes"]
    assert (await stranger.http.get("/icons/4711.png")).status == 404


async def test_the_icon_is_there_for_who_asks_for_it_without_a_page(browsers: Browsers):
    answer = await (await browsers.stranger()).http.get("/favicon.ico")
    assert (answer.status, answer.content_type) == (200, "image/vnd.microsoft.icon")
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    assert "Set-Cookie" not in answer.headers
    with Image.open(io.BytesIO(await answer.read())) as icon:
        assert (icon.format, icon.size) == ("ICO", (32, 32))
        assert icon.convert("RGB").getpixel((16, 2)) == (0x7F, 0x23, 0x15)


async def test_the_worker_is_for_the_whole_site_and_new_with_every_new_file(stranger: Browser):
    answer = await stranger.http.get("/sw.js?lang=da")
    assert answer.content_type == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert (await answer.text()).startswith(f"// {assets.digest()}\n")
    policy = answer.headers["Content-Security-Policy"]
    assert "worker-src 'self'" in policy and "manifest-src 'self'" in policy


async def test_only_his_games_may_be_kept_and_every_page_says_for_whom_it_is(
    browsers: Browsers, site: Site, game: GameRow, bent: Browser
):
    person = str((await site.person("bent@example.org")).id)
    for path, keeps in (("/", "1"), (f"/games/{game.id}", "1"), ("/leave", None), ("/about", None)):
        answer = await bent.http.get(path)
        assert answer.headers["Kskak-Reader"] == person, path
        assert answer.headers.get("Kskak-Keep") == keeps, path
        assert answer.headers["Cache-Control"] == "no-store", path
    visitor = await browsers.stranger()
    for path in ("/", "/about", "/nowhere", "/offline"):
        answer = await visitor.http.get(path)
        assert answer.headers["Kskak-Reader"] == "", path
        assert "Kskak-Keep" not in answer.headers, path


async def test_my_games_know_what_their_stream_begins_with(site: Site, bent: Browser):
    """A move between the page and its stream is told: the page says what it was made from."""
    before = (await bent.get("/"))[1]
    cursor = before.partition('data-after="')[2].partition('"')[0]
    await site.play(await site.game("K-26-01/1"), "e4")
    answer = await bent.http.get(f"/events?after={cursor}")
    assert answer.status == 200
    lines = [(await answer.content.readline()).decode() for _ in range(6)]
    answer.close()
    assert "event: missed\n" in lines


# Whoever uses the server over the net is offered its source on every page (AGPL, section 13).


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


async def test_the_source_that_runs_is_given_whole_and_nothing_of_the_operators(
    stranger: Browser,
) -> None:
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


def test_the_archive_lies_on_disk_between_two_who_ask() -> None:
    assets.pack_source()
    tracemalloc.start()
    size = len(assets.pack_source())
    left, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert left < 100_000 < size <= most, "read when asked, and not held after"


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
