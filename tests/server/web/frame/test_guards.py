"""Who sees what, forged forms, headers, languages, and polite errors."""

from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from server.store.play.games import GameRow
from tests.fakes.machinery.each import each
from tests.fakes.site import Site, close_site, open_site
from tests.server.web.conftest import OWN, Browsers


@pytest.fixture
async def path(site: Site) -> str:
    """The address of the game of Anna against Bent."""
    return f"/games/{(await site.game()).id}"


async def test_who_sees_a_game_and_who_plays_in_it(browsers, path, site):
    # Who is not signed in is led to sign in and back.
    visitor = await browsers.stranger()
    answer = await visitor.http.get(path, allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, f"/signin?next={path}")
    # The leader sees but does not play.
    tove = await browsers.of("tove")
    assert (await tove.post(f"{path}/preview", {"text": "e4", "ply": "0"})).status == 403
    assert (await tove.post(f"{path}/end/resign")).status == 403
    assert (await site.game()).ply == 0
    # No page has style or script inside.
    anna = await browsers.of("bent")
    for page in ("/", path, f"{path}/statement", f"{path}/end/draw", "/leave", "/groups/K-26-01"):
        text = (await anna.get(page))[1]
        assert " style=" not in text
        assert "<style" not in text
        assert "<script>" not in text
        assert " onclick" not in text


async def test_a_finished_game_is_open_to_everybody(browsers: Browsers, site: Site, game: GameRow):
    for text in ("f3", "e5", "g4", "Dh4"):
        await site.play(game, text)
    status, text = await (await browsers.stranger()).get(f"/games/{game.id}")
    assert status == 200
    assert "0–1" in text
    assert "mat" in text


@each(
    "fields headers",
    ({"csrf": ""}, OWN),
    ({"csrf": "wrong"}, OWN),
    ({}, {"Sec-Fetch-Site": "cross-site"}),
    ({}, {"Sec-Fetch-Site": "same-site"}),
    ({}, {"Origin": "https://evil.example"}),
    ({}, {"Origin": "null"}),
)
async def test_a_form_from_elsewhere_changes_nothing(browsers, site, path, fields, headers):
    bent = await browsers.of("bent")
    answer = await bent.post(f"{path}/end/resign", fields, headers=headers)
    assert answer.status == 403
    assert (await site.game()).result is None


async def test_pages_for_strangers_are_guarded_and_in_their_language(stranger):
    # Every page forbids what is foreign.
    for path in ("/", "/signin", "/nowhere", "/groups/K-26-01"):
        answer = await stranger.http.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] in {"no-store", "private, no-cache"}
    # The page speaks the browsers language or the one chosen.
    english = {"Accept-Language": "fr;q=0.9, en-GB;q=0.8"}
    assert "Siden findes ikke" in (await stranger.get("/nowhere"))[1]
    assert "There is no such page" in (await stranger.get("/nowhere", headers=english))[1]
    answer = await stranger.post("/language", {"lang": "en", "next": "/signin"})
    assert answer.headers["Location"] == "/signin"
    assert "Send me a link" in (await stranger.get("/signin"))[1]


@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")
async def test_what_is_sent_may_not_be_endless(browsers: Browsers, path: str):
    bent = await browsers.of("bent")
    answer = await bent.post(f"{path}/preview", {"text": "x" * 1_100_000})
    assert answer.status == 413
    assert "fylder for meget" in await answer.text()


async def test_a_failure_of_ours_is_a_polite_page_and_opens_nothing(browsers, path, monkeypatch):
    bent = await browsers.of("bent")

    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("server.web.play.game_page.game_view", broken)
    status, text = await bent.get(path)
    assert status == 500
    assert "Der gik noget galt hos os" in text
    assert "secret detail" not in text


async def test_behind_tls_the_cookie_is_bound_to_the_host(tmp_path: Path):
    site = await open_site(tmp_path, public_url="https://skak.example")
    client = TestClient(TestServer(site.app))
    await client.start_server()
    link = await site.link("anna@example.org")
    headers = OWN | {"Origin": "https://skak.example"}
    answer = await client.post(link, headers=headers, allow_redirects=False)
    assert answer.headers["Set-Cookie"].startswith("__Host-kskak=")
    assert "Secure" in answer.headers["Set-Cookie"]
    assert answer.headers["Strict-Transport-Security"]
    await client.close()
    await close_site(site)


async def test_only_a_trusted_proxy_is_believed_about_the_client(tmp_path: Path):
    from aiohttp.test_utils import make_mocked_request

    from server.settings import Settings
    from server.web.frame.context import CORE, client_address

    site = await open_site(tmp_path)
    said = {"X-Forwarded-For": "198.51.100.7, 203.0.113.9"}
    request = make_mocked_request("GET", "/", headers=said, app=site.app)
    request = request.clone(remote="127.0.0.1")
    assert client_address(request) == "127.0.0.1"
    trusting = Settings.model_validate({"web": {"trusted_proxies": ["127.0.0.1/32"]}})
    object.__setattr__(site.app[CORE], "settings", trusting)
    assert client_address(request) == "203.0.113.9"
    await close_site(site)
