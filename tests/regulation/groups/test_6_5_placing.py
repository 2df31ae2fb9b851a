"""§ 6.5.2, § 6.5.4.1, § 4.9.10.1: the order of a group of individuals, tie by tie."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kskak.groups.placing import (
    RankingPlace,
    RankingRules,
    RankingStep,
    Table,
    cup_champion,
    danish_champion,
    percentage,
    placing,
    shared_prizes,
    sonneborn_berger,
)
from tests.regulation.tables import games, order


def test_6_5_4_1_points_come_first():
    """§ 6.5.4.1: more points, a higher place; the first row was separated from nobody."""
    assert order(RankingRules.EMT, "ABC", "AB0 BC= CA1") == [
        (1, "B", None),
        (1, "C", "shared"),
        (3, "A", "points"),
    ]


def test_6_5_4_1_sonneborn_berger_by_hand():
    """§ 6.5.4.1, § 4.9.10, § 4.9.10.1: those beaten count whole, those drawn half, others not."""
    sums = sonneborn_berger("ABCD", games("AB1 CA1 BC1 DA0 BD1 CD="))
    # Points: A 2, B 2, C 1½, D ½.
    assert sums == {
        "A": 2 + Fraction(1, 2),
        "B": Fraction(3, 2) + Fraction(1, 2),
        "C": 2 + Fraction(1, 4),
        "D": Fraction(3, 4),
    }


def test_6_5_4_1_sonneborn_berger_separates_the_level():
    """§ 6.5.4.1: A has beaten B, who has 2 points; B has beaten C, who has 1."""
    assert order(RankingRules.EMT, "ABCD", "AB1 CA1 BC1 DA0 BD1") == [
        (1, "A", None),
        (2, "B", "sonneborn_berger"),
        (3, "C", "points"),
        (4, "D", "points"),
    ]


def test_6_5_4_1_the_own_game_decides_after_sonneborn_berger():
    """§ 6.5.4.1: B and D have 1½ points and 1¾ each; B won their game."""
    text = "AB1 AC1 AD= BC= BD1 CD0"
    sums = sonneborn_berger("ABCD", games(text))
    assert (sums["B"], sums["D"]) == (Fraction(7, 4), Fraction(7, 4))
    assert order(RankingRules.EMT, "ABCD", text) == [
        (1, "A", None),
        (2, "B", "points"),
        (3, "D", "own_game"),
        (4, "C", "points"),
    ]


def test_6_5_4_1_a_drawn_own_game_shares_the_place():
    """§ 6.5.4.1: C and D are level in everything; the money is shared."""
    assert order(RankingRules.EMT, "ABCD", "AB1 AC1 AD1 BC1 BD1 CD=")[2:] == [
        (3, "C", "points"),
        (3, "D", "shared"),
    ]


def test_6_5_4_1_three_in_a_circle_share():
    """§ 6.5.4.1: B beat C, C beat D, D beat B; nothing separates them."""
    assert order(RankingRules.EMT, "ABCD", "AB1 AC1 AD1 BC1 BD0 CD1")[1:] == [
        (2, "B", "points"),
        (2, "C", "shared"),
        (2, "D", "shared"),
    ]


def test_6_5_4_1_the_own_games_of_three_are_a_table_of_their_own():
    """§ 6.5.4.1: A, C, D have 2 points and 4 each; among themselves C has 2, D 1, A none."""
    text = "AB1 AC0 AD0 AE1 BC1 BD= BE0 CD1 CE0 DE="
    assert order(RankingRules.EMT, "ABCDE", text) == [
        (1, "E", None),
        (2, "C", "points"),
        (3, "D", "own_game"),
        (4, "A", "own_game"),
        (5, "B", "points"),
    ]
    third = placing(Table(RankingRules.EMT, tuple("ABCDE"), games(text)))[2]
    assert third.among == (("C", 2), ("D", 1), ("A", 0)), "their table is told"


def test_6_5_4_1_two_whom_the_table_of_four_leaves_level_have_their_own_game_yet():
    """§ 6.5.4.1: A, B, F, G are level; among them A and G have 2 and drew, B and F 1, and B won."""
    text = "AB1 AC0 AD= AE= AF= AG= BC= BD1 BE= BF1 BG0 CD1 CE0 CF= CG1 DE1 DF0 DG= EF= EG= FG="
    assert order(RankingRules.EMT, "ABCDEFG", text)[2:6] == [
        (3, "A", "sonneborn_berger"),
        (3, "G", "shared"),
        (5, "B", "own_game"),
        (6, "F", "own_game"),
    ]


def test_6_5_4_1_unplayed_games_count_for_nobody():
    """§ 6.5.4.1: A and B are level and have not met."""
    assert order(RankingRules.EMT, "ABC", "AC1 BC1")[:2] == [(1, "A", None), (1, "B", "shared")]


def test_6_3_3_4_a_game_that_both_lost_counts_as_nothing():
    """§ 6.3.3.4: no points, no correction, and no winner of the own game."""
    text = "AB- AC1 BC1"
    assert sonneborn_berger("ABC", games(text)) == {"A": 0, "B": 0, "C": 0}
    assert order(RankingRules.EMT, "ABC", text)[:2] == [(1, "A", None), (1, "B", "shared")]


def test_6_5_2_a_tie_for_the_title_awaits_a_play_off():
    """§ 6.5.2: level at the head: a play-off; level further down: shared."""
    text = "AB= AC1 AD1 BC1 BD1 CD="
    assert order(RankingRules.DM, "ABCD", text) == [
        (1, "A", None),
        (1, "B", "playoff"),
        (3, "C", "points"),
        (3, "D", "shared"),
    ]


@pytest.mark.parametrize(
    ("playoff", "expected"),
    [
        ("AB1 BA=", [(1, "A", None), (2, "B", "playoff")]),
        ("AB0 BA=", [(1, "B", None), (2, "A", "playoff")]),
        ("AB1 BA1", [(1, "A", None), (1, "B", "shared")]),
    ],
)
def test_6_5_2_the_play_off_decides_or_the_title_is_shared(playoff, expected):
    """§ 6.5.2: two games; level again, and title and money are shared."""
    text = "AB= AC1 BC1"
    assert order(RankingRules.DM, "ABC", text, playoff=games(playoff))[:2] == expected


def test_6_5_2_all_may_agree_to_share_instead():
    """§ 6.5.2: then there is no play-off."""
    rows = order(RankingRules.DM, "ABC", "AB= AC1 BC1", agreed_to_share=True)
    assert rows[1] == (1, "B", "shared")


def test_6_5_2_1_a_double_round_counts_each_game():
    """§ 6.5.2.1: two games between the same two; the own games are both of them."""
    text = "AB1 BA= AC0 CA0 BC1 CB0"
    assert sonneborn_berger("ABC", games(text))["A"] == Fraction(5, 2) * Fraction(3, 2) + 1
    rows = placing(Table(RankingRules.DM, tuple("ABC"), games(text)))
    assert [(row.name, row.decided_by) for row in rows] == [
        ("A", None),
        ("B", RankingStep.SONNEBORN_BERGER),
        ("C", RankingStep.POINTS),
    ]


def test_6_5_2_the_title_is_for_danish_citizens():
    """§ 6.5.2: of two who share, the citizen; else the best placed citizen (reading)."""
    shared = [
        RankingPlace(1, "A", None),
        RankingPlace(1, "B", RankingStep.SHARED),
        RankingPlace(3, "C", RankingStep.POINTS),
    ]
    assert danish_champion(shared, {"A", "B"}).holders == ("A", "B")
    assert danish_champion(shared, {"B", "C"}).holders == ("B",)
    assert not danish_champion(shared, {"B", "C"}).is_citizens
    below = danish_champion(shared, {"C"})
    assert (below.holders, below.is_citizens) == (("C",), True)
    nobody = danish_champion(shared, set())
    assert (nobody.holders, nobody.is_citizens) == ((), False)
    second = [RankingPlace(1, "A", None), RankingPlace(2, "B", RankingStep.POINTS)]
    assert danish_champion(second, {"B"}).is_citizens
    assert not cup_champion(second).is_citizens, "whose title is anybody's"


def test_6_5_2_citizens_who_are_level_below_a_foreign_winner_share():
    """§ 6.5.2: A is no citizen, B and C are second together. Verdict: both; not D, who is last."""
    placed = [
        RankingPlace(1, "A", None),
        RankingPlace(2, "B", RankingStep.POINTS),
        RankingPlace(2, "C", RankingStep.SHARED),
        RankingPlace(4, "D", RankingStep.POINTS),
    ]
    assert danish_champion(placed, {"B", "C", "D"}).holders == ("B", "C")
    assert danish_champion(placed, {"C", "D"}).holders == ("C",)


@pytest.mark.parametrize("citizens", [{"A", "B"}, {"A"}, {"B"}, {"C"}, set()])
def test_6_5_2_a_title_waits_for_the_play_off_whoever_is_in_it(citizens):
    """§ 6.5.2: nobody is champion before it is played. Verdict: it is between all who are level."""
    level = [
        RankingPlace(1, "A", None),
        RankingPlace(1, "B", RankingStep.PLAYOFF),
        RankingPlace(3, "C", RankingStep.POINTS),
    ]
    award = danish_champion(level, citizens)
    assert (award.awaits, award.between) == (RankingStep.PLAYOFF, ("A", "B"))
    assert set(award.holders) == citizens & {"A", "B"}


def test_6_5_2_money_waits_for_the_play_off_too():
    """§ 6.5.2: the first two places wait, the third is paid. Verdict: lots (§ 6.7.4.5) don't."""
    level = [
        RankingPlace(1, "A", None),
        RankingPlace(1, "B", RankingStep.PLAYOFF),
        RankingPlace(3, "C", RankingStep.POINTS),
    ]
    assert shared_prizes(level, [500, 300, 100]) == {"C": 100}
    drawn = [RankingPlace(1, "A", None), RankingPlace(1, "B", RankingStep.LOTS)]
    assert shared_prizes(drawn, [500, 300]) == {"A": 400, "B": 400}
    played = [RankingPlace(1, "A", None), RankingPlace(2, "B", RankingStep.PLAYOFF)]
    assert shared_prizes(played, [500, 300]) == {"A": 500, "B": 300}, "it has been played"


def test_6_5_4_1_those_level_share_the_money_of_their_places():
    """§ 6.5.4.1: 2nd and 3rd together, halved; the withdrawn one's half stays (§ 6.2.8)."""
    level = [
        RankingPlace(1, "A", None),
        RankingPlace(2, "B", RankingStep.POINTS),
        RankingPlace(2, "C", RankingStep.SHARED),
        RankingPlace(4, "D", RankingStep.POINTS),
    ]
    assert shared_prizes(level, [500, 300, 100]) == {"A": 500, "B": 200, "C": 200}
    assert shared_prizes(level, [500, 300, 100], without={"C"}) == {"A": 500, "B": 200}
    assert shared_prizes(level, [500, 301])["B"] == Fraction(301, 2)


def test_6_5_2_2_scores_in_percent_are_not_rounded():
    """§ 6.5.2.2: of the finished games, adjudicated and forfeited ones among them (reading)."""
    assert percentage(Fraction(5, 2), 6) == Fraction(125, 3)
    assert percentage(Fraction(0), 0) is None


def test_a_league_is_not_placed_as_individuals():
    """§ 6.7.4.5: its own rules."""
    with pytest.raises(ValueError, match=r"6\.7\.4\.5"):
        placing(Table(RankingRules.LEAGUE, ("A",), ()))
