"""Finished tables: the places, checked, and the ties counted.

Not for what follows from a place (championship.py, cups.py, leagues.py).
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from kskak.groups.placing import RankingPlace, RankingRules, ScoredGame, Table, placing
from tests.federation.checks.tables import check_table
from tests.federation.group import Group
from tests.federation.world import World


def placed(
    world: World,
    group: Group,
    rules: RankingRules,
    day: date,
    playoff: tuple[ScoredGame, ...] = (),
    agreed_to_share: bool = False,
) -> list[RankingPlace]:
    """The placing of a finished group of individuals."""
    games = group.played()
    rows = placing(Table(rules, group.keys, games, playoff, agreed_to_share))
    check_table(group.name, rows, games, day)
    count_ties(world, group.name, rows)
    return rows


def count_ties(world: World, name: str, rows: Sequence[RankingPlace]) -> None:
    """Count shared places, and what separated those level on points; once for each table."""
    if name in world.counted:
        return
    world.counted.add(name)
    for level in Counter(row.place for row in rows).values():
        if level > 1:
            world.tally.ties[f"{level} on a place"] += 1
    for row in rows:
        if row.decided_by is not None and row.decided_by.value != "points":
            world.tally.ties[row.decided_by.value] += 1
