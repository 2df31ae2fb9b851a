"""Changes one thing in the rules at a time; each time a test must turn red.

Numbers are moved by one, up and down; comparisons and booleans are turned; lists, least and
greatest and the signs of sort keys are put the other way round. ``python -m tests.mutate`` works
on a throw-away copy and prints a table. Exit 1 when a change goes unnoticed that has no reason in
``KNOWN``. ``--only TEXT`` takes the files and places that contain TEXT, ``--kind`` one kind,
``--again FILE`` what went unnoticed in a table printed before and has no reason, ``--tests`` other
tests than the fast ones, ``--jobs`` how many at once. Not for other faults than these, nor for
where they are made (mutants.py).
"""

import argparse
import contextlib
import io
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
from importlib.util import cache_from_source
from multiprocessing.connection import Connection
from pathlib import Path

import chess.pgn  # noqa: F401
import hypothesis  # noqa: F401  (what every child needs, loaded once)
import pytest

from tests.mutants import PROPERTIES, ROOT, SOURCES, Change, Finder

FORK = multiprocessing.get_context("fork")
FAST = ("tests/regulation", "tests/kskak/statement/test_vectors.py")
"""What must see a change, when neither the paragraphs of its area nor its properties do."""
COPIED = ("kskak", "tests", "pyproject.toml")
LONGEST_SECONDS = 300
_LATEST = 8
QUIET = ("-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")


def copy_to(folder: Path) -> None:
    """What the fast rule tests need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", ".hypothesis")
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder / name)


def _run(folder: Path, tests: list[str], answer: Connection, keeps: bool) -> None:
    """In a child: run the tests on the copy, and send the first that fails.

    ``keeps``: what was compiled is kept for the children after it, which then start in a tenth
    of the time; a child that has a change keeps nothing.
    """
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = not keeps
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = pytest.main(["-x", "-q", "--no-header", *QUIET, *tests])
    lines = said.getvalue().splitlines()
    red = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    failed = red[0].partition(" - ")[0] if red else f"pytest ended with {int(code)}"
    is_answer = code != pytest.ExitCode.USAGE_ERROR  # else a test asked for is not there any more
    answer.send(failed if code and is_answer else None)


def first_red(folder: Path, tests: list[str], *, keeps: bool = False) -> str | None:
    """The first test that fails, None when all pass. A child has pytest and chess at hand."""
    ours, its = multiprocessing.Pipe()
    child = FORK.Process(target=_run, args=(folder, tests, its, keeps))
    child.start()
    its.close()
    try:
        if not ours.poll(LONGEST_SECONDS):
            child.kill()
            return f"no end within {LONGEST_SECONDS} s"
        red: str | None = ours.recv()
        return red
    except EOFError:
        return "the tests' process ended by itself"
    finally:
        child.join()
        ours.close()


class _Eyes:
    """Which tests look at a change, those first that saw the changes before it in its file."""

    def __init__(self, tests: list[str]) -> None:
        self.tests = tests
        self.saw: dict[Path, list[str]] = {}

    def first_red(self, folder: Path, change: Change) -> str | None:
        """The first test that sees the change, None when none does."""
        saw = self.saw.setdefault(change.source, [])
        area = change.source.parts[1]
        rooms = (f"tests/regulation/{area}", f"tests/kskak/{PROPERTIES.get(area, area)}")
        paragraphs, properties = ([room] if (ROOT / room).is_dir() else [] for room in rooms)
        for tests in (saw[:_LATEST], paragraphs, properties, self.tests):
            if tests and (red := first_red(folder, tests)) is not None:
                test = red.partition(" ")[2]
                if red.startswith("FAILED") and test not in saw[:_LATEST]:
                    saw.insert(0, test)
                return red
        return None


def unnoticed(folder: Path, change: Change, eyes: _Eyes, count: str) -> bool:
    """Make the change, run the tests, undo it, say what came of it."""
    old = (ROOT / change.source).read_bytes()
    new = old[: change.first] + change.new.encode() + old[change.last :]
    (folder / change.source).write_bytes(new)
    Path(cache_from_source(folder / change.source)).unlink(missing_ok=True)
    red = eyes.first_red(folder, change)
    (folder / change.source).write_bytes(old)
    verdict = red or (f"known: {change.reason}" if change.reason else "SURVIVED")
    print(f"{count}  {_row(change)}  {verdict}", flush=True)
    return red is None and change.reason is None


def _row(change: Change) -> str:
    """A change as the table shows it."""
    return f"{change.source.stem:18}  {change.line:3}  {change.said:16}  {change.place[:48]:48}"


def _key(row: str) -> str:
    """What of a row is the same when other lines were written above it."""
    stem, _, *rest = re.split(r"\s{2,}", row.strip())
    return "  ".join((stem, *rest))


def _unnoticed_in(table: str) -> set[str]:
    """The changes that went unnoticed in a table printed before."""
    rows = (row for row in table.splitlines() if row.endswith("SURVIVED"))
    return {_key(row.strip().partition("  ")[2].removesuffix("SURVIVED")) for row in rows}


def _part(changes: list[tuple[int, Change]], tests: list[str], of: int, told: Connection) -> None:
    """In a process of its own: try some of the changes on a copy; tell how many went unnoticed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        if (red := first_red(folder, tests, keeps=True)) is not None:
            raise SystemExit(f"The tests are red without a mutation: {red}")
        eyes = _Eyes(tests)
        told.send(sum(unnoticed(folder, one, eyes, f"{number:4}/{of}") for number, one in changes))


def survivors(chosen: list[Change], tests: list[str], jobs: int) -> int:
    """How many changes go unnoticed. EOFError when one of the processes ends without a word."""
    numbered, ours = list(enumerate(chosen, 1)), list[Connection]()
    for one in range(jobs):
        here, there = multiprocessing.Pipe()
        FORK.Process(target=_part, args=(numbered[one::jobs], tests, len(chosen), there)).start()
        there.close()
        ours.append(here)
    return sum(one.recv() for one in ours)


def main() -> int:
    """Try them all; the number of survivors decides."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", default="", metavar="TEXT", help="places and files with TEXT")
    parser.add_argument("--kind", choices=["number", "comparison", "boolean", "order"])
    parser.add_argument("--tests", nargs="+", default=list(FAST), metavar="PATH")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--again",
        type=Path,
        metavar="FILE",
        help="what was unnoticed in a table, without its reason",
    )
    asked = parser.parse_args()
    before = _unnoticed_in(asked.again.read_text()) if asked.again else set()
    found = (change for source in SOURCES for change in Finder(source).changes())
    chosen = [
        change
        for change in found
        if asked.only in f"{change.source.name} {change.place}"
        and asked.kind in (None, change.kind)
        and (not asked.again or (_key(_row(change)) in before and change.reason is None))
    ]
    unseen = survivors(chosen, asked.tests, asked.jobs)
    print(f"{len(chosen)} changed, {unseen} unnoticed")
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
