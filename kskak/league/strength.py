"""How strong a team or a newcomer is taken to be (§ 6.7.6.2).

Not for computing ratings from games (§ 4.5).
"""

from collections.abc import Sequence
from fractions import Fraction

from kskak.entries.emt import EmtClass
from kskak.regulation.tournament_numbers import EMT, LEAGUE

OPEN_RATING = EMT.otb_qualified - 1
"""The highest rating that § 6.5.3.2 d places in Å."""


def mean_rating(ratings: Sequence[int]) -> Fraction:
    """The sum of the four K-ratings, final or provisional, divided by 4 (§ 6.7.6.2).

    ValueError for another number of players.
    """
    if len(ratings) != LEAGUE.boards:
        raise ValueError(f"a team has {LEAGUE.boards} players, not {len(ratings)}")
    return Fraction(sum(ratings), LEAGUE.boards)


def provisional_rating(
    k_rating: int | None, otb_rating: int | None, entered: EmtClass = EmtClass.OPEN
) -> int:
    """The K-rating a player is entered with (§ 6.7.6.2).

    His own; else his last known over-the-board rating; else one that starts from § 6.5.3.2.
    Reading of the last: the rating at the edge of the class he could enter, the lowest for M
    and K, the highest for Å, which is a first-timer's class; for the DM that of M.
    """
    if k_rating is not None:
        return k_rating
    if otb_rating is not None:
        return otb_rating
    match entered:
        case EmtClass.DM | EmtClass.M:
            return EMT.otb_master
        case EmtClass.K:
            return EMT.otb_qualified
        case EmtClass.OPEN:
            return OPEN_RATING
