"""Memory: what a large mail took goes back to the system when it is done with; no search for
garbage while modules are loaded.

NOT for how many large mails are in hand at a time: `mail/incoming/room.py`.
"""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

LARGE = 128 * 1024
"""Octets from which a block is mapped by itself; what glibc begins with."""
_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of glibc's malloc.h


def give_back_large_blocks() -> bool:
    """Keep glibc from raising that limit when a large block is freed, as it does by itself.

    Once raised, large blocks lie among small ones and leave holes that nobody can use. False: the
    system's memory is not glibc's.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and bool(mallopt(_MMAP_THRESHOLD, LARGE))


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
