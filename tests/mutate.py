"""Changes one thing in the rules at a time; each time a test must turn red.

Numbers are moved by one, up and down; comparisons and booleans are turned; lists, least and
greatest and the signs of sort keys are put the other way round. ``python -m tests.mutate`` works
on a throw-away copy and prints a table. Exit 1 when a change goes unnoticed that has no reason in
``KNOWN``. ``--only TEXT`` takes the files and places that contain TEXT, ``--kind`` one kind,
``--tests`` other tests than the fast ones, ``--jobs`` how many at
once. Not for other faults than these, nor for where they are made (mutants.py).
"""

import argparse
import ast
import contextlib
import io
import multiprocessing
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import cache_from_source
from multiprocessing.connection import Connection
from pathlib import Path

import chess.pgn  # noqa: F401
import hypothesis  # noqa: F401  (what every child needs, loaded once)
import pytest

from tests.mutants import KNOWN, PROPERTIES, SOURCES

FORK = multiprocessing.get_context("fork")
ROOT = Path(__file__).parents[1]
FAST = ("tests/regulation", "tests/kskak/statement/test_vectors.py")
"""What must see a change, when neither the paragraphs of its area do nor, at last, the area's other
tests."""
COPIED = ("kskak", "tests", "pyproject.toml")
LONGEST_SECONDS = 300
_LATEST = 8
QUIET = ("-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
_COMPARED = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip
_NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Change:
    """One change: the bytes from ``first`` to ``last`` of the source become ``new``."""

    source: Path
    kind: str
    first: int
    last: int
    new: str
    said: str
    line: int
    place: str

    @property
    def reason(self) -> str | None:
        """Why it may go unnoticed."""
        return KNOWN.get((self.source.stem, self.place, self.said))


class _Finder:
    """Every change of a source."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.bytes = (ROOT / source).read_bytes()
        self.lines = self.bytes.splitlines(keepends=True)

    def _at(self, line: int, column: int) -> int:
        return sum(map(len, self.lines[: line - 1])) + column

    def _span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        last = self._at(node.end_lineno, node.end_col_offset)
        return self._at(node.lineno, node.col_offset), last

    def text(self, node: ast.expr) -> str:
        first, last = self._span(node)
        return self.bytes[first:last].decode()

    def change(self, node: ast.expr, kind: str, new: str, said: str) -> Change:
        place = self.lines[node.lineno - 1].decode().strip()
        return Change(self.source, kind, *self._span(node), new, said, node.lineno, place)

    def changes(self) -> Iterator[Change]:
        """All of them, in the order of the code; nothing of type hints, decorators and texts."""
        tree = ast.parse(self.bytes)
        hints = {id(one) for hint in _hints(tree) for one in ast.walk(hint)}
        for node in ast.walk(tree):
            if isinstance(node, ast.expr) and id(node) not in hints:
                yield from self._of(node)

    def _of(self, node: ast.expr) -> Iterator[Change]:
        match node:
            case ast.Constant(value=bool() as value):
                yield self.change(node, "boolean", str(not value), f"{value} -> {not value}")
            case ast.Constant(value=int() as value):
                for new in (value + 1, value - 1):
                    yield self.change(node, "number", str(new), f"{value} -> {new}")
            case ast.Compare(ops=[op], left=left, comparators=[right]):
                old, new = _COMPARED[type(op)]
                turned = f"({self.text(left)} {new} {self.text(right)})"
                yield self.change(node, "comparison", turned, f"{old} -> {new}")
            case ast.Compare(left=left, ops=ops, comparators=others):
                yield from self._chained(node, [left, *others], ops)
            case _:
                yield from self._signs(node)
                yield from self._order(node)

    def _signs(self, node: ast.expr) -> Iterator[Change]:
        """``and``, ``or``, ``not``, ``any`` and ``all``; the minus of a key."""
        match node:
            case ast.BoolOp(op=op, values=values):
                old, new = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                joined = f" {new} ".join(f"({self.text(value)})" for value in values)
                yield self.change(node, "boolean", f"({joined})", f"{old} -> {new}")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self.change(node, "boolean", f"({self.text(operand)})", "not -> ")
            case ast.UnaryOp(op=ast.USub(), operand=ast.expr() as operand):
                yield self.change(node, "order", f"({self.text(operand)})", "- -> ")
            case ast.Name(id=name) if name in _NAMES:
                kind = "boolean" if name in ("any", "all") else "order"
                yield self.change(node, kind, _NAMES[name], f"{name} -> {_NAMES[name]}")

    def _order(self, node: ast.expr) -> Iterator[Change]:
        """Lists and tuples with the last first."""
        match node:
            case ast.List(elts=[_, _, *_] as elts, ctx=ast.Load()):
                turned = ", ".join(self.text(one) for one in reversed(elts))
                yield self.change(node, "order", f"[{turned}]", "list reversed")
            case ast.Tuple(elts=[_, _, *_] as elts, ctx=ast.Load()) if self.text(node)[0] == "(":
                turned = ", ".join(self.text(one) for one in reversed(elts))
                yield self.change(node, "order", f"({turned})", "tuple reversed")

    def _chained(
        self, node: ast.Compare, parts: list[ast.expr], ops: list[ast.cmpop]
    ) -> Iterator[Change]:
        """Each sign of ``a < b <= c`` by itself."""
        signs = [_COMPARED[type(op)] for op in ops]
        for index, (old, new) in enumerate(signs):
            said = [pair[0] for pair in signs]
            said[index] = new
            pairs = zip(said, parts[1:], strict=True)
            turned = self.text(parts[0]) + "".join(f" {s} {self.text(one)}" for s, one in pairs)
            yield self.change(node, "comparison", f"({turned})", f"{index + 1}. {old} -> {new}")


def _hints(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        yield from getattr(node, "decorator_list", ())
        for name in ("annotation", "returns"):
            hint = getattr(node, name, None)
            if isinstance(hint, ast.expr):
                yield hint


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
        for tests in (saw[:_LATEST], paragraphs, self.tests, properties):
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
    print(
        f"{count}  {change.source.stem:18}  {change.line:3}  {change.said:16}"
        f"  {change.place[:48]:48}  {verdict}",
        flush=True,
    )
    return red is None and change.reason is None


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
    asked = parser.parse_args()
    found = (change for source in SOURCES for change in _Finder(source).changes())
    chosen = [
        change
        for change in found
        if asked.only in f"{change.source.name} {change.place}"
        and asked.kind in (None, change.kind)
    ]
    unseen = survivors(chosen, asked.tests, asked.jobs)
    print(f"{len(chosen)} changed, {unseen} unnoticed")
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
