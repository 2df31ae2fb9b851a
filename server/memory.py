"""Memory: what a large mail took goes back to the system when it is done with.

NOT for how many large mails are in hand at a time: `mail/incoming/room.py`.
"""

import ctypes

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
