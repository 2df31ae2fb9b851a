"""What makes the site installable on phones and desktops: manifest, icons, worker, offline page.

The worker (static/sw.js) caches files with a digest in their address, and pages marked as keepable
for the person they were made for (pages.py). Not for notifications (account/settings.py).
"""

import struct
from functools import cache

from aiohttp import web

from mail.looks.design import looks
from mail.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES, Words
from server.web.frame import assets
from server.web.frame.context import PAGE_WORDS, PageRoutes
from server.web.frame.page_texts import PageWords
from server.web.frame.pages import page

routes = PageRoutes()

ROUNDED = ' rx="4"'
"""The icon's rounded corners; systems that mask icons themselves get one without them."""
SIZES = (180, 192, 512)
FAVICON = 32
_ICO = struct.Struct("<3H4B2H2I")
"""An ICO file's header and only entry: sizes, colours, planes, depth, length, offset."""
A_DAY = "public, max-age=86400"


def _lang(request: web.Request) -> str:
    """The language in the address, since browsers fetch these files without credentials."""
    wanted = request.query.get("lang", "")
    return wanted if wanted in LANGUAGES else DEFAULT_LANGUAGE


@routes.get("/manifest.webmanifest")
async def manifest(request: web.Request) -> web.Response:
    """The app's name, look and start page."""
    said = Words.load(_lang(request))
    icons = [
        {"src": f"/icons/{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in SIZES
    ]
    whole = {"src": "/icons/whole-512.png", "sizes": "512x512", "type": "image/png"}
    return web.json_response(
        {
            "id": "/",
            "name": looks().name,
            "short_name": looks().name,
            "description": said("install.about"),
            "lang": said.lang,
            "dir": "ltr",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": looks().light["paper"],
            "theme_color": looks().light["paper"],
            "icons": [*icons, whole | {"purpose": "maskable"}],
        },
        content_type="application/manifest+json",
        headers={"Cache-Control": A_DAY},
    )


@cache
def _icon(drawing: str, size: int, *, is_whole: bool) -> bytes:
    import resvg_py

    if is_whole:
        drawing = drawing.replace(ROUNDED, "")
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=size, height=size))


@routes.get(r"/icons/{kind:(whole-)?}{size:\d{2,4}}.png")
async def icon(request: web.Request) -> web.Response:
    """The icon in one size, drawn on first request."""
    kind, size = request.match_info["kind"], int(request.match_info["size"])
    if size not in SIZES:
        raise web.HTTPNotFound
    body = _icon(looks().icon, size, is_whole=bool(kind))
    return web.Response(body=body, content_type="image/png", headers={"Cache-Control": A_DAY})


@routes.get("/favicon.ico")
async def favicon(_request: web.Request) -> web.Response:
    """The icon for clients that request it without reading a page: an ICO with one PNG."""
    drawn = _icon(looks().icon, FAVICON, is_whole=False)
    head = _ICO.pack(0, 1, 1, FAVICON, FAVICON, 0, 0, 1, 32, len(drawn), _ICO.size)
    return web.Response(
        body=head + drawn, content_type="image/vnd.microsoft.icon", headers={"Cache-Control": A_DAY}
    )


@routes.get("/sw.js")
async def worker(_request: web.Request) -> web.Response:
    """The worker; its digest makes browsers take a new one when any file has changed."""
    body = f"// {assets.digest()}\n".encode() + assets.assets()["sw.js"].body
    headers = {"Cache-Control": "no-cache"}
    return web.Response(body=body, content_type="text/javascript", charset="utf-8", headers=headers)


@routes.get("/offline")
async def offline(request: web.Request) -> web.Response:
    """The page shown when neither the server nor a kept page is available; not personal."""
    request[PAGE_WORDS] = PageWords.of(_lang(request))
    return page(request, "frame/offline.html")
