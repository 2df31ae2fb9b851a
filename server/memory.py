"""Memory: what a large mail took goes back to the system when it is done with; all threads take
from one heap; garbage is sought seldom, and not while modules are loaded.

NOT for how many large mails are in hand at a time: `mail/incoming/room.py`.
"""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

_COLLECT_AFTER = 20_000
"""Objects created and not freed between two garbage collections; Python's default is 700."""
LARGE = 128 * 1024
"""Octets from which a block is mapped by itself; what glibc begins with."""
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # of glibc's malloc.h


def keep_heap_whole() -> bool:
    """Keep glibc from raising that limit when a large block is freed, as it does by itself, and
    from giving each thread a heap of its own; before threads are started.

    Once raised, large blocks lie among small ones and leave holes that nobody can use. What one
    thread frees in its heap no other can use, and the interpreter lets one run at a time anyway.
    False: the system's memory is not glibc's.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and all((mallopt(_MMAP_THRESHOLD, LARGE), mallopt(_ARENA_MAX, 1)))


@contextmanager
def loading() -> Iterator[None]:
    """No search for garbage inside: what a module makes stays, and each search reads all of it.

    A fifth of a server's start. What a process has loaded first is not searched later either.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
        gc.enable()


def collect_seldom() -> None:
    """Seek garbage after so many objects that work on many at once is not interrupted by it.

    A fifth of an import's time.
    """
    gc.set_threshold(_COLLECT_AFTER, 20, 50)
