"""In which layer a process spends its processor time: looked at with each 4 ms of CPU it has used.

A look counts for the innermost frame that belongs to a layer; what C code and other modules do
counts for who called them. Python lets signals look at the main thread alone, and threads that
look at others wait until those let go of the interpreter, that is where they ask SQLite or write
to a socket. So all work is done in the main thread meanwhile, and hops between threads are not
there to be counted. Only where the file for the looks has been laid. Not for one function's cost.
"""

import re
import signal
import time
from asyncio import BaseEventLoop, Future, get_running_loop
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, BinaryIO

from server.store.engine.sqlite import ConnectionThread
from tools.bench.figures import Profile
from tools.bench.start import ROOT

TICK_S = 0.004
"""Seconds of CPU between two looks; most kernels do not look more often."""
_OURS = re.escape(f"{ROOT}/")
LAYERS = {
    "SQLite": r".*/sqlalchemy/engine/(?:default\.py do_|cursor\.py fetch)",
    "SQLAlchemy": ".*/sqlalchemy/",
    "PostgreSQL's driver": ".*/asyncpg/",
    "aiohttp": ".*/(?:aiohttp|yarl|multidict)/",
    "aiosmtpd": ".*/aiosmtpd/",
    "aiosmtplib": ".*/aiosmtplib/",
    "asyncio, its sockets": ".*/(?:asyncio/|selectors.py|socket.py)",
    "json": ".*/(?:json|pydantic)/",
    "email": ".*/email/",
    "chess": ".*/chess/",
    "pictures": ".*/PIL/",
    "templates": r".*/(?:jinja2|markupsafe)/|.*\.(?:j2|html) ",
    "zlib": rf"{_OURS}server/store/engine/rows\.py (?:process_|pack|unpack)",
    "kskak": f"{_OURS}kskak/",
    "mail": f"{_OURS}mail/",
    "server.api, server.web": f"{_OURS}server/(?:api|web|xfcc)/",
    "server.usecases": f"{_OURS}server/usecases/",
    "server.store": f"{_OURS}server/store/",
    "server, the rest": f"{_OURS}server/(?!bench/)",
}
"""Whose a frame is, by its file and function; the first that fits."""
OTHER, ELSEWHERE = "other", "SQLite"
"""Nobody's; and in a thread that is left."""
_NAMES = tuple(LAYERS)
_WHOSE = re.compile("|".join(f"({pattern})" for pattern in LAYERS.values()))


def looks_of(database: Path) -> Path:
    """Where the looks at a server are written, if that file is there."""
    return database.with_suffix(".looks")


@contextmanager
def sampled(looks: Path) -> Iterator[None]:
    """Look at this process until the block ends, if the file is laid; for the main thread."""
    if not looks.exists():
        yield
        return
    with looks.open("ab", buffering=0) as file, _in_one_thread():
        signal.signal(signal.SIGPROF, _Eye(file).look)
        signal.setitimer(signal.ITIMER_PROF, TICK_S, TICK_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, signal.SIG_IGN)  # for a last, late tick


@contextmanager
def _in_one_thread() -> Iterator[None]:
    """Do what is given to other threads where it is asked for."""
    run, run_in_executor = ConnectionThread.run, BaseEventLoop.run_in_executor

    def here(_: ConnectionThread, work: Callable[[], Any]) -> Future[Any]:
        return _run(None, None, work)

    ConnectionThread.run, BaseEventLoop.run_in_executor = here, _run  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        ConnectionThread.run, BaseEventLoop.run_in_executor = run, run_in_executor  # type: ignore[method-assign]


def _run(_: object, __: object, work: Callable[..., Any], *args: object) -> Future[Any]:
    """An executor's job, done here and now."""
    answer = get_running_loop().create_future()
    try:
        answer.set_result(work(*args))
    except Exception as error:
        answer.set_exception(error)
    return answer


class _Eye:
    """Writes a line for each look: the layer, and the CPU time since the last look."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._known = file, dict[CodeType, str]()
        self._all, self._own = time.process_time_ns(), time.thread_time_ns()

    def look(self, _: int, frame: FrameType | None) -> None:
        """The signal's handler."""
        before, own = self._all, self._own
        self._all, self._own = time.process_time_ns(), time.thread_time_ns()
        spent, here = self._all - before, self._own - own
        layer = self._layer(frame) if 2 * here > spent else ELSEWHERE
        self._file.write(f"{spent} {layer}\n".encode())

    def _layer(self, frame: FrameType | None) -> str:
        while frame is not None:
            code = frame.f_code
            if (layer := self._known.get(code)) is None:
                layer = self._known[code] = layer_of(code.co_filename, code.co_name)
            if layer != OTHER:
                return layer
            frame = frame.f_back
        return OTHER


def layer_of(file: str, function: str) -> str:
    """Whose a function is; OTHER: nobody's, so its caller's."""
    whose = _WHOSE.match(f"{file} {function}")
    return OTHER if whose is None else _NAMES[(whose.lastindex or 0) - 1]


class Stretches:
    """What a process that is looked at did in some stretches of a run."""

    def __init__(self, looks: Path) -> None:
        self._file, self._seen, self._spent_ns = looks, Counter[str](), 0

    @contextmanager
    def another(self) -> Iterator[None]:
        """What is done in the block counts."""
        if not self._file.exists():
            yield
            return
        at = self._file.stat().st_size
        yield
        with self._file.open(encoding="ascii") as file:
            file.seek(at)
            for line in file:
                spent, _, layer = line.rstrip().partition(" ")
                self._seen[layer] += 1
                self._spent_ns += int(spent)

    def profiles(self, name: str, count: int) -> tuple[Profile, ...]:
        """The CPU time of each of ``count`` pieces of work, by layer; none if nothing was seen."""
        if not (seen := self._seen.total()):
            return ()
        each = self._spent_ns / 1000 / max(1, count)
        layers = {layer: each * looks / seen for layer, looks in self._seen.most_common()}
        return (Profile(name, each, layers, seen),)
