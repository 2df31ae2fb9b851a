"""The simulated games' accounts against the second reading of the contract (tests/oracle).

The engine played them by commands, the oracle reads the ledgers that came out: moves, days,
charges, oversteps and results, field by field.
"""

from kskak.ledger.ledger_files import clock_json, ledger_json
from kskak.regulation.editions import Regulation
from kskak.statement.account import account
from tests.federation.life import Life, Plan
from tests.oracle.oracle import clock


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items() if key != "exempt"}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def test_an_independent_reader_counts_the_same_days_and_results():
    life = Life(Plan(seed=5, players=70, clubs=10, years=1))
    life.run(None)
    read = dict.fromkeys(Regulation, 0)
    for group in life.world.groups.values():
        for match in group.matches:
            ledger = ledger_json(match.terms, match.events)
            told = clock(ledger, None)
            assert _plain(clock_json(account(match.terms, match.events))) == told, match.name
            result = match.state.result
            assert told["result"] == ("*" if result is None else result.value)
            read[match.terms.regulation] += 1
    assert all(count > 20 for count in read.values()), "both rule sets are played"
