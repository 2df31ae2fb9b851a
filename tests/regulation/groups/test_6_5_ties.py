"""§ 6.5.2, § 6.5.3.2, § 6.5.4, § 6.6.1.4-6.6.1.5: ties of three and of all, and what follows."""

from fractions import Fraction
from itertools import combinations

import pytest

from kskak.entries.emt import EmtClass, EmtOutcome, Score, outcomes
from kskak.groups.placing import (
    RankingPlace,
    RankingRules,
    RankingStep,
    Table,
    cup_champion,
    danish_champion,
    placing,
    shared_prizes,
)
from tests.regulation.tables import games, order

SEVEN = "ABCDEFG"
ALL_DRAWN = " ".join(f"{one}{other}=" for one, other in combinations(SEVEN, 2))
# A, B and C have beaten each other in a circle and everybody else, who drew among themselves.
CIRCLE = "AB1 BC1 CA1 " + " ".join(
    [f"{one}{other}1" for one in "ABC" for other in "DEFG"]
    + [f"{one}{other}=" for one, other in combinations("DEFG", 2)]
)


@pytest.mark.parametrize("rules", [RankingRules.EMT, RankingRules.CUP, RankingRules.CUP_FINAL])
def test_6_5_4_1_all_seven_equal_are_all_first(rules):
    """§ 6.5.4.1, § 6.6.1.4, § 6.6.1.5: every game drawn. Verdict: one place, shared by all."""
    rows = order(rules, SEVEN, ALL_DRAWN)
    assert [place for place, _, _ in rows] == [1] * 7
    assert [by for _, _, by in rows] == [None, *["shared"] * 6]


def test_6_5_2_all_equal_in_the_dm_have_a_play_off_or_share():
    """§ 6.5.2: seven level at the head. Verdict: all wait, or all agree; the citizens are meant."""
    rows = placing(Table(RankingRules.DM, tuple(SEVEN), games(ALL_DRAWN)))
    award = danish_champion(rows, set("ABC"))
    assert (award.holders, award.awaits) == (("A", "B", "C"), RankingStep.PLAYOFF)
    agreed = placing(Table(RankingRules.DM, tuple(SEVEN), games(ALL_DRAWN), agreed_to_share=True))
    assert danish_champion(agreed, set(SEVEN)).holders == tuple(SEVEN)
    assert danish_champion(agreed, set(SEVEN)).awaits is None


@pytest.mark.parametrize(
    ("group_class", "expected"),
    [
        (EmtClass.M, EmtOutcome.STAYS),
        (EmtClass.K, EmtOutcome.RISES),
        (EmtClass.OPEN, EmtOutcome.RISES),
        (EmtClass.DM, EmtOutcome.STAYS),
    ],
)
def test_6_5_3_2_a_with_all_level_on_points_all_are_first_and_rise_below_m(group_class, expected):
    """§ 6.5.3.2 a, § 6.5.2.2: 3 points each. Verdict: from K and Å all rise, from M nobody."""
    level = {name: Score(Fraction(3), 6) for name in SEVEN}
    assert set(outcomes(group_class, level).values()) == {expected}


def test_6_5_4_1_three_in_a_circle_at_the_head_share_the_three_prizes():
    """§ 6.6.1.4.

    § 6.5.4.1: 5 points each and a circle; the four below are level as well. Verdict: 1 and 4.
    """
    rows = order(RankingRules.EMT, SEVEN, CIRCLE)
    assert [(place, name) for place, name, _ in rows] == [
        *((1, name) for name in "ABC"),
        *((4, name) for name in "DEFG"),
    ]
    assert rows[3][2] == "points"
    placed = [RankingPlace(place, name, None) for place, name, _ in rows]
    money = shared_prizes(placed, [600, 300])
    assert money == dict.fromkeys("ABC", Fraction(300))


def test_6_5_2_a_play_off_of_three_may_leave_two_level_who_share():
    """§ 6.5.2: A and B beat C twice and drew. Verdict: C is third, the title is shared by two."""
    playoff = "AB= BA= AC1 CA0 BC1 CB0"
    rows = order(RankingRules.DM, SEVEN, CIRCLE, playoff=games(playoff))
    assert rows[:3] == [(1, "A", None), (1, "B", "shared"), (3, "C", "playoff")]


def test_6_5_2_a_play_off_of_three_can_be_a_circle_again():
    """§ 6.5.2: each beats one and loses to one, twice. Verdict: three champions."""
    playoff = "AB1 BC1 CA1 BA0 CB0 AC0"
    placed = placing(Table(RankingRules.DM, tuple(SEVEN), games(CIRCLE), games(playoff)))
    assert [row.place for row in placed[:4]] == [1, 1, 1, 4]
    assert danish_champion(placed, set(SEVEN)).holders == ("A", "B", "C")


def test_6_6_1_5_three_in_a_circle_win_the_cup_together():
    """§ 6.6.1.5: no play-off in the cup. Verdict: three names on the trophy."""
    placed = placing(Table(RankingRules.CUP_FINAL, tuple(SEVEN), games(CIRCLE)))
    assert cup_champion(placed).holders == ("A", "B", "C")
    assert cup_champion(placed).awaits is None
