"""§ 4.1.19: how long warnings and quarantines last, and what a repeated one becomes."""

from datetime import date

import pytest

from kskak.cases.case_events import (
    ImposedSanction,
    Sanction,
    SanctionKind,
    impose,
    is_in_register,
    is_quarantined,
)

WARNING, QUARANTINE, EXPULSION = SanctionKind
GIVEN = date(2024, 3, 1)
SEASON_END = date(2025, 1, 31)
WARNED = Sanction(WARNING, GIVEN, season_end=SEASON_END)
OUT = Sanction(QUARANTINE, date(2024, 1, 15), date(2024, 4, 14))


@pytest.mark.parametrize(
    ("on", "counts"),
    [(date(2025, 1, 31), True), (date(2026, 1, 31), True), (date(2026, 2, 1), False)],
)
def test_4_1_19_a_second_warning_within_a_year_of_the_season_is_three_months_quarantine(on, counts):
    """§ 4.1.19: a warning lives a year after the tournament's last day. Verdict: that day too."""
    imposed = impose([WARNED], WARNING, on)
    assert is_in_register(WARNED, on) is counts
    assert imposed.kind is (QUARANTINE if counts else WARNING)
    assert imposed.was_warning is counts
    assert imposed.paragraph == ("4.1.19" if counts else "6.4.2")


def test_4_1_19_the_automatic_quarantine_lasts_three_months_to_the_day():
    """§ 4.1.19: 3 months. Verdict: from 15 March to 14 June; still played, the warning counts."""
    running = Sanction(WARNING, GIVEN)
    imposed = impose([running], WARNING, date(2024, 3, 15))
    assert (imposed.first, imposed.last) == (date(2024, 3, 15), date(2024, 6, 14))
    assert impose([running], WARNING, date(2023, 3, 1)).kind is WARNING, "not given yet"


@pytest.mark.parametrize(
    ("on", "last", "is_repeated"),
    [
        (date(2024, 3, 1), date(2024, 4, 30), True),
        (date(2025, 4, 14), date(2025, 6, 13), True),
        (date(2025, 4, 15), date(2025, 5, 14), False),
    ],
)
def test_4_1_19_a_quarantine_within_a_year_of_another_is_doubled(on, last, is_repeated):
    """§ 4.1.19: doubled until a year after the end. Verdict: 1 month becomes 2, then not."""
    imposed = impose([OUT], QUARANTINE, on, months=1)
    assert imposed == ImposedSanction(QUARANTINE, on, last, is_repeated=is_repeated)
    assert is_in_register(OUT, on) is is_repeated


@pytest.mark.parametrize(
    ("on", "is_turned"), [(date(2025, 4, 14), True), (date(2025, 4, 15), False)]
)
def test_4_1_19_a_warning_within_a_year_of_a_quarantine_is_three_months(on, is_turned):
    """§ 4.1.19: turned into 3 months, not doubled (reading). Verdict: until a year after."""
    imposed = impose([OUT], WARNING, on)
    assert imposed.was_warning is is_turned
    assert imposed.last == (date(2025, 7, 13) if is_turned else None)


def test_4_1_19_what_was_annulled_counts_no_more():
    """§ 4.1.19, Kendelse 120: annulled, it never was. Verdict: a warning is a warning."""
    annulled = [Sanction(row.kind, row.first, row.last, None, True) for row in (WARNED, OUT)]
    assert impose(annulled, WARNING, GIVEN) == ImposedSanction(WARNING, GIVEN)
    assert not any(is_in_register(row, GIVEN) or is_quarantined([row], GIVEN) for row in annulled)


def test_4_1_19_a_quarantine_keeps_him_out_from_its_first_to_its_last_day():
    """§ 4.1.19, § 6.4.2: the term. Verdict: both ends included; an expulsion has none."""
    days = [date(2024, 1, 14), date(2024, 1, 15), date(2024, 4, 14), date(2024, 4, 15)]
    assert [is_quarantined([OUT], day) for day in days] == [False, True, True, False]
    assert impose([OUT, WARNED], EXPULSION, GIVEN) == ImposedSanction(EXPULSION, GIVEN)
    for none in (None, 0):
        with pytest.raises(ValueError, match="months"):
            impose([], QUARANTINE, GIVEN, months=none)


def test_4_1_19_months_end_on_the_day_before_the_same_date():
    """§ 4.1.19 in months (reading: a missing date is the next month's first). Verdict: so."""
    spring = impose([], QUARANTINE, date(2023, 11, 30), months=3)
    assert spring.last == date(2024, 2, 29), "30 February is missing: 1 March, less a day"
    leap = Sanction(WARNING, GIVEN, season_end=date(2024, 2, 29))
    assert [is_in_register(leap, date(2025, 3, day)) for day in (1, 2)] == [True, False]


def test_4_1_19_the_register_shows_a_sanction_from_its_day_and_an_expulsion_for_good():
    """§ 4.1.19: only warnings and quarantines end. Verdict: not the day before, and in 30 years."""
    out = Sanction(EXPULSION, GIVEN, event="K-26-01")
    for sanction in (WARNED, Sanction(QUARANTINE, GIVEN, date(2024, 5, 31))):
        assert is_in_register(sanction, GIVEN)
        assert not is_in_register(sanction, date(2024, 2, 29))
    assert is_in_register(out, GIVEN) and is_in_register(out, date(2054, 3, 1))
