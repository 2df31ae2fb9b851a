"""§ 6.7.3.3, § 6.7.5.1: one team of a club in a division, and nobody without an opponent."""

from dataclasses import replace

import pytest

from kskak.league.composition import Team, compose
from tests.fakes.machinery.each import each
from tests.regulation.league.test_6_7_5_composition import clubs, last_division, reasons, teams


def test_6_7_5_1_a_team_barred_by_its_club_does_not_count_as_qualified():
    """§ 6.7.5.1, § 6.7.3.3: six stay, one rises, a second team is barred. Verdict: exactly 7."""
    field = [
        *last_division("A", 1, 60, 60, 60, 60, 60, 40),
        ("A1", 2, 76),
        ("B", 2, 75),
        ("C", 2, 60),
    ]
    made = compose(teams(*field))
    assert clubs(made.first) == ["A1", "A2", "A3", "A4", "A5", "A6", "B"]
    assert made.dispensations == ()
    assert reasons(made.second) == {"A1": "6.7.5 2 from 1", "C": "6.7.5 2b"}


def test_6_7_3_3_a_clubs_second_team_comes_in_where_its_first_is_not_strong_enough():
    """§ 6.7.5.1, § 6.7.3.3: who has no place bars nobody. Verdict: 80 percent rise, 41 fall."""
    field = [
        *last_division("A", 1, 70, 70, 70, 70),
        ("Nord", 1, 41),
        *last_division("B", 2, 80, 79, 78),
        ("Nord", 2, 77),
    ]
    made = compose(teams(*field))
    assert [(row.team.club, row.team.last) for row in made.first if row.team.club == "Nord"] == [
        ("Nord", 2)
    ]
    assert [(row.team.club, row.team.last) for row in made.second] == [("A4", 1), ("Nord", 1)]


def test_6_7_5_1_the_next_of_a_group_comes_up_where_the_best_is_barred_by_its_club():
    """§ 6.7.5.1, § 6.7.3.3: C1's club is in the 2nd already. Verdict: the group sends C2."""
    field = [
        *last_division("A", 1, *[100] * 5, 5, 4),
        *last_division("B", 2, *range(99, 90, -1)),
        ("B3", 3, 99, "1"),
        ("C2", 3, 75, "1"),
        ("D1", 3, 76, "2"),
    ]
    made = compose(teams(*field))
    assert {"C2", "D1", "B3"} <= set(clubs(made.second))
    assert [row.team.last for row in made.second if row.team.club == "B3"] == [2]


def test_6_7_3_3_a_clubs_second_team_stays_below():
    """§ 6.7.3.3: one team a club and division. Verdict: 90 percent do not bring both into it."""
    field = [("Nord", 1, 60), ("Nord", 2, 90), *last_division("A", 1, *[60] * 5)]
    made = compose(teams(*field))
    assert clubs(made.first).count("Nord") == 1
    assert reasons(made.second) == {"Nord": "6.7.5 2 from 1"}
    down = compose(teams(*last_division("A", 1, *[60] * 7), ("Nord", 2, 50), (" nord", 3, 90)))
    assert clubs(down.second) == ["Nord"]
    assert down.third == (), "nobody to play against"
    assert reasons(down.unplaced) == {" nord": "6.7.1.1"}


UPPER = [*last_division("A", 1, *[60] * 7), *last_division("B", 2, *[60] * 7)]


@each(
    ("entered", "groups", "left"),
    [
        ("X", [], {"X": "6.7.1.1"}),
        ("XX", [], {"X": "6.7.3.3"}),
        ("XY", ["XY"], {}),
        ("XXY", ["XY"], {"X": "6.7.3.3"}),
        ("XXYZ", ["XY", "XZ"], {}),
        ("XXXYZ", ["XY", "XZ"], {"X": "6.7.3.3"}),
        ("XXXYYZ", ["XY", "XY", "XZ"], {}),
    ],
)
def test_6_7_3_3_nobody_is_in_a_group_alone(entered, groups, left):
    """§ 6.7.3.3, § 6.7.1.1: as many groups as have two. Verdict: by hand; who is left is named."""
    made = compose(teams(*UPPER, *[(club, None, None) for club in entered]))
    assert sorted("".join(sorted(clubs(group))) for group in made.third) == groups
    assert reasons(made.unplaced) == left
    assert len(made.unplaced) == len(entered) - sum(map(len, made.third))


def test_6_7_3_3_the_weakest_of_a_club_is_left_out():
    """§ 6.7.3.3: of two teams that can't both play. Verdict: the lower mean rating, told so."""
    field = teams(*UPPER, ("X", None, None), ("Y", None, None))
    made = compose([*field, Team(17, "x", None, None, (1801,) * 4)])
    assert [row.team.number for group in made.third for row in group] == [17, 16]
    assert [row.team.number for row in made.unplaced] == [15]


@pytest.mark.parametrize(
    ("entered", "ways"),
    [
        ("X", ["1 6.7.1.1 eighth place", "2 6.7.1.1 eighth place"]),
        ("XXY", ["1 6.7.1.1 eighth place", "2 6.7.1.1 eighth place", "3 6.7.3.3 dispensation"]),
        (["A1"], ["1 6.7.3.3 dispensation", "2 6.7.1.1 eighth place"]),
    ],
)
def test_6_7_1_1_no_team_is_left_without_a_place_in_silence(entered, ways):
    """§ 6.7.1.1 ideally 7, § 6.7.3.3. Verdict: each way by hand; granted, the team stands there."""
    field = teams(*UPPER, *[(club, None, None) for club in entered])
    made = compose(field)
    (row,) = made.unplaced
    found = made.ways_for(row.team)
    assert [f"{way.division} {way.reason}" for way in found] == ways
    for way in found:
        given = replace(row.team, granted=way.division)
        again = compose([given if team == row.team else team for team in field])
        assert again.unplaced == () and [one.team for one in again.dispensations] == [given]
        seats = [part for number, part in again.parts if number == way.division]
        assert any(part[-1].team == given and part[-1].reason == way.reason for part in seats)
        refused = {(given.number, way.division)}
        back = compose([given if team == row.team else team for team in field], refused)
        assert [one.team for one in back.unplaced] == [given], "the leader took it back"


def test_6_7_1_1_the_only_team_of_a_division_has_the_ways_of_one_without_a_place():
    """§ 6.7.1.1: eight entered, the eighth alone in the 2nd. Verdict: an eighth seat above."""
    field = teams(*UPPER[:7], ("X", 1, 39))
    made = compose(field)
    (row,) = made.without_opponents
    assert (row.team.club, made.unplaced) == ("X", ())
    assert [f"{way.division} {way.reason}" for way in made.ways_for(row.team)] == [
        "1 6.7.1.1 eighth place"
    ]
    again = compose([*field[:7], replace(row.team, granted=1)])
    assert (len(again.first), again.second, again.without_opponents) == (8, (), ())


def test_6_7_5_1_a_seat_above_that_is_free_is_offered():
    """§ 6.7.5.1: refused in both; six are in the 2nd. Verdict: the free seat, and an eighth."""
    field = teams(*UPPER[:13], ("X", None, None))
    made = compose(field, {(14, 1), (14, 2)})
    (row,) = made.unplaced
    found = [(way.division, way.reason) for way in made.ways_for(row.team)]
    assert found == [(1, "6.7.1.1 eighth place"), (2, "6.7.5 2 dispensation")]
    (alone,) = compose(teams(("X", None, None)), {(1, 1), (1, 2)}).unplaced
    assert [way.division for way in compose([]).ways_for(alone.team)] == [1], "never without a way"
