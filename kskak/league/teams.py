"""A team entered for the next league, and how strong it is (§ 6.7.5.1, § 6.7.6.2).

Not for its line-up (lineup.py) nor for which division it gets (composition.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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

    Their own; else their last known over-the-board rating; else one based on § 6.5.3.2.
    Reading of the last: the rating at the edge of the class they could enter, the lowest for M
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


@dataclass(frozen=True, slots=True)
class Team:
    """One entered team; ``number`` is its place among the entries.

    ``last`` is the division it played in last season, None for a new team; ``group`` its group
    there; ``score`` its percentage in finished and reported games at the entry deadline.
    """

    number: int
    club: str
    last: int | None
    score: Fraction | None
    ratings: tuple[int, ...]
    group: str | None = None

    @property
    def mean(self) -> Fraction:
        """Its mean K-rating (§ 6.7.6.2)."""
        return mean_rating(self.ratings)

    @property
    def club_key(self) -> str:
        """The club, however its name is written (§ 6.7.3.3)."""
        return " ".join(self.club.split()).casefold()

    def has_scored(self, lowest: int) -> bool:
        """Whether its score is at least that many percent."""
        return self.score is not None and self.score >= lowest


def strongest_first(teams: Iterable[Team]) -> list[Team]:
    """By score, then by mean K-rating, as § 6.7.5.1 names them; then in the order of entry."""
    return sorted(teams, key=lambda team: (-(team.score or 0), -team.mean, team.number))


def by_rating(teams: Iterable[Team]) -> list[Team]:
    """By mean K-rating alone, where no scores compare; then in the order of entry."""
    return sorted(teams, key=lambda team: (-team.mean, team.number))
