"""§ 6.6.1.4-6.6.1.5: ties in the cup's rounds and in its final."""

from __future__ import annotations

import pytest

from kskak.groups.placing import RankingPlace, RankingRules, RankingStep, cup_champion
from tests.regulation.tables import order

LEVEL = [
    RankingPlace(1, "A", None),
    RankingPlace(2, "B", RankingStep.POINTS),
    RankingPlace(2, "C", RankingStep.SHARED),
]
ROUNDS = [RankingRules.CUP, RankingRules.CUP_FINAL]


@pytest.mark.parametrize("rules", ROUNDS)
def test_6_6_1_4_sonneborn_berger_then_own_game(rules):
    """§ 6.6.1.4, § 6.6.1.5: A beat B, who has 2 points; B beat D, level else."""
    assert order(rules, "ABCD", "AB1 CA1 BC1 DA0 BD1")[1] == (2, "B", "sonneborn_berger")
    assert order(rules, "ABCD", "AB1 AC1 AD= BC= BD1 CD0")[2:] == [
        (3, "D", "own_game"),
        (4, "C", "points"),
    ]


@pytest.mark.parametrize("rules", ROUNDS)
def test_6_6_1_4_no_play_off_in_the_cup(rules):
    """§ 6.6.1.4, § 6.6.1.5: level to the end, also at the head: shared."""
    assert order(rules, "ABC", "AB= AC1 BC1") == [
        (1, "A", None),
        (1, "B", "shared"),
        (3, "C", "points"),
    ]


def test_6_6_1_5_all_who_share_the_final_are_cup_champions():
    """§ 6.6.1.5: title shared, all their names on the trophy."""
    assert cup_champion(LEVEL).holders == ("A",)
    assert cup_champion(
        [RankingPlace(1, "A", None), RankingPlace(1, "B", RankingStep.SHARED)]
    ).holders == ("A", "B")
