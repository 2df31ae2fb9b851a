"""§ 4.5.7: the four printed tables, cell by cell, and the printed examples of rounding."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from kskak.rating.calculation import Method, expect, expected_score, rating_difference, to_unit
from tests.fakes.machinery.each import each

VECTORS = Path(__file__).parents[2] / "vectors"
PRINTED = json.loads((VECTORS / "rating_tables.json").read_text(encoding="utf-8"))
CHECKS = {
    row["id"]: row
    for row in json.loads((VECTORS / "checks_ratings.json").read_text(encoding="utf-8"))
}


def figure(text: str) -> Fraction:
    return Fraction(text.replace(",", "."))


def bands() -> list[tuple[int, int, Fraction, Fraction]]:
    """Table 1: from, to, the higher-rated's and the lower-rated's score; the last is open."""
    found = []
    for band, high, low in PRINTED["1"]:
        first, _, last = band.partition("-")
        if band.startswith("over"):
            first, last = "736", "3000"
        found.append((int(first), int(last), figure(high), figure(low)))
    return found


def test_4_5_7_table_1_is_whole():
    """§ 4.5.7: 51 bands without a gap; what one player has the other has not."""
    assert len(bands()) == 51
    for (_, last, _, _), (first, _, _, _) in zip(bands(), bands()[1:], strict=False):
        assert first == last + 1
    assert all(high + low == 1 for _, _, high, low in bands())


@each("band", bands())
def test_4_5_7_table_1_at_both_ends_of_each_band(band):
    """§ 4.5.7: table 1, the first and the last difference of each band, from both sides."""
    first, last, high, low = band
    for difference in (first, last):
        assert expected_score(difference) == high
        if difference:
            assert expected_score(-difference) == low


def test_4_5_7_table_2_as_printed():
    """§ 4.5.7: every cell, with the one that is not the mirror of its opposite: .09."""
    assert len(PRINTED["2"]) == 100
    for share, difference in PRINTED["2"]:
        percent = figure(share) * 100
        expected = None if difference == "*" else int(difference)
        assert rating_difference(int(percent)) == expected
    assert rating_difference(0) is None
    assert (rating_difference(91), rating_difference(9)) == (383, -384)


@pytest.mark.parametrize("percent", [-1, 101])
def test_4_5_7_table_2_knows_percentages_only(percent):
    """§ 4.5.7: below nothing and above everything there is no row."""
    with pytest.raises(ValueError, match="percentage"):
        rating_difference(percent)


@pytest.mark.parametrize(("table", "field"), [("3", 6), ("4", 8)])
def test_4_5_7_tables_3_and_4_are_the_average_method(table, field):
    """§ 4.5.7: groups of 6 and 8, each printed cell at both ends of its band."""
    assert len(PRINTED[table]) == {"3": 23, "4": 24}[table]
    for first, last, over, under in PRINTED[table]:
        for difference in (int(first), int(last)):
            assert to_unit(field * expected_score(difference) - Fraction(1, 2)) == figure(over)
            lower = expected_score(-difference) if difference else Fraction(1, 2)
            assert to_unit(field * lower - Fraction(1, 2)) == figure(under)


def test_4_5_2_1_the_average_method_gives_a_printed_cell():
    """§ 4.5.2.1: a group of six, one 60 above the mean: table 3 says 3,00."""
    ratings = {"A": 1560} | dict.fromkeys("BCDEF", 1488)
    expected = expect(Method.AVERAGE, "A", ratings, tuple("BCDEF"))
    (chance,) = expected.chances
    assert (chance.difference, expected.field, expected.score) == (60, 6, 3)


@each("row", [f"RT0{number}" for number in range(1, 9)])
def test_4_5_2_1_printed_examples_of_rounding(row):
    """§ 4.5.2.1: 3,33 becomes 3,35 and 3,82 becomes 3,80, in both editions."""
    check = CHECKS[row]
    assert to_unit(Fraction(str(check["inputs"]["raw"]))) == Fraction(str(check["expected"]))


@pytest.mark.parametrize(
    ("raw", "rounded"), [("3.325", "3.35"), ("3.3249", "3.30"), ("0", "0"), ("2.44", "2.45")]
)
def test_4_5_2_1_rounding_at_its_boundary(raw, rounded):
    """§ 4.5.2.1: to the nearest 0,05; halves up (reading)."""
    assert to_unit(Fraction(raw)) == Fraction(rounded)


@pytest.mark.parametrize("row", ["RT11", "RT12"])
def test_4_5_7_the_candidate_examples_read_table_1(row):
    """§ 4.5.7: 254 below is 19 percent, 204 below is 24, as the two editions work them out."""
    check = CHECKS[row]
    difference = check["inputs"]["ref"] - check["inputs"]["avg"]
    assert difference == check["expected"]["diff"]
    assert expected_score(difference) * 100 == check["expected"]["score_pct"]


def test_every_copied_check_is_used():
    """The rows copied are those on the rating system."""
    used = {f"RT0{number}" for number in range(1, 9)} | {"RT11", "RT12"}
    assert CHECKS.keys() == used
