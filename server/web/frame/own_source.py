"""The program's own source, as running here, for its network users (AGPL, section 13).

Offered unless the operator names another address (``web.source_url``). Contains only the program,
not the operator's settings or data, which may lie beside it.
"""

import asyncio
import atexit
import os
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from aiohttp import web

PATH = "/source.zip"
ROOT = Path(__file__).parents[3]
ROOMS = ("kskak", "mail", "server", "migrations")
BESIDE = (
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
    "Content-Disposition": 'attachment; filename="kskak-source.zip"',
    "Cache-Control": "public, max-age=86400",
}


async def give(request: web.Request) -> web.Response:
    """The archive, as a download."""
    data = await asyncio.to_thread(packed)
    return web.Response(body=data, content_type="application/zip", headers=_HEADERS)


def packed() -> bytes:
    """The zip archive; one file on disk carries it for all who ask."""
    file = _file()
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)


@cache
def _file() -> IO[bytes]:
    """Packed once per process, without a name: 3 MB that memory need not hold."""
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
        yield from (path for name in BESIDE if (path := ROOT / name).is_file())
