"""§ 6.7.5.1, § 6.7.3.3: next season's divisions against cases made by hand, and for any field."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.league.composition import PlacementReason, Team, compose
from tests.fakes.machinery.each import each


def teams(*rows):
    """Teams from ``(club, last, score)`` or ``(club, last, score, group)``; ratings all alike."""
    return [
        Team(number, row[0], row[1], _percent(row[2]), (1800,) * 4, row[3] if row[3:] else None)
        for number, row in enumerate(rows, 1)
    ]


def _percent(value):
    return None if value is None else Fraction(str(value))


def last_division(letter, last, *scores, group=None):
    return [(f"{letter}{number}", last, value, group) for number, value in enumerate(scores, 1)]


def clubs(rows):
    return [row.team.club for row in rows]


def reasons(rows):
    return {row.team.club: row.reason.value for row in rows}


A_SEASON = [
    *last_division("A", 1, 80, 70, 60, 50, 40, 30, 20),
    *last_division("B", 2, 80, 75, 60, 50, 45, 25, 15),
    *last_division("C", 3, 80, 50, 20, group="1"),
    *last_division("D", 3, 75, 40, 10, group="2"),
]


def test_6_7_5_1_a_usual_season_moves_two_up_and_two_down():
    """§ 6.7.5.1: 5 stay, 2 rise; 2 fall, 3 stay, 2 rise. Verdict: by hand, each with its letter."""
    made = compose(teams(*A_SEASON))
    assert reasons(made.first) == {
        **dict.fromkeys(["A1", "A2", "A3", "A4", "A5"], "6.7.5 1a"),
        **dict.fromkeys(["B1", "B2"], "6.7.5 1b"),
    }
    assert reasons(made.second) == {
        **dict.fromkeys(["A6", "A7"], "6.7.5 2a"),
        **dict.fromkeys(["B3", "B4", "B5"], "6.7.5 2b"),
        **dict.fromkeys(["C1", "D1"], "6.7.5 2c"),
    }
    assert sorted(clubs(made.third[0])) == ["B6", "B7", "C2", "C3", "D2", "D3"]
    assert made.dispensations == ()


@pytest.mark.parametrize(
    ("last", "percent", "reason"),
    [
        (1, 40, PlacementReason.FIRST_STAYS),
        (1, 39.9, PlacementReason.FIRST_DISPENSATION),
        (2, 75, PlacementReason.FIRST_RISES),
        (2, 74.9, PlacementReason.FIRST_DISPENSATION),
    ],
)
def test_6_7_5_1_first_division_bounds(last, percent, reason):
    """§ 6.7.5.1, 1st division: 40 percent stay, 75 rise. Verdict: the bound in, below it out."""
    field = teams(*last_division("A", 1, 60, 60, 60, 60, 60, 60), ("X", last, percent))
    assert reasons(compose(field).first)["X"] == reason.value


@each(
    ("last", "percent", "reason"),
    [
        (1, 39.9, PlacementReason.SECOND_FALLS),
        (2, 74.9, PlacementReason.SECOND_STAYS),
        (2, 40, PlacementReason.SECOND_STAYS),
        (2, 39.9, PlacementReason.SECOND_DISPENSATION),
        (3, 75, PlacementReason.SECOND_RISES),
        (3, 74.9, PlacementReason.SECOND_DISPENSATION),
        (None, None, PlacementReason.SECOND_DISPENSATION),
    ],
)
def test_6_7_5_1_second_division_bounds(last, percent, reason):
    """§ 6.7.5.1, 2nd division: a, b and the missing c (reading: 75). Verdict: each bound."""
    field = teams(*last_division("A", 1, *[60] * 7), ("X", last, percent, "1"))
    assert reasons(compose(field).second) == {"X": reason.value}


def test_6_7_5_1_more_than_seven_for_the_first_take_at_most_five_of_it():
    """§ 6.7.5.1: at most 5. Verdict: 7 and 2 qualify, all 7 are stronger; 5 and 2 are in."""
    field = [*last_division("A", 1, 99, 98, 97, 96, 95, 94, 93), *last_division("B", 2, 75, 80)]
    made = compose(teams(*field))
    assert clubs(made.first) == ["A1", "A2", "A3", "A4", "A5", "B2", "B1"]
    assert reasons(made.second) == dict.fromkeys(["A6", "A7"], "6.7.5 2 from 1")


def test_6_7_5_1_more_than_two_of_the_second_come_in_where_they_are_stronger():
    """§ 6.7.5.1: at least 2. Verdict: the third of them is stronger in both; the fifth falls."""
    rated = [Team(n, f"A{n}", 1, _percent(60), (1900,) * 4) for n in range(1, 5)]
    last = Team(5, "A5", 1, _percent(41), (1700,) * 4)
    rising = [Team(n, f"B{n - 5}", 2, _percent(80), (2000,) * 4) for n in range(6, 9)]
    made = compose([*rated, last, *rising])
    assert clubs(made.first) == ["A1", "A2", "A3", "A4", "B1", "B2", "B3"]
    assert reasons(made.second) == {"A5": "6.7.5 2 from 1"}
    stronger = Team(5, "A5", 1, _percent("80.5"), (1700,) * 4)
    made = compose([*rated, stronger, *rising])
    assert clubs(made.first) == ["A5", "A1", "A2", "A3", "B1", "B2", "B3"], "by score first"


def test_6_7_5_1_level_scores_are_parted_by_mean_rating():
    """§ 6.7.5.1: score and mean K-rating. Verdict: of two with 50 percent the higher rated."""
    field = teams(*last_division("A", 1, 60, 60, 60, 60, 50, 50), *last_division("B", 2, 80, 75))
    stronger = Team(6, "A6", 1, _percent(50), (1800, 1800, 1800, 1801))
    made = compose([*field[:5], stronger, *field[6:]])
    assert "A6" in clubs(made.first)
    assert "A5" in clubs(made.second)


def test_6_7_5_1_too_few_from_the_second_are_made_up_from_it_by_dispensation():
    """§ 6.7.5.1: 7 and 1 qualify. Verdict: 5 stay, 1 rises, 1 of the 2nd is let in."""
    field = [*last_division("A", 1, *[50] * 7), *last_division("B", 2, 90, 70, 60)]
    made = compose(teams(*field))
    assert reasons(made.first)["B2"] == "6.7.5 1 dispensation"
    assert Counter(row.team.last for row in made.first) == {1: 5, 2: 2}
    alone = compose(teams(*last_division("A", 1, *[50] * 7), ("B1", 2, 90)))
    assert Counter(row.team.last for row in alone.first) == {1: 6, 2: 1}


def test_6_7_5_1_fewer_than_seven_are_filled_with_the_strongest_by_dispensation():
    """§ 6.7.5.1: the leader may dispense. Verdict: strongest by score of 1st and 2nd; listed."""
    field = [*last_division("A", 1, 60, 60, 60, 60, 38), *last_division("B", 2, 80, 70, 20)]
    made = compose(teams(*field))
    granted = [(row.team.club, row.division) for row in made.dispensations]
    assert granted == [("B2", 1), ("A5", 1), ("B3", 2)]
    assert reasons(made.first)["B2"] == reasons(made.first)["A5"] == "6.7.5 1 dispensation"


def test_6_7_5_1_two_down_and_one_up_from_each_group_are_in_a_crowded_second():
    """§ 6.7.5.1: with more than 7, 2 from the 1st and 2 from the 3rd are in. Verdict: by hand."""
    field = [
        *last_division("A", 1, *[60] * 5, 5, 4),
        *last_division("B", 2, 80, 75, *[70] * 7),
        *last_division("C", 3, 100, 95, group="1"),
        *last_division("D", 3, 76, group="2"),
    ]
    second = clubs(compose(teams(*field)).second)
    assert {"A6", "A7", "C1", "D1"} <= set(second)
    assert "C2" in second, "95 percent: strongest of the rest"
    assert len(second) == 7


def test_6_7_5_1_the_two_down_and_two_up_are_in_before_stronger_scores():
    """§ 6.7.5.1: they "shall be in". Verdict: 2 of 3 from each, though all others have more."""
    field = [
        *last_division("A", 1, *[100] * 5, 10, 9, 8),
        *last_division("B", 2, *range(99, 90, -1)),
        ("C", 3, 77, "1"),
        ("D", 3, 76, "2"),
        ("E", 3, 75, "3"),
    ]
    second = clubs(compose(teams(*field)).second)
    assert sorted(second) == ["A6", "A7", "B3", "B4", "B5", "C", "D"]


def test_6_7_5_1_two_of_one_group_do_not_take_the_place_of_another_groups_best():
    """§ 6.7.5.1: 2 up, one from each group. Verdict: 75 percent come up before 76."""
    field = [
        *last_division("A", 1, *[100] * 5, 5, 4),
        *last_division("B", 2, *range(99, 90, -1)),
        *last_division("C", 3, 77, 76, group="1"),
        *last_division("D", 3, 75, group="2"),
    ]
    second = clubs(compose(teams(*field)).second)
    assert [club for club in second if club[0] in "CD"] == ["C1", "D1"]


def test_6_7_5_1_one_group_of_the_third_sends_two():
    """§ 6.7.5.1: 2 up, one from each group (reading for one group: both). Verdict: so."""
    field = [
        *last_division("A", 1, *[60] * 5, 5, 4),
        *last_division("B", 2, 80, 75, *[74] * 7),
        *last_division("C", 3, 75, 75, 75),
    ]
    second = clubs(compose(teams(*field)).second)
    assert {"C1", "C2"} <= set(second)


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (7, [7]), (8, [4, 4]), (15, [5, 5, 5]), (16, [6, 5, 5])]
)
def test_6_7_5_1_the_third_division_has_equal_groups_of_at_most_seven(count, sizes):
    """§ 6.7.1.1, § 6.7.5.1, § 6.7.2.3: 3rd division, groups of 7 or less. Verdict: sizes."""
    full = [*last_division("A", 1, *[60] * 7), *last_division("B", 2, *[60] * 7)]
    field = [*full, *last_division("N", None, *[None] * count)]
    third = compose(teams(*field)).third
    assert [len(group) for group in third] == sizes


TEAM = st.tuples(
    st.sampled_from([f"Klub {number}" for number in range(25)]),
    st.sampled_from([1, 2, 3, None]),
    st.integers(0, 200),
    st.sampled_from(["1", "2"]),
    st.integers(1000, 2300),
)


@given(st.lists(TEAM, max_size=45, unique_by=lambda row: (row[0], row[1])))
def test_6_7_5_1_every_team_has_one_place_and_no_club_two_in_a_division(rows):
    """§ 6.7.5.1, § 6.7.3.3, any field. Verdict: all placed once, sizes and quotas kept."""
    field = [
        Team(n, club, last, _percent(half / 2) if last else None, (rating,) * 4, group)
        for n, (club, last, half, group, rating) in enumerate(rows, 1)
    ]
    made = compose(field)
    divisions = [made.first, made.second, *made.third]
    placed = [row.team.number for division in [*divisions, made.unplaced] for row in division]
    assert sorted(placed) == [team.number for team in field]
    for division in divisions:
        assert len(division) <= 7
        assert len({row.team.club for row in division}) == len(division)
    sizes = [len(group) for group in made.third]
    assert not sizes or (max(sizes) - min(sizes) <= 1 and min(sizes) > 1)
    stays = [team for team in field if team.last == 1 and team.has_scored(40)]
    rises = [team for team in field if team.last == 2 and team.has_scored(75)]
    from_second = sum(team.last == 2 for team in field)
    qualified = len({team.club for team in [*stays, *rises]})
    if qualified > 7 and from_second >= 7:
        came = Counter(row.team.last for row in made.first)
        assert came[1] <= 5
        assert came[2] >= 2


def test_6_7_5_1_a_refused_dispensation_passes_to_the_next_team():
    """§ 6.7.5.1: 39 % would need leave for the 1st; without it the next team is asked, then none.

    Verdict: the refused team falls to the 2nd by its own right and is not asked again.
    """
    field = teams(
        *last_division("A", 1, 60, 60, 60, 60, 60, 60, 39), *last_division("B", 2, 70, 60)
    )
    assert clubs(compose(field).first)[-1] == "B1", "strongest first, of both divisions"
    number = {team.club: team.number for team in field}
    made = compose(field, {(number["B1"], 1)})
    assert (clubs(made.first)[-1], reasons(made.second)["B1"]) == ("B2", "6.7.5 2b")
    made = compose(field, {(number["B1"], 1), (number["B2"], 1)})
    assert clubs(made.first)[-1] == "A7"
    made = compose(field, {(number[club], 1) for club in ("B1", "B2", "A7")})
    assert len(made.first) == 6 and reasons(made.second)["A7"] == "6.7.5 2a"


def test_6_7_5_1_a_refusal_is_of_one_division():
    """§ 6.7.5.1: who may not come into the 1st may still be asked into the 2nd."""
    (new,) = field = teams(("X", None, None))
    assert reasons(compose(field).first) == {"X": "6.7.5 1 dispensation"}
    assert reasons(compose(field, {(new.number, 1)}).second) == {"X": "6.7.5 2 dispensation"}
    made = compose(field, {(new.number, 1), (new.number, 2)})
    assert clubs(made.unplaced) == ["X"] and made.dispensations == ()


def test_6_7_5_1_the_own_division_and_the_next_are_asked_before_lower_and_new_teams():
    """§ 6.7.5.1, reading: who is let in by dispensation. Verdict: 2nd, 3rd, new, by turns."""
    six = last_division("A", 1, *[60] * 6)
    asked = [("B", 2, 20), ("C", 3, 90, "1"), ("N", None, None)]
    for number, (club, *_) in enumerate(asked):
        made = compose(teams(*six, *reversed(asked[number:])))
        assert clubs(made.first)[-1] == club
    second = compose(teams(*last_division("A", 1, *[60] * 7), ("N", None, None), ("B", 2, 20)))
    assert clubs(second.second) == ["B", "N"]
