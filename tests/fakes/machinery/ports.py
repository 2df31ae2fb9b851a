"""Ports for what must know its port before it listens: other processes, old libraries.

Taken below the range that the kernel gives to outgoing connections, so that no connection of a
test beside this one can get it between the asking and the listening; each worker of a parallel
run has a stretch of its own. Not for what can listen on port 0.
"""

import os
import socket
from itertools import count

_FIRST, _STRETCH, _WORKERS = 12_000, 1_000, 16
_asked = count(os.getpid())


def free_port() -> int:
    """A port that nobody has now and that nobody else will ask for; another one each time."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    base = _FIRST + worker % _WORKERS * _STRETCH
    for _ in range(_STRETCH):
        port = base + next(_asked) % _STRETCH
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("no port is free")
