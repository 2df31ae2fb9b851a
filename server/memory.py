"""Memory: what a large mail took goes back to the system when it is done with; all threads take
from one heap; garbage is sought seldom, and not while modules are loaded; what is kept to be told
again is bounded by octets.

NOT for how many large mails are in hand at a time: `mail/incoming/room.py`.
"""

import ctypes
import gc
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_COLLECT_AFTER = 5_000
"""Objects created and not freed between two garbage collections; Python's default is 700. With
20,000 some 5 MB of garbage lay about: a mail leaves 84 objects in cycles, a page 121."""
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
    gc.set_threshold(_COLLECT_AFTER, 10, 10)


def kept(octets: int, weigh: Callable[P, int]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep a function's answers, the last used, as long as they take no more octets altogether.

    For answers of very different sizes, where a number of entries would bound nothing; where they
    are alike, ``lru_cache`` does. ``weigh`` estimates from the arguments, which are hashable and
    given by position, what question and answer take. Any thread may ask.
    """

    def keeping(compute: Callable[P, T]) -> Callable[P, T]:
        found: OrderedDict[object, tuple[T, int]] = OrderedDict()
        lock, taken = Lock(), 0

        @wraps(compute)
        def ask(*args: P.args, **kwargs: P.kwargs) -> T:
            nonlocal taken
            with lock:
                if (known := found.get(args)) is not None:
                    found.move_to_end(args)
                    return known[0]
            answer, weight = compute(*args, **kwargs), weigh(*args, **kwargs)
            with lock:
                if args not in found:
                    found[args] = answer, weight
                    taken += weight
                while taken > octets:
                    taken -= found.popitem(last=False)[1][1]
            return answer

        return ask

    return keeping
