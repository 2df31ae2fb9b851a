"""Games on other sites, a group's feed, what search engines are told: only what is public."""

import re
from xml.etree import ElementTree as ET

import pytest

from kskak.game.game_commands import Resign
from tests.fakes.machinery.each import each
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers

ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


async def _ended(site: Site) -> str:
    """The path of a game that Black resigned after 1. e4."""
    game = await site.game()
    await site.play(game, "e4")
    game = await site.game()
    await site.ask(game, game.state().mover, lambda _, by: Resign(by))
    return f"/games/{game.id}"


async def test_frames_and_feeds_of_what_is_public(site, browsers):
    # A finished game is shown in a frame of any site without script.
    path, stranger = await _ended(site), await browsers.stranger()
    answer = await stranger.http.get(f"/embed{path}?ply=0&flip=1")
    text = await answer.text()
    assert answer.status == 200
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy and "script-src" not in policy and "<script" not in text
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert f'href="/embed{path}?flip=1#board"' in text, "a step forward stays in the frame"
    assert f'href="{site.core.url(path)}" target="_blank"' in text
    plain = await stranger.http.get(path)
    assert "frame-ancestors 'none'" in plain.headers["Content-Security-Policy"]
    # A groups feed has its results newest first.
    answer = await stranger.http.get("/groups/K-26-01/atom.xml", headers={"Accept-Language": "en"})
    assert answer.content_type == "application/atom+xml"
    feed = ET.fromstring(await answer.text())
    entries = feed.findall(f"{ATOM}entry")
    assert [one.findtext(f"{ATOM}id") for one in entries] == [site.core.url(path)]
    assert entries[0].findtext(f"{ATOM}title") == "Anna Andersen – Bent Bæk 1–0"
    assert feed.findtext(f"{ATOM}updated") == entries[0].findtext(f"{ATOM}updated")
    assert "application/atom+xml" in (await stranger.get("/groups/K-26-01"))[1]
    assert (await stranger.get("/groups/K-99-99/atom.xml"))[0] == 404


@pytest.mark.parametrize("name", ["", "anna", "tove"])
async def test_a_running_game_is_in_no_frame_whoever_asks(site, browsers, name, game):
    reader = await (browsers.of(name) if name else browsers.stranger())
    path = f"/games/{game.id}"
    assert (await reader.get(f"/embed{path}"))[0] == 404
    assert (await reader.get(f"/oembed?url={site.core.url(path)}"))[0] == 404
    assert "og:title" not in (await reader.get(path))[1]


async def test_a_finished_game_says_how_it_is_shown_elsewhere(site: Site, browsers: Browsers):
    path, stranger = await _ended(site), await browsers.stranger()
    text = (await stranger.get(path))[1]
    assert f'<meta property="og:image" content="{site.core.url(path)}/board.png">' in text
    assert (await stranger.http.get(f"{path}/board.png")).content_type == "image/png"
    found = re.search(r'type="application/json\+oembed" href="([^"]+)"', text)
    assert found is not None
    told = await (await stranger.http.get(found[1].removeprefix(site.core.url("")))).json()
    assert (told["type"], told["version"]) == ("rich", "1.0")
    assert f'src="{site.core.url(f"/embed{path}")}"' in told["html"]
    assert (told["width"], told["height"]) == (360, 550)
    small = await stranger.http.get(f"/oembed?url={site.core.url(path)}&maxwidth=200")
    assert (await small.json())["width"] == 200
    for odd in ("²", "9" * 5000, "-1", "x"):
        asked = await stranger.http.get(f"/oembed?url={site.core.url(path)}&maxwidth={odd}")
        assert (await asked.json())["width"] == 360, odd
    assert 'readonly value="<iframe src="' in text.partition('id="embed"')[2]


@each(
    "query status",
    ("", 404),
    ("url=https://example.org/games/1", 404),
    ("url={site}/players/1", 404),
    ("url={site}/games/999", 404),
    ("url={site}/games/1&format=xml", 501),
    ("url=https://[", 404),
)
async def test_an_address_that_is_no_game_of_ours_is_refused(site, query, status, stranger):
    asked = query.replace("{site}", site.core.url(""))
    assert (await stranger.http.get(f"/oembed?{asked}")).status == status


async def test_search_engines_are_told_what_is_public(site: Site, stranger: Browser):
    text = (await stranger.get("/robots.txt"))[1]
    assert "Disallow: /desk\n" in text and "Disallow: /settings\n" in text
    assert f"Sitemap: {site.core.url('/sitemap.xml')}" in text
    answer = await stranger.http.get("/sitemap.xml")
    told = [one.text for one in ET.fromstring(await answer.text()).iter(f"{MAP}loc")]
    assert site.core.url("/groups/K-26-01") in told
    for address in told:
        path = (address or "").removeprefix(site.core.url(""))
        assert (await stranger.http.get(path)).status == 200, path
