"""Walks the site as one visitor: one page of each address, by the links that he is shown.

Not for what is asked of a page (pages/test_every_page.py).
"""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from urllib.parse import urlsplit

from aiohttp import web
from playwright.async_api import Page
from yarl import URL

from server.web.site import ROUTES

_FILES = (".pdf", ".png", ".ics", ".zip", ".txt", ".json", ".csv", ".pgn", ".xml", "/raw", "/scan")
"""What is given to be saved, not shown."""


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


async def walk(page: Page, origin: str) -> AsyncIterator[str]:
    """Open one page of each address, breadth first from the front page; yields its name.

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
        answer = await page.goto(origin + path)
        assert answer is not None and answer.status == 200, f"{path}: {answer and answer.status}"
        yield name
        links = await page.eval_on_selector_all("a[href]", "all => all.map(a => a.href)")
        own = (link[len(origin) :].partition("#")[0] for link in links if link.startswith(origin))
        fresh = [path for path in dict.fromkeys(own) if path not in asked]
        waiting += fresh
        asked.update(fresh)
