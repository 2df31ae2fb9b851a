"""What search engines may read, and where it is: robots.txt and the map of the site.

Not for who may see a page: that is each page's own.
"""

from xml.etree import ElementTree as ET

from aiohttp import web

from server.store.groups import groups_and_seats as group_rows
from server.web.frame.context import core

KEPT_OUT = (
    "/api/", "/c/", "/calendar/", "/desk", "/embed/", "/leave", "/login/", "/mailbox", "/next",
    "/settings", "/think/", "/unsubscribe/", "/xfcc",
)  # fmt: skip
"""What is one reader's own, or for programs."""
PAGES = (
    "/", "/about", "/archive", "/bulletins", "/clubs", "/cup", "/enter", "/help", "/league",
    "/players", "/ratings", "/titles",
)  # fmt: skip
MOST = 5_000
"""Groups of the map, newest first; a file of a map may have 50,000 addresses."""
_NAMES = "http://www.sitemaps.org/schemas/sitemap/0.9"


async def robots(request: web.Request) -> web.Response:
    """What a search engine is asked to leave alone (RFC 9309)."""
    lines = ["User-agent: *", *(f"Disallow: {one}" for one in KEPT_OUT)]
    lines.append(f"Sitemap: {core(request).url('/sitemap.xml')}")
    return web.Response(text="\n".join([*lines, ""]))


async def sitemap(request: web.Request) -> web.Response:
    """The public pages and the newest groups."""
    async with core(request).store.read() as conn:
        groups = await group_rows.newest(conn, MOST)
    whole = ET.Element("urlset", {"xmlns": _NAMES})
    for path in (*PAGES, *(f"/groups/{name}" for name in groups)):
        ET.SubElement(ET.SubElement(whole, "url"), "loc").text = core(request).url(path)
    body = ET.tostring(whole, encoding="utf-8", xml_declaration=True)
    return web.Response(body=body, content_type="application/xml", charset="utf-8")
