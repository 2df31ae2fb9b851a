"""What holds for any table and any group, whatever was played (§ 4.5.2, § 6.5.4.1, § 6.7.4.5)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.groups.crosstables import crosstable
from kskak.groups.placing import (
    BoardGame,
    BoardTeam,
    Division,
    RankingRules,
    ScoredGame,
    Table,
    league_placing,
    placing,
    points_of,
    sonneborn_berger,
)
from kskak.rating.calculation import FLOOR, LIMITS, Method, RatedGroup, rate
from kskak.regulation.editions import Result

NAMES = "ABCDEFGH"
INDIVIDUAL = [RankingRules.EMT, RankingRules.DM, RankingRules.CUP, RankingRules.CUP_FINAL]
results = st.sampled_from(Result)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A single round, some of it not finished yet."""
    players = tuple(NAMES[: draw(st.integers(2, 8))])
    games = []
    for pair in combinations(players, 2):
        result = draw(st.none() | results)
        white, black = draw(st.permutations(pair))
        if result is not None:
            games.append(ScoredGame(white, black, result))
    return Table(draw(st.sampled_from(INDIVIDUAL)), players, tuple(games))


@st.composite
def divisions(draw: st.DrawFn) -> Division:
    clubs = NAMES[: draw(st.integers(2, 5))]
    games = [
        BoardGame(board, ScoredGame(white, black, draw(results)))
        for white, black in combinations(clubs, 2)
        for board in range(1, 5)
    ]
    return Division(tuple(BoardTeam(club, tuple("1234")) for club in clubs), tuple(games))


@st.composite
def groups(draw: st.DrawFn, lowest: int = 1000, highest: int = 2600) -> RatedGroup:
    names = NAMES[: draw(st.integers(2, 8))]
    ratings = {name: draw(st.integers(lowest, highest)) for name in names}
    decisive = st.sampled_from([Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW])
    return RatedGroup(
        ratings, tuple(ScoredGame(a, b, draw(decisive)) for a, b in combinations(names, 2))
    )


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_games_and_players_does_not_matter(table, random):
    games = list(table.games)
    players = list(table.players)
    random.shuffle(games)
    random.shuffle(players)
    again = placing(Table(table.rules, tuple(players), tuple(games)))
    assert {(row.place, row.name) for row in again} == {
        (row.place, row.name) for row in placing(table)
    }


@given(tables())
def test_colours_do_not_matter(table):
    turned = {"1-0": "0-1", "0-1": "1-0", "1/2-0": "0-1/2", "0-1/2": "1/2-0"}
    games = [
        ScoredGame(g.black, g.white, Result(turned.get(g.result, g.result))) for g in table.games
    ]
    assert placing(Table(table.rules, table.players, tuple(games))) == placing(table)


@given(tables())
def test_points_add_up_and_a_place_is_what_stands_above(table):
    points = points_of(table.players, table.games)
    given_out = {"0-0": 0, "1/2-0": 0.5, "0-1/2": 0.5}
    assert sum(points.values()) == sum(given_out.get(game.result, 1) for game in table.games)
    rows = placing(table)
    assert sorted(row.name for row in rows) == sorted(table.players)
    for number, row in enumerate(rows):
        above = [other for other in rows if other.place < row.place]
        assert row.place == len(above) + 1
        if number:
            before = rows[number - 1]
            assert points[before.name] >= points[row.name]
            assert (row.decided_by == "points") == (points[before.name] > points[row.name])
            assert (before.place == row.place) == (row.decided_by in {"shared", "playoff"})
            assert (row.margin is None) == (before.place == row.place)
            assert row.margin is None or row.margin[0] > row.margin[1]
        else:
            assert (row.decided_by, row.margin) == (None, None)


@given(tables())
def test_sonneborn_berger_summed_over_all_is_what_each_point_was_won_from(table):
    points = points_of(table.players, table.games)
    won_from = sum(
        score * points[opponent] for game in table.games for _, opponent, score in game.sides
    )
    assert sum(sonneborn_berger(table.players, table.games).values()) == won_from


@given(tables())
def test_a_crosstable_mirrors_itself(table):
    cross = crosstable(table)
    for i, row in enumerate(cross.rows):
        assert row.cells[i].is_own
        assert sum((cell.total or Fraction(0) for cell in row.cells), Fraction(0)) == row.points
        for j, other in enumerate(cross.rows):
            assert len(row.cells[j].points) == len(other.cells[i].points)


@given(divisions(), st.randoms(use_true_random=False))
def test_a_divisions_order_does_not_depend_on_the_list(division, random):
    games = list(division.games)
    random.shuffle(games)
    assert league_placing(Division(division.teams, tuple(games))) == league_placing(division)
    teams = list(division.teams)
    random.shuffle(teams)
    places = {(r.place, r.name) for r in league_placing(Division(tuple(teams), tuple(games)))}
    assert places == {(row.place, row.name) for row in league_placing(division)}


@given(divisions())
def test_lots_make_every_place_single(division):
    lots = tuple(reversed(division.clubs))
    rows = league_placing(Division(division.teams, division.games, lots))
    assert [row.place for row in rows] == list(range(1, len(rows) + 1))


@given(groups())
def test_the_order_of_games_does_not_matter_for_ratings(group):
    turned = RatedGroup(group.ratings, tuple(reversed(group.games)))
    assert [row.rating for row in rate(group)] == [row.rating for row in rate(turned)]


@given(groups())
def test_nobody_falls_below_the_floor_and_scoring_as_expected_changes_nothing(group):
    for row in rate(group):
        assert row.rating >= FLOOR
        if row.score == row.expected.score:
            assert row.rating == row.before
        if row.score > row.expected.score:
            assert row.rating >= row.before
        if row.score < row.expected.score:
            assert row.rating <= row.before


@given(groups())
def test_by_the_difference_method_what_is_expected_of_all_is_what_there_is(group):
    """Table 1 gives the lower-rated what the higher-rated has not; only rounding adds or takes."""
    rows = [row for row in rate(group) if row.method is Method.DIFFERENCE]
    if rows:
        assert sum(row.expected.raw for row in rows) == len(group.games)


@given(groups(lowest=1750, highest=1850))
def test_what_one_wins_the_others_lose_where_no_correction_is_made(group):
    """Within one coefficient, without bonus and winner's rule, gains differ from nought by the
    rounding of table 1 and of the expected scores only."""
    rows = rate(group)
    plain = [row.k * (row.score - row.expected.raw) for row in rows]
    gains = [row.gain for row in rows if not row.is_held and not row.bonus]
    assert {row.k for row in rows} == {30}
    assert not any(row.crossed for row in rows if 1600 < row.before + row.gain < 2000)
    assert abs(sum(plain)) <= 30 * len(rows) ** 2 * Fraction(1, 200)
    assert all(gain % Fraction(1, 4) == 0 for gain in gains)


@pytest.mark.parametrize("limit", LIMITS)
def test_more_points_never_bring_a_lower_rating_across_a_limit(limit):
    ratings = []
    for result in (Result.BLACK_WINS, Result.DRAW, Result.WHITE_WINS):
        games = [ScoredGame("A", "B", result), ScoredGame("A", "C", result)]
        group = RatedGroup({"A": limit + 3, "B": limit, "C": limit}, tuple(games))
        ratings.append(rate(group)[0].rating)
    assert ratings == sorted(ratings)
