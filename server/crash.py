"""Named points where a test may kill this process, to prove that nothing is lost or duplicated.

A no-op unless the environment's ``KSKAK_CRASH_AT`` says ``name`` or ``name:count`` (the count-th
time, from 1). It is a real kill: SIGKILL, no clean-up. Not for handling errors.
"""

import os
import signal
from functools import lru_cache

CRASH_POINTS = (
    "inbox-before-commit",
    "inbox-after-commit",
    "writer-before-commit",
    "writer-after-commit",
    "outbox-claimed",
    "outbox-before-mark-sent",
)
"""Every name that ``reach`` is called with on a mail's way through."""

ANSWER_POINTS = ("answer-before-keep", "answer-after-commit")
"""The same for a POST with a key: done but its answer not kept; both kept."""

IMPORT_POINTS = ("import-before-commit", "import-after-commit")
"""The same for the import of a batch of past games into the archive."""

VARIABLE = "KSKAK_CRASH_AT"

_reached: dict[str, int] = {}


@lru_cache(maxsize=1)
def _armed() -> tuple[str, int] | None:
    """``armed``, reading the environment only once: this is called for every mail."""
    return armed()


def armed() -> tuple[str, int] | None:
    """The point to die at and the count of times to reach it; ValueError if either is wrong."""
    name, _, count = os.environ.get(VARIABLE, "").partition(":")
    if not name:
        return None
    known = (*CRASH_POINTS, *ANSWER_POINTS, *IMPORT_POINTS)
    if name not in known or not (count or "1").isdigit():
        raise ValueError(f"{VARIABLE}: not one of {', '.join(known)}, or no count: {name}")
    return name, int(count or 1)


def reach(name: str) -> None:
    """Die here if the environment says so."""
    at = _armed()
    if at is None or at[0] != name:
        return
    _reached[name] = _reached.get(name, 0) + 1
    if _reached[name] == at[1]:
        os.kill(os.getpid(), signal.SIGKILL)
