"""Which functions of the rules are run by a test or an example of the paragraph they cite.

A plugin of pytest (``-p tests.regulation.pairs``): a pair is a function of kskak/ and a paragraph
that its docstring or body cites. It is run by a test that cites the paragraph, or one within it,
in its source or name, or that is an example of it. At the end it prints ``PAIRS run of all`` and,
with ``PAIRS=1``, each pair that is not run. ``test_documents.py`` holds how many must be.
"""

import ast
import inspect
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

from tests.house.test_citations import cited, numbers_in

ROOT = Path(__file__).parents[2]
Place = tuple[str, int]


def _functions() -> Iterator[tuple[Place, set[str]]]:
    for path in (ROOT / "kskak").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                yield (str(path), first), cited(ast.get_source_segment(text, node) or "")


CITING = {place: numbers for place, numbers in _functions() if numbers}
PAIRS = {(place, number) for place, numbers in CITING.items() for number in numbers}
RUN: set[tuple[Place, str]] = set()
ENTERED: dict[Place, str] = {}
"""A test that enters the function, whatever it is of."""
_KNOWN: dict[CodeType, set[str]] = {}


def _tested(item: pytest.Function) -> set[str]:
    """What a test is of, and all that holds it: § 6.3.3.1 is of § 6.3.3 too."""
    numbers = cited(inspect.getsource(item.function)) | numbers_in(item.name)
    if "paragraph" in getattr(item, "fixturenames", ()):
        numbers = {item.callspec.params["paragraph"]}
    parts = (number.split(".") for number in numbers)
    return numbers | {".".join(part[:n]) for part in parts for n in range(1, len(part))}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Function) -> Iterator[None]:
    """Notes which citing functions the test enters."""
    entered: set[Place] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            place = (code.co_filename, code.co_firstlineno)
            if _KNOWN.setdefault(code, CITING.get(place, set())):
                entered.add(place)

    sys.setprofile(note)
    yield
    sys.setprofile(None)
    of = _tested(item)
    ENTERED.update(dict.fromkeys(entered, item.nodeid))
    RUN.update((place, number) for place in entered for number in CITING[place] & of)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the figure, and the pairs that are left."""
    terminalreporter.write_line(f"PAIRS {len(RUN)} of {len(PAIRS)}")
    if os.environ.get("PAIRS"):
        for (path, line), number in sorted(PAIRS - RUN, key=lambda pair: pair[1]):
            where = f"{Path(path).relative_to(ROOT)}:{line}"
            by = ENTERED.get((path, line), "no test")
            terminalreporter.write_line(f"{number}: {where} ({by})")
