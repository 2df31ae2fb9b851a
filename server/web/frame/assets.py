"""Styles, scripts and the vendored board, held in memory and served gzipped.

The address contains a digest of all files, so browsers may cache them forever and still fetch
a new version at once. No other file can be requested: the table is read once.
"""

import asyncio
import atexit
import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import IO

from aiohttp import web

from mail.looks.design import HERE, ICON, SHEET, Looks, looks
from mail.text.catalogue import LANGUAGES, Words
from server.web.frame.context import PageRoutes

routes = PageRoutes()

# Script modules and style sheets joined, so that a first visit asks for few files.

_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)(?:\n|$)", re.M)
_INDENT = re.compile(r"^[ \t]+|\n(?=\n)", re.M)
_IMPORT = re.compile(r'^import\s*(?:\*\s*as\s+(\w+)|\{([^}]*)\})\s*from\s*"([^"]+)";?$', re.M)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|class|const)\s+(\w+))", re.M)
_LIST = re.compile(r"^export\s*\{([^}]*)\};?$", re.M)
_LEFT = re.compile(r"^(?:import\s*[\w{*\"']|export\b).*", re.M)
_ROUND = re.compile(r"\s*([{};,])\s*|(?<=[a-z]:) ")
_TEXT = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_STYLE = re.compile(r'^@import "([^"]+)";$', re.M)


def joined_script(name: str, files: Mapping[str, str]) -> str:
    """The module ``name`` with what it imports, directly or not, as one module.

    Raises ValueError for a circle of imports or a form that is not known, KeyError for a file
    that is not there.
    """
    order = _in_order(name, files, ())
    known = {one: f"m{number}" for number, one in enumerate(order)}
    parts = [_wrapped(one, files[one], known, name) for one in order[:-1]]
    return "\n".join([*parts, _checked(name, _imports_named(name, files[name], known))])


def joined_style(name: str, files: Mapping[str, str]) -> str:
    """A style sheet with those that it imports, in their places.

    No room is left between rules. Raises ValueError where an address in one of them would point
    elsewhere from the whole, and for a text in it that has braces or semicolons.
    """
    folder = posixpath.dirname(name)

    def taken(found: re.Match[str]) -> str:
        path = _path(folder, found[1])
        if posixpath.dirname(path) != folder and "url(" in files[path]:
            raise ValueError(f"{path}: an address in a joined style sheet points elsewhere")
        return files[path]

    whole = _COMMENT.sub("", _STYLE.sub(taken, files[name]))
    if found := [text for text in _TEXT.findall(whole) if re.search("[{};]", text)]:
        raise ValueError(f"{name}: a text with braces or semicolons would be changed: {found[0]}")
    return _ROUND.sub(r"\1", _INDENT.sub("", whole)).replace(";}", "}")


def _path(folder: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(folder, name))


def _in_order(name: str, files: Mapping[str, str], above: tuple[str, ...]) -> tuple[str, ...]:
    """Each module once, after all that it imports."""
    if name in above:
        raise ValueError(f"{name}: imported in a circle by {above[-1]}")
    folder = posixpath.dirname(name)
    needed = [_path(folder, found[3]) for found in _IMPORT.finditer(files[name])]
    trees = (_in_order(one, files, (*above, name)) for one in needed)
    return (*dict.fromkeys(chain.from_iterable(trees)), name)


def _imports_named(name: str, text: str, known: Mapping[str, str]) -> str:
    folder = posixpath.dirname(name)

    def named(found: re.Match[str]) -> str:
        source = known[_path(folder, found[3])]
        taken = found[1] or "{" + (found[2] or "").replace(" as ", ": ") + "}"
        return f"const {taken} = {source}"

    return _INDENT.sub("", _COMMENT.sub("", _IMPORT.sub(named, text)))


def _wrapped(name: str, text: str, known: Mapping[str, str], entry: str) -> str:
    """A module as a function's answer; addresses beside it are still found from the whole."""
    body = _imports_named(name, text, known)
    names = [found[1] for found in _EXPORT.finditer(body)]
    names += [one.strip() for found in _LIST.finditer(body) for one in found[1].split(",")]
    place = posixpath.relpath(name, posixpath.dirname(entry) or ".")
    body = _LIST.sub("", _EXPORT.sub("", body))
    if re.search(r"\bimport\(", body):
        raise ValueError(f"{name}: import() belongs in the module that is joined, {entry}")
    body = body.replace("import.meta.url", f'new URL("{place}", import.meta.url)')
    given = ", ".join(filter(None, names))
    return f"const {known[name]} = (() => {{\n{_checked(name, body)}\nreturn {{{given}}}\n}})()"


def _checked(name: str, text: str) -> str:
    """The text of a module; ValueError when it has imports or exports that were not understood."""
    for found in _LEFT.finditer(_EXPORT.sub("", _LIST.sub("", text))):
        raise ValueError(f"{name}: not understood: {found[0]}")
    return text


# Styles, scripts and the vendored board, held in memory and served gzipped.

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
    "offline.js",
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
    """A file, kept once: gzipped if it is text."""

    octets: bytes
    is_packed: bool
    content_type: str

    @property
    def body(self) -> bytes:
        """What the file holds."""
        return gzip.decompress(self.octets) if self.is_packed else self.octets


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
    is_packed = suffix in WORTH_PACKING
    kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "text/plain"
    return Asset(gzip.compress(body, mtime=0) if is_packed else body, is_packed, kind)


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


@routes.get("/static/{digest:[0-9a-f]{12}}/{name:.+}")
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
    body = asset.octets
    if asset.is_packed:
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            body = asset.body
    text = asset.content_type.startswith("text/")
    return web.Response(
        body=body,
        content_type=asset.content_type,
        charset="utf-8" if text else None,
        headers=headers,
    )


# The program's own source, as running here, for its network users (AGPL, section 13).

PATH = "/source.zip"
ROOT = Path(__file__).parents[3]
ROOMS = ("kskak", "mail", "server", "migrations")
ROOT_FILES = (
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "Makefile",
    "pyproject.toml",
    "requirements.txt",
    "requirements-build.txt",
)
"""Files included besides the packages, when running from a checkout."""
NOT_OURS = ROOT / "server" / "web" / "static" / "engine"
"""Fetched by ``make engine``: a program of its own, whose page names its source."""
_EPOCH = (2026, 1, 1, 0, 0, 0)
_HEADERS = {
    "Content-Type": "application/zip",
    "Content-Disposition": 'attachment; filename="kskak-source.zip"',
    "Cache-Control": "public, max-age=86400",
}


@routes.get(PATH)
async def download_source(request: web.Request) -> web.FileResponse:
    """The archive, as a download, from the disk: never whole in memory."""
    file = await asyncio.to_thread(pack_source)
    return web.FileResponse(f"/dev/fd/{file.fileno()}", headers=_HEADERS)


@cache
def pack_source() -> IO[bytes]:
    """The zip archive, packed once per process, in a file without a name."""
    out = TemporaryFile()  # noqa: SIM115 - open as long as the process
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files():
            entry = zipfile.ZipInfo(f"kskak/{path.relative_to(ROOT).as_posix()}", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    out.flush()
    atexit.register(out.close)
    return out


def _files() -> Iterator[Path]:
    is_clone = (ROOT / "pyproject.toml").is_file()
    for folder in (*ROOMS, "docs") if is_clone else ROOMS:
        for path in sorted((ROOT / folder).rglob("*")):
            inside = path.relative_to(ROOT).parts
            is_ours = not any(part.startswith((".", "__pycache__")) for part in inside)
            if is_ours and path.is_file() and path.parent != NOT_OURS:
                yield path
    if is_clone:
        yield from (path for name in ROOT_FILES if (path := ROOT / name).is_file())
