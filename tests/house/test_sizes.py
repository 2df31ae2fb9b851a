"""The tail is guarded: how long a function, class or file may grow, and how many parameters."""

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("kskak", "mail", "server", "tools")
FUNCTION, CLASS, FILE, PARAMETERS, CROWD = 40, 300, 700, 7, 35
FOLDERS = r"(kskak|mail|migrations|server|tests|tools|docs|\.ci)/"
AT_THE_ROOT = re.compile(FOLDERS + r"|LICENSE|Makefile|\.git[a-z-]+|[\w-]+\.(md|toml|txt)$")

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
            if lines > (CLASS if isinstance(node, ast.ClassDef) else FUNCTION):
                yield f"{name}::{node.name}", f"{lines} lines"
            if isinstance(node, ast.ClassDef):
                continue
            named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if (count := sum(one.arg not in {"self", "cls"} for one in named)) > PARAMETERS:
                yield f"{name}::{node.name}", f"{count} parameters"


def test_nothing_outgrows_the_limits_without_a_written_reason():
    sources = [path for room in (*ROOMS, "tests") for path in sorted((ROOT / room).rglob("*.py"))]
    found = [(place, what) for path in sources for place, what in _too_large(path)]
    assert [entry for entry in found if entry[0] not in EXCEPTIONS] == []
    assert EXCEPTIONS.keys() <= {place for place, _ in found}, "an exception is not needed any more"


def test_nothing_stray_lies_at_the_root_and_no_folder_is_crowded():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout
    assert [name for name in listed.split() if not AT_THE_ROOT.match(name)] == []
    crowds = Counter(path.parent for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    assert [folder for folder, count in crowds.items() if count > CROWD] == []


def test_the_house_tests_stay_small_together():
    assert sum(p.read_text("utf-8").count("\n") for p in Path(__file__).parent.glob("*.py")) < 370


def test_the_measure_itself_tells_the_limit_from_one_more(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    for lines, found in ((FUNCTION, []), (FUNCTION + 1, ["sample.py::f"])):
        (tmp_path / "sample.py").write_text("def f():\n" + "    pass\n" * (lines - 1))
        assert [place for place, _ in _too_large(tmp_path / "sample.py")] == found
