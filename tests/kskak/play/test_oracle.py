"""The engine against a second reading of the contract, on random ledgers, field by field.

``tests/oracle`` was written from the text alone. Both refuse a ledger, or both give the same
account. More seeds: ``KSKAK_ORACLE_SEEDS=20000``.
"""

import os
import random
from datetime import date

from kskak.ledger.ledger_files import LedgerError, clock_json, read_ledger
from kskak.play.game_state import LedgerFault
from kskak.statement.account import account
from tests.fakes.machinery.each import each
from tests.oracle.generate import random_ledger
from tests.oracle.oracle import clock
from tests.oracle.parse import LedgerError as OracleError

SEEDS = int(os.environ.get("KSKAK_ORACLE_SEEDS", "300"))
BATCH = 50
REFUSED = "refused"


def _engine(ledger: dict, on: str | None) -> object:
    try:
        read = read_ledger(ledger)
        told = account(read.terms, read.events, None if on is None else date.fromisoformat(on))
    except (LedgerError, LedgerFault):
        return REFUSED
    except ValueError as fault:
        assert "fen" in str(fault) or ledger["fen"], f"not a refusal: {fault}"
        return REFUSED
    return without_explanations(clock_json(told))


def oracle_of(ledger: dict, on: str | None) -> object:
    try:
        return clock(ledger, on)
    except OracleError:
        return REFUSED


def without_explanations(value: object) -> object:
    """Without the exempt steps, which the contract wants but does not fix."""
    if isinstance(value, dict):
        return {k: without_explanations(v) for k, v in value.items() if k != "exempt"}
    return [without_explanations(v) for v in value] if isinstance(value, list) else value


@each("first", range(0, SEEDS, BATCH))
def test_engine_and_oracle_read_the_contract_alike(first):
    refused = 0
    for seed in range(first, first + BATCH):
        ledger, on = random_ledger(random.Random(seed))
        engine, oracle = _engine(ledger, on), oracle_of(ledger, on)
        assert engine == oracle, f"seed {seed}, {ledger['game']}"
        refused += engine == REFUSED
    assert 0 < refused < BATCH // 2, "both kinds are tried"
