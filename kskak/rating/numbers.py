"""The rating system's numbers and what each stands for (§ 4.5.2).

Not for putting the numbers together (calculation.py).
"""

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction

GREATEST_SPREAD = 200
"""Rating points between highest and lowest for the average method: § 4.5.2.1."""

EXPECTED_UNIT = Fraction(1, 20)
"""Expected scores are multiples of it: § 4.5.2.1."""

FLOOR = 1000
"""Nobody falls below this: § 4.5.2.6."""

LOWEST_K = 45
"""The coefficient below every limit: § 4.5.2.3."""

LIMITS = {2400: 10, 2000: 20, 1600: 30}
"""The coefficient K from each limit up, highest first: § 4.5.2.3."""

FEW_GAMES = 5
"""Up to this many games the bonus begins beyond 1½ points above expectation: § 4.5.2.2."""


def coefficient(rating: Fraction | int) -> int:
    """K for a rating (§ 4.5.2.3)."""
    return next((k for limit, k in LIMITS.items() if rating >= limit), LOWEST_K)


def bonus_threshold(games: int) -> Fraction:
    """How many points above expectation bring no bonus yet (§ 4.5.2.2).

    1½ to 5 games, 2 at 6 and 7, half a point more for every two games. Reading: it goes on like
    this beyond 11, where the text ends; the older edition says "and so on".
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
    corrects; the text mentions one.
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


# Table 1: the last difference of each band. The first band is worth .50 to the higher-rated
# player, each further one .01 more; what lies beyond the last is worth 1.00.
_BANDS = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121,
    129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278,
    290, 302, 315, 328, 342, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)  # fmt: skip

# Table 2: the difference for .50, .51 … .99. Below .50 the same with the sign reversed, except
# .09, which is printed as -384 against 383 for .91 in both editions of the handbook.
_DIFFERENCES = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
)  # fmt: skip
_ODD_ONE = {9: -384}


def expected_score(difference: int) -> Fraction:
    """P(D) of table 1: the expected score against one opponent (§ 4.5.7).

    ``difference`` is own rating less the opponent's; the lower-rated player has the
    remainder.
    """
    higher = Fraction(50 + bisect_left(_BANDS, abs(difference)), 100)
    return higher if difference >= 0 else 1 - higher


def rating_difference(percent: int) -> int | None:
    """D(P) of table 2 for a whole percentage; None for 0 and 100, which settle nothing (§ 4.5.7).

    Raises ValueError outside 0-100.
    """
    if not 0 <= percent <= 100:
        raise ValueError(f"a percentage lies from 0 to 100, not at {percent}")
    if percent in (0, 100):
        return None
    if percent >= 50:
        return _DIFFERENCES[percent - 50]
    return _ODD_ONE.get(percent, -_DIFFERENCES[50 - percent])
