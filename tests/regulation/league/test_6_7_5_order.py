"""§ 6.7.5.1: which team goes before which, where scores are level or there are none."""

from fractions import Fraction

from kskak.league.composition import Team, by_rating, compose, outlook, strongest_first
from tests.fakes.machinery.each import each
from tests.regulation.league.test_6_7_5_composition import clubs, last_division, reasons, teams


def team(number: int, score: int | None, mean: int) -> Team:
    percent = None if score is None else Fraction(score)
    return Team(number, f"Klub {number}", None, percent, (mean,) * 4)


def numbers(rows: list[Team]) -> list[int]:
    return [one.number for one in rows]


def test_6_7_5_1_score_then_mean_rating_then_the_order_of_entry():
    """§ 6.7.5.1. Verdict: 60 percent before 50, 1900 before 1800, the earlier entry last."""
    rows = [team(4, 50, 1800), team(3, 50, 1800), team(2, 50, 1900), team(1, 60, 1700)]
    assert numbers(strongest_first(rows)) == [1, 2, 3, 4]


def test_6_7_5_1_a_team_without_a_score_counts_as_one_with_none():
    """§ 6.7.5.1 (reading): a new team. Verdict: level with 0 percent, so by mean rating."""
    assert numbers(strongest_first([team(1, 0, 1700), team(2, None, 1800)])) == [2, 1]
    assert numbers(strongest_first([team(1, None, 1700), team(2, 0, 1800)])) == [2, 1]
    half = Team(1, "Klub 1", 3, Fraction(1, 2), (1700,) * 4)
    assert numbers(strongest_first([team(2, None, 1800), half])) == [1, 2]


def test_6_7_5_1_where_no_scores_compare_the_rating_says_it():
    """§ 6.7.5.1. Verdict: the higher mean first, whatever was scored; then the order of entry."""
    rows = [team(3, None, 1800), team(1, 90, 1800), team(2, 10, 1900)]
    assert numbers(by_rating(rows)) == [2, 1, 3]


def test_6_7_5_1_both_of_the_only_third_group_are_in_before_stronger_teams():
    """§ 6.7.5.1 (reading for one group). Verdict: 75 and 76 percent before 77 of the 2nd."""
    field = [
        *last_division("A", 1, *[100] * 5, 5, 4),
        *last_division("B", 2, 80, 79, *[77] * 7),
        *last_division("C", 3, 76, 75),
    ]
    second = clubs(compose(teams(*field)).second)
    assert [club for club in second if club[0] == "C"] == ["C1", "C2"]


def test_6_7_5_1_who_has_no_finished_game_falls_like_who_has_lost_all():
    """§ 6.7.5.1: 0 percent, or none yet. Verdict: both are in the 2nd division, as fallen."""
    field = [
        *last_division("A", 1, *[60] * 5, 0, None),
        *last_division("B", 2, 80, 79, *[50] * 5),
    ]
    second = compose(teams(*field)).second
    assert {"A6": "6.7.5 2a", "A7": "6.7.5 2a"}.items() <= reasons(second).items()


def test_6_7_5_1_the_second_division_is_asked_before_the_surplus_of_the_first():
    """§ 6.7.5.1: "min. 2" of the 2nd. Verdict: without a point, or a game, before 60 percent."""
    field = [
        *last_division("A", 1, *[60] * 8),
        *last_division("B", 2, 0, None),
        *last_division("C", 3, 90),
    ]
    made = compose(teams(*field))
    assert sorted(clubs(made.first)) == ["A1", "A2", "A3", "A4", "A5", "B1", "B2"]
    assert {reasons(made.first)[club] for club in ("B1", "B2")} == {"6.7.5 1 dispensation"}


def test_6_7_5_1_the_third_division_is_asked_before_new_teams():
    """§ 6.7.5.1 (reading): a place left in the 1st. Verdict: without a game before a new team."""
    field = [
        *last_division("A", 1, *[60] * 5),
        *last_division("C", 3, 0, None),
        *last_division("N", None, None, None),
    ]
    assert sorted(clubs(compose(teams(*field)).first)) == [
        *(f"A{n}" for n in range(1, 6)),
        "C1",
        "C2",
    ]


@each(
    ("division", "percent", "worth"),
    [
        (1, 39, "falls"), (1, 40, "stays"), (1, 100, "stays"), (2, 39, "falls"), (2, 40, "stays"),
        (2, 74, "stays"), (2, 75, "rises"), (3, 0, "stays"), (3, 75, "rises"),
    ],
)  # fmt: skip
def test_6_7_5_1_what_a_final_score_speaks_for(division: int, percent: int, worth: str):
    """§ 6.7.5.1: 40 and 75 percent. Verdict: nobody rises from the 1st or falls from the 3rd."""
    assert outlook(division, Fraction(percent)) == worth
