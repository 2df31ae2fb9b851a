"""§ 4.5.4.1-4.5.5.2 as the server needs them: which games are rated, numbers told in between."""

from __future__ import annotations

from datetime import date
from itertools import permutations

import pytest

from kskak.groups.crosstables import GameTermination
from kskak.groups.placing import ScoredGame
from kskak.rating.calculation import (
    RatedGroup,
    RatingExemption,
    RatingGame,
    group_winners,
    list_exemptions,
    rate,
)
from kskak.rating.lists import (
    Basis,
    FinishedTournament,
    ManualRating,
    Newcomer,
    UnknownRating,
    list_before,
    listed_until,
    replay,
)
from kskak.regulation.editions import Result

WON, LOST, DRAW, BOTH = (
    Result.WHITE_WINS,
    Result.BLACK_WINS,
    Result.DRAW,
    Result.BOTH_LOSE,
)
JAN, JUN, DEC = date(2025, 1, 10), date(2025, 6, 1), date(2025, 12, 1)


def over(
    white: str,
    black: str,
    result: Result,
    how: GameTermination | None = None,
    *,
    moved: bool = False,
) -> RatingGame:
    return RatingGame(ScoredGame(white, black, result), how, moved)


PRESENT = over("B", "C", DRAW, moved=True)
"""B, who is absent from another game, has played this one."""


def why(one: RatingGame, *others: RatingGame, is_team: bool = False) -> RatingExemption | None:
    return list_exemptions([one, *others], is_team=is_team)[0]


@pytest.mark.parametrize("how", [None, *GameTermination])
def test_4_5_4_2_a_game_in_which_both_moved_is_rated_however_it_ended(how):
    """§ 4.5.4.2: all played games; also one that a withdrawal turned into a loss."""
    assert why(over("A", "B", WON, how, moved=True)) is None
    assert why(over("A", "B", WON, how, moved=True), is_team=True) is None


def test_4_5_4_2_what_the_players_or_the_leader_on_the_position_ended_counts_as_played():
    """§ 4.5.4.2, reading: agreed, resigned, adjudicated; also before both have moved."""
    assert why(over("A", "B", DRAW)) is None
    assert why(over("A", "B", WON, GameTermination.ADJUDICATED)) is None


def test_4_5_4_2_a_game_lost_by_withdrawal_without_having_been_played_is_not_rated():
    """§ 4.5.4.2, reading: whoever else he has played."""
    assert why(over("A", "B", WON, GameTermination.WITHDRAWN), PRESENT) is RatingExemption.WITHDRAWN


@pytest.mark.parametrize("how", [GameTermination.TIME, GameTermination.RULED])
def test_4_5_4_2_an_absence_without_excuse_is_rated_but_not_from_the_whole_tournament(how):
    """§ 4.5.4.2: B never moved; with one game played elsewhere it counts, with none it does not."""
    assert why(over("A", "B", WON, how), PRESENT) is None
    assert why(over("A", "B", WON, how), over("C", "B", WON, how)) is RatingExemption.ABSENT
    assert why(over("B", "A", LOST, how)) is RatingExemption.ABSENT


def test_4_5_4_2_in_the_league_an_unplayed_game_is_never_rated():
    """§ 4.5.4.2: absence counts in no team tournament."""
    assert (
        why(over("A", "B", WON, GameTermination.TIME), PRESENT, is_team=True)
        is RatingExemption.TEAM
    )


def test_4_5_4_2_an_unplayed_game_without_one_loser_is_not_rated():
    """§ 4.5.4.2, reading: nobody alone was absent."""
    assert why(over("A", "B", BOTH, GameTermination.RULED), PRESENT) is RatingExemption.DRAWN
    assert why(over("A", "B", DRAW, GameTermination.RULED), PRESENT) is RatingExemption.DRAWN


def test_4_5_4_2_a_game_that_a_reserve_carried_on_is_not_rated():
    """§ 4.5.4.2, reading: as in the text's team matches with a reserve put in."""
    game = RatingGame(ScoredGame("A", "B", WON), None, both_moved=True, carried_on=True)
    assert why(game, PRESENT, is_team=True) is RatingExemption.RESERVE


def event(
    name: str, start: date, finished: date, players: str = "AB", **more
) -> FinishedTournament:
    games = (ScoredGame(players[0], players[1], WON),)
    return FinishedTournament(name, start, finished, tuple(players), games, **more)


def ratings(told, *events: FinishedTournament) -> list[int]:
    """What A's rating becomes with each tournament."""
    return [one.changes["A"].settled.rating for one in replay(told, events)]


START = {name: (ManualRating(date(2025, 1, 1), 1900),) for name in "AB"}


def test_4_5_4_1_a_number_told_later_stands_from_its_day():
    """§ 4.5.4.1: 1915 in June; people give A 1800 in July; December's gain of 14 comes on it."""
    told = START | {"A": (*START["A"], ManualRating(date(2025, 7, 1), 1800))}
    one, two = event("one", JAN, JUN), event("two", JUN, DEC)
    for order in permutations([one, two]):
        assert ratings(told, *order) == [1915, 1814]


@pytest.mark.parametrize(("at", "registered"), [(4, 1800), (5, 1800), (6, 1900)])
def test_4_5_4_1_on_one_day_the_number_that_was_there_before_is_counted_on(at, registered):
    """§ 4.5.4.1: one told before the calculation is what it adds to; a later one stands over it."""
    told = START | {"A": (*START["A"], ManualRating(JUN, 1800, at))}
    (one,) = replay(told, [event("one", JAN, JUN, at=5)])
    assert one.changes["A"].registered == registered


@pytest.mark.parametrize("on", [JAN, JUN])
def test_4_5_4_1_the_first_number_told_while_the_group_played_is_the_start(on):
    """§ 4.5.4.1, reading: before it goes a number of the start's day, after it comes § 6.7.6.2."""
    newcomers = {"A": Newcomer(2100, Basis.CLASS)}
    told = {"A": (ManualRating(on, 1900),), "B": START["B"]}
    (one,) = replay(told, [event("one", JAN, JUN, newcomers=newcomers)])
    basis = Basis.REGISTERED if on == JAN else Basis.LATER
    assert (one.starts["A"].rating, one.starts["A"].basis) == (1900, basis)
    late = {"A": (ManualRating(date(2025, 6, 2), 1900),), "B": START["B"]}
    (one,) = replay(late, [event("one", JAN, JUN, newcomers=newcomers)])
    assert (one.starts["A"].rating, one.starts["A"].basis) == (2100, Basis.CLASS)


def test_4_5_4_1_what_was_made_before_is_what_later_ones_count_on_from():
    """§ 4.5.4.1: calculated in one go or from the middle on, the numbers are the same."""
    one, two = event("one", JAN, JUN), event("two", date(2025, 7, 1), DEC)
    first, second = replay(START, [one, two])
    known = {
        name: (ManualRating(change.on, change.settled.rating, change.at),)
        for name, change in first.changes.items()
    }
    assert replay(START, [two], known) == (second,)


def test_4_5_4_1_a_newcomer_of_two_groups_at_once_starts_both_with_one_number():
    """§ 4.5.4.1, § 6.7.6.2: the result of the first is no number of the second's start."""
    new = {name: Newcomer(1900, Basis.OTB) for name in "AB"}
    one, two = (event(name, JAN, end, newcomers=new) for name, end in (("1", JUN), ("2", DEC)))
    first, second = replay({}, [one, two])
    assert second.starts["A"] == first.starts["A"]
    assert (second.changes["A"].registered, second.changes["A"].settled.rating) == (1915, 1930)


def test_4_5_4_1_who_has_no_number_at_all_is_named():
    """§ 4.5.4.1: there must be a number to start from."""
    with pytest.raises(UnknownRating, match="'B'"):
        replay({"A": START["A"]}, [event("one", JAN, JUN)])


def test_4_5_4_1_lists_are_dated_by_quarters():
    """§ 4.5.4.1, reading: on a list's own day the list before it is a quarter older."""
    assert list_before(date(2026, 1, 2)) == date(2026, 1, 1)
    assert list_before(date(2026, 1, 1)) == date(2025, 10, 1)
    assert list_before(date(2026, 12, 31)) == date(2026, 10, 1)


def test_4_5_5_1_three_years_to_the_day():
    """§ 4.5.5.1: a leap day's third anniversary is 1 March."""
    assert listed_until(date(2025, 6, 1)) == date(2028, 6, 1)
    assert listed_until(date(2024, 2, 29)) == date(2027, 3, 1)


def test_4_5_5_2_a_foreigner_performs_and_falls_back_where_there_is_no_performance():
    """§ 4.5.5.2: half against 1900 is 1900; all won has no number in table 2: § 6.7.6.2's."""
    told = {"B": START["B"]}
    new = {"A": Newcomer(2100, Basis.CLASS, performs=True)}
    drawn = FinishedTournament(
        "one", JAN, JUN, ("A", "B"), (ScoredGame("A", "B", DRAW),), newcomers=new
    )
    (one,) = replay(told, [drawn])
    assert (one.starts["A"].rating, one.starts["A"].basis) == (1900, Basis.PERFORMANCE)
    (one,) = replay(told, [event("one", JAN, JUN, newcomers=new)])
    assert (one.starts["A"].rating, one.starts["A"].basis) == (2100, Basis.CLASS)


def test_4_5_4_2_a_win_that_a_withdrawal_turned_is_rated_as_it_stands():
    """§ 6.2.8, § 4.5.4.2, reading: A won on the board and left. Verdict: B won."""
    turned = over("A", "B", LOST, GameTermination.WITHDRAWN, moved=True)
    assert why(turned) is None
    rated = rate(RatedGroup({"A": 1800, "B": 1800}, (turned.game,)))
    assert [row.score for row in rated] == [0, 1]


def test_4_5_2_5_the_groups_winner_is_of_all_games_also_those_not_rated():
    """§ 4.5.2.5, § 4.5.4.2: A leads by an unrated game. Verdict: A is the winner."""
    ratings = dict.fromkeys("ABC", 1800)
    rated = (ScoredGame("A", "B", DRAW), ScoredGame("B", "C", DRAW))
    group = RatedGroup(ratings, rated, (ScoredGame("A", "C", WON),))
    assert group_winners(group) == {"A"}
