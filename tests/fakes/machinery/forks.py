"""Processes of ``kskak`` that need not import it first: each is forked from one that did so once.

Real processes with real deaths, a tenth as long in starting. That the command itself starts is
tested beside this (tests/scenarios/faults/test_bad_disk.py); what must be there before Python
begins, as a library that is loaded first, can't come this way.
"""

import asyncio
import gc
import importlib
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]


@dataclass
class Forked:
    """A running process; ``returncode`` as a subprocess's: negative for the signal it died of."""

    pid: int
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    returncode: int | None = None

    async def wait(self) -> int:
        """How it ended, when it has."""
        if self.returncode is None:
            self.returncode = int(await self._reader.readline())
            self._writer.close()
            await self._writer.wait_closed()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Tell it something; one that is dead is not told."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


async def fork(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: dict[str, str],
    out: Path | str,
    err: Path | str,
    module: str = "server.__main__",
) -> Forked:
    """``kskak`` with these words, in this folder and environment; both outputs are appended.

    Or the ``main`` of another module.
    """
    address = await asyncio.to_thread(_parent)
    reader, writer = await asyncio.open_unix_connection(address)
    asked: dict[str, object] = {"argv": list(argv), "cwd": str(cwd), "env": env}
    asked |= {"out": str(out), "err": str(err), "mask": _mask(), "module": module}
    writer.write(json.dumps(asked).encode() + b"\n")
    return Forked(int(await reader.readline()), reader, writer)


def _mask() -> int:
    """This process's own mask of rights, which can only be read by setting it."""
    os.umask(mask := os.umask(0o077))
    return mask


@cache
def _parent() -> str:
    """The address of this worker's process that has imported all; it ends with its stdin."""
    address = f"{tempfile.mkdtemp(prefix='kskak-fork-')}/socket"
    words = [sys.executable, "-m", "tests.fakes.machinery.forks", address]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen(words, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, **pipes)  # type: ignore[call-overload]
    process.stdout.readline()
    _kept.append(process)
    return address


_kept: list[object] = []


def _serve(address: str) -> None:
    from mail.text.catalogue import LANGUAGES, Words
    from server import __main__, app
    from server.cli import serve

    assert __main__ and app and serve
    for lang in LANGUAGES:
        Words.load(lang)
    # What all have in common is not looked through for garbage by each that starts to serve.
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as door, selectors.DefaultSelector() as waiting:
        door.bind(address)
        door.listen()
        print("ready", flush=True)
        for one in (door, sys.stdin):
            waiting.register(one, selectors.EVENT_READ)
        while sys.stdin not in {key.fileobj for key, _ in waiting.select()}:
            asked, _ = door.accept()
            if os.fork() == 0:
                door.close()
                _guard(asked)
            asked.close()
    shutil.rmtree(Path(address).parent, ignore_errors=True)


def _guard(asked: socket.socket) -> None:
    """Beside each process one that waits for its end and tells of it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    wanted = json.loads(asked.makefile("rb").readline())
    pid = os.fork()
    if pid == 0:
        asked.close()
        _become(wanted)
    with suppress(BrokenPipeError):
        asked.sendall(b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        asked.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(wanted: dict[str, object]) -> None:
    code = 1
    try:
        os.chdir(str(wanted["cwd"]))
        os.umask(wanted["mask"])  # type: ignore[arg-type]
        os.environ.clear()
        os.environ.update(wanted["env"])  # type: ignore[call-overload]
        how = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(str(wanted["out"]), how), 1)
        os.dup2(os.open(str(wanted["err"]), how), 2)
        main = importlib.import_module(str(wanted["module"])).main
        code = main([str(word) for word in wanted["argv"]])  # type: ignore[attr-defined]
    finally:
        sys.stdout.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve(sys.argv[1])
