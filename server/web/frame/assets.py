"""Styles, scripts and the vendored board, held in memory and served gzipped.

The address contains a digest of all files, so browsers may cache them forever and still fetch
a new version at once. No other file can be requested: the table is read once.
"""

import gzip
import hashlib
import json
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from aiohttp import web

from mail.looks.chosen import HERE, ICON, SHEET, Looks, looks
from mail.text.languages import LANGUAGES
from mail.text.words import Words
from server.web.frame.joined_files import joined_script, joined_style

FOLDER = Path(__file__).parents[1] / "static"
PIECES_LICENCE = "vendor/gnome-chess/LICENSE"
"""Of drawings that mails have too, and that therefore lie in mail/looks."""
FOR_EVER = "public, max-age=31536000, immutable"
TYPES = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".md": "text/plain",
    ".woff2": "font/woff2",
}
SCRIPTS = (
    "app.js",
    "board.js",
    "board/engine.js",
    "board/later.js",
    "days.js",
    "live.js",
    "passkeys.js",
    "push.js",
)
"""What pages ask for by script elements, and what those fetch later: each with its imports."""
_OWN_WORDS = {"board/words": "board.later.{name}", "board/engine": "board.engine_says.{name}"}
"""The texts that go with board/later.js and board/engine.js: a first visit does without them."""
ENGINE = "engine/stockfish.js"
"""A chess engine for the reader's browser, where ``make engine`` has put one."""
ENGINE_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'"
"""What its worker may: compile its own code, which it fetches here. Pages may no more than ever."""
WORTH_PACKING = frozenset({".css", ".js", ".svg", ".md", ".json", ".wasm", ""})


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as sent."""

    body: bytes
    packed: bytes | None
    content_type: str


def assets() -> dict[str, Asset]:
    """Every file below the static folder, by its relative path; those a page asks for, joined."""
    return _assets(looks())


@cache
def _assets(of: Looks) -> dict[str, Asset]:
    found = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in sorted(FOLDER.rglob("*"))
        if path.is_file()
    }
    found |= {SHEET: of.css.encode(), ICON: of.icon.encode()}
    found[PIECES_LICENCE] = (HERE / PIECES_LICENCE).read_bytes()
    texts = {name: body.decode() for name, body in found.items() if name.endswith((".js", ".css"))}
    for name in texts:
        if name.endswith(".css") and name.count("/") == 0:
            found[name] = joined_style(name, texts).encode()
        elif name in SCRIPTS:
            found[name] = joined_script(name, texts).encode()
    for lang in LANGUAGES:
        for name, family in _OWN_WORDS.items():
            said = json.dumps(Words.load(lang).family(family), ensure_ascii=False)
            found[f"{name}.{lang}.json"] = said.encode()
    return {name: _asset(name, body) for name, body in found.items()}


def _asset(name: str, body: bytes) -> Asset:
    suffix = PurePosixPath(name).suffix
    packed = gzip.compress(body, mtime=0) if suffix in WORTH_PACKING else None
    kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "text/plain"
    return Asset(body, packed, kind)


def digest() -> str:
    """A digest that changes when any file does."""
    return _digest(looks())


@cache
def _digest(of: Looks) -> str:
    seen = hashlib.sha256()
    for name, asset in _assets(of).items():
        seen.update(name.encode() + b"\0" + asset.body)
    return seen.hexdigest()[:12]


def address(name: str) -> str:
    """The address of a file; KeyError if there is none."""
    if name not in assets():
        raise KeyError(name)
    return f"/static/{digest()}/{name}"


def has_engine() -> bool:
    """Whether the server has a chess engine to give to browsers."""
    return ENGINE in assets()


async def serve(request: web.Request) -> web.Response:
    """A file; 404 if it is not in the table."""
    name = request.match_info["name"]
    asset = assets().get(name)
    if asset is None:
        raise web.HTTPNotFound
    headers = {"Vary": "Accept-Encoding", "Cache-Control": FOR_EVER}
    if name == ENGINE:
        headers["Content-Security-Policy"] = ENGINE_POLICY
    if request.match_info["digest"] != digest():
        headers["Cache-Control"] = "no-cache"
    body = asset.body
    if asset.packed is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
        body = asset.packed
        headers["Content-Encoding"] = "gzip"
    text = asset.content_type.startswith("text/")
    return web.Response(
        body=body,
        content_type=asset.content_type,
        charset="utf-8" if text else None,
        headers=headers,
    )
