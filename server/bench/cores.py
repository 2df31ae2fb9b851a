"""Which processor core a measured server runs on: one, and always the same.

Python runs one thread at a time; threads that move between cores only shift the caches to and
fro, which costs up to a sixth of the time and varies from run to run. What is measured and what
it is measured against are treated alike. Linux only; elsewhere the system decides. Not for
serving: there the service's own settings choose the core (docs/operator.md).
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager


def chosen() -> int | None:
    """The last core we may use, if another is left for the load; None: the system's choice."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[-1] if len(allowed) > 1 else None


@contextmanager
def one_core() -> Iterator[None]:
    """Hold this thread, and those it starts, on the chosen core."""
    core = chosen()
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
