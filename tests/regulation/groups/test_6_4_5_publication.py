"""§ 6.2.6, § 6.2.9, § 6.4.5: a result is reported, published, objected to, kept."""

from datetime import date

import pytest

from kskak.regulation.days import may_object, report_until, terms_of, transcripts_until

DAY = date(2027, 2, 26)


def test_6_4_5_objections_within_14_days_and_prizes_within_3_weeks():
    """§ 6.4.5, both sides of the boundary: the 14th day is in time, the 15th is not."""
    terms = terms_of(DAY)
    assert terms.objections_until == date(2027, 3, 12)
    assert terms.prizes_until == date(2027, 3, 19)
    assert may_object(terms.objections_until, date(2027, 3, 12))
    assert not may_object(terms.objections_until, date(2027, 3, 13))


def test_6_2_6_a_result_is_reported_within_8_days():
    """§ 6.2.6."""
    assert report_until(DAY) == date(2027, 3, 6)


@pytest.mark.parametrize("class_", ["DM", "cup", "league"])
def test_6_2_9_transcripts_are_kept_for_three_years(class_):
    """§ 6.2.9; finished on a leap day they are kept to 1 March."""
    assert transcripts_until(class_, DAY) == date(2030, 2, 26)
    assert transcripts_until(class_, date(2028, 2, 29)) == date(2031, 3, 1)


@pytest.mark.parametrize("class_", ["M", "K", "\u00c5", "theme"])
def test_6_2_9_asks_nothing_of_the_other_classes(class_):
    """§ 6.2.9."""
    assert transcripts_until(class_, DAY) is None
