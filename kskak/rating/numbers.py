"""The rating system's numbers and what each stands for (§ 4.5.2).

Not for the tables (rating_tables.py) nor for putting the numbers together (calculation.py).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

GREATEST_SPREAD = 200
"""Rating points between highest and lowest for the average method: § 4.5.2.1."""

EXPECTED_UNIT = Fraction(1, 20)
"""Expected scores are multiples of it: § 4.5.2.1."""

FLOOR = 1000
"""Nobody falls below: § 4.5.2.6."""

LOWEST_K = 45
"""The coefficient below every limit: § 4.5.2.3."""

LIMITS = {2400: 10, 2000: 20, 1600: 30}
"""The coefficient K from each limit up, highest first: § 4.5.2.3."""

FEW_GAMES = 5
"""Up to so many games the bonus begins after 1½ points more than expected: § 4.5.2.2."""


def coefficient(rating: Fraction | int) -> int:
    """K for a rating (§ 4.5.2.3)."""
    return next((k for limit, k in LIMITS.items() if rating >= limit), LOWEST_K)


def bonus_threshold(games: int) -> Fraction:
    """How many points above expectation bring no bonus yet (§ 4.5.2.2).

    1½ to 5 games, 2 at 6 and 7, half a point more for every two games. Reading: it goes on so
    beyond 11, where the text ends; the older edition says "and so on".
    """
    return Fraction(max(games, FEW_GAMES) // 2 + 1, 2)


def half_up(value: Fraction) -> int:
    """The nearest whole number, halves up (reading: the text does not say)."""
    return math.floor(value + Fraction(1, 2))


def to_unit(value: Fraction) -> Fraction:
    """An expected score to the nearest 0.05 (§ 4.5.2.1), halves up (reading)."""
    return half_up(value / EXPECTED_UNIT) * EXPECTED_UNIT


@dataclass(frozen=True, slots=True)
class Crossing:
    """A limit was passed: what lay beyond it counts by the ratio of the two coefficients.

    ``beyond`` rating points lay past the limit; with ``factor`` they give ``after``.
    """

    limit: int
    is_upward: bool
    beyond: Fraction
    factor: Fraction
    after: Fraction


def crossing(before: Fraction | int, after: Fraction) -> Crossing | None:
    """The correction for the first limit between the two, None if there is none (§ 4.5.2.4).

    A limit belongs to what lies above it. Reading: of two limits passed at once only the first
    corrects; the text knows one.
    """
    is_upward = after > before
    passed = [
        limit
        for limit in LIMITS
        if (before < limit < after if is_upward else after < limit <= before)
    ]
    if not passed:
        return None
    limit = min(passed) if is_upward else max(passed)
    upper, lower = LIMITS[limit], coefficient(limit - 1)
    factor = Fraction(upper, lower) if is_upward else Fraction(lower, upper)
    beyond = abs(after - limit)
    moved = beyond * factor
    return Crossing(limit, is_upward, beyond, factor, limit + moved if is_upward else limit - moved)
