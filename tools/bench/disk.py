"""What the disk can do: how long it takes to make 4 KB durable. Not for any ratio."""

import os
from pathlib import Path
from time import perf_counter

from tools.bench.figures import Spread

_TIMES = 50


def flush_us(folder: Path) -> Spread:
    """Microseconds to write a page and flush it, on a folder's disk."""
    path = folder / "flush"
    found = []
    handle = os.open(path, os.O_CREAT | os.O_WRONLY)
    try:
        for _ in range(_TIMES):
            begun = perf_counter()
            os.pwrite(handle, bytes(4096), 0)
            os.fdatasync(handle)
            found.append((perf_counter() - begun) * 1_000_000)
    finally:
        os.close(handle)
        path.unlink()
    return Spread.of(found)
