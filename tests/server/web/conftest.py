"""The pages under test, and browsers' sessions on them."""

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
from aiohttp import ClientResponse, CookieJar
from aiohttp.test_utils import TestClient, TestServer

from server.store.account import sign_in as access
from server.store.play.games import GameRow
from server.usecases.account import signin
from server.web.frame.context import FIELD, cookie_name, mask_token
from tests.fakes.many import statements
from tests.fakes.named_fields import check_names
from tests.fakes.site import Site, close_site, officials, open_site

OWN = {"Sec-Fetch-Site": "same-origin"}
NOTHING: Mapping[str, str] = {}
ANSWERED = "?answer="
"""What an address that shows the answer to a form has in it."""
PLAIN = frozenset({400, 403, 404, 409, 413, 429, 500})
"""Answers to a form that lead nowhere: what was asked is none of ours, or we failed."""
SHOWING_SECRETS = frozenset({"/settings/access/tokens", "/settings/access/xfcc", "/leave/feed"})
"""Forms answered with the page itself: it shows a secret and is kept nowhere."""


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """A group of three, started on 1 September 2026; nobody has moved."""
    opened = await open_site(tmp_path)
    yield opened
    await close_site(opened)


class PageInWords(ClientResponse):
    """Where a cited paragraph leads is no part of what a page says (frame/test_apart.py)."""

    async def text(self, *args: str, **options: str) -> str:
        """The page without those links."""
        said = await super().text(*args, **options)
        return re.sub(r'<a class="law" [^>]*>(.*?)</a>', r"\1", said)


@dataclass
class Browser:
    """A browser: keeps cookies, sends the page's token with its forms."""

    site: Site
    http: TestClient

    async def get(self, path: str, **options: object) -> tuple[int, str]:
        """Status and text of a page."""
        answer = await self.http.get(path, **options)
        return answer.status, unescape(await answer.text())

    async def asked(self, path: str) -> int:
        """How many statements a page takes of the database; it must open."""
        with statements() as said:
            assert (await self.get(path))[0] == 200, path
        return len([one for one in said if not one.startswith(("BEGIN", "PRAGMA"))])

    async def post(
        self, path: str, fields: dict[str, str] | None = None, **options: object
    ) -> ClientResponse:
        """Send a form as the page would, without following where it leads."""
        fields = await self.secret() | (fields or {})
        options = {"headers": OWN, "allow_redirects": False} | options
        return await self.answer(await self.http.post(path, data=fields, **options), fields)

    async def answer(
        self, given: ClientResponse, typed: Mapping[str, str] = NOTHING
    ) -> ClientResponse:
        """The page that answers a form, where the browser is led to it; all else as given.

        Whatever it refuses, in whichever test: it names nothing that is not there (issue 33).
        """
        if ANSWERED in given.headers.get("Location", ""):
            led = await self.http.get(given.headers["Location"], allow_redirects=False)
            await check_names(await led.text(), typed, self._beyond)
            return led
        is_led = given.content_type != "text/html" or given.status in PLAIN
        assert is_led or given.url.path in SHOWING_SECRETS, given.url
        return given

    async def _beyond(self, link: str) -> str:
        async with self.http.get(link) as given:
            return await given.text()

    async def secret(self) -> dict[str, str]:
        """The session's own, as a page has it."""
        core, name = self.site.core, cookie_name(self.site.core.settings)
        keys = [one.value for one in self.http.session.cookie_jar if one.key == name]
        for key in keys:
            found = await core.store.look(
                lambda conn, key=key: access.find_session(conn, key, core.now_us)
            )
            if found is not None:
                return {FIELD: mask_token(found[0].csrf)}
        return {}

    async def sign_in(self, email: str) -> "Browser":
        """By a mailed link; its page and button are told in account/test_signing.py."""
        core, link = self.site.core, await self.site.link(email)
        session = await signin.use_link(core, link.rpartition("/")[2])
        assert session is not None
        cookie = {cookie_name(core.settings): session.secret}
        self.http.session.cookie_jar.update_cookies(cookie, self.http.make_url("/"))
        return self


@pytest.fixture
async def browsers(site: Site) -> AsyncIterator["Browsers"]:
    """As many browsers as a test wants, on one server."""
    server = TestServer(site.app)
    await server.start_server()
    opened = Browsers(site, server, [])
    yield opened
    for browser in opened.all:
        await browser.http.close()
    await server.close()


@dataclass
class Browsers:
    """Opens browsers."""

    site: Site
    server: TestServer
    all: list[Browser]

    async def stranger(self) -> Browser:
        """A browser that nobody has signed in."""
        http = TestClient(
            self.server, cookie_jar=CookieJar(unsafe=True), response_class=PageInWords
        )
        browser = Browser(self.site, http)
        self.all.append(browser)
        return browser

    async def of(self, name: str) -> Browser:
        """The browser of one of the cast: anna, bent, soren, tove."""
        return await (await self.stranger()).sign_in(f"{name}@example.org")


@pytest.fixture
async def anna(browsers: Browsers) -> Browser:
    """A player's browser."""
    return await browsers.of("anna")


@pytest.fixture
async def bent(browsers: Browsers) -> Browser:
    """Her opponent's."""
    return await browsers.of("bent")


@pytest.fixture
async def soren(browsers: Browsers) -> Browser:
    """The third player's."""
    return await browsers.of("soren")


@pytest.fixture
async def tove(browsers: Browsers) -> Browser:
    """The leader's."""
    return await browsers.of("tove")


@pytest.fixture
async def kaj(site: Site, browsers: Browsers) -> Browser:
    """The controller's, all officials being appointed."""
    await officials(site)
    return await browsers.of("kaj")


@pytest.fixture
async def stranger(browsers: Browsers) -> Browser:
    """One that nobody has signed in."""
    return await browsers.stranger()


@pytest.fixture
async def game(site: Site) -> GameRow:
    """The game of Anna and Bent, nobody having moved."""
    return await site.game()
