"""A team that is entered for the next league, and how strong it is (§ 6.7.5.1, § 6.7.6.2).

Not for its line-up (lineup.py) nor for which division it gets (composition.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from kskak.league.strength import mean_rating


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
