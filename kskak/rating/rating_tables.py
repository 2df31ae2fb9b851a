"""Tables 1 and 2 of the rating system: expected score and rating difference (§ 4.5.7).

Tables 3 and 4 are no data of their own: every cell is the average method's formula with
table 1, which a test shows. Not for the methods that use them (expected.py).
"""

from bisect import bisect_left
from fractions import Fraction

# Table 1: the last difference of each band. The first band is worth .50 to the higher-rated
# player, each further one .01 more; what lies beyond the last is worth 1.00.
_BANDS = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121,
    129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278,
    290, 302, 315, 328, 342, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)  # fmt: skip

# Table 2: the difference for .50, .51 … .99. Below .50 the same with the sign turned, but for
# .09, which is printed as -384 beside 383 for .91 in both editions of the handbook.
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

    ``difference`` is own rating less the opponent's; the lower-rated player has what the other
    has not.
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
