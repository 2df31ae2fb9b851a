"""What the sources cite is in the documents, and what these call rules is cited and tested."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from server.usecases.regulation import paragraphs

ROOT = Path(__file__).parents[2]
KNOWN = paragraphs()
TESTS = (ast.FunctionDef, ast.AsyncFunctionDef)
CITATION = re.compile(r"§(\s*)(\d+(?:\.\d+)*)")
OTHERS = re.compile(r"\b(?:Kendelse \d+|FIDE (?:[A-G]\.)?\d+(?:\.\d+)*)")


def cited(text: str) -> set[str]:
    return {match[2] for match in CITATION.finditer(text)} | set(OTHERS.findall(text))


def _files(*folders: str) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def cited_by(folder: str, *, only: tuple[type[ast.AST], ...]) -> set[str]:
    """What the functions of a folder cite, docstring and body; a module's head does not count."""
    found: set[str] = set()
    for _, text in _files(folder):
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, only):
                found |= cited("\n".join(lines[node.lineno - 1 : node.end_lineno]))
    return found


def test_every_cited_paragraph_has_its_document_and_one_form():
    for path, text in _files("kskak", "mail", "server", "tests/regulation"):
        assert cited(text) <= KNOWN.keys(), path
        blanks = {match[1] for match in CITATION.finditer(text)}
        assert blanks <= {" ", "\N{NO-BREAK SPACE}"}, path


def test_what_a_document_calls_a_rule_is_cited_by_a_function_and_by_a_test():
    """The handbook's section 6; headings that only hold others have no sentence."""
    rules = {
        one.number
        for one in KNOWN.values()
        if one.number.startswith("6.")
        for mark, _ in one.sentences
        if mark == "rule"
    }
    by_code = cited_by("kskak", only=(ast.FunctionDef, ast.ClassDef))
    for _, text in _files("mail", "server"):
        by_code |= cited(text)
    assert rules - by_code == set()
    assert rules - cited_by("tests/regulation", only=TESTS) == set()


def test_a_reading_stands_under_the_paragraph_it_cites_first():
    for one in KNOWN.values():
        for numbers, texts in one.readings:
            assert numbers.split(", ")[0] == one.cited
            assert cited(f"{numbers} {texts['en']}") <= KNOWN.keys()
