"""What this process asks of its machine: open files, memory, log lines, points to be killed at."""

import ctypes
import gc
import json
import logging
import os
import resource
import signal
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import FrozenInstanceError, fields
from datetime import UTC, datetime
from functools import wraps
from operator import attrgetter
from threading import Lock
from typing import Any, NoReturn, ParamSpec, TypeVar

ROLES = ("web", "mail-in", "mail-out", "daily")
"""What a process may do of a server: pages and API; mail in; letters and notifications; the rest:
what falls due, the duties of the day, the archive."""

# Open files: the limit raised as far as the system lets us, and a share for mail.

MOST_FILES = 65_536
MOST_SMTP = 200
_SHARE = 4


def raise_limit() -> int:
    """Raise the soft limit of open files to the hard one; return what it is now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wished = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wished:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wished, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def smtp_connections() -> int:
    """Connections that mail may take at a time: at most a quarter of the files."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_SMTP if soft == resource.RLIM_INFINITY else min(MOST_SMTP, max(soft // _SHARE, 1))


# Memory: what a large mail took goes back to the system when it is done with; all threads take from
# one heap; what is kept to be told again is bounded by octets.

P = ParamSpec("P")
T = TypeVar("T")

LARGE = 128 * 1024
"""Octets from which a block is mapped by itself; what glibc begins with. Of 100 MB freed among
small blocks 95 go back to the system, and less than 50 without this (test_memory.py)."""
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


async def give_back_heap() -> bool:
    """Give the system the pages that lie free among what is kept: 3 MB after two hours of mixed
    load. As a poller's work: there is never more to do at once.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return False


def share_guards() -> None:
    """Give all frozen dataclasses one guard, ``repr``, comparison and hash, in place of one each.

    They refuse, tell and compare the same. Of the 16 kB that such a class takes, the library's
    guard is 5, for it keeps the class alive that a twin with slots replaced (Python 3.11), its
    ``repr`` is 2, comparison and hash are 2; of ours there are a thousand. What was replaced goes
    with the next garbage collection.
    """
    classes: list[Any] = [one for one in gc.get_objects() if isinstance(one, type)]
    for cls in classes:
        own = vars(cls)
        if "__slots__" in own and (params := own.get("__dataclass_params__")) and params.frozen:
            cls.__setattr__ = _refuse_change
            cls.__delattr__ = _refuse_change
            if _is_compiled(getattr(own.get("__repr__"), "__wrapped__", None)):
                cls.__repr__ = _tell_fields
            if _compares_by_fields(cls):
                cls._compared = attrgetter(*(one.name for one in fields(cls) if one.compare))
                cls.__eq__, cls.__hash__ = _is_equal, _hash_fields


def _compares_by_fields(cls: Any) -> bool:
    """Whether the library's comparison and hash are of the same two or more fields: of one they
    would not be of a tuple, and a hash must not change.
    """
    methods = vars(cls).get("__eq__"), vars(cls).get("__hash__")
    compared = [one for one in fields(cls) if one.compare]
    is_alike = all(one.hash is None for one in compared)
    return len(compared) > 1 and is_alike and all(map(_is_compiled, methods))


def _is_compiled(function: Any) -> bool:
    return function is not None and function.__code__.co_filename == "<string>"


def _refuse_change(one: object, name: str, *value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _tell_fields(one: Any) -> str:
    told = ", ".join(f"{f.name}={getattr(one, f.name)!r}" for f in fields(one) if f.repr)
    return f"{type(one).__qualname__}({told})"


def _is_equal(one: Any, other: Any) -> Any:
    if other.__class__ is not one.__class__:
        return NotImplemented
    return one._compared(one) == one._compared(other)


def _hash_fields(one: Any) -> int:
    return hash(one._compared(one))


def cached_by_size(
    octets: int, weigh: Callable[P, int]
) -> Callable[[Callable[P, T]], Callable[P, T]]:
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


# Log lines, as text or as JSON, with one id from a mail to the letters that it causes.

MOST_CAUSES = 10_000
_causes: OrderedDict[str, str] = OrderedDict()


def id_of_mail(number: int) -> dict[str, str]:
    """What a log line about the mail of that row is told besides (``extra``)."""
    return {"id": f"mail-{number}"}


handled_mail: ContextVar[int | None] = ContextVar("handled_mail", default=None)
"""The mail that this task handles."""


def note_cause(message_id: str, number: int) -> None:
    """A letter is caused by a mail; this process tells so when it has sent it."""
    _causes[message_id] = id_of_mail(number)["id"]
    if len(_causes) > MOST_CAUSES:
        _causes.popitem(last=False)


def id_of_letter(message_id: str) -> dict[str, str]:
    """The same of a letter: the mail's id, else its own Message-ID."""
    return {"id": _causes.get(message_id, message_id)}


class JsonLines(logging.Formatter):
    """A line of JSON: ``at``, ``level``, ``logger``, ``message``; ``id`` and ``error`` if any."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever is in it."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if hasattr(record, "id"):
            line["id"] = str(record.id)
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


# Named points where a test may kill this process, to prove that nothing is lost or duplicated.

CRASH_POINTS = (
    "inbox-before-commit",
    "inbox-after-commit",
    "writer-before-commit",
    "writer-after-commit",
    "outbox-claimed",
    "outbox-before-mark-sent",
)
"""Every name that ``reach_crash_point`` is called with on a mail's way through."""

ANSWER_POINTS = ("answer-before-keep", "answer-after-commit")
"""The same for a POST with a key: done but its answer not kept; both kept."""

IMPORT_POINTS = ("import-before-commit", "import-after-commit")
"""The same for the import of a batch of past games into the archive."""

VARIABLE = "KSKAK_CRASH_AT"

_reached: dict[str, int] = {}


def read_crash_point() -> tuple[str, int] | None:
    """The point to die at and the count of times to reach it; ValueError if either is wrong."""
    name, _, count = os.environ.get(VARIABLE, "").partition(":")
    if not name:
        return None
    known = (*CRASH_POINTS, *ANSWER_POINTS, *IMPORT_POINTS)
    if name not in known or not (count or "1").isdigit():
        raise ValueError(f"{VARIABLE}: not one of {', '.join(known)}, or no count: {name}")
    return name, int(count or 1)


def reach_crash_point(name: str) -> None:
    """Die here if the environment says so."""
    at = read_crash_point()
    if at is None or at[0] != name:
        return
    _reached[name] = _reached.get(name, 0) + 1
    if _reached[name] == at[1]:
        os.kill(os.getpid(), signal.SIGKILL)
