"""Whole months and years from a day (§ 6.2.7, § 4.1.19). Not for reflection days (days.py)."""

from datetime import date

MONTHS_A_YEAR = 12


def months_later(day: date, months: int) -> date:
    """The same day of the month so many months later; the 1st of the next where it is missing.

    Reading, as for a leave year: 29 February becomes 1 March.
    """
    years, month = divmod(day.month - 1 + months, MONTHS_A_YEAR)
    year = day.year + years
    try:
        return date(year, month + 1, day.day)
    except ValueError:
        return date(year, month + 2, 1)


def years_later(day: date, years: int) -> date:
    """The same date so many years later; 29 February becomes 1 March."""
    return months_later(day, MONTHS_A_YEAR * years)
