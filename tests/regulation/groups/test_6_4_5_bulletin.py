"""§ 6.4.5.1: a group's table as it is published, what it comes to, and the bulletin's periods."""

from datetime import date
from fractions import Fraction

import pytest

from kskak.entries.access import consequences
from kskak.entries.emt import EmtClass, EmtOutcome
from kskak.groups.crosstables import (
    GameTermination,
    GroupCrosstable,
    GroupTableGame,
    GroupTableLine,
    TablePlayer,
    group_table,
    rules_of_class,
)
from kskak.groups.placing import RankingRules, RankingStep
from kskak.office.year import Period, next_period, objections_until, quarter_of
from kskak.regulation.editions import Result, Side
from tests.fakes.machinery.each import each

RESULTS = {"1": Result.WHITE_WINS, "0": Result.BLACK_WINS, "=": Result.DRAW, "*": None}
FINISHED = date(2027, 3, 1)
SEVEN = "121 131 141 151 161 17= 230 24= 25= 26= 27= 34= 35= 36= 370 450 460 47= 560 57= 670"
"""Points: 1 has 5½, 7 has 4, 6 has 3, 3 and 5 have 2½, 2 has 2, 4 has 1½."""


def table(
    games: str, *, left: int = 0, how: dict[int, GameTermination] | None = None
) -> GroupCrosstable:
    """A group from ``121 13=``: White's number, Black's, his result; game ids count from 1."""
    listed = [
        GroupTableGame(
            number, int(game[0]), int(game[1]), RESULTS[game[2]], (how or {}).get(number)
        )
        for number, game in enumerate(games.split(), 1)
    ]
    numbers = sorted({n for game in listed for n in (game.white, game.black)})
    players = [TablePlayer(n, "Same Name", None, n == left) for n in numbers]
    return group_table(RankingRules.EMT, players, listed)


def line(found: GroupCrosstable, number: int) -> GroupTableLine:
    return next(one for one in found.lines if one.player.number == number)


def test_6_4_5_1_the_table_stands_by_place_and_by_number_and_names_may_be_the_same():
    """§ 6.4.5.1: three of one name; number 3 has won both, 1 has beaten 2."""
    found = table("121 130 230")
    assert [(one.place, one.player.number) for one in found.lines] == [(1, 3), (2, 1), (3, 2)]
    assert [one.player.number for one in found.by_number] == [1, 2, 3]
    assert found.is_finished and found.has_begun


def test_6_4_5_1_a_running_game_is_open_in_both_rows_and_counts_for_nobody():
    """§ 6.4.5.1: partial results are published; what runs is not guessed."""
    found = table("12* 13=")
    assert not found.is_finished
    (cell,) = line(found, 1).cells[2]
    assert (cell.points, cell.side, cell.how) == (None, Side.WHITE, None)
    (other,) = line(found, 2).cells[1]
    assert (other.points, other.side) == (None, Side.BLACK)
    assert line(found, 2).unfinished == 1
    assert (line(found, 1).points, line(found, 1).games) == (Fraction(1, 2), 1)
    assert (line(found, 2).games, line(found, 2).percent) == (0, None)


def test_6_4_5_1_nothing_is_finished_before_the_first_result():
    """§ 6.4.5.1."""
    found = table("12* 13* 23*")
    assert not found.has_begun
    assert not found.is_finished
    assert not group_table(RankingRules.EMT, [], []).is_finished


def test_6_2_8_who_left_and_what_was_adjudicated_are_marked_and_count_as_played():
    """§ 6.2.8: an adjudicated game counts like any other, a lost one is lost."""
    marks = {1: GameTermination.WITHDRAWN, 3: GameTermination.ADJUDICATED}
    found = table("210 13= 231", left=2, how=marks)
    assert line(found, 2).player.has_left and not line(found, 1).player.has_left
    assert line(found, 2).cells[1][0].how is GameTermination.WITHDRAWN
    assert line(found, 2).cells[3][0].how is GameTermination.ADJUDICATED
    assert line(found, 3).cells[1][0].how is None
    assert line(found, 2).percent == 50


def test_6_5_4_1_the_table_says_who_separated_whom():
    """§ 6.5.4.1: 5 has 1½ + half of 2, 2½ and 4; 3 has 2 + half of 1½, 2½ and 3, both 2½ points."""
    found = table(SEVEN)
    assert [one.player.number for one in found.lines] == [1, 7, 6, 5, 3, 2, 4]
    assert (line(found, 5).decided_by, line(found, 1).decided_by) == (RankingStep.POINTS, None)
    assert line(found, 3).decided_by is RankingStep.SONNEBORN_BERGER
    assert line(found, 3).margin == (Fraction(23, 4), Fraction(11, 2))


def test_6_5_2_1_a_double_round_has_two_games_in_a_cell():
    """§ 6.5.2.1: fewer than 7 players meet twice, once with each colour."""
    found = table("121 21=")
    cells = line(found, 1).cells[2]
    assert [(one.side, one.points) for one in cells] == [
        (Side.WHITE, Fraction(1)),
        (Side.BLACK, Fraction(1, 2)),
    ]


@each(
    ("group_class", "rules"),
    [("DM", "dm"), ("M", "emt"), ("K", "emt"), ("Å", "emt"), ("cup", "cup"), ("theme", "theme")],
)
def test_6_5_2_each_class_goes_by_its_own_ladder(group_class, rules):
    """§ 6.5.2, § 6.5.4.1, § 6.6.1.4."""
    assert rules_of_class(group_class) is RankingRules(rules)


def outcomes(group_class: str) -> dict[int, tuple[EmtOutcome, EmtClass, str]]:
    found = consequences(group_class, table(SEVEN), FINISHED)
    return {one.number: (one.outcome, one.opens, one.paragraph) for one in found}


def test_6_5_3_2_five_points_open_the_class_above_for_two_years():
    """§ 6.5.3.2 a, § 6.5.2.2: from K to M, from M to the DM."""
    assert outcomes("K")[1] == (EmtOutcome.RISES, EmtClass.M, "6.5.3.2")
    assert outcomes("M")[1] == (EmtOutcome.RISES, EmtClass.DM, "6.5.2.2")
    (first, *_) = consequences("K", table(SEVEN), FINISHED)
    assert first.until == date(2029, 3, 1)


def test_6_5_3_3_fewer_than_two_points_go_down_and_two_stay():
    """§ 6.5.3.3: both sides of the boundary; from Å nobody falls."""
    assert outcomes("K")[4] == (EmtOutcome.FALLS, EmtClass.OPEN, "6.5.3.3")
    assert outcomes("K")[2] == (EmtOutcome.STAYS, EmtClass.K, "6.5.3.2")
    assert EmtOutcome.FALLS not in {one[0] for one in outcomes("Å").values()}


def test_6_5_2_3_the_dm_keeps_who_has_45_percent():
    """§ 6.5.2.3: under 45 percent he goes down to M, else he keeps his right for three years."""
    found = consequences("DM", table(SEVEN), FINISHED)
    for one in found:
        stays = one.number in {1, 7, 6}
        assert one.outcome is (EmtOutcome.STAYS if stays else EmtOutcome.FALLS)
        assert one.paragraph == ("6.5.2.2" if stays else "6.5.2.3")
        assert one.until == date(2030, 3, 1)


def test_6_5_3_2_nothing_follows_while_a_game_runs_nor_from_another_form():
    """§ 6.5.3.2."""
    assert consequences("K", table("12* 13="), FINISHED) == ()
    assert consequences("cup", table(SEVEN), FINISHED) == ()


def test_6_4_5_1_a_bulletin_covers_at_most_a_quarter_without_a_gap():
    """§ 6.4.5.1 names no period: a reading."""
    assert quarter_of(date(2026, 12, 31)) == Period(date(2026, 10, 1), date(2026, 12, 31))
    assert quarter_of(date(2028, 2, 29)) == Period(date(2028, 1, 1), date(2028, 3, 31))
    first = next_period(None, date(2026, 11, 2))
    assert first == Period(date(2026, 10, 1), date(2026, 12, 31))
    assert next_period(first.last, date(2026, 11, 2)).first == date(2027, 1, 1)
    cut = next_period(date(2027, 1, 20), date(2026, 11, 2))
    assert cut == Period(date(2027, 1, 21), date(2027, 3, 31))


def test_6_4_5_1_a_period_has_a_day_at_least():
    """§ 6.4.5.1. Verdict: one day is one, the day before is none."""
    day = date(2026, 10, 1)
    assert Period(day, day).holds(day)
    with pytest.raises(ValueError, match="before"):
        Period(day, date(2026, 9, 30))


def test_6_4_5_1_a_period_is_over_the_day_after_and_due_two_weeks_after_it():
    """§ 6.4.5.1, reading; both sides of the boundary."""
    period = Period(date(2026, 10, 1), date(2026, 12, 31))
    assert not period.is_over(date(2026, 12, 31))
    assert period.is_over(date(2027, 1, 1))
    assert period.due == date(2027, 1, 14)
    assert period.holds(date(2026, 10, 1)) and period.holds(date(2026, 12, 31))
    assert not period.holds(date(2027, 1, 1))
    with pytest.raises(ValueError, match="before"):
        Period(date(2026, 10, 2), date(2026, 10, 1))


def test_6_4_5_1_objections_for_14_days_from_the_bulletin():
    """§ 6.4.5.1: the bulletin is the publication that the text means."""
    assert objections_until(date(2027, 1, 5)) == date(2027, 1, 19)
