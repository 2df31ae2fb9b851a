"""The regulation's documents: each example comes to what it says, each number is the edition's."""

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mail.text.catalogue import LANGUAGES, Words
from server.usecases.regulation import (
    ENGINES,
    FOLDER,
    RegulationExample,
    documents,
    paragraphs,
    plain,
)
from tests.house.test_citations import cited
from tests.kskak.statement.test_vectors import differences
from tests.regulation.names import numbers_in

ROOT = Path(__file__).parents[2]
EXAMPLES = [
    pytest.param(one.number, example, id=f"{one.number}-{index}")
    for one in paragraphs().values()
    for index, example in enumerate(one.examples)
]
WITHOUT_EXAMPLE = [
    *(
        "6.1.1",
        "6.1.2",
        "6.7.2.2",
        "6.7.3.2",
        "6.7.4.1",
        "6.7.4.4",
        "6.7.6.1",
        "1.1.22",
        "1.3.4",
        "1.3.9",
        "1.3.10",
    ),
    *("Kendelse 47", "Kendelse 59", "Kendelse 97", "Kendelse 116", "Kendelse 120", "Kendelse 133"),
    *("Kendelse 135", "Kendelse 139", "4.1.7", "4.1.19", "4.5", "4.5.4.1", "4.5.4.2", "4.5.5.1"),
    *("4.5.5.2", "4.5.7", "4.9.10"),
]
"""Paragraphs of rules that no engine can show by facts alone."""
LEAST_PAIRS = 97
"""Percent: a ratchet."""


@pytest.mark.parametrize(("paragraph", "example"), EXAMPLES)
def test_an_example_comes_to_what_it_says(paragraph: str, example: RegulationExample):
    answer = example.run()
    assert differences(plain(example.comes), answer.document) == []
    assert example.comes, "an example that says nothing"
    for lang in LANGUAGES:
        lines = list(answer.lines(Words.load(lang)))
        assert lines
        if answer.account is not None and answer.account.state.result is not None:
            assert answer.account.state.result.value in lines[-1], "how it ended"
    assert example.run(example.changed({})).document == answer.document


def test_each_engine_has_an_example_and_each_paragraph_of_a_rule_a_document_with_one():
    assert {example.engine for _, example in (one.values for one in EXAMPLES)} == ENGINES.keys()
    assert sum(map(len, documents().values())) == len(paragraphs()), "a paragraph stands twice"
    for number, parts in documents().items():
        has_rule = any(mark == "rule" for part in parts for mark, _ in part.sentences)
        if number.startswith("6.") and has_rule:
            assert any(part.examples for part in parts), number


def test_each_sentence_of_a_rule_has_an_example_or_a_test_of_its_paragraph():
    """No paragraph has more of them than examples that run, and tests that cite it, together."""
    tested = Counter()
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if is_function and node.name.startswith("test"):
                source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                tested.update(cited(source) | numbers_in(node.name))
    assert {
        number
        for number, one in paragraphs().items()
        if len(one.examples) + tested[number] < [mark for mark, _ in one.sentences].count("rule")
    } == set()


def test_nearly_each_paragraph_of_a_rule_runs_an_example():
    """Those without are what people do, or what a register holds: tests hold them (a ratchet)."""
    bare = [
        one.number
        for one in paragraphs().values()
        if not one.examples and "rule" in (mark for mark, _ in one.sentences)
    ]
    assert bare == WITHOUT_EXAMPLE


def test_a_sentence_has_both_languages_and_no_number_but_the_editions():
    """§ 6.3.3.1: digits stand in citations, in moves to type, and in names of paragraphs."""
    for path in FOLDER.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        for item in re.findall(r"^\d+\. \*\*\w+\*\* (.+(?:\n +.+)*)", text, re.M):
            danish, english = re.split(r"\n +\*(?!\*)", item)
            places = [sorted(re.findall(r"\{[\w.]+\}", one)) for one in (danish, english)]
            assert places[0] == places[1], (path.name, item)
            bare = re.sub(r"§ [\d.]+|`[^`]+`|\{[\w.]+\}", "", item)
            assert not re.search(r"\d", bare), (path.name, item)


def test_a_changed_date_changes_the_days():
    """§ 6.3.3.1: one day more at the control, and the time is overstepped."""
    example = paragraphs()["6.3.3"].examples[0]
    assert example.run().document["overstep"] is None
    late = example.run(example.changed({"entries.3.sent": "2026-10-06"}))
    assert late.document["overstep"]["used"] == late.document["totals"]["black"] == 31
    claim = paragraphs()["6.8.7"].examples[0]
    for day, finding in (("2026-10-13", "open"), ("2026-10-14", "claimed")):
        early = claim.run(claim.changed({"entries.4.on": day})).document["overstep"]
        assert (early["on"], early["finding"]) == ("2026-10-14", finding), "no claim of what comes"
    for bad in ("2036-10-06", "31/12", "2026-09-01"):
        with pytest.raises(ValueError, match=r"too far|isoformat|sent"):
            example.run(example.changed({"entries.3.sent": bad}))


@pytest.mark.nightly
@pytest.mark.timeout(1200)
def test_nearly_every_function_that_cites_a_paragraph_is_run_by_a_test_of_it(request):
    """The tests and examples of the rules once more, noting what they enter (pairs.py)."""
    own = f"{Path(__file__).relative_to(ROOT)}::{request.node.name}"
    args = [
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.regulation.pairs",
    ]
    rooms = ["tests/regulation", "tests/kskak", "-m", "not nightly and not hypothesis"]
    done = subprocess.run(
        [sys.executable, *args, *rooms, "--deselect", own],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"TEST_POSTGRES": "0", "PAIRS": "1"},
    )
    found = re.search(r"PAIRS (\d+) of (\d+)(?:\n.+: .+)*", done.stdout)
    assert found, done.stdout[-2000:]
    assert 100 * int(found[1]) >= LEAST_PAIRS * int(found[2]), found[0]
