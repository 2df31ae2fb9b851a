"""Walks the site as one visitor: one page of each address, by the links that he is shown.

Not for what is asked of a page (pages/test_every_page.py).
"""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from urllib.parse import urlsplit

from aiohttp import web
from lxml.html import HtmlElement, fromstring
from playwright.async_api import Page
from yarl import URL

from server.web.site import ROUTES
from tests.browser.looking import claim

_FILES = (
    *(".pdf", ".png", ".ics", ".zip", ".txt", ".json", ".csv", ".xlsx", ".pgn", ".xml"),
    *("/raw", "/scan"),
)
"""What is given to be saved, not shown."""
_TOLD = frozenset({"role", "type", "scope"})
"""Attributes that are told apart by their values."""


class Map:
    """Which of the site's addresses a path belongs to."""

    def __init__(self) -> None:
        self._app = web.Application()
        self._app.add_routes([route for route in ROUTES if route.method == "GET"])

    async def name(self, path: str) -> str | None:
        """The address's pattern, such as ``/games/{game}``; None for what is no page."""
        if path.endswith(_FILES) or "/papers/" in path or path.startswith("/static/"):
            return None
        asked = SimpleNamespace(method="GET", rel_url=URL(path))  # all that a router looks at
        found = await self._app.router.resolve(asked)  # type: ignore[arg-type]
        resource = found.route.resource
        return None if resource is None else resource.canonical


def _parts(document: HtmlElement) -> set[str]:
    """Each element in its parent, by tag, classes and attributes, as the server gives them."""

    def one(element: HtmlElement) -> str:
        kept = [f"{name}={value}" if name in _TOLD else name for name, value in element.items()]
        classes = sorted((element.get("class") or "").split())
        return f"{element.tag}.{'.'.join(classes)}[{','.join(sorted(kept))}]"

    every = [element for element in document.iter() if isinstance(element.tag, str)]
    said = {element: one(element) for element in every}
    return {f"{said.get(element.getparent(), '')} > {said[element]}" for element in every}


async def walk(page: Page, origin: str) -> AsyncIterator[tuple[str, bool]]:
    """Fetch one page of each address, breadth first from the front page; yields its name, and
    whether it was opened: made of parts that no walk of this run has come to.

    AssertionError for a page that a link leads to and that does not open.
    """
    known, waiting, seen = Map(), ["/"], set[str]()
    asked = set(waiting)
    while waiting:
        path = waiting.pop(0)
        name = await known.name(urlsplit(path).path)
        if name is None or name in seen:
            continue
        seen.add(name)
        answer = await page.request.get(origin + path)
        assert answer.status == 200, f"{path}: {answer.status}"
        document = fromstring(await answer.body(), base_url=answer.url)
        is_fresh = bool(claim([f"walked {name}", *_parts(document)]))
        if is_fresh:
            await page.goto(origin + path)
        yield name, is_fresh
        document.make_links_absolute()
        links = [str(link) for link in document.xpath("//a/@href")]
        own = (link[len(origin) :].partition("#")[0] for link in links if link.startswith(origin))
        fresh = [path for path in dict.fromkeys(own) if path not in asked]
        waiting += fresh
        asked.update(fresh)
