"""What makes the site a program: manifest, icons, worker; and which pages may be kept for whom."""

import io
import struct

from PIL import Image

from server.store.play.games import GameRow
from server.web.frame import assets
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


async def test_icon_and_worker_are_the_whole_sites(browsers, stranger):
    # The icon is there for who asks for it without a page.
    answer = await (await browsers.stranger()).http.get("/favicon.ico")
    assert (answer.status, answer.content_type) == (200, "image/vnd.microsoft.icon")
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    assert "Set-Cookie" not in answer.headers
    with Image.open(io.BytesIO(await answer.read())) as icon:
        assert (icon.format, icon.size) == ("ICO", (32, 32))
        assert icon.convert("RGB").getpixel((16, 2)) == (0x7F, 0x23, 0x15)
    # The worker is for the whole site and new with every new file.
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
