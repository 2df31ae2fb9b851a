"""What makes the site a program on a telephone or a desktop: manifest, icons, worker, offline page.

The worker (static/sw.js) keeps files that carry a digest, and the pages that are marked to be kept
for the person they were made for (pages.py). Not for notifications (account/notifications.py).
"""

import struct
from functools import cache

import resvg_py
from aiohttp import web

from mail.text.words import DEFAULT_LANGUAGE, LANGUAGES, Words
from server.web.frame import assets
from server.web.frame.context import WORDS
from server.web.frame.pages import page
from server.web.frame.words import PageWords

PAPER, INK = "#faf7f0", "#7f2315"
ROUNDED = ' rx="4"'
"""The corners of the icon; a system that cuts icons to its own shape gets one without."""
SIZES = (180, 192, 512)
FAVICON = 32
_ICO = struct.Struct("<3H4B2H2I")
"""The head of an ICO file and its only entry: sizes, colours, planes, depth, length, place."""
A_DAY = "public, max-age=86400"


def _lang(request: web.Request) -> str:
    """The language asked for in the address: a manifest and a worker are fetched for nobody."""
    wanted = request.query.get("lang", "")
    return wanted if wanted in LANGUAGES else DEFAULT_LANGUAGE


async def manifest(request: web.Request) -> web.Response:
    """What the program is called, how it looks and where it begins."""
    said = Words.load(_lang(request))
    icons = [
        {"src": f"/icons/{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in SIZES
    ]
    whole = {"src": "/icons/whole-512.png", "sizes": "512x512", "type": "image/png"}
    return web.json_response(
        {
            "id": "/",
            "name": said("web.site.name"),
            "short_name": said("install.short"),
            "description": said("install.about"),
            "lang": said.lang,
            "dir": "ltr",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": PAPER,
            "icons": [*icons, whole | {"purpose": "maskable"}],
        },
        content_type="application/manifest+json",
        headers={"Cache-Control": A_DAY},
    )


@cache
def _icon(size: int, *, is_whole: bool) -> bytes:
    drawing = assets.assets()["icon.svg"].body.decode()
    if is_whole:
        drawing = drawing.replace(ROUNDED, "")
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=size, height=size))


async def icon(request: web.Request) -> web.Response:
    """The icon in one size, drawn when it is first asked for."""
    kind, size = request.match_info["kind"], int(request.match_info["size"])
    if size not in SIZES:
        raise web.HTTPNotFound
    body = _icon(size, is_whole=bool(kind))
    return web.Response(body=body, content_type="image/png", headers={"Cache-Control": A_DAY})


async def favicon(_request: web.Request) -> web.Response:
    """The icon for who asks for it without having read a page: an ICO with one PNG in it."""
    drawn = _icon(FAVICON, is_whole=False)
    head = _ICO.pack(0, 1, 1, FAVICON, FAVICON, 0, 0, 1, 32, len(drawn), _ICO.size)
    return web.Response(
        body=head + drawn,
        content_type="image/vnd.microsoft.icon",
        headers={"Cache-Control": A_DAY},
    )


async def worker(_request: web.Request) -> web.Response:
    """The worker; the digest in it makes browsers take a new one when any file has changed."""
    body = f"// {assets.digest()}\n".encode() + assets.assets()["sw.js"].body
    headers = {"Cache-Control": "no-cache"}
    return web.Response(body=body, content_type="text/javascript", charset="utf-8", headers=headers)


async def offline(request: web.Request) -> web.Response:
    """What is shown when neither server nor a kept page is there; nobody's own."""
    request[WORDS] = PageWords.of(_lang(request))
    return page(request, "frame/offline.html")


ROUTES = (
    web.get("/manifest.webmanifest", manifest),
    web.get(r"/icons/{kind:(whole-)?}{size:\d{2,4}}.png", icon),
    web.get("/favicon.ico", favicon),
    web.get("/sw.js", worker),
    web.get("/offline", offline),
)
