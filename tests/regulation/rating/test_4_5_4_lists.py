"""§ 4.5.4.1-4.5.5.2: which games count, lists over time and performance ratings."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import permutations

import pytest

from kskak.groups.placing import ScoredGame
from kskak.rating.calculation import Method, RatedGroup, performance, performances, rate
from kskak.rating.lists import FinishedTournament, UnknownRating
from kskak.regulation.editions import Result
from tests.federation.rating_list import curves, rating_list

WON, DRAW, BOTH_LOSE = Result.WHITE_WINS, Result.DRAW, Result.BOTH_LOSE


def event(
    name: str, start: str, finished: str, *games: ScoredGame, players: str = "AB"
) -> FinishedTournament:
    return FinishedTournament(
        name, date.fromisoformat(start), date.fromisoformat(finished), tuple(players), games
    )


def test_4_5_4_2_an_unrated_game_leaves_the_groups_method_and_asks_a_new_expectation():
    """§ 4.5.4.2: D never played against A; A is expected to score against B and C alone."""
    games = [ScoredGame("B", "C", DRAW), ScoredGame("A", "B", WON), ScoredGame("A", "C", DRAW)]
    games += [ScoredGame("B", "D", WON), ScoredGame("C", "D", WON)]
    ratings = {"A": 1900, "B": 1900, "C": 1840, "D": 1800}
    group = RatedGroup(ratings, tuple(games), unrated=(ScoredGame("A", "D", WON),))
    a, b, _, d = rate(group)
    assert {row.method for row in rate(group)} == {Method.AVERAGE}
    assert (a.games, a.score, a.expected.field) == (2, Fraction(3, 2), 3)
    assert a.expected.chances[0].against == 1880
    assert (b.games, b.expected.field, d.games, d.score) == (3, 4, 2, 0)


def test_4_5_4_2_who_has_no_rated_game_keeps_his_rating():
    """§ 4.5.4.2: nothing played, nothing calculated."""
    group = RatedGroup({"A": 1900, "B": 1900, "C": 990}, (ScoredGame("A", "B", WON),))
    assert [row.rating for row in rate(group)] == [1915, 1885, 990]


def test_4_5_4_2_a_game_lost_by_both_is_a_played_game():
    """§ 4.5.4.2: all played games are rated; both have scored nothing."""
    rows = rate(RatedGroup({"A": 1900, "B": 1900}, (ScoredGame("A", "B", BOTH_LOSE),)))
    assert [(row.games, row.score, row.before - row.rating) for row in rows] == [(1, 0, 0)] * 2
    assert all(row.is_held for row in rows), "level at the head of their group: § 4.5.2.5"


def test_4_5_4_1_each_tournament_counts_on_from_the_one_before():
    """§ 4.5.4.1: 1900 and 15, then 30 × (1 - .54) = 14 after rounding to 0.05."""
    first = {"A": 1900, "B": 1900}
    one = event("one", "2025-01-10", "2025-06-01", ScoredGame("A", "B", WON))
    two = event("two", "2025-06-01", "2025-12-01", ScoredGame("A", "B", WON))
    for order in permutations([one, two]):
        changes = curves(first, order)["A"]
        assert [change.tournament for change in changes] == ["one", "two"]
        assert [change.settled.rating for change in changes] == [1915, 1929]
        assert changes[1].calculation.before == 1915


def test_4_5_4_1_of_three_results_the_last_counts_for_list_start_and_the_three_years():
    """§ 4.5.4.1, § 4.5.5.1: neither the first result nor the first rating stands any more."""
    first = {"A": 1900, "B": 1900}
    days = [
        ("2022-01-10", "2022-06-01"),
        ("2023-01-10", "2023-06-01"),
        ("2024-01-10", "2024-06-01"),
    ]
    events = [event(start, start, end, ScoredGame("A", "B", WON)) for start, end in days]
    changes = curves(first, events)
    one, two, three = changes["A"]
    assert (two.registered, three.registered) == (one.settled.rating, two.settled.rating)
    assert three.calculation.before == two.settled.rating
    assert len({one.settled.rating, two.settled.rating, three.settled.rating}) == 3
    row, _ = rating_list(first, changes, date(2027, 6, 1))
    assert (row.rating, row.last) == (three.settled.rating, date(2024, 6, 1))
    assert rating_list(first, changes, date(2027, 6, 2)) == ()


def test_4_5_4_1_overlapping_tournaments_start_from_what_was_registered_then():
    """§ 4.5.4.1: the second began before the first was done; its gain is added at its end."""
    first = {"A": 1900, "B": 1900}
    one = event("one", "2025-01-10", "2025-06-01", ScoredGame("A", "B", WON))
    two = event("two", "2025-05-31", "2025-12-01", ScoredGame("A", "B", WON))
    changes = curves(first, [one, two])["A"]
    assert changes[1].calculation.before == 1900
    assert (changes[1].registered, changes[1].settled.rating) == (1915, 1930)


def test_4_5_4_1_the_limit_is_corrected_for_the_registered_number():
    """§ 4.5.4.1: two gains of 15 from 1980: 1995, and then past 2000 by 10, of which ⅔ count."""
    first = {"A": 1980, "B": 1980}
    one = event("one", "2025-01-10", "2025-06-01", ScoredGame("A", "B", WON))
    two = event("two", "2025-01-10", "2025-12-01", ScoredGame("A", "B", WON))
    assert [change.settled.rating for change in curves(first, [one, two])["A"]] == [1995, 2007]


def test_4_5_4_1_a_player_without_a_first_rating_is_named():
    """§ 4.5.4.1: there must be a number to start from."""
    with pytest.raises(UnknownRating, match="'B'"):
        curves({"A": 1900}, [event("one", "2025-01-10", "2025-06-01", ScoredGame("A", "B", WON))])


@pytest.mark.parametrize(("on", "listed"), [("2028-06-01", "AB"), ("2028-06-02", "")])
def test_4_5_5_1_three_years_after_the_last_result_a_player_leaves_the_list(on, listed):
    """§ 4.5.5.1: more than three years; the number itself is kept."""
    first = {"A": 1900, "B": 1900}
    one = event("one", "2025-01-10", "2025-06-01", ScoredGame("A", "B", WON))
    changes = curves(first, [one])
    rows = rating_list(first, changes, date.fromisoformat(on))
    assert "".join(row.name for row in rows) == listed
    later = event("two", "2030-01-10", "2030-06-01", ScoredGame("A", "B", WON))
    assert curves(first, [one, later])["A"][1].registered == 1915


def test_4_5_5_1_a_list_shows_what_was_registered_on_its_day():
    """§ 4.5.5.1: highest first; provisional before the first rated game (reading)."""
    first = {"A": 1900, "B": 1900, "C": 1950}
    one = event("one", "2025-01-10", "2025-06-01", ScoredGame("A", "B", WON))
    changes = curves(first, [one])
    before = rating_list(first, changes, date(2025, 5, 31))
    after = rating_list(first, changes, date(2025, 6, 1))
    assert [(row.name, row.rating, row.is_provisional) for row in before] == [
        ("C", 1950, True),
        ("A", 1900, True),
        ("B", 1900, True),
    ]
    assert [(row.name, row.rating, row.is_provisional) for row in after] == [
        ("C", 1950, True),
        ("A", 1915, False),
        ("B", 1885, False),
    ]


def test_4_5_5_2_performance_by_hand():
    """§ 4.5.5.2: 3 of 4 against a mean of 1800: table 2 has 193 for .75."""
    assert performance(Fraction(3), [1700, 1800, 1800, 1900]) == 1993
    assert performance(Fraction(1), [1700, 1800, 1800, 1900]) == 1607


def test_4_5_5_2_all_or_nothing_has_no_performance():
    """§ 4.5.5.2: table 2 has a star there."""
    assert performance(Fraction(4), [1800] * 4) is None
    assert performance(Fraction(0), [1800] * 4) is None
    assert performance(Fraction(0), []) is None


def test_4_5_5_2_several_unrated_players_are_calculated_until_stable():
    """§ 4.5.5.2: their game against each other counts from the second pass on."""
    ratings = {"A": 1800, "B": 1800}
    games = [ScoredGame("X", "A", DRAW), ScoredGame("X", "B", DRAW), ScoredGame("Y", "A", DRAW)]
    games += [ScoredGame("B", "Y", WON), ScoredGame("X", "Y", WON)]
    found = performances(ratings, ["X", "Y"], games)
    met_by_x = [1800, 1800, found["Y"]]
    assert found["X"] == performance(Fraction(2), met_by_x)
    assert found["Y"] == performance(Fraction(1, 2), [1800, 1800, found["X"]])
