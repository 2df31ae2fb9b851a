"""A server in a process of its own, for as long as a benchmark needs it. Not for which server."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection

HOST = "127.0.0.1"
DOMAIN = "kskak.localhost"
_START_S = 60.0
_STOP_S = 30.0


@dataclass(frozen=True, slots=True)
class Ports:
    """Where a child listens, as it tells itself, and its process ID."""

    http: int
    smtp: int
    pid: int = field(default_factory=os.getpid)


@contextmanager
def process(target: Callable[[Connection, str], None], argument: str) -> Iterator[Ports]:
    """``target`` tells where it listens, and ends when told to or with us. Raises RuntimeError."""
    context = get_context("spawn")
    mine, theirs = context.Pipe()
    child = context.Process(target=target, args=(theirs, argument), daemon=True)
    child.start()
    theirs.close()
    try:
        if not mine.poll(_START_S):
            raise RuntimeError("a server of the benchmark did not start")
        yield mine.recv()
        mine.send(None)
    finally:
        mine.close()
        child.join(_STOP_S)
        if child.is_alive():
            child.kill()
            child.join()


async def until_told(pipe: Connection, ports: Ports) -> None:
    """Report where we listen, then wait until the parent process says to stop, or ends."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(pipe.fileno(), told.set)
    pipe.send(ports)
    await told.wait()
    loop.remove_reader(pipe.fileno())
