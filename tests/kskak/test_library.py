"""The law as a library: what ``from kskak import …`` gives, in examples that run, and its types."""

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import kskak

SAMPLE = """
from datetime import date
from typing import assert_type

from kskak import (
    Account, Calendar, Calculation, GameState, Pairing, ParsedLedger, RuleSet, Side, Span,
    account, allowed_days, clock_json, holidays, iccf_table, rate, read_group, read_ledger,
    round_robin, rules_of, Regulation, RatedGroup,
)

ledger = read_ledger({})
assert_type(ledger, ParsedLedger)
found = account(ledger.terms, ledger.events)
assert_type(found, Account)
assert_type(found.state, GameState)
assert_type(found.state.clock(Side.WHITE).total, int)
assert_type(Calendar.of(()).charged(date(2026, 1, 1), date(2026, 1, 9)), int)
assert_type(holidays(2026), tuple[Span, Span])
assert_type(round_robin(4).rounds[0][0], Pairing)
assert_type(rate(read_group({})), tuple[Calculation, ...])
assert_type(rules_of(Regulation.EMAIL), RuleSet)
"""
WRONG = """
from kskak import nothing_such, round_robin
round_robin("4")
"""


def test_the_examples_run():
    found = doctest.testmod(kskak)
    assert found.attempted >= 12 and found.failed == 0


def test_each_public_name_is_the_one_of_its_module_and_says_what_it_is():
    assert len(set(kskak.__all__)) == len(kskak.__all__) > 30
    for name in kskak.__all__:
        one = getattr(kskak, name)
        module = importlib.import_module(f"kskak.{kskak._MODULES[name]}")
        assert one is getattr(module, name)
        assert name == "LedgerEvent" or one.__doc__, name
    assert not hasattr(kskak, "nothing_such")


def test_importing_the_package_loads_none_of_its_areas():
    said = "import sys, kskak; print(sum(one.startswith('kskak.') for one in sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", said], text=True).strip() == "0"


def test_a_program_that_builds_on_it_is_type_checked(tmp_path: Path):
    def checked(text: str) -> str:
        program = tmp_path / "program.py"
        program.write_text(text, "utf-8")
        words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "kept")]
        ran = subprocess.run([*words, str(program)], capture_output=True, text=True, check=False)
        return ran.stdout

    assert checked(SAMPLE).startswith("Success")
    wrong = checked(WRONG)
    assert "nothing_such" in wrong and "incompatible type" in wrong, wrong
