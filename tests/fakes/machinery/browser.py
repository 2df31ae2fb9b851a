"""A browser without JavaScript: pages, links, forms with their hidden fields, one cookie jar."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from urllib.parse import urlsplit

import aiohttp
from yarl import URL

from server.usecases.account import signin
from server.web.frame.context import cookie_name
from tests.fakes.named_fields import check_names
from tests.fakes.world import BO, World


@dataclass
class Form:
    """A form of a page with what it would send."""

    action: str
    is_post: bool
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.words: list[str] = []
        self.links: list[str] = []
        self._area: str | None = None
        self._is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(got.get("action", ""), got.get("method") == "post"))
            self._is_inside = True
        elif tag == "a" and "href" in got:
            self.links.append(got["href"])
        elif self._is_inside and tag in ("input", "textarea") and "name" in got:
            kind = got.get("type", "text")
            if kind not in ("checkbox", "radio") or "checked" in got:
                self.forms[-1].fields[got["name"]] = got.get("value", "")
            if tag == "textarea":
                self._area = got["name"]
        elif self._is_inside and tag == "button":
            button = (got.get("name", ""), got.get("value", ""), got.get("formaction", ""))
            self.forms[-1].buttons.append(button)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._is_inside = False
        if tag == "textarea":
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self.forms[-1].fields[self._area] += data
        self.words.append(data)


_AFTER = re.compile(r"(§ \d[\d.]*(?: [a-z]\b)?) (?=[).,;:])")


@dataclass(frozen=True)
class Page:
    """What a request came to, redirects followed; read when it is asked what it says."""

    status: int
    path: str
    html: str

    @cached_property
    def _read(self) -> _Reader:
        reader = _Reader()
        reader.feed(self.html)
        return reader

    @property
    def forms(self) -> tuple[Form, ...]:
        return tuple(self._read.forms)

    @property
    def links(self) -> tuple[str, ...]:
        return tuple(self._read.links)

    @cached_property
    def text(self) -> str:
        """Its words; a cited paragraph is a link within its sentence: no space stands around it."""
        shown = " ".join(" ".join(self._read.words).split())
        return _AFTER.sub(r"\1", shown.replace("( §", "(§"))

    def form(self, ending: str) -> Form:
        """The form whose action ends so, not a search if it can be; "" is the page's own form."""
        found = [f for f in self.forms if (f.action.endswith(ending) if ending else not f.action)]
        assert found, f"no form {ending} on {self.path}: {[f.action for f in self.forms]}"
        return max(found, key=lambda one: one.is_post)


@dataclass
class Browser:
    """One person's browser."""

    world: World
    session: aiohttp.ClientSession

    def _url(self, path: str) -> URL:
        parts = urlsplit(path)
        shown = f"{parts.path}?{parts.query}" if parts.query else parts.path
        return URL(f"http://127.0.0.1:{self.world.server.web_port}{shown}", encoded=True)

    async def get(self, path: str) -> Page:
        async with self.session.get(self._url(path)) as answer:
            return await _page(answer)

    async def post(self, path: str, fields: dict[str, str]) -> Page:
        async with self.session.post(self._url(path), data=fields) as answer:
            page = await _page(answer)
        await check_names(page.html, fields, self._beyond)
        return page

    async def _beyond(self, link: str) -> str:
        return (await self.get(link)).html

    async def submit(self, page: Page, ending: str, **filled: str) -> Page:
        """Fill a form of a page in and press its first button."""
        form = page.form(ending)
        name, value, action = form.buttons[0]
        pressed = {name: value} if name else {}
        return await self.post(action or form.action or page.path, form.fields | pressed | filled)

    async def sign_in(self, email: str = BO) -> None:
        """As the mailed link does, without the letter."""
        core = self.world.core
        link = await signin.make_link(core, (await self.world.person(email)).id)
        session = await signin.use_link(core, link.rpartition("/")[2])
        assert session is not None
        cookie = {cookie_name(core.settings): session.secret}
        self.session.cookie_jar.update_cookies(cookie, self._url("/"))

    async def sign_in_by_mail(self, email: str = BO) -> Page:
        """As people do: ask, open the letter's link, press the button."""
        asked = await self.submit(await self.get("/signin"), "/signin", email=email)
        assert asked.status == 200, asked.text
        await self.world.pump()
        letter = [one for one in self.world.letters(email) if "/login/" in one.text][-1]
        return await self.submit(await self.get(letter.link("/login/")), "")

    async def preview(self, text: str, *, accept: int = 0, **filled: str) -> Page:
        """Type a move on the game's page and go to the page that shows what would be sent."""
        shown = await self.get(
            f"/games/{self.world.game}" + (f"?accept={accept}" if accept else "")
        )
        typed = shown.form("/preview").fields["text"] + text
        return await self.submit(shown, "/preview", text=typed, **filled)

    async def move(self, text: str, *, accept: int = 0, **filled: str) -> Page:
        """A whole move by the web, preview and all; the page after it."""
        shown = await self.preview(text, accept=accept, **filled)
        assert shown.status == 200, shown.text
        sent = await self.submit(shown, "/move")
        assert sent.status == 200, sent.text
        await self.world.pump()
        return sent


async def _page(answer: aiohttp.ClientResponse) -> Page:
    return Page(answer.status, answer.url.path, await answer.text())


@asynccontextmanager
async def browser(world: World) -> AsyncIterator[Browser]:
    """A fresh browser: nobody is signed in."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        yield Browser(world, session)
