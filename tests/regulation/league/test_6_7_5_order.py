"""§ 6.7.5.1: which team is stronger, where scores and ratings are level or there are none."""

from fractions import Fraction

from kskak.league.teams import Team, by_rating, strongest_first


def team(number: int, score: int | None, mean: int) -> Team:
    percent = None if score is None else Fraction(score)
    return Team(number, f"Klub {number}", None, percent, (mean,) * 4)


def numbers(teams: list[Team]) -> list[int]:
    return [one.number for one in teams]


def test_6_7_5_1_score_then_mean_rating_then_the_order_of_entry():
    """§ 6.7.5.1. Verdict: 60 percent before 50, 1900 before 1800, the earlier entry last."""
    rows = [team(4, 50, 1800), team(3, 50, 1800), team(2, 50, 1900), team(1, 60, 1700)]
    assert numbers(strongest_first(rows)) == [1, 2, 3, 4]


def test_6_7_5_1_a_team_without_a_score_counts_as_one_with_none():
    """§ 6.7.5.1 (reading): a new team. Verdict: level with 0 percent, so by mean rating."""
    assert numbers(strongest_first([team(1, 0, 1700), team(2, None, 1800)])) == [2, 1]
    assert numbers(strongest_first([team(1, None, 1700), team(2, 0, 1800)])) == [2, 1]


def test_6_7_5_1_where_no_scores_compare_the_rating_says_it():
    """§ 6.7.5.1. Verdict: the higher mean first, whatever was scored; then the order of entry."""
    rows = [team(3, None, 1800), team(1, 90, 1800), team(2, 10, 1900)]
    assert numbers(by_rating(rows)) == [2, 1, 3]
