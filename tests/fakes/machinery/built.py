"""A SQLite file with this program's tables, made by the migrations once a process and copied.

Walking the migrations cost more than most tests. Those of the migrations themselves begin with
no file (tests/migrations/conftest.py).
"""

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from server.store.engine.migrate import migrate
from server.store.engine.store import Store

_KEEP = "kskak.db"


def sqlite_file(folder: Path, name: str = _KEEP, content: bytes = b"") -> str:
    """The URL of a new file in ``folder``: its tables built and empty, or a copy's content."""
    path = folder / name
    path.write_bytes(content or _built())
    return f"sqlite+aiosqlite:///{path}"


@cache
def _built() -> bytes:
    """The file's content. A thread of its own: the caller may be in a loop."""
    with ThreadPoolExecutor(1) as thread, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _KEEP
        thread.submit(asyncio.run, _build(path)).result()
        return path.read_bytes()


async def _build(path: Path) -> None:
    store = await Store.open(f"sqlite+aiosqlite:///{path}")
    await migrate(store, None)
    await store.close()
