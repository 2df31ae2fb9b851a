"""Performance ratings: the first number of a player who has none (§ 4.5.5.2).

Not for provisional K-ratings (§ 6.7.6.2), which come from over-the-board ratings or classes, nor
for the calculation from games against rated players (calculation.py).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from kskak.groups.played import Played
from kskak.rating.numbers import half_up, rating_difference

MOST_PASSES = 100
"""Passes over a group with several unrated players before it is left as it stands."""


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

    The text wants passes until the numbers are stable: the first uses only the rated opponents,
    each further one the numbers of the pass before. None for those without a number.
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
