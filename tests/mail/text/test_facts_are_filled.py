"""No letter has a fact that nobody gives it: the words for it would never be read (§ 6.8.2)."""

import ast
import dataclasses
from collections import defaultdict
from pathlib import Path

from mail.compose import LETTERS
from mail.text import letter_facts


def _calls() -> dict[str, list[ast.Call]]:
    """Every call outside the letters' own samples, by the name that is called."""
    found: dict[str, list[ast.Call]] = defaultdict(list)
    for path in [*Path("server").rglob("*.py"), *Path("mail").rglob("*.py")]:
        if path.name in ("cast.py", "samples.py"):
            continue
        tree = ast.parse(path.read_text())
        samples = [n for n in ast.walk(tree) if getattr(n, "name", "") == "samples"]
        inside = {id(n) for one in samples for n in ast.walk(one)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and id(node) not in inside:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                found[name].append(node)
    return found


def _unfilled(kind: type, calls: dict[str, list[ast.Call]], named: set[str]) -> list[str]:
    fields = [one for one in dataclasses.fields(kind) if one.init]
    given = set(named)
    for call in calls[kind.__name__]:
        stars = any(isinstance(one, ast.Starred) for one in call.args)
        count = len(fields) if stars else len(call.args)
        given |= {one.name for one in fields[:count]}
        given |= {one.arg for one in call.keywords if one.arg}
        if any(one.arg is None for one in call.keywords):
            return []
    has_default = [
        one.name
        for one in fields
        if one.default is not dataclasses.MISSING or one.default_factory is not dataclasses.MISSING
    ]
    return [f"{kind.__name__}.{name}" for name in has_default if name not in given]


def test_every_fact_of_a_letter_is_given_by_somebody() -> None:
    calls = _calls()
    named = {one.arg for call in calls["replace"] for one in call.keywords if one.arg}
    kinds = [k for k in vars(letter_facts).values() if isinstance(k, type)]
    kinds = [k for k in kinds if k.__module__ == letter_facts.__name__]
    kinds = [k for k in kinds if dataclasses.is_dataclass(k)]
    found = [
        name
        for kind in {*kinds, *LETTERS.values()}
        if kind.__name__ in calls
        for name in _unfilled(kind, calls, named)
    ]
    assert sorted(found) == []
