"""The vectors: a ledger, a day, and the account that must come out, field by field."""

import json
from datetime import date
from pathlib import Path

import pytest

from kskak.ledger.ledger_files import LedgerError, clock_json, ledger_json, read_ledger
from kskak.play.game_state import LedgerFault
from kskak.statement.account import account
from tests.fakes.machinery.each import each

VECTORS = sorted((Path(__file__).parents[2] / "vectors" / "clock").glob("*.json"))


def differences(expected: object, given: object, place: str = "") -> list[str]:
    """Where the answer is not what is expected; more fields than expected may be answered."""
    if isinstance(expected, dict) and isinstance(given, dict):
        missing = [f"{place}.{key}: missing" for key in expected if key not in given]
        shared = [key for key in expected if key in given]
        inner = [differences(expected[key], given[key], f"{place}.{key}") for key in shared]
        return missing + [line for lines in inner for line in lines]
    if isinstance(expected, list) and isinstance(given, list):
        if len(expected) != len(given):
            return [f"{place}: {len(given)} instead of {len(expected)}"]
        pairs = zip(expected, given, strict=True)
        inner = [differences(*pair, f"{place}[{i}]") for i, pair in enumerate(pairs)]
        return [line for lines in inner for line in lines]
    same = expected == given and type(expected) is type(given)
    return [] if same else [f"{place}: {given!r} instead of {expected!r}"]


def test_there_are_vectors():
    assert len(VECTORS) >= 30


@each("path", VECTORS)
def test_a_vectors_account_is_as_expected(path):
    """§ 6.3.3.1."""
    vector = json.loads(path.read_text(encoding="utf-8"))
    on = date.fromisoformat(vector["on"]) if vector["on"] else None
    if "error" in vector["expect"]:
        with pytest.raises((LedgerError, LedgerFault)) as refused:
            read = read_ledger(vector["ledger"])
            account(read.terms, read.events, on)
        assert str(refused.value).partition(":")[0] == vector["expect"]["error"].partition(":")[0]
        return
    read = read_ledger(vector["ledger"])
    told = account(read.terms, read.events, on)
    assert differences(vector["expect"], clock_json(told)) == []
    assert account(read.terms, read.events, on, is_decided=True) == told
    again = read_ledger(json.loads(json.dumps(ledger_json(read.terms, read.events))))
    assert again == read


def test_the_comparison_itself_sees_each_kind_of_difference():
    assert differences({"a": [1, {"b": None}]}, {"a": [1, {"b": None, "more": 2}]}) == []
    for other in ({"a": [1]}, {"a": [1, {}]}, {"a": [1, {"b": 0}]}, {"a": [True, {"b": None}]}, {}):
        assert differences({"a": [1, {"b": None}]}, other) != []
