"""First ratings: provisional K-ratings and performance ratings (§ 6.7.6.2, § 4.5.5.2).

Reading: a K-rating is provisional until the first finished tournament has been rated, and final
from then on; the handbook names both and says no more. Not for the calculation from games
against rated players (rating.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.played import Played
from kskak.rating_rule import half_up
from kskak.rating_tables import rating_difference

BY_CLASS = {"DM": 2100, "M": 2100, "K": 1900, "Å": 1700}
"""What a class is worth where no result is known.

Reading: the lower limit of the class in the table of § 6.5.3.2 d; the open class has none, and
takes the highest number that a club may give a newcomer by itself (§ 4.5.5.1).
"""

MOST_PASSES = 100
"""Passes over a group with several unrated players before it is left as it stands."""


class Source(StrEnum):
    """Where a K-rating comes from."""

    FINAL = "final"
    OVER_THE_BOARD = "over_the_board"
    CLASS = "class"


@dataclass(frozen=True, slots=True)
class KRating:
    """A K-rating with its source; provisional unless final."""

    rating: int
    source: Source

    @property
    def is_provisional(self) -> bool:
        """Whether it is one of § 6.7.6.2."""
        return self.source is not Source.FINAL


def k_rating(final: int | None, over_the_board: int | None, klass: str = "Å") -> KRating:
    """A player's K-rating for line-ups, mean ratings and entries (§ 6.7.6.2).

    His final one; else the last over-the-board rating known; else by the class that he may enter
    (a first-timer the open one), which the leader may set otherwise. KeyError for no such class.
    """
    if final is not None:
        return KRating(final, Source.FINAL)
    if over_the_board is not None:
        return KRating(over_the_board, Source.OVER_THE_BOARD)
    return KRating(BY_CLASS[klass], Source.CLASS)


def mean_rating(ratings: Sequence[int]) -> Fraction:
    """A team's mean rating: the sum of its four, divided by 4 (§ 6.7.6.2).

    Raises ValueError for another number of players.
    """
    if len(ratings) != 4:
        raise ValueError(f"a team has 4 players, not {len(ratings)}")
    return Fraction(sum(ratings), 4)


def performance(score: Fraction, opponents: Sequence[int]) -> int | None:
    """The rating whose expected score is this score: R_c + D_p (§ 4.5.5.2).

    Reading: the percentage is rounded to a whole one, halves up, as is the mean of the opponents
    with the difference added. None without games, or when all or nothing was won: table 2 is
    silent there.
    """
    if not opponents:
        return None
    difference = rating_difference(half_up(score * 100 / len(opponents)))
    if difference is None:
        return None
    return half_up(Fraction(sum(opponents), len(opponents)) + difference)


def performances(
    ratings: Mapping[str, int], unrated: Sequence[str], games: Sequence[Played]
) -> dict[str, int | None]:
    """Performance ratings of several unrated players in one tournament (§ 4.5.5.2).

    The text wants passes until the numbers are stable: the first uses the rated opponents alone,
    each further one the numbers of the pass before. None for whom there is no number.
    """
    found: dict[str, int | None] = dict.fromkeys(unrated)
    for _ in range(MOST_PASSES):
        known = dict(ratings) | {name: value for name, value in found.items() if value is not None}
        latest = {name: _performance(name, known, games) for name in unrated}
        if latest == found:
            break
        found = latest
    return found


def _performance(name: str, known: Mapping[str, int], games: Sequence[Played]) -> int | None:
    met = [
        (known[opponent], score)
        for game in games
        for own, opponent, score in game.sides
        if own == name and opponent in known
    ]
    return performance(sum((score for _, score in met), Fraction(0)), [other for other, _ in met])
