"""Which processor core a measured server runs on: one, and always the same.

Python runs one thread at a time; threads that move between cores only shift the caches to and
fro, which costs up to a sixth of the time and varies from run to run. What is measured and what
it is measured against are treated alike. Linux only; elsewhere the system decides. Not for
serving: there the service's own settings choose the core (docs/operator.md).
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager


def cores() -> list[int]:
    """The cores we may use; empty where the system has no say in them."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def chosen(nth: int = 0) -> int | None:
    """The last core we may use, or the ``nth`` before it, if another is left for the load.

    None: the system's choice.
    """
    allowed = cores()
    return allowed[-1 - nth] if len(allowed) > 1 + nth else None


@contextmanager
def one_core(nth: int = 0) -> Iterator[None]:
    """Hold this thread, and those it starts, on the chosen core."""
    core = chosen(nth)
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
