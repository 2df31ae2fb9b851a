"""§ 6.5.1.2-6.5.3.3: what a slip of one line in the rules of access would change."""

from dataclasses import replace
from datetime import date

import pytest

from kskak.entries.access import consequences
from kskak.entries.emt import EmtClass
from kskak.entries.rights import IccfTournament, PlayerProfile, Right, class_of, merge_rights
from kskak.groups.crosstables import GroupTableGame, TablePlayer, group_table, rules_of_class
from kskak.regulation.editions import Result
from tests.fakes.machinery.each import each
from tests.regulation.season import (
    DM,
    OPEN,
    K,
    M,
    against,
    allowed,
    answers,
    by,
    cup,
    emt,
    iccf,
    record,
    score,
)

DAY = "2026-11-20"


@pytest.mark.parametrize("points", [(1, 3), (3, 1)])
def test_6_5_3_2_e_results_of_one_day_whose_order_would_decide_are_the_leaders(points):
    """§ 6.5.3.2 e: fell and stayed in K on one day. Verdict: in doubt, whatever the file says."""
    rows = [emt(K, "2026-01-10", each) for each in points]
    found = answers(DAY, *rows)
    assert against(found[K]) == ["6.5.3.2 e"] and not found[K].is_allowed
    assert found[K].against[0].results == (1, 2)
    assert against(found[OPEN]) == ["6.5.3.2 e"], "the fall opens it, if it was the last"
    later = [emt(K, "2026-01-11", points[0]), emt(K, "2026-01-10", points[1])]
    assert "6.5.3.2 e" not in against(answers(DAY, *later)[K]), "a day apart: the later one"


def test_6_5_3_2_e_results_of_one_day_that_say_the_same_leave_no_doubt():
    """§ 6.5.3.2 e: stayed twice on one day. Verdict: K is open, nothing else asked."""
    rows = [emt(K, "2026-01-10", 2), emt(K, "2026-01-10", 4)]
    assert allowed(DAY, *rows) == "K"


@pytest.mark.parametrize("order", [1, -1])
def test_6_5_2_2_f_a_fall_from_the_dm_and_five_points_in_m_on_one_day(order):
    """§ 6.5.2.2 c, f: which was first decides. Verdict: leader and controller, not the file."""
    rows = [emt(DM, "2026-01-10", 2, games=10), emt(M, "2026-01-10", 5)][::order]
    found = answers(DAY, *rows)[DM]
    assert against(found) == ["6.5.2.2 f"] and set(by(found)) == {"6.5.2.2 c"}


def test_6_5_1_2_a_finished_result_in_the_class_goes_before_a_running_group():
    """§ 6.5.1.2, reading: 5 points in K took him to M. Verdict: a safe group in K opens nothing."""
    safe = emt(K, None, 3, unfinished=2)
    found = answers(DAY, emt(K, "2026-01-10", 5, place=2), safe)[K]
    assert by(found) == {} and against(found) == []
    assert by(answers(DAY, safe)[K]) == {"6.5.1.2": None}
    assert by(answers(DAY, emt(K, "2020-01-10", 5), safe)[K]) == {"6.5.1.2": None}


@pytest.mark.parametrize(
    ("won", "paragraph"),
    [
        (lambda day: cup("final", day, 6, games=10, place=1), "6.6.2.2"),
        (lambda day: iccf("EM-finale", day, 7), "6.5.3.2 c"),
    ],
)
def test_6_5_2_3_what_was_won_before_the_fall_opens_nothing_after_it(won, paragraph):
    """§ 6.5.2.3: cup and ICCF, before and after the relegation. Verdict: after it only."""
    by_m = emt(M, "2025-06-10", 5)
    fall = emt(DM, "2026-01-10", 2, games=10)
    before, after = won("2025-05-10"), won("2026-05-10")
    assert paragraph in by(answers(DAY, before)[DM])
    assert by(answers(DAY, before, by_m, fall)[DM]) == {}
    assert paragraph in by(answers(DAY, by_m, fall, after)[DM])


def test_6_5_2_2_b_every_running_dm_must_still_reach_the_score():
    """§ 6.5.2.2 b: of two, one is lost. Verdict: nothing opens, the lost one bars."""
    good, lost = emt(DM, None, 4, games=10, unfinished=3), emt(DM, None, 1, games=10, unfinished=3)
    found = answers(DAY, good, lost)[DM]
    assert by(found) == {} and against(found) == ["6.5.2.2 b"]
    assert by(answers(DAY, good, good)[DM]) == {"6.5.2.2 b": None}


@each(
    ("tournament", "points", "games", "opened"),
    [
        (IccfTournament.EUROPEAN_FINAL, 6, 9, EmtClass.M),
        (IccfTournament.EUROPEAN_FINAL, 67, 100, EmtClass.DM),
        (IccfTournament.MASTER, 74.5, 100, EmtClass.M),
        (IccfTournament.MASTER, 75, 100, EmtClass.DM),
        (IccfTournament.MASTER, 32.5, 100, EmtClass.K),
        (IccfTournament.HIGHER, 74.5, 100, EmtClass.K),
        (IccfTournament.HIGHER, 32.5, 100, EmtClass.OPEN),
        (IccfTournament.HIGHER, 33, 100, EmtClass.K),
    ],
)
def test_6_5_3_2_c_percentages_are_not_rounded(tournament, points, games, opened):
    """§ 6.5.3.2 c: 66.67 percent are not 67. Verdict: what lies between goes to the lower band."""
    assert class_of(tournament, score(points, games=games)) is opened


def ladder(group_class):
    """Seven players of whom each beats all that have a higher number: 6, 5, … 0 points."""
    players = [TablePlayer(number, f"S{number}") for number in range(1, 8)]
    pairs = [(one, other) for one in range(1, 8) for other in range(one + 1, 8)]
    games = [
        GroupTableGame(index, one, other, Result.WHITE_WINS)
        for index, (one, other) in enumerate(pairs)
    ]
    return group_table(rules_of_class(group_class), players, games)


@pytest.mark.parametrize(
    ("group_class", "expected"),
    [
        (
            "K",
            [("M", "6.5.3.2", 2028)] * 2
            + [("K", "6.5.3.2", 2029)] * 3
            + [("Å", "6.5.3.3", 2029)] * 2,
        ),
        (
            "M",
            [("DM", "6.5.2.2", 2028)] * 2
            + [("M", "6.5.3.2", 2029)] * 3
            + [("K", "6.5.3.3", 2029)] * 2,
        ),
        ("DM", [("DM", "6.5.2.2", 2029)] * 4 + [("M", "6.5.2.3", 2029)] * 3),
        ("Å", [("K", "6.5.3.2", 2028)] * 2 + [("Å", "6.5.3.2", 2029)] * 5),
    ],
)
def test_6_5_3_2_a_finished_group_says_until_when_its_rights_last(group_class, expected):
    """§ 6.5.2.2, § 6.5.3.2, § 6.5.3.3: 2 years for who rose, 3 for who stayed or fell."""
    found = consequences(group_class, ladder(group_class), date(2026, 5, 1))
    assert [(one.opens, one.paragraph, one.until) for one in found] == [
        (opens, paragraph, date(year, 5, 1)) for opens, paragraph, year in expected
    ]


def test_6_5_3_2_one_paragraph_opens_a_class_once_till_the_later_of_its_days():
    """§ 6.5.3.2: two results of one rule. Verdict: the later day, none where one has no end."""
    early, late = Right("a", date(2027, 1, 1), (3,)), Right("a", date(2028, 1, 1), (1,))
    endless, other = Right("a", None, (2,)), Right("b", date(2026, 1, 1), (4,))
    for pair in ((early, late), (late, early)):
        assert merge_rights(pair) == (Right("a", date(2028, 1, 1), (1, 3)),)
    for pair in ((early, endless), (endless, early)):
        assert merge_rights(pair) == (Right("a", None, (2, 3)),)
    assert merge_rights((endless, endless, other)) == (Right("a", None, (2,)), other)


def test_6_5_3_2_e_only_results_of_one_day_leave_a_doubt_which_was_the_last():
    """§ 6.5.3.2 e. Verdict: two of one day; neither the single ones nor a group still played."""
    rows = (
        emt(K, "2026-01-10", 3),
        emt(K, "2026-02-10", 4),
        emt(M, "2026-01-10", 2),
        emt(K, None, 1),
    )
    kept = record("2026-11-20", *rows)
    assert kept.of_one_day == ((1, 3),)
    finished, running = kept.results[0], kept.results[3]
    for pair in ((finished, running), (running, finished)):
        with pytest.raises(ValueError, match="finished"):
            kept.is_after(*pair)


@pytest.mark.parametrize("last", [1, 2, 3])
def test_6_5_3_2_e_the_result_that_is_said_to_be_the_last_of_its_day_is(last):
    """§ 6.5.3.2 e: three of one day. Verdict: the named one follows the others, and not itself."""
    rows = [emt(K, "2026-01-10", points) for points in (3, 2, 4)]
    kept = replace(record("2026-11-20", *rows), last_of_day=last)
    named = kept.results[last - 1]
    assert kept.last(K) == named
    assert all(kept.is_after(named, row) is (row != named) for row in kept.results)


def test_6_5_2_a_player_is_a_citizen_unless_it_is_said_otherwise():
    """§ 6.5.2: the title is for citizens. Verdict: who says nothing is one."""
    assert PlayerProfile("A. Spiller").is_citizen
