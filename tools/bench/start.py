"""From the start of `kskak serve` to the moment it is ready, beside loading its libraries alone.

CPU time of fresh processes, each round one of each, compiled in a round before as an installation
is. The libraries are all that our own modules name, also those that only a rare page loads later.
Needs Linux's /proc; elsewhere it is left out.
Not for idling (idle.py).
"""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path

from tools.bench.figures import Goal, Report, ratio_figure
from tools.bench.spawned import HOST

_IMPORT = re.compile(r"^ *(?:from|import) ([a-z][\w.]*)", re.M)
ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("kskak", "mail", "server")
HAS_PROC = Path("/proc/self/stat").exists()
START_GOAL = Goal(1.8, is_floor=False)
READY = "Sign in"
"""What `kskak serve` prints last."""
_ONLY_LIBRARIES = """
import importlib, json, os, sys, time
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
print(time.process_time(), flush=True)
os._exit(0)
"""


def measure_start(database: Path, rounds: int, report: Report) -> None:
    """Add the figure to the report, with a database that is there already."""
    if not HAS_PROC:
        return
    names = json.dumps(libraries())
    found: list[tuple[float, float]] = []
    for number in range(rounds + 1):
        with served(database) as pid:
            ours = cpu_s(pid)
        bare = _bare(names, database.parent)
        found += [(ours, bare)] if number else []
    what, beside = "CPU from start to ready", "loading its libraries"
    report.figures.append(ratio_figure(what, "s", beside, START_GOAL, found))


def libraries() -> list[str]:
    """The modules of others that the server's own modules import, at once or later."""
    found: set[str] = set()
    for file in (file for room in ROOMS for file in (ROOT / room).rglob("*.py")):
        if file.relative_to(ROOT).parts[:2] != ("server", "cli"):
            found |= set(_IMPORT.findall(file.read_text(encoding="utf-8")))
    tops = {name.partition(".")[0] for name in found} - sys.stdlib_module_names - set(ROOMS)
    real = {top for top in tops if find_spec(top)}  # the others begin a line of prose
    return sorted(name for name in found if name.partition(".")[0] in real)


@contextmanager
def served(
    database: Path, more: Mapping[str, str] | None = None, web: int = 0, smtp: int = 0
) -> Iterator[int]:
    """`kskak serve` on a database, ready; yields its process ID and stops it afterwards.

    ``more``: further settings, as environment; ``web``, ``smtp``: the ports, 0 for any free one.
    """
    settings = {
        "KSKAK_DATABASE__URL": f"sqlite:///{database}",
        "KSKAK_WEB__PORT": str(web),
        "KSKAK_MAIL__IN__SMTP_PORT": str(smtp),
        **(more or {}),
    }
    server = subprocess.Popen(
        [sys.executable, "-m", "server", "serve"],
        env=_keeps_bytecode(database.parent) | settings | {"PYTHONPATH": str(ROOT)},
        cwd=database.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    try:
        if not any(line.startswith(READY) for line in server.stdout):
            raise RuntimeError("the server to be measured did not start")
        yield server.pid
    finally:
        server.terminate()
        server.communicate()


def free_port() -> int:
    """A TCP port that nobody listens on just now."""
    with closing(socket.socket()) as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


def cpu_s(pid: int) -> float:
    """Seconds of CPU that a process has used so far, to a hundredth; 0 where none can tell."""
    if not HAS_PROC:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _keeps_bytecode(folder: Path) -> dict[str, str]:
    """An environment in which Python keeps below ``folder`` what it compiles, ours and others'."""
    return os.environ | {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
    }


def _bare(names: str, folder: Path) -> float:
    command = [sys.executable, "-c", _ONLY_LIBRARIES, names]
    run = subprocess.run(
        command,
        env=_keeps_bytecode(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return float(run.stdout)
