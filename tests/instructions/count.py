"""Counts the instructions of fixed work under callgrind and holds them against what is kept.

``python -m tests.instructions.count`` fails when one needs 15 % more than kept; with ``--keep`` it
keeps today's. Counts hold for one interpreter and one version of each library: for others, and
where there is no callgrind, nothing is counted, and that is said. Not for the work (work.py).
"""

import asyncio
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from server.store.engine.rows import DAY_US
from server.store.engine.sqlite_library import sqlite3
from tests.instructions.work import DAY, MOVES, PLAYED
from tools.bench.fixture import FIRST_GAME, Ground, add_games, create
from tools.bench.lines import lines

ROOT = Path(__file__).resolve().parents[2]
KEPT = Path(__file__).with_name("kept.json")
MOST = 1.15
_LIBRARIES = ("chess", "SQLAlchemy", "jinja2", "pillow", "resvg-py")
_PEOPLE = 200
_EPOCH = date(1970, 1, 1)


def here() -> str:
    """What a count depends on besides our code: interpreter, processor, C library, libraries."""
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    python = f"{platform.python_version()} by {platform.python_compiler()}"
    system = (
        f"{platform.machine()}, {' '.join(platform.libc_ver())}, SQLite {sqlite3.sqlite_version}"
    )
    return f"Python {python}, {system}, {libraries}"


def counted() -> dict[str, int]:
    """Instructions by work."""
    with TemporaryDirectory(prefix="kskak-count-") as name:
        folder = Path(name)
        ground = Ground(folder / "count.db", DAY, (DAY - _EPOCH).days * DAY_US)
        asyncio.run(create(ground, _PEOPLE))
        add_games(ground, FIRST_GAME, MOVES, PLAYED, lines(16, 20), _PEOPLE)
        return _under_callgrind(ground.path, folder / "counts")


def _under_callgrind(database: Path, out: Path) -> dict[str, int]:
    """Only the work itself is instrumented: loading would take a minute."""
    command = ["valgrind", "--tool=callgrind", "--quiet", "--instr-atstart=no"]
    command += ["--combine-dumps=yes", f"--callgrind-out-file={out}"]
    names = []
    with subprocess.Popen(
        [*command, sys.executable, "-m", "tests.instructions.work", str(database)],
        env=os.environ | {"PYTHONHASHSEED": "0"},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as work:
        assert work.stdin is not None and work.stdout is not None
        for name in work.stdout:
            names.append(name.strip())
            _tell(work.pid, "instrumentation on", "zero")
            print(file=work.stdin, flush=True)
            work.stdout.readline()
            _tell(work.pid, "dump", "instrumentation off")
            print(file=work.stdin, flush=True)
    if work.returncode:
        raise SystemExit("the work to be counted failed")
    totals = re.findall(r"^totals: (\d+)$", out.read_text(), re.M)
    return dict(zip(names, map(int, totals), strict=False))


def _tell(pid: int, *orders: str) -> None:
    for order in orders:
        command = ["vgdb", f"--pid={pid}", *order.split()]
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)


def main(arguments: list[str]) -> int:
    """Exit 1 if a work needs too many instructions."""
    if not (shutil.which("valgrind") and shutil.which("vgdb")):
        print("instructions: not counted, valgrind is not installed")
        return 0
    kept = json.loads(KEPT.read_text())
    if "--keep" in arguments:
        KEPT.write_text(json.dumps(kept | {here(): counted()}, indent=2) + "\n")
        return 0
    if here() not in kept:
        print(f"instructions: not counted, none are kept for {here()}")
        return 0
    found, dear = counted(), 0
    for name, before in kept[here()].items():
        ratio = found[name] / before
        dear += ratio > MOST
        word = f"TOO MANY, at most {MOST:.0%}" if ratio > MOST else "fine"
        print(f"instructions, {name}: {found[name]:,}, {ratio:.1%} of those kept: {word}")
    return 1 if dear else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
