"""§ 4.9.10: ordinary and median correction, for tournaments that choose them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kskak.groups.placing import (
    RankingStep,
    Rung,
    correction_rungs,
    median_correction,
    ordinary_correction,
    place,
    points_of,
)
from tests.regulation.tables import games

SEVEN = [Fraction(points) for points in (5, 1, 4, 2, 3, 0, 6)]
FOURTEEN = [Fraction(points) for points in range(14)]


def test_4_9_10_2_the_two_lowest_are_left_out_then_taken_in_one_by_one():
    """§ 4.9.10.2: of 0 … 6 first 20, then with the 1 as well, then with the 0."""
    assert ordinary_correction(SEVEN) == (20, 21, 21)
    assert ordinary_correction([Fraction(2), Fraction(3)]) == (0, 3, 5)


@pytest.mark.parametrize(
    ("rounds", "figures"),
    [(8, (78, 91)), (9, (65, 78)), (12, (65, 78)), (13, (52, 65, 78))],
)
def test_4_9_10_3_as_many_above_as_below_are_left_out(rounds, figures):
    """§ 4.9.10.3: of 0 … 13: one each of 8 rounds and fewer, two to 12, three beyond."""
    assert median_correction(FOURTEEN, rounds) == figures


def test_4_9_10_3_with_few_opponents_nothing_is_left():
    """§ 4.9.10.3: an unfinished tournament; nobody is counted twice or below nothing."""
    assert median_correction([Fraction(3)], 6) == (0, 3)
    assert median_correction([], 6) == (0, 0)


def test_4_9_10_a_correction_is_a_ladders_rungs():
    """§ 4.9.10: A, B, C have 2 points. Their opponents have 3, 2, 0 and 3, 0, 0 and 2, 0, 0: first
    the best alone (3, 3, 2), then the next as well (5, 3)."""
    played = games("AC1 AD1 AE0 BD1 BF1 BE0 CF1 CD1 EF1")
    points = points_of("ABCDEF", played)
    rungs = correction_rungs(ordinary_correction, "ABCDEF", played)
    assert len(rungs) == 3
    rows = place(
        "ABCDEF", [Rung(RankingStep.POINTS, lambda level: points), *rungs], {0: RankingStep.SHARED}
    )
    assert [(row.place, row.name, row.decided_by) for row in rows][:4] == [
        (1, "E", None),
        (2, "A", "points"),
        (3, "B", "correction"),
        (4, "C", "correction"),
    ]
