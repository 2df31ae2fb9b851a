"""A federation lives from seeds: what must hold holds, and the same seed is the same life."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from kskak.entries.emt import EmtClass
from kskak.ledger.ledger_files import clock_json, ledger_json
from kskak.regulation.editions import Regulation
from kskak.statement.account import account
from tests.federation.life import Life, Plan, simulate
from tests.federation.report import report_hash, report_json, report_lines
from tests.oracle.oracle import clock

FEW = Plan(players=36, clubs=8, years=1)


@cache
def _life(plan):
    """A life and its report, for tests that only read them."""
    life = Life(plan)
    return life, life.run(None)


def _lived(plan):
    return _life(plan)[1]


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items() if key != "exempt"}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _plan(seed, players, clubs, years=2):
    return Plan(seed=seed, players=players, clubs=clubs, years=years)


@pytest.mark.parametrize(
    "seed", [101, *(pytest.param(n, marks=pytest.mark.nightly) for n in (35, 102, 103, 104))]
)
def test_every_invariant_holds_at_reduced_size(seed):
    report = _lived(_plan(seed, 80, 12))
    assert [year.year for year in report.years] == [1, 2]
    assert sum(year.games for year in report.years) > 300
    for happened in ("withdrawals", "appeals"):
        assert sum(sum(getattr(year, happened).values()) for year in report.years), happened
    assert sum(year.reserves for year in report.years)


def test_the_same_seed_is_the_same_life_and_another_is_not():
    """Watched or not: of the second one each month is told."""
    told = []
    again = simulate(FEW, lambda day, running, over: told.append((running, over)))
    one, other = _lived(FEW), simulate(replace(FEW, seed=8))
    assert (report_hash(one), one.trace) == (report_hash(again), again.trace)
    assert one.trace != other.trace
    assert report_hash(one) != report_hash(other)
    assert len(told) == 12
    assert [over for _, over in told] == sorted(over for _, over in told)
    assert max(running for running, _ in told) > 0


def test_an_independent_reader_counts_the_same_days_and_results():
    """The engine played by commands, the oracle reads the ledgers: all fields of each account."""
    life, read = _life(_plan(101, 80, 12))[0], dict.fromkeys(Regulation, 0)
    for group in life.world.groups.values():
        for match in group.matches:
            told = clock(ledger_json(match.terms, match.events), None)
            assert _plain(clock_json(account(match.terms, match.events))) == told, match.name
            result = match.state.result
            assert told["result"] == ("*" if result is None else result.value)
            read[match.terms.regulation] += 1
    assert all(count > 20 for count in read.values()), "both rule sets are played"


@pytest.mark.nightly
@pytest.mark.timeout(600)
def test_three_years_of_a_whole_federation():
    """300 players, 40 clubs: the EMT in all classes, two cups to the trophy, three leagues."""
    report = simulate(Plan(seed=2))
    drawn, results, ended = Counter(), Counter(), Counter()
    admitted, oversteps, level = Counter(), Counter(), Counter()
    for year in report.years:
        drawn.update(year.groups)
        results.update(year.results)
        ended.update(year.endings)
        admitted.update(year.admissions)
        oversteps.update(year.oversteps)
        level.update(year.ties)
    assert drawn["DM"] == 3
    assert all(drawn[one.value] >= 3 for one in EmtClass)
    assert drawn["cup final"] == 2
    assert sum(bool(year.divisions) for year in report.years) == 3
    titles = Counter(title.title for year in report.years for title in year.titles)
    assert titles["cup_champion"] == 2
    assert titles["danish_champion"] >= 2
    assert titles["team_champion"] >= 2
    assert all(results[one] > 100 for one in ("1-0", "0-1", "1/2-1/2"))
    assert results["0-0"] >= 10
    assert {"checkmate", "stalemate", "draw", "resignation", "time", "ruling"} <= set(ended)
    assert oversteps["claimed"] >= 100 <= sum(oversteps.values())
    assert {"6.5.3.2 a", "6.5.3.2 d", "6.5.3.2 f", "6.5.2.2 a", "6.5.2.2 c"} <= set(admitted)
    assert {"sonneborn_berger", "own_game", "board_weight", "2 on a place"} <= set(level)
    for year in report.years:
        assert year.games and year.promotions and year.days
    assert sum(year.lapsed for year in report.years) > 0
    assert sum(sum(year.withdrawals.values()) for year in report.years) > 5


def test_every_promotion_names_the_group_and_the_rule_it_came_by():
    report = _lived(_plan(101, 80, 12))
    moved = [one for year in report.years for one in (*year.promotions, *year.relegations)]
    assert moved
    for one in moved:
        assert one.group and one.player
        assert one.paragraph in {"6.5.2.2 c", "6.5.3.2 a", "6.5.2.3", "6.5.3.3"}


def test_the_report_is_json_and_lines_of_the_same_figures():
    report = _lived(FEW)
    document = json.loads(json.dumps(report_json(report)))
    assert document["format"] == "kskak-simulated/1"
    assert document["hash"] == report_hash(report)
    lines = list(report_lines(report))
    games = next(line for line in lines if line.startswith("Games finished"))
    assert games.split()[-1] == str(document["years"][0]["games"])
    assert lines[-1].endswith(document["hash"][:16])
