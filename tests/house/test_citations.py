"""What the sources cite is in the register, and what the register promises is cited and tested."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from kskak.regulation.paragraphs import PARAGRAPHS

ROOT = Path(__file__).parents[2]
PROMISED = {number for number, row in PARAGRAPHS.items() if row.status == "yes"}
TESTS = (ast.FunctionDef, ast.AsyncFunctionDef)
CITATION = re.compile(r"§(\s*)(\d+(?:\.\d+)*)")
OTHERS = re.compile(r"\b(?:Kendelse \d+|FIDE (?:[A-G]\.)?\d+(?:\.\d+)*)")


def _cited(text: str) -> set[str]:
    return {match[2] for match in CITATION.finditer(text)} | set(OTHERS.findall(text))


def _files(*folders: str) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def _cited_by_code(folder: str, *, only: tuple[type[ast.AST], ...]) -> set[str]:
    """What the functions of a folder cite, docstring and body; a module's head does not count."""
    found: set[str] = set()
    for path, text in _files(folder):
        if path.name != "paragraphs.py":
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, only):
                    found |= _cited(ast.get_source_segment(text, node) or "")
    return found


def test_every_cited_paragraph_is_in_the_register_and_in_one_form():
    for path, text in _files("kskak", "mail", "server", "tests/regulation"):
        assert _cited(text) <= PARAGRAPHS.keys(), path
        blanks = {match[1] for match in CITATION.finditer(text)}
        assert blanks <= {" ", "\N{NO-BREAK SPACE}"}, path


def test_every_row_has_a_title():
    assert [number for number, row in PARAGRAPHS.items() if not row.title.strip()] == []


def test_what_is_promised_is_cited_by_a_function_and_by_a_test():
    assert PROMISED - _cited_by_code("kskak", only=(ast.FunctionDef, ast.ClassDef)) == set()
    assert PROMISED - _cited_by_code("tests/regulation", only=TESTS) == set()


def test_what_is_carried_out_in_part_has_a_test_too():
    """Section 6, but for headings whose rules all stand in the paragraphs they hold."""
    in_part = {
        number
        for number, row in PARAGRAPHS.items()
        if number.startswith("6.") and row.status == "partly" and not row.note.startswith("see ")
    }
    assert in_part - _cited_by_code("tests/regulation", only=TESTS) == set()


def test_the_readings_follow_the_register():
    """docs/readings.md cites its rows, in its order; a row that is a reading has one there."""
    text = (ROOT / "docs/readings.md").read_text(encoding="utf-8")
    lines = [
        line.replace("§ ", "").split(", ") for line in re.findall(r"^- \*\*(.+?)\*\*", text, re.M)
    ]
    rows = list(PARAGRAPHS)
    assert [line[0] for line in lines] == sorted((line[0] for line in lines), key=rows.index)
    cited = {number for line in lines for number in line}
    assert {row.number for row in PARAGRAPHS.values() if "reading" in row.note} <= cited
    assert cited | _cited(text) <= PARAGRAPHS.keys()
