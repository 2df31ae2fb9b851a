"""The site's addresses, made once in this process for every application that serves them.

Each test has an application of its own, and making its five hundred addresses was a sixth of
setting it up. They hold nothing of the application. Not for the server, which makes them once.
"""

import sys
from collections.abc import Iterable

from aiohttp.web import AbstractResource, AbstractRoute, AbstractRouteDef, UrlDispatcher

_usual = UrlDispatcher.add_routes
_made: list[AbstractResource] = []


def _add(table: UrlDispatcher, routes: Iterable[AbstractRouteDef]) -> list[AbstractRoute]:
    site = sys.modules.get("server.web.site")
    if site is None or routes is not site.ROUTES:
        return _usual(table, routes)
    if not _made:
        whole = UrlDispatcher()
        _usual(whole, routes)
        _made.extend(whole.resources())
    for resource in _made:
        table.register_resource(resource)
    return []


UrlDispatcher.add_routes = _add  # type: ignore[method-assign]
