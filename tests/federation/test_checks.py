"""The simulator's checks on random tables, divisions, fields and groups, ties above all.

They say the regulation a second time; what ``kskak`` makes of anything must pass them, far
beyond what a simulated life comes upon.
"""

from datetime import date
from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from kskak.groups.placing import (
    BoardGame,
    BoardTeam,
    Division,
    RankingRules,
    ScoredGame,
    Table,
    league_placing,
    placing,
)
from kskak.league.composition import Team, compose
from kskak.rating.calculation import RatedGroup, rate
from kskak.regulation.editions import Result
from tests.federation.checks.divisions import check_composition
from tests.federation.checks.ratings import check_group
from tests.federation.checks.tables import check_division, check_table

DAY = date(2026, 11, 20)
# Draws and circles above all: whoever is level is what these are about.
RESULTS = st.sampled_from([Result.DRAW, *Result])


@st.composite
def groups(draw: st.DrawFn) -> tuple[tuple[str, ...], tuple[ScoredGame, ...]]:
    names = tuple("ABCDEFG"[: draw(st.integers(2, 7))])
    pairs = list(combinations(names, 2)) * draw(st.sampled_from([1, 1, 2]))
    played = [ScoredGame(one, other, draw(RESULTS)) for one, other in pairs]
    return names, tuple(game for game in played if draw(st.integers(0, 9)))


@given(
    groups(),
    st.sampled_from([RankingRules.EMT, RankingRules.DM, RankingRules.CUP, RankingRules.CUP_FINAL]),
)
def test_any_table_of_individuals_is_explained(group, rules):
    names, games = group
    check_table("any", placing(Table(rules, names, games)), games, DAY)


@given(st.data())
def test_any_division_is_explained_with_and_without_lots(data):
    clubs = tuple("ABCDEFG"[: data.draw(st.integers(2, 7))])
    teams = tuple(BoardTeam(club, tuple(f"{club}{n}" for n in range(4))) for club in clubs)
    games = tuple(
        BoardGame(board, ScoredGame(one, other, data.draw(RESULTS)))
        for one, other in combinations(clubs, 2)
        for board in range(1, 5)
    )
    lots = tuple(data.draw(st.permutations(clubs)))
    for drawn in ((), lots):
        check_division("any", league_placing(Division(teams, games, drawn)), games, DAY)


@st.composite
def fields(draw: st.DrawFn) -> list[Team]:
    """A field as a season leaves it: up to 7 teams in each upper division, groups in the third."""
    clubs = [f"Klub {number}" for number in range(24)]
    rows = []
    for last, most in ((1, 7), (2, 7), (3, 12), (None, 10)):
        for club in draw(st.lists(st.sampled_from(clubs), max_size=most, unique=True)):
            percent = Fraction(draw(st.integers(0, 200)), 2)
            rows.append((club, last, percent, draw(st.sampled_from("ab"))))
    return [
        Team(
            number,
            club,
            last,
            None if last is None else percent,
            (draw(st.integers(1000, 2300)),) * 4,
            group if last == 3 else None,
        )
        for number, (club, last, percent, group) in enumerate(rows, 1)
    ]


@given(fields())
def test_any_composed_season_is_well_formed(field):
    check_composition(compose(field), field, DAY)


@given(st.data())
def test_any_groups_ratings_conserve_what_they_must(data):
    names = "ABCDEFGH"[: data.draw(st.integers(2, 8))]
    lowest, highest = data.draw(st.sampled_from([(1000, 2500), (1590, 1610), (1700, 1850)]))
    ratings = {name: data.draw(st.integers(lowest, highest)) for name in names}
    games = [ScoredGame(one, other, data.draw(RESULTS)) for one, other in combinations(names, 2)]
    rated = tuple(game for game in games if data.draw(st.integers(0, 9)))
    unrated = tuple(game for game in games if game not in rated)
    check_group("any", rate(RatedGroup(ratings, rated, unrated)), rated, DAY)
