"""Moves each number of the regulation by one, up and down; each time a test must turn red.

``python -m tests.mutate`` works on a throw-away copy, one number at a time, and prints a table.
Exit 1 when a moved number goes unnoticed. ``--only TEXT`` takes the files and places that
contain TEXT. Not for other faults than wrong numbers.
"""

import argparse
import ast
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = tuple(
    Path("kskak", f"{name}.py")
    for name in (
        *("editions", "forms", "publication", "silence", "watching", "sanctions"),
        *("verdicts", "periods", "deciding_leave", "reminding", "bulletin", "year", "league"),
        *("emt", "cup", "admission", "entries"),
    )
)
"""Where the regulation's numbers, and those of our readings, stand."""
FAST = ("tests/regulation", "tests/kskak/test_vectors.py")
COPIED = ("kskak", "tests", "pyproject.toml")
LONGEST_SECONDS = 300


@dataclass(frozen=True)
class Number:
    """A whole number in a source: where it stands, what it is, and its line in words."""

    source: Path
    line: int
    column: int
    end: int
    value: int
    place: str


def numbers(source: Path) -> Iterator[Number]:
    """Every whole number in the code; not those in texts, nor True and False."""
    text = (ROOT / source).read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            assert node.end_col_offset is not None
            yield Number(
                source,
                node.lineno,
                node.col_offset,
                node.end_col_offset,
                node.value,
                lines[node.lineno - 1].strip(),
            )


def moved(number: Number, by: int) -> str:
    """The source with one number moved."""
    text = (ROOT / number.source).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    line = lines[number.line - 1]
    changed = f"{line[: number.column]}{number.value + by}{line[number.end :]}"
    return "".join([*lines[: number.line - 1], changed, *lines[number.line :]])


def copy_to(folder: Path) -> None:
    """What the fast rule tests need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", ".hypothesis")
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder / name)


def first_red(folder: Path) -> str | None:
    """The first test that fails, None when all pass."""
    call = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*call, *FAST],
        cwd=folder,
        env={"PATH": "", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        check=False,
    )
    if done.returncode == 0:
        return None
    red = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return red[0].partition(" - ")[0] if red else f"pytest ended with {done.returncode}"


def main() -> int:
    """Try them all; the number of survivors decides."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", default="", metavar="TEXT", help="places and files with TEXT")
    only = parser.parse_args().only
    found = (number for source in SOURCES for number in numbers(source))
    chosen = [number for number in found if only in f"{number.source.name} {number.place}"]
    survivors = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        if (red := first_red(folder)) is not None:
            print(f"The tests are red without a mutation: {red}")
            return 1
        for count, number in enumerate(chosen, 1):
            for by in (1, -1):
                (folder / number.source).write_text(moved(number, by), encoding="utf-8")
                red = first_red(folder)
                survivors += red is None
                change = f"{number.value} -> {number.value + by}"
                verdict = "SURVIVED" if red is None else red
                print(
                    f"{count:3}/{len(chosen)}  {number.source.stem:14}  {number.line:3}"
                    f"  {change:14}"
                    f"  {number.place[:48]:48}  {verdict}",
                    flush=True,
                )
            shutil.copy(ROOT / number.source, folder / number.source)
    print(f"{2 * len(chosen)} moved, {survivors} unnoticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
