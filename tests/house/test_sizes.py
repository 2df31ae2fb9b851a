"""The tail is guarded: how long a function, class or file may grow, and how many parameters."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("kskak", "mail", "server")
FUNCTION, CLASS, FILE, PARAMETERS = 40, 150, 300, 7

# "path" or "path::name" -> why it may be larger. Short, and an entry that is not needed fails.
EXCEPTIONS: dict[str, str] = {}


def _too_large(path: Path) -> Iterator[tuple[str, str]]:
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    if (lines := text.count("\n")) > FILE:
        yield name, f"{lines} lines"
    if name.startswith("tests/"):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            limit = CLASS if isinstance(node, ast.ClassDef) else FUNCTION
            if lines > limit:
                yield f"{name}::{node.name}", f"{lines} lines"
            if not isinstance(node, ast.ClassDef) and (count := _parameters(node)) > PARAMETERS:
                yield f"{name}::{node.name}", f"{count} parameters"


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return sum(argument.arg not in {"self", "cls"} for argument in named)


def test_nothing_outgrows_the_limits_without_a_written_reason():
    sources = [path for room in (*ROOMS, "tests") for path in sorted((ROOT / room).rglob("*.py"))]
    found = [(place, what) for path in sources for place, what in _too_large(path)]
    assert [entry for entry in found if entry[0] not in EXCEPTIONS] == []
    assert EXCEPTIONS.keys() <= {place for place, _ in found}, "an exception is not needed any more"


def test_the_house_tests_stay_small_together():
    house = Path(__file__).parent.glob("*.py")
    assert sum(path.read_text(encoding="utf-8").count("\n") for path in house) < 300


@pytest.mark.parametrize("lines", [FUNCTION, FUNCTION + 1])
def test_the_measure_itself_tells_the_limit_from_one_more(tmp_path, monkeypatch, lines):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    body = "    pass\n" * (lines - 1)
    (tmp_path / "sample.py").write_text("def f():\n" + body)
    assert [place for place, _ in _too_large(tmp_path / "sample.py")] == (
        ["sample.py::f"] if lines > FUNCTION else []
    )
