"""§ 6.5.2.2, § 6.5.2.3, § 6.6.2: the way into the DM, out of it, and what the cup opens."""

import pytest

from kskak.entries.rights import (
    CupFinalStage,
    CupRightRound,
    PlayerProfile,
    classes_of,
    dm_places,
)
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
    score,
)

DAY = "2026-11-20"


@pytest.mark.parametrize(("points", "is_open"), [(9, True), (8.5, False)])
def test_6_5_2_2_a_forty_five_percent_keep_him_in(points, is_open):
    """§ 6.5.2.2 a: at least 45 percent. Verdict: 9 of 20 are in, 8½ are not."""
    found = answers(DAY, emt(DM, "2026-01-10", points, games=20))[DM]
    assert found.is_allowed is is_open
    assert by(found) == ({"6.5.2.2 a": "2029-01-10"} if is_open else {})
    assert against(found) == ([] if is_open else ["6.5.2.3"])


@pytest.mark.parametrize(("on", "is_open"), [("2029-01-10", True), ("2029-01-11", False)])
def test_6_5_2_3_b_three_years_without_using_the_right_end_it(on, is_open):
    """§ 6.5.2.2 a, § 6.5.2.3 b: 3 years. Verdict: the same date is in, the next day relegated."""
    found = answers(on, emt(DM, "2026-01-10", 6, games=10))[DM]
    assert found.is_allowed is is_open
    assert against(found) == ([] if is_open else ["6.5.2.3"])


@pytest.mark.parametrize(("points", "is_open"), [(1.5, True), (1, False)])
def test_6_5_2_2_b_who_still_plays_must_be_able_to_reach_it(points, is_open):
    """§ 6.5.2.2 b: 45 percent of 10 games with 3 unfinished. Verdict: 4½ reach it, 4 not."""
    found = answers(DAY, emt(DM, None, points, games=10, unfinished=3))[DM]
    assert found.is_allowed is is_open
    assert by(found) == ({"6.5.2.2 b": None} if is_open else {})
    assert against(found) == ([] if is_open else ["6.5.2.2 b"])


def test_6_5_2_2_b_closes_what_another_rule_opens():
    """§ 6.5.2.2 b: 45 percent out of reach. Verdict: 5 points in M do not help yet."""
    found = answers(DAY, emt(M, "2026-01-10", 5), emt(DM, None, 0, games=10, unfinished=3))[DM]
    assert (by(found), against(found)) == ({"6.5.2.2 c": "2028-01-10"}, ["6.5.2.2 b"])
    assert not found.is_allowed


@pytest.mark.parametrize(
    ("on", "points", "place", "is_open"),
    [
        ("2028-01-10", 5, 2, True),
        ("2028-01-11", 5, 2, False),
        ("2026-11-20", 4.5, 1, False),
    ],
)
def test_6_5_2_2_c_five_points_in_m_for_two_years(on, points, place, is_open):
    """§ 6.5.2.2 c: 5 points, 2 years. Verdict: day of lapse in; first with 4½ is not enough."""
    assert answers(on, emt(M, "2026-01-10", points, place=place))[DM].is_allowed is is_open


def test_6_5_2_2_c_any_result_of_the_two_years_counts_and_the_longest_is_told():
    """§ 6.5.2.2 c: "have scored 5 points". Verdict: one rule, resting on both, till the later."""
    right = answers(DAY, emt(M, "2025-01-10", 5), emt(M, "2026-01-10", 5.5))[DM].by[0]
    assert (right.paragraph, right.until.isoformat(), right.results) == (
        "6.5.2.2 c",
        "2028-01-10",
        (1, 2),
    )


def test_6_5_2_2_c_five_points_are_gone_with_a_later_fall_from_m():
    """§ 6.5.2.2 c, "not relegated since". Verdict: a fall to K voids them, an earlier one not."""
    five, fall = emt(M, "2025-05-01", 5), emt(M, "2026-05-01", 1)
    assert allowed(DAY, five, fall) == "K"
    assert allowed(DAY, emt(M, "2025-01-10", 1), five) == "DM"


def test_6_5_2_3_a_relegation_voids_what_he_won_before_it():
    """§ 6.5.2.2 a and c, "not relegated since". Verdict: older DM and M results open nothing."""
    older = [emt(DM, "2025-01-10", 5, games=10), emt(M, "2025-06-01", 6)]
    fall = emt(DM, "2026-01-10", 4, games=10)
    assert against(answers(DAY, *older, fall)[DM]) == ["6.5.2.3"]
    assert allowed(DAY, *older, fall) == "M", "by § 6.5.3.2 a: relegated from the DM"
    assert by(answers(DAY, fall, emt(M, "2026-06-01", 5))[DM]) == {"6.5.2.2 c": "2028-06-01"}


def test_6_5_2_3_who_came_by_iccf_comes_back_through_m_only():
    """§ 6.5.2.3, NB. Verdict: neither ICCF nor cup opens it again, 5 points in M do."""
    came = iccf("M", "2024-01-10", 8)
    fall = emt(DM, "2026-01-10", 3, games=10)
    new = [iccf("VM-finale", "2026-02-01", 5), cup("final", "2026-03-01", 9, games=10, place=1)]
    assert against(answers(DAY, came, fall, *new)[DM]) == ["6.5.2.3"]
    assert answers(DAY, came, fall, *new, emt(M, "2026-06-01", 5))[DM].is_allowed
    by_m = emt(M, "2024-06-01", 5)
    assert answers(DAY, came, by_m, fall, *new)[DM].is_allowed, "he had come by M"
    assert answers(DAY, fall, *new)[DM].is_allowed, "nothing says that he came by ICCF"
    kept = emt(DM, "2025-01-10", 5, games=10)
    assert answers(DAY, came, kept, fall, *new)[DM].is_allowed, "he had stayed by 45 percent"


@pytest.mark.parametrize(("on", "is_open"), [("2028-01-10", True), ("2028-01-11", False)])
def test_6_5_2_2_e_international_results_open_the_dm_for_two_years(on, is_open):
    """§ 6.5.2.2 e, § 6.5.3.2 c. Verdict: 80 percent in an M class, day of lapse in."""
    found = answers(on, iccf("M", "2026-01-10", 8))[DM]
    assert by(found) == ({"6.5.3.2 c": "2028-01-10"} if is_open else {})


@each(
    ("entries", "places"),
    [(0, 1), (99, 1), (100, 1), (101, 2), (150, 2), (151, 3), (200, 3), (201, 4)],
)
def test_6_6_2_2_one_more_for_each_begun_fifty(entries, places):
    """§ 6.6.2.2 (checks Q11-Q16): 1 up to 100 entries, 1 more per begun 50. Verdict: so."""
    assert dm_places(entries) == places


@each(
    ("place", "points", "entries", "is_open"),
    [
        (1, 20, 60, True),
        (2, 80, 100, False),
        (2, 75, 101, True),
        (2, 74.5, 101, False),
        (3, 90, 150, False),
        (3, 75, 151, True),
        (None, 100, 60, False),
    ],
)
def test_6_6_2_2_the_winner_always_the_others_with_75_percent(place, points, entries, is_open):
    """§ 6.6.2.2: places by entries, 75 percent but for the winner. Verdict: of 100 games."""
    final = CupRightRound(CupFinalStage.FINAL, entries, True)
    assert (DM in classes_of(final, score(points, 100, place=place))) is is_open


@each(
    ("stage", "held", "points", "opened"),
    [
        ("semi", True, 59.5, set()),
        ("semi", True, 60, {K}),
        ("semi", True, 79.5, {K}),
        ("semi", True, 80, {K, M}),
        ("final", True, 39.5, set()),
        ("final", True, 40, {K}),
        ("final", True, 59.5, {K}),
        ("final", True, 60, {K, M}),
        ("final", False, 59.5, set()),
        ("final", False, 60, {K}),
        ("final", False, 80, {K, M}),
    ],
)
def test_6_6_2_1_percentages_of_semifinal_and_final(stage, held, points, opened):
    """§ 6.6.2.1, § 6.6.2.2: 60 and 80; 40 and 60 in a real final. Verdict: of 100 games."""
    cup_round = CupRightRound(CupFinalStage(stage), 80, held)
    assert classes_of(cup_round, score(points, 100, place=2)) == opened


def test_6_6_2_1_without_a_semifinal_the_final_opens_no_dm():
    """§ 6.6.2.1, § 6.6.2.2: no semi-final held. Verdict: as from a semi-final."""
    found = answers(DAY, cup("final", "2026-01-10", 8, games=10, held=False, place=1))
    assert by(found[DM]) == {}
    assert by(found[M]) == by(found[K]) == {"6.6.2.1": "2028-01-10"}


@pytest.mark.parametrize(("on", "is_open"), [("2028-01-10", True), ("2028-01-11", False)])
def test_6_6_2_3_rights_of_the_cup_lapse_after_two_years(on, is_open):
    """§ 6.6.2.3: 2 years. Verdict: the same date is in, the next day lapsed with its paragraph."""
    winner = cup("final", "2026-01-10", 9, games=10, place=1)
    for name in (DM, M, K):
        found = answers(on, winner)[name]
        assert by(found) == ({"6.6.2.2": "2028-01-10"} if is_open else {})
        assert against(found) == ([] if is_open else ["6.6.2.3"])


def test_6_6_2_3_the_cup_relegates_nobody():
    """§ 6.6.2.3: no relegation through the cup. Verdict: 0 points change nothing."""
    stays = emt(K, "2026-01-10", 3)
    assert allowed(DAY, stays, cup("semi", "2026-06-01", 0)) == allowed(DAY, stays) == "K"
    assert OPEN not in classes_of(CupRightRound(CupFinalStage.SEMIFINAL), score(6))


@each(
    ("between", "is_open"),
    [
        (cup("final", "2025-01-10", 9, games=10, place=1), True),
        (cup("final", "2025-01-10", 5, games=10, place=2), False),
        (cup("semi", "2025-01-10", 9, games=10), False),
        (emt(M, "2025-01-10", 5), True),
        (emt(M, "2025-01-10", 4.5), False),
        (emt(K, "2025-01-10", 6), False),
    ],
)
def test_6_5_2_3_only_what_opened_the_dm_is_how_he_came(between, is_open):
    """§ 6.5.2.3, NB: ICCF, then this, then the fall. Verdict: by ICCF unless it opened the DM."""
    came, fall = iccf("M", "2024-01-10", 8), emt(DM, "2026-01-10", 3, games=10)
    new = cup("final", "2026-03-01", 9, games=10, place=1)
    assert answers(DAY, came, between, fall, new)[DM].is_allowed is is_open


def test_6_5_2_2_the_cups_right_is_told_before_the_international_one():
    """§ 6.5.2.2 d and e: in the paragraph's order. Verdict: cup, then ICCF."""
    won = cup("final", "2026-01-10", 9, games=10, place=1)
    found = answers(DAY, iccf("M", "2026-02-10", 8), won)[DM]
    assert list(by(found)) == ["6.6.2.2", "6.5.3.2 c"]


@pytest.mark.parametrize(
    ("on", "open_classes"),
    [("2029-01-10", "DM"), ("2029-01-11", "M Å"), ("2032-01-10", "M Å"), ("2032-01-11", "Å")],
)
def test_6_5_2_3_b_who_lets_the_right_lapse_may_enter_m(on, open_classes):
    """§ 6.5.2.3 b, relegation *to the M class*, reading: as after a fall. Verdict: for 3 years."""
    row = emt(DM, "2026-01-10", 6, games=10)
    assert allowed(on, row) == open_classes
    if open_classes == "M Å":
        assert by(answers(on, row)[M]) == {"6.5.2.3": "2032-01-10"}


@pytest.mark.parametrize(
    ("later", "open_classes"),
    [
        (emt(K, "2028-06-01", 3), "K"),
        (emt(M, "2028-06-01", 1), "K"),
        (emt(M, "2028-06-01", 3), "M"),
    ],
)
def test_6_5_2_3_b_a_later_result_says_more(later, open_classes):
    """§ 6.5.2.3 b: played elsewhere since. Verdict: that result decides, not the lapse."""
    assert allowed("2029-06-01", emt(DM, "2026-01-10", 6, games=10), later) == open_classes
    fallen = answers("2029-01-11", emt(DM, "2026-01-10", 4, games=10))
    assert by(fallen[M]) == {}, "a fall by score counts for 3 years from the group's end"


@pytest.mark.parametrize(
    ("on", "is_hole"),
    [("2028-01-10", False), ("2028-01-11", True), ("2029-01-10", True), ("2029-01-11", False)],
)
@pytest.mark.parametrize("group_class", [M, K, OPEN])
def test_6_5_3_2_e_a_hole_in_the_text_is_named_with_the_class(group_class, on, is_hole):
    """§ 6.5.3.2 e, reading: 5 points unused for 2 years, not yet 3. Verdict: his class, asked."""
    found = answers(on, emt(group_class, "2026-01-10", 5))
    holes = {name: bar for name, one in found.items() for bar in one.against if bar.is_hole}
    assert list(holes) == ([group_class] if is_hole else [])
    assert any(one.is_allowed for one in found.values()) is not is_hole
    if is_hole:
        assert (holes[group_class].paragraph, holes[group_class].results) == ("6.5.3.2 e", (1,))
    rated = PlayerProfile("A", otb_rating=2000)
    for others in (
        answers(on, emt(group_class, None, 5)),
        answers(on, emt(group_class, "2026-01-10", 5), player=rated),
    ):
        assert not any(bar.is_hole for one in others.values() for bar in one.against)
