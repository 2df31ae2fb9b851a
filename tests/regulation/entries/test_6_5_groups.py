"""§ 6.5.1.1, § 6.5.2, § 6.5.2.1, § 6.5.3.1: how the groups of the EMT are made."""

from collections import Counter
from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.entries.emt import (
    EmtClass,
    GroupPlan,
    Score,
    WaitingPlayer,
    is_double,
    may_start_dm,
    next_dm,
    next_group,
    start_faults,
)
from kskak.entries.entry import lacks_address
from kskak.groups.schedule import draw_lots, round_robin
from kskak.regulation.editions import Regulation
from tests.fakes.machinery.each import each

SEVEN = ("Anna", "Bo", "Carl", "Dan", "Eva", "Finn", "Gry")
FIRST = date(2026, 9, 1)


def waiting(*names):
    return [WaitingPlayer(name, FIRST + timedelta(days=day)) for day, name in enumerate(names)]


def test_6_5_1_1_a_group_starts_when_seven_entries_are_in():
    """§ 6.5.1, § 6.5.1.1: 7 entries to a class. Verdict: 6 wait, 7 start, the eighth waits on."""
    assert next_group(waiting(*SEVEN[:6])) is None
    assert next_group(waiting(*SEVEN)) == tuple(range(7))
    assert next_group(waiting(*SEVEN, "Hans")) == tuple(range(7))


def test_6_5_1_1_first_come_first_served():
    """§ 6.5.1.1: reading. Verdict: the day an entry became valid, then the order of the list."""
    list_ = waiting("Hans", *SEVEN)
    late = [WaitingPlayer("Hans", FIRST + timedelta(days=30)), *list_[1:]]
    assert next_group(late) == tuple(range(1, 8))
    same_day = [WaitingPlayer(name, FIRST) for name in ("Hans", *SEVEN)]
    assert next_group(same_day) == tuple(range(7))


def test_6_5_1_2_who_waits_for_two_groups_is_in_each_once():
    """§ 6.5.1.2: several groups of a class. Verdict: his second entry waits for the next."""
    list_ = waiting("Anna", *SEVEN)
    assert next_group(list_[:7]) is None
    assert next_group(list_) == (0, 2, 3, 4, 5, 6, 7)


@given(st.lists(st.sampled_from(SEVEN + ("Hans", "Ida")), max_size=30))
def test_6_5_1_1_a_group_has_seven_different_players_or_is_none(names):
    """§ 6.5.1.1: any waiting list. Verdict: 7 players, or fewer than 7 wait."""
    group = next_group(waiting(*names))
    if group is None:
        assert len(set(names)) < 7
    else:
        assert len({names[index] for index in group}) == 7


@given(st.text(min_size=1, max_size=20))
def test_6_5_3_1_three_white_and_three_black_whatever_the_lots(seed):
    """§ 6.5.3.1: 6 games, 3 white and 3 black. Verdict: for each number of a group of 7."""
    games = [game for games in round_robin(7).rounds for game in games]
    assert sorted(draw_lots(seed, SEVEN)) == list(range(7))
    assert set(Counter(game.white for game in games).values()) == {3}
    assert set(Counter(game.black for game in games).values()) == {3}
    assert len({frozenset((game.white, game.black)) for game in games}) == 21


def test_6_5_3_1_the_draw_can_be_made_again_from_its_seed():
    """§ 6.5.3.1: lots by the leader. Verdict: the seed gives the order, another gives another."""
    assert draw_lots("2026-K-1", SEVEN) == draw_lots("2026-K-1", SEVEN)
    orders = {draw_lots(f"seed {n}", SEVEN) for n in range(50)}
    assert len(orders) > 40


@pytest.mark.parametrize(("players", "expected"), [(6, True), (7, False), (9, False)])
def test_6_5_2_1_a_small_dm_is_double(players, expected):
    """§ 4.9.11.

    § 6.5.2.1: fewer than 7 play a double round. Verdict: 6 do, 7 do not; other classes never.
    """
    assert is_double(EmtClass.DM, players) is expected
    assert not is_double(EmtClass.M, players)
    schedule = round_robin(players, is_double(EmtClass.DM, players))
    games = sum(map(len, schedule.rounds))
    assert games == players * (players - 1) // (1 if expected else 2)


def test_6_5_2_the_dm_begins_in_september_once_a_year():
    """§ 6.5.2, § 6.5.1.1: every September, one group a year. Verdict: both ends of the month."""
    held = [date(2025, 9, 1)]
    days = [date(2026, 8, 31), date(2026, 9, 1), date(2026, 9, 30), date(2026, 10, 1)]
    assert [may_start_dm(day, held) for day in days] == [False, True, True, False]
    assert not may_start_dm(date(2025, 9, 15), held)


def test_6_5_2_the_next_dm_is_told():
    """§ 6.5.2: the year's plan. Verdict: this September if free, else the next."""
    assert next_dm(date(2026, 3, 1), []) == FIRST
    assert next_dm(date(2026, 9, 15), []) == date(2026, 9, 15)
    assert next_dm(date(2026, 9, 15), [FIRST]) == date(2027, 9, 1)
    assert next_dm(date(2026, 11, 20), []) == date(2027, 9, 1)


M, OPEN = EmtClass.M, EmtClass.OPEN


@each(
    ("planned", "broken"),
    [
        (GroupPlan(EmtClass.K, 7, False, date(2026, 12, 1)), []),
        (GroupPlan(EmtClass.K, 6, False, date(2026, 12, 1)), [("size", "6.5.1.1")]),
        (GroupPlan(M, 8, False, date(2026, 12, 1)), [("size", "6.5.1.1")]),
        (GroupPlan(OPEN, 7, True, date(2026, 12, 1)), [("rounds", "6.5.3.1")]),
        (GroupPlan(OPEN, 7, False, date(2026, 12, 1), True), [("position", "6.5.3.1")]),
        (GroupPlan(EmtClass.DM, 7, False, date(2026, 9, 1)), []),
        (GroupPlan(EmtClass.DM, 8, False, date(2026, 9, 30)), []),
        (GroupPlan(EmtClass.DM, 6, True, date(2026, 9, 1)), []),
        (GroupPlan(EmtClass.DM, 6, False, date(2026, 9, 1)), [("rounds", "6.5.2.1")]),
        (GroupPlan(EmtClass.DM, 7, True, date(2026, 9, 1)), [("rounds", "6.5.2.1")]),
        (GroupPlan(EmtClass.DM, 7, False, date(2026, 9, 1), True), [("position", "6.5.2.1")]),
        (GroupPlan(EmtClass.DM, 7, False, date(2026, 8, 31)), [("month", "6.5.2")]),
        (GroupPlan(EmtClass.DM, 7, False, date(2026, 10, 1)), [("month", "6.5.2")]),
        (GroupPlan(EmtClass.DM, 7, False, date(2025, 9, 30)), [("year", "6.5.1.1")]),
        (
            GroupPlan(EmtClass.DM, 6, False, date(2025, 12, 31), True),
            [
                ("rounds", "6.5.2.1"),
                ("position", "6.5.2.1"),
                ("month", "6.5.2"),
                ("year", "6.5.1.1"),
            ],
        ),
    ],
)
def test_6_5_1_1_what_a_planned_group_breaks_is_named(planned, broken):
    """§ 6.5.1.1, § 6.5.2, § 6.5.2.1, § 6.5.3.1: 7 players, September, one DM a year, rounds."""
    assert [(f.value, of) for f, of in start_faults(planned, [date(2025, 9, 1)])] == broken


def test_6_5_2_1_a_postal_groups_start_letter_needs_everybodys_address():
    """§ 6.5.2.1: names and addresses. Verdict: by post none goes without, by e-mail all may."""
    assert lacks_address(Regulation.POSTAL, " \n")
    assert not lacks_address(Regulation.POSTAL, "Gøta 1")
    assert not lacks_address(Regulation.EMAIL, "")


@each(
    ("points", "games", "unfinished", "can_be"),
    [
        (0, 1, 0, True),
        (1, 1, 0, True),
        (0, 0, 0, False),
        (-0.5, 6, 0, False),
        (4, 6, 2, True),
        (4.5, 6, 2, False),
    ],
)
def test_6_5_3_2_a_score_is_what_so_many_games_can_give(points, games, unfinished, can_be):
    """§ 6.5.3.2: points of played games. Verdict: no point of an unplayed game."""
    if not can_be:
        with pytest.raises(ValueError, match="games"):
            Score(Fraction(points), games, unfinished)
        return
    score = Score(Fraction(points), games, unfinished)
    assert score.percent == Fraction(points) * 100 / games
    assert score.best_percent == (Fraction(points) + unfinished) * 100 / games
