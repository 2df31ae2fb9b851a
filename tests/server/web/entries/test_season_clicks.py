"""A season from an empty server in the browser: links followed, buttons pressed, fields filled."""

import re
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

import pytest
from aiohttp import FormData, web
from aiohttp.test_utils import TestServer
from yarl import URL

from server.settings import Settings
from server.store import groups as group_rows
from server.store.engine.store import Store
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, Role
from server.usecases.context import Core
from server.usecases.games.writer import Writer
from server.web.site import setup
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.site import Site, TurnedClock
from tests.server.web.conftest import OWN, Browser, Browsers
from tests.server.web.filled import fields_in

MOST_CLICKS = 30
SEASON, PASTED = "/desk/kc/season", "/desk/kc/pasted"
NUMBERS = range(1, 15)
"""Two groups of seven in the open class."""


@dataclass
class Hand:
    """What the controller does: every link and button is a click, every field typed in is one."""

    browser: Browser
    html: str = ""
    clicks: int = 0
    typed: int = 0
    seen: list[str] = field(default_factory=list)

    async def follow(self, start: str) -> None:
        """A link of the page."""
        links = [unescape(one) for one in re.findall(r'<a [^>]*?href="([^"]+)"', self.html)]
        await self._open(next(one for one in links if one.startswith(start)))
        self.clicks += 1

    async def press(self, action: str, button: dict[str, str], **typed: str) -> None:
        """The button of a form, with what is typed into it."""
        fields = self.fields(action) | typed | button
        answer = await self.browser.http.post(
            action, data=fields | self._token(), headers=OWN, allow_redirects=True
        )
        self.html = await answer.text()
        assert answer.status == 200, unescape(self.html)
        self.clicks, self.typed = self.clicks + 1, self.typed + len(typed)

    async def upload(self, action: str, button: dict[str, str], file: bytes) -> None:
        """The same with a file chosen, which is one field."""
        fields = self.fields(action) | button | self._token()
        form = FormData({name: text for name, text in fields.items() if name != "file"})
        form.add_field("file", file, filename="liste.csv")
        answer = await self.browser.http.post(action, data=form, headers=OWN)
        self.html = await answer.text()
        assert answer.status == 200, self.said
        self.clicks, self.typed = self.clicks + 1, self.typed + 1

    def fields(self, action: str) -> dict[str, str]:
        """What a form of the page holds, with the ticked boxes that stand outside it."""
        beside = re.findall(
            r'<input [^>]*form="bulk" name="([^"]+)" value="([^"]*)" checked', self.html
        )
        return fields_in(self.html, action) | {name: unescape(text) for name, text in beside}

    @property
    def said(self) -> str:
        """The page's text."""
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.html)).split())

    async def _open(self, path: str) -> None:
        answer = await self.browser.http.get(URL(path, encoded=True))
        assert answer.status == 200, path
        self.html = await answer.text()

    def _token(self) -> dict[str, str]:
        found = re.search(r'name="csrf" value="([^"]+)"', self.html)
        return {"csrf": found[1]} if found else {}


@pytest.fixture
async def site(tmp_path: Path) -> Site:
    """A server on which only `kskak user add --role kc` has been run."""
    store, clock = await Store.open(sqlite_file(tmp_path)), TurnedClock()
    core = Core(store, Writer(store), clock, Settings.model_validate({}), b"s" * 32)
    async with store.write() as conn:
        new = NewPerson(name="Kaj", email="kaj@example.org", created_us=0, role=Role.KC)
        await person_rows.add_person(conn, new)
    app = web.Application()
    setup(app, core)
    return Site(core, clock, app)


async def browsers_on(site: Site) -> Browsers:
    """Browsers on a server of it."""
    server = TestServer(site.app)
    await server.start_server()
    return Browsers(site, server, [])


async def test_a_season_is_set_up_within_thirty_clicks(site: Site):
    browsers = await browsers_on(site)
    hand = Hand(await browsers.of("kaj"), clicks=4)  # sign in: the page, its button, the mail's two
    hand.html = (await hand.browser.get("/"))[1]
    await hand.follow("/desk")
    await hand.follow("/desk/members")
    await hand.follow("/desk/members/files")
    register = "Nr;Navn;E-mail;Født;Medlemskab\n" + "".join(
        f"{100 + n};Spiller {n:02};s{n}@example.org;1950-02-28;enkelt\n" for n in NUMBERS
    )
    register += "200;Tove Leder;tove@example.org;1950-02-28;enkelt\n"
    files = "/desk/members/files"
    await hand.press(files, {"step": "check", "what": "members"}, csv=register)
    await hand.press(files, {"step": "do"})
    await hand.follow("/desk/kc")
    await hand.follow(SEASON)
    keys = [name[5:] for name in fields_in(hand.html, SEASON) if name.startswith("open-")]
    leaders = {f"leader-{key}": "tove@example.org" for key in keys}
    fees = {f"fee_kr-{key}": "150" for key in keys}
    fees |= {f"how_to_pay-{key}": "Konto 1" for key in keys}
    await hand.press(SEASON, {}, **leaders, **fees)
    assert "6 lister er åbnet." in unescape(hand.html)
    await hand.follow(PASTED)
    lines = "".join(f"Spiller {n:02}\tÅ\n" for n in NUMBERS)
    await hand.press(PASTED, {"step": "look", "what": "entries"}, lines=lines)
    await hand.press(PASTED, {"step": "take"})
    assert "14 spillere er tilmeldt" in unescape(hand.html)
    bank = "".join(f"01-09-2026;MobilePay Spiller {n:02};150,00\n" for n in NUMBERS)
    await hand.press(PASTED, {"step": "look", "what": "fees"}, lines=bank)
    await hand.press(PASTED, {"step": "take"})
    assert "14 indskud er noteret." in unescape(hand.html)
    async with site.core.store.read() as conn:
        groups = await group_rows.everything(conn)
    assert {group.name for group in groups} == {"Å-27-01", "Å-27-02"}
    assert (hand.clicks, hand.typed) == (17, 21)
    assert hand.clicks <= MOST_CLICKS
    for browser in browsers.all:
        await browser.http.close()
    await browsers.server.close()
    await site.core.store.close()
