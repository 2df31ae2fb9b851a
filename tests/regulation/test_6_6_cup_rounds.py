"""§ 6.6.1: who goes on, how large the final becomes, and when there is no semi-final."""

from __future__ import annotations

import pytest

from kskak.placing import Placed, Step
from kskak.placing_cup import (
    CupPlan,
    going_on,
    plan_with_semi,
    plan_without_semi,
    propose,
)
from kskak.placing_honours import cup_champion
from kskak.placing_rules import RuleSet, Table, placing
from kskak.played import Played
from kskak.quantities import Result

LEVEL = [
    Placed(1, "A", None),
    Placed(2, "B", Step.POINTS),
    Placed(2, "C", Step.SHARED),
    Placed(4, "D", Step.POINTS),
]


@pytest.mark.parametrize(
    ("groups", "plan"),
    [
        # 98 entries: thirds go on too, six semi-finals, seconds of them in the final.
        (14, CupPlan(from_group=3, semi_groups=6, filled_up=0, from_semi=2, final=12)),
        # 147 entries: winners and seconds, six full semi-finals.
        (21, CupPlan(from_group=2, semi_groups=6, filled_up=0, from_semi=2, final=12)),
        # 11 semi-finals of winners alone are a final of 11.
        (77, CupPlan(from_group=1, semi_groups=11, filled_up=0, from_semi=1, final=11)),
    ],
)
def test_6_6_1_3_a_final_of_about_11(groups, plan):
    """§ 6.6.1.3: winners, seconds and perhaps thirds; winners and perhaps seconds."""
    assert plan_with_semi(groups) == plan


def test_6_6_1_3_as_far_from_11_on_either_side_the_fuller_groups_win():
    """§ 6.6.1.3: five or six semi-finals are both one away; fewer players are added (reading)."""
    assert plan_with_semi(17) == CupPlan(2, 5, 1, 2, 10)
    assert plan_with_semi(18) == CupPlan(2, 6, 6, 2, 12)


def test_6_6_1_6_those_who_enter_at_the_semi_final_are_in_the_plan():
    """§ 6.6.1.6: a rating of 2000 lets a player enter there; the leader fills the groups up."""
    assert plan_with_semi(12) == CupPlan(3, 6, 6, 2, 12)
    assert plan_with_semi(12, entering=6) == CupPlan(3, 6, 0, 2, 12)


@pytest.mark.parametrize(("groups", "has_semi"), [(7, False), (8, True)])
def test_6_6_1_1_too_few_entries_for_a_semi_final(groups, has_semi):
    """§ 6.6.1.1: with 7 groups the final would be 6, with 8 it is 8, still about 11 (reading)."""
    assert propose(groups).has_semi is has_semi


@pytest.mark.parametrize(
    ("groups", "from_group", "final"), [(1, 3, 3), (3, 3, 9), (4, 3, 12), (5, 2, 10), (7, 2, 14)]
)
def test_6_6_1_1_without_a_semi_final_the_groups_lead_to_the_final(groups, from_group, final):
    """§ 6.6.1.1: preliminary round and final only."""
    assert plan_without_semi(groups) == CupPlan(from_group, 0, 0, 0, final)
    assert propose(groups) == plan_without_semi(groups)


@pytest.mark.parametrize("wrong", [(0, 0), (-1, 0), (3, -1)])
def test_6_6_1_3_there_must_be_a_group(wrong):
    """§ 6.6.1.3: no round without players."""
    with pytest.raises(ValueError, match="groups"):
        plan_with_semi(*wrong)


@pytest.mark.parametrize(("places", "names"), [(1, "A"), (2, "ABC"), (3, "ABC"), (4, "ABCD")])
def test_6_6_1_4_those_level_to_the_end_have_the_same_right(places, names):
    """§ 6.6.1.4: two share the second place, so with seconds three go on, and no third."""
    assert "".join(going_on(LEVEL, places)) == names


def test_6_6_1_4_the_ladder_of_the_cup():
    """§ 6.6.1.4: points, Sonneborn-Berger, own game; level to the end: shared, no play-off."""
    table = [Played("A", "B", Result.DRAW), Played("A", "C", Result.WHITE_WINS)]
    table += [Played("B", "C", Result.WHITE_WINS)]
    for rules in (RuleSet.CUP, RuleSet.CUP_FINAL):
        rows = placing(Table(rules, tuple("ABC"), tuple(table)))
        assert [(row.place, row.decided_by) for row in rows] == [
            (1, None),
            (1, Step.SHARED),
            (3, Step.POINTS),
        ]


def test_6_6_1_5_all_who_share_the_final_are_cup_champions():
    """§ 6.6.1.5: title shared, all their names on the trophy."""
    assert cup_champion(LEVEL).holders == ("A",)
    assert cup_champion([Placed(1, "A", None), Placed(1, "B", Step.SHARED)]).holders == ("A", "B")
