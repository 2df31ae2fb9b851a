"""§ 6.5.1.2, § 6.5.3.2, § 6.5.3.3: which of M, K and Å are open, each bound from both sides."""

import pytest

from kskak.entries.emt import EmtOutcome, is_relegation, outcome, outcomes
from kskak.entries.rights import IccfTournament, PlayerProfile, class_of, needs_score, otb_class
from tests.fakes.machinery.each import each
from tests.regulation.season import (
    DM,
    OPEN,
    PLAYER,
    K,
    M,
    against,
    allowed,
    answers,
    by,
    cup,
    emt,
    iccf,
    score,
)

DAY = "2026-11-20"


@pytest.mark.parametrize(
    ("points", "open_classes"),
    [(1.5, "Å"), (2, "K"), (4.5, "K"), (5, "M"), (6, "M")],
)
def test_6_5_3_2_a_the_last_result_in_a_class_says_where_he_plays(points, open_classes):
    """§ 6.5.3.2 a: 2 to 4½ points stay, 5 rise, fewer than 2 fall. Verdict: the class in words."""
    assert allowed(DAY, emt(K, "2026-01-10", points, place=3)) == open_classes


@pytest.mark.parametrize(("on", "is_open"), [("2029-01-10", True), ("2029-01-11", False)])
def test_6_5_3_2_a_staying_lasts_three_years_to_the_day(on, is_open):
    """§ 6.5.3.2 a: "within the last 3 years". Verdict: the same date is in, the next day out."""
    found = answers(on, emt(K, "2026-01-10", 3))[K]
    assert found.is_allowed is is_open
    assert by(found) == ({"6.5.3.2 a": "2029-01-10"} if is_open else {})


@pytest.mark.parametrize(("on", "is_open"), [("2028-01-10", True), ("2028-01-11", False)])
def test_6_5_3_2_a_promotion_must_be_used_within_two_years(on, is_open):
    """§ 6.5.3.2 a: 2 years from the class below. Verdict: the same date is in, the next day out."""
    found = answers(on, emt(OPEN, "2026-01-10", 5))[K]
    assert found.is_allowed is is_open
    assert by(found) == ({"6.5.3.2 a": "2028-01-10"} if is_open else {})


def test_6_5_3_2_a_a_leap_day_ends_on_the_first_of_march():
    """§ 6.5.3.2 a: 3 years after 29 February 2024. Verdict: 1 March 2027, a reading."""
    assert by(answers("2027-03-01", emt(K, "2024-02-29", 3))[K]) == {"6.5.3.2 a": "2027-03-01"}
    assert allowed("2027-03-02", emt(K, "2024-02-29", 3)) == "Å"


def test_6_5_3_2_a_first_place_rises_with_fewer_points_and_stays_open_below():
    """§ 6.5.3.2 a: a first place, all on equal points. Verdict: M, and K by the letter too."""
    assert allowed(DAY, emt(K, "2026-01-10", 4.5, place=1)) == "M K"
    assert allowed(DAY, emt(K, "2026-01-10", 4.5, place=2)) == "K"


def test_6_5_3_2_a_only_the_last_time_in_a_class_counts():
    """§ 6.5.3.2 a: "his last participation". Verdict: the later result, whatever its place."""
    old, new = emt(K, "2025-01-10", 6), emt(K, "2026-01-10", 3)
    assert allowed(DAY, old, new) == allowed(DAY, new, old) == "K"


def test_6_5_3_2_a_a_relegation_opens_the_class_below_for_three_years():
    """§ 6.5.3.2 a: the latest result falls. Verdict: K, closed again when another is later."""
    fall = emt(M, "2024-01-10", 1.5)
    assert by(answers("2027-01-10", fall)[K]) == {"6.5.3.2 a": "2027-01-10"}
    assert allowed("2027-01-11", fall) == "Å", "now a first-timer"
    assert allowed(DAY, fall, emt(OPEN, "2024-06-01", 3)) == "Å", "no longer the latest"


def test_6_5_3_3_fewer_than_two_points_close_the_class():
    """§ 6.5.3.3: fewer than 2 points. Verdict: closed with its paragraph; 2 points stay."""
    fallen = answers(DAY, emt(M, "2026-01-10", 1.5))
    assert (fallen[M].is_allowed, against(fallen[M])) == (False, ["6.5.3.3"])
    assert against(answers(DAY, emt(M, "2026-01-10", 2))[M]) == []


def test_6_5_3_3_a_promotion_is_spent_by_falling_from_the_class_it_opened():
    """§ 6.5.3.3: relegated after the promotion. Verdict: M stays closed until K is won again."""
    rise, fall = emt(K, "2025-01-10", 5), emt(M, "2026-01-10", 1)
    assert against(answers(DAY, rise, fall)[M]) == ["6.5.3.3"]
    again = answers(DAY, rise, fall, emt(K, "2026-06-01", 5))[M]
    assert (by(again), against(again)) == ({"6.5.3.2 a": "2028-06-01"}, [])
    assert again.by[0].results == (3,)


@pytest.mark.parametrize("points", [0, 1.5])
def test_6_5_3_3_nobody_falls_from_the_open_class(points):
    """§ 6.5.3.3: no relegation from Å. Verdict: Å open, by this paragraph."""
    found = answers(DAY, emt(OPEN, "2026-01-10", points))
    assert by(found[OPEN]) == {"6.5.3.3": "2029-01-10"}
    assert outcome(OPEN, score(points)) is EmtOutcome.STAYS


@each(
    ("group_class", "points", "games", "expected"),
    [
        (K, 1.5, 6, EmtOutcome.FALLS),
        (K, 2, 6, EmtOutcome.STAYS),
        (K, 4.5, 6, EmtOutcome.STAYS),
        (K, 5, 6, EmtOutcome.RISES),
        (DM, 4.5, 10, EmtOutcome.STAYS),
        (DM, 4, 9, EmtOutcome.FALLS),
        (DM, 9, 10, EmtOutcome.STAYS),
    ],
)
def test_6_5_3_3_what_a_finished_group_does(group_class, points, games, expected):
    """§ 6.5.3.2, § 6.5.3.3, § 6.5.2.3: rise, stay, fall. Verdict: points, in the DM percent."""
    assert outcome(group_class, score(points, games)) is expected


def test_6_5_3_2_a_all_who_share_the_first_place_rise():
    """§ 6.5.3.2 a: "all on equal points". Verdict: both of 4 points; unfinished: no answer."""
    points = {"A": 4, "B": 4, "C": 3.5, "D": 3, "E": 3, "F": 2, "G": 1.5}
    found = outcomes(OPEN, {name: score(value) for name, value in points.items()})
    assert [name for name, what in found.items() if what is EmtOutcome.RISES] == ["A", "B"]
    assert found["G"] is EmtOutcome.STAYS
    assert outcomes(M, {name: score(value) for name, value in points.items()})["A"] == "stays"
    with pytest.raises(ValueError, match="A"):
        outcomes(OPEN, {"A": score(3, unfinished=1), "B": score(2)})


@pytest.mark.parametrize(("points", "is_danger"), [(1.5, True), (2, False)])
def test_6_5_1_2_an_unfinished_group_closes_the_class_until_relegation_is_impossible(
    points, is_danger
):
    """§ 6.5.1.2: he must show that he can't fall. Verdict: 2 points are enough, 1½ are not."""
    running = emt(K, None, points, unfinished=3)
    found = answers(DAY, emt(K, "2026-01-10", 3), running)[K]
    assert found.is_allowed is not is_danger
    assert against(found) == (["6.5.1.2"] if is_danger else [])
    assert is_relegation(K, score(points, unfinished=3)) is is_danger


def test_6_5_1_2_a_first_group_still_played_keeps_its_class_open():
    """§ 6.5.1.2: several groups at once. Verdict: K open with 2 points, Å with none at all."""
    assert by(answers(DAY, emt(K, None, 2, unfinished=4))[K]) == {"6.5.1.2": None}
    assert allowed(DAY, emt(OPEN, None, 0, unfinished=6)) == "Å"


def test_6_5_3_2_b_and_c_stand_beside_a_relegation():
    """§ 6.5.3.2 a refers to b and c. Verdict: M open by the cup in spite of falling from M."""
    fall = emt(M, "2026-06-01", 1)
    found = answers(DAY, cup("semi", "2026-01-10", 5), fall)
    assert by(found[M]) == {"6.6.2.1": "2028-01-10"}
    assert allowed(DAY, fall, iccf("H", "2026-01-10", 8)) == "M K"


@pytest.mark.parametrize(("on", "open_classes"), [("2028-01-10", "M Å"), ("2028-01-11", "Å")])
def test_6_5_3_2_c_counts_for_two_years(on, open_classes):
    """§ 6.5.3.2 c: 2 years. Verdict: the same date is in, the next day out."""
    assert allowed(on, iccf("H", "2026-01-10", 8)) == open_classes


@each(
    ("tournament", "points", "place", "expected"),
    [
        ("VM-finale", 0, 9, "DM"),
        ("Kandidat", 0, 9, "DM"),
        ("EM-finale", 67, None, "DM"),
        ("EM-finale", 66.5, None, "M"),
        ("EM-finale", 33, None, "M"),
        ("EM-finale", 32.5, None, "K"),
        ("VM-semi", 67, None, "DM"),
        ("VM-semi", 66.5, None, "M"),
        ("VM-semi", 33, None, "M"),
        ("VM-semi", 32.5, None, "K"),
        ("VM-semi", 0, None, "K"),
        ("M", 75, None, "DM"),
        ("M", 74.5, None, "M"),
        ("M", 33, None, "M"),
        ("M", 32.5, None, "K"),
        ("H", 75, None, "M"),
        ("H", 74.5, None, "K"),
        ("H", 33, None, "K"),
        ("H", 32.5, None, "Å"),
        ("O", 60, 1, "K"),
        ("O", 95, 2, "Å"),
        ("O", 95, None, "Å"),
        ("Pokalfinale", 10, 1, "DM"),
        ("Pokalfinale", 10, 3, "DM"),
        ("Pokalfinale", 90, 4, "M"),
        ("Pokalfinale", 90, 8, "M"),
        ("Pokalfinale", 90, 9, "Å"),
        ("other", 100, 1, "Å"),
    ],
)
def test_6_5_3_2_c_each_band_of_the_table(tournament, points, place, expected):
    """§ 6.5.3.2 c, the table. Verdict: its bands; a gap belongs to the lower one (reading)."""
    assert class_of(IccfTournament(tournament), score(points, 100, place=place)) == expected


@pytest.mark.parametrize("tournament", IccfTournament)
def test_6_5_3_2_c_a_score_is_asked_for_where_it_decides(tournament):
    """§ 6.5.3.2 c: four tournaments of the table go by percent, the others by part or place."""
    by_percent = {"EM-finale", "VM-semi", "M", "H"}
    assert needs_score(tournament) == (tournament.value in by_percent)


@pytest.mark.parametrize(("rating", "expected"), [(2100, M), (2099, K), (1900, K), (1899, OPEN)])
def test_6_5_3_2_d_the_table_of_over_the_board_ratings(rating, expected):
    """§ 6.5.3.2 d (checks Q01-Q04): 2100 M, 1900-2099 K, below Å. Verdict: no day of lapse."""
    assert otb_class(rating) is expected
    player = PlayerProfile("B", otb_rating=rating)
    assert by(answers(DAY, player=player)[expected])["6.5.3.2 d"] is None


def test_6_5_3_2_d_gives_way_to_what_he_did_in_the_emt():
    """§ 6.5.3.2 d: "unless a can be used". Verdict: K by a, not M by 2200; alone it gives M."""
    strong = PlayerProfile("B", otb_rating=2200)
    assert allowed(DAY, emt(K, "2026-01-10", 3), player=strong) == "K"
    assert allowed(DAY, emt(M, "2026-01-10", 1), player=strong) == "K"
    assert allowed(DAY, player=strong) == "M Å"
    other_later = [emt(M, "2026-01-10", 1), emt(DM, "2026-02-10", 5)]
    assert "M" not in allowed(DAY, *other_later, player=strong).split(), "fallen from M"


def test_6_5_3_2_f_first_timers_begin_in_the_open_class():
    """§ 6.5.3.2 f: nothing in 3 years. Verdict: Å without a day; the day before he is none."""
    assert by(answers(DAY)[OPEN]) == {"6.5.3.2 f": None}
    old = emt(M, "2023-11-20", 3)
    assert allowed("2026-11-20", old) == "M"
    assert allowed("2026-11-21", old) == "Å"
    assert allowed(DAY, iccf("M", "2026-01-10", 5)) == "M Å", "or by c"


@pytest.mark.parametrize("event", [emt(K, "2020-01-10", 5), cup("semi", "2026-01-10", 6)])
def test_6_1_a_non_member_has_had_his_one_group(event):
    """§ 6.1: one group of EMT or cup, ever (reading). Verdict: every class closed by § 6.1."""
    stranger = PlayerProfile("C", is_member=False)
    found = answers(DAY, event, player=stranger)
    assert all(against(answer)[0] == "6.1" for answer in found.values())
    assert allowed(DAY, event, player=stranger) == ""
    assert allowed(DAY, iccf("O", "2026-01-10", 9, place=1), player=stranger) == "K Å"
    assert allowed(DAY, event, player=PLAYER) != ""
