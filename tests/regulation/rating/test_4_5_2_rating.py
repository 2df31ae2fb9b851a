"""§ 4.5.2: one new rating, step by step, at both sides of every boundary."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from kskak.groups.placing import ScoredGame
from kskak.rating.calculation import (
    Method,
    RatedGroup,
    bonus,
    bonus_threshold,
    coefficient,
    correct_rating,
    expect,
    find_limit_crossing,
    group_winners,
    method_for,
    rate,
)
from kskak.regulation.editions import Result
from tests.fakes.machinery.each import each

DRAW = Result.DRAW


def all_play_all(ratings: dict[str, int], won: str = "", cycles: int = 1) -> RatedGroup:
    """Everybody meets everybody; each earlier name wins of the pairs in ``won``, else draws."""
    games = [
        ScoredGame(white, black, Result.WHITE_WINS if white + black in won.split() else DRAW)
        for white, black in combinations(ratings, 2)
    ]
    return RatedGroup(ratings, tuple(games) * cycles)


def row(group: RatedGroup, name: str):
    return next(row for row in rate(group) if row.name == name)


@pytest.mark.parametrize(("lowest", "method"), [(1800, Method.AVERAGE), (1799, Method.DIFFERENCE)])
def test_4_5_2_1_average_up_to_a_spread_of_200(lowest, method):
    """§ 4.5.2.1: the spread may be 200, not 201."""
    group = all_play_all({"A": 2000, "B": 1900, "C": lowest})
    assert {row.method for row in rate(group)} == {method}


def test_4_5_2_1_average_only_where_all_played_all():
    """§ 4.5.2.1: one game missing, and the difference method holds for the whole group."""
    group = all_play_all({"A": 1900, "B": 1900, "C": 1900})
    short = RatedGroup(group.ratings, group.games[1:])
    assert {row.method for row in rate(group)} == {Method.AVERAGE}
    assert {row.method for row in rate(short)} == {Method.DIFFERENCE}


def test_4_5_2_1_average_of_seven_by_hand():
    """§ 4.5.2.1: mean 1960; 60 below is .42; 7 × .42 - ½ = 2.44, to 0.05: 2.45."""
    ratings = {name: 1900 + 20 * index for index, name in enumerate("ABCDEFG")}
    found = row(all_play_all(ratings), "A").expected
    assert (found.chances[0].against, found.chances[0].difference) == (1960, -60)
    assert (found.raw, found.score) == (Fraction("2.44"), Fraction("2.45"))


def test_4_5_2_1_difference_method_by_hand():
    """§ 4.5.2.1: 90, 150 and 980 above: .62 + .70 + 1.00 = 2.32, to 0.05: 2.30."""
    group = all_play_all({"A": 1990, "B": 1900, "C": 1840, "D": 1010})
    found = row(group, "A").expected
    assert [chance.difference for chance in found.chances] == [90, 150, 980]
    assert (found.raw, found.score) == (Fraction("2.32"), Fraction("2.30"))


def test_4_5_2_1_three_and_a_half_is_the_second_band_on_either_side():
    """§ 4.5.2.1: 3½ above the mean counts as 4, 3½ below as -4; table 1 has .51 and .49."""
    high = row(all_play_all({"A": 1907, "B": 1900}), "A").expected.chances[0]
    low = row(all_play_all({"A": 1907, "B": 1900}), "B").expected.chances[0]
    assert (high.difference, high.score) == (4, Fraction("0.51"))
    assert (low.difference, low.score) == (-4, Fraction("0.49"))


def test_4_5_2_1_a_double_round_expects_twice_as_much():
    """§ 4.5.2.1: M × P - ½ is one round robin's (reading)."""
    ratings = {"A": 1960, "B": 1900, "C": 1900, "D": 1880}
    once, twice = row(all_play_all(ratings), "A"), row(all_play_all(ratings, cycles=2), "A")
    assert (once.method, twice.method) == (Method.AVERAGE, Method.AVERAGE)
    assert (once.games, twice.games) == (3, 6)
    assert twice.expected.raw == 2 * once.expected.raw


def test_4_5_2_1_a_group_where_some_met_twice_takes_the_difference_method():
    """§ 4.5.2.1: a play-off beside the round robin (reading)."""
    group = all_play_all({"A": 1900, "B": 1900, "C": 1900})
    more = RatedGroup(group.ratings, (*group.games, ScoredGame("A", "B", DRAW)))
    assert {row.method for row in rate(more)} == {Method.DIFFERENCE}


@each(
    ("games", "threshold"),
    [(1, "1.5"), (5, "1.5"), (6, "2"), (7, "2"), (8, "2.5"), (9, "2.5"), (10, "3"), (11, "3")]
    + [(12, "3.5"), (13, "3.5"), (14, "4")],
)
def test_4_5_2_2_bonus_threshold_by_games(games, threshold):
    """§ 4.5.2.2: the printed steps to 11 games, and on by the pattern (reading)."""
    assert bonus_threshold(games) == Fraction(threshold)


@pytest.mark.parametrize(("score", "extra"), [("4.5", "0"), ("5", "0.05"), ("6", "1.05")])
def test_4_5_2_2_bonus_only_when_positive(score, extra):
    """§ 4.5.2.2: six games, 2.95 expected: 4½ is short of 4.95, 5 is 0.05 above it."""
    assert bonus(Fraction(score), Fraction("2.95"), 6) == Fraction(extra)


@each(("rating", "k"), [(2400, 10), (2399, 20), (2000, 20), (1999, 30), (1600, 30), (1599, 45)])
def test_4_5_2_3_coefficients_at_their_limits(rating, k):
    """§ 4.5.2.3: each limit belongs to what lies above it."""
    assert coefficient(rating) == k


@each(
    ("before", "after", "corrected"),
    [
        (2390, 2410, "2405"),
        (2410, 2390, "2380"),
        (2400, 2390, "2380"),
        (2000, 1990, "1985"),
        (1600, 1590, "1585"),
        (1990, 2012, "2008"),
        (2005, 1990, "1985"),
        (1590, 1612, "1608"),
        (1605, 1590, "1585"),
    ],
)
def test_4_5_2_4_what_lies_beyond_a_limit_counts_by_the_ratio(before, after, corrected):
    """§ 4.5.2.4: ½ and 2 at 2400; ⅔ and 3/2 at 2000 and 1600."""
    found = find_limit_crossing(before, Fraction(after))
    assert found is not None
    assert found.after == Fraction(corrected)


@pytest.mark.parametrize(
    ("before", "after"), [(1990, 2000), (2000, 2000), (2000, 2010), (2010, 2000), (1600, 1999)]
)
def test_4_5_2_4_a_limit_that_is_reached_is_not_passed(before, after):
    """§ 4.5.2.4: nothing lies beyond."""
    assert find_limit_crossing(before, Fraction(after)) is None


def test_4_5_2_4_of_two_limits_the_first_passed_corrects():
    """§ 4.5.2.4: upwards the lower one, downwards the higher one (reading)."""
    up, down = find_limit_crossing(1590, Fraction(2010)), find_limit_crossing(2010, Fraction(1590))
    assert up is not None and down is not None
    assert (up.limit, up.after) == (1600, 1600 + Fraction(410) * 2 / 3)
    assert (down.limit, down.after) == (2000, 2000 - Fraction(410) * 3 / 2)


def test_4_5_2_5_a_winner_below_expectation_keeps_his_rating():
    """§ 4.5.2.5: 300 above the others, all games drawn but one: winner, and below expectation."""
    group = all_play_all({"A": 2000, "B": 1700, "C": 1700}, won="AB")
    found = row(group, "A")
    assert (found.score, found.expected.score) == (Fraction(3, 2), Fraction("1.70"))
    assert (found.is_held, found.gain, found.rating) == (True, 0, 2000)


def test_4_5_2_5_all_who_share_the_lead_are_winners():
    """§ 4.5.2.5: level on points at the head, whatever separates them afterwards."""
    group = all_play_all({"A": 2000, "B": 1700, "C": 1700})
    assert group_winners(group) == {"A", "B", "C"}
    assert row(group, "A").is_held
    assert not row(group, "B").is_held, "he has what he was expected to score, and more"


def test_4_5_2_5_a_winner_at_or_above_expectation_is_rated_as_anybody():
    """§ 4.5.2.5: the rule is for less than the expected score."""
    group = all_play_all({"A": 1900, "B": 1900}, won="AB")
    assert (row(group, "A").is_held, row(group, "A").rating) == (False, 1915)
    level = all_play_all({"A": 1900, "B": 1900})
    assert not row(level, "A").is_held


def test_4_5_2_5_no_group_winner_where_not_all_played_all():
    """§ 4.5.2.5: the best of a team's opponents has won no group (reading)."""
    group = all_play_all({"A": 2000, "B": 1700, "C": 1700})
    short = RatedGroup(group.ratings, group.games[:2])
    assert group_winners(short) == frozenset()
    assert row(short, "A").rating < 2000


@pytest.mark.parametrize(("before", "gain", "rating"), [(1010, -9, 1001), (1010, -10, 1000)])
def test_4_5_2_6_at_the_floor(before, gain, rating):
    """§ 4.5.2.6: 1000 itself needs no raising."""
    settled = correct_rating(before, Fraction(gain))
    assert (settled.rating, settled.is_raised) == (rating, False)


def test_4_5_2_6_below_the_floor():
    """§ 4.5.2.6: 999½ is raised, and only then rounded."""
    assert correct_rating(1010, Fraction("-10.5")).is_raised
    assert correct_rating(1010, Fraction(-300)).rating == 1000


@pytest.mark.parametrize(("gain", "rating"), [("16.5", 1917), ("16.4", 1916), ("-13.5", 1887)])
def test_4_5_2_the_new_rating_is_rounded_last_and_half_up(gain, rating):
    """§ 4.5.2: a whole number (reading)."""
    assert correct_rating(1900, Fraction(gain)).rating == rating


def test_4_5_2_the_correction_is_made_before_rounding():
    """§ 4.5.2.4: 1999 and 12.5 more is 2011.5; two thirds of 11.5 are 7.67: 2008, not 2007."""
    assert correct_rating(1999, Fraction("12.5")).rating == 2008


def test_4_5_2_1_who_plays_alone_is_expected_nothing_by_no_field():
    """§ 4.5.2.1: no game is rated. Verdict: no field to have a mean; nothing won, nothing lost."""
    assert method_for({"A": 2100}, []) is Method.DIFFERENCE
    alone = expect(Method.AVERAGE, "A", {"A": 2100}, [])
    assert (alone.cycles, alone.raw, alone.score) == (1, 0, 0)
    (stays,) = rate(RatedGroup({"A": 2100}, ()))
    assert (stays.rating, stays.is_raised, stays.crossed) == (2100, False, None)


def test_4_5_2_1_by_single_games_nothing_is_multiplied():
    """§ 4.5.2.1: the difference method. Verdict: one cycle of no field."""
    by_games = expect(Method.DIFFERENCE, "A", {"A": 2000, "B": 1900}, ["B", "B"])
    assert (by_games.cycles, by_games.field) == (1, None)
    assert by_games.raw == 2 * by_games.chances[0].score
