"""The vectors of standings and ratings, worked out by hand: what must come out, field by field."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kskak.groups.crosstables import placing_json, read_standings, rows_of
from kskak.rating.calculation import rate, rated_json, read_group
from kskak.values import FieldError
from tests.fakes.machinery.each import each

VECTORS = Path(__file__).parents[2] / "vectors"
ANSWERS: dict[str, Callable[[object], dict[str, object]]] = {
    "standings": lambda document: placing_json(rows_of(read_standings(document))),
    "rating": lambda document: rated_json(rate(read_group(document))),
}


def vectors(kind: str) -> list[Path]:
    return sorted((VECTORS / kind).glob("*.json"))


@pytest.mark.parametrize(("kind", "least"), [("standings", 15), ("rating", 8)])
def test_there_are_vectors(kind, least):
    assert len(vectors(kind)) >= least


@each("path", [path for kind in ANSWERS for path in vectors(kind)])
def test_a_vectors_answer_is_as_expected(path):
    """§ 6.7.2.3."""
    kind = path.parent.name
    vector = json.loads(path.read_text(encoding="utf-8"))
    if "error" in vector["expect"]:
        with pytest.raises(FieldError, match=vector["expect"]["error"]):
            ANSWERS[kind](vector[kind])
        return
    assert json.loads(json.dumps(ANSWERS[kind](vector[kind]))) == vector["expect"]
