"""What a player was expected to score: average and difference method (§ 4.5.2.1).

Not for what follows from it (calculation.py) nor for the tables (numbers.py).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.groups.played import Played
from kskak.rating.numbers import GREATEST_SPREAD, expected_score, half_up, to_unit


class Method(StrEnum):
    """How the expected score of a group is found (§ 4.5.2.1)."""

    AVERAGE = "average"
    DIFFERENCE = "difference"


@dataclass(frozen=True, slots=True)
class Chance:
    """One lookup in table 1: own rating less ``against``, and the expected score.

    ``opponent`` None: the group's mean. ``difference`` is signed and whole.
    """

    opponent: str | None
    against: Fraction
    difference: int
    score: Fraction


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected score and how it was reached.

    ``field`` is M of the average method, else None; ``cycles`` how often all met, 2 in a double
    round.
    """

    method: Method
    chances: tuple[Chance, ...]
    field: int | None
    cycles: Fraction
    raw: Fraction
    score: Fraction


def meetings(games: Sequence[Played]) -> Counter[frozenset[str]]:
    """How often each pair has met."""
    return Counter(frozenset((game.white, game.black)) for game in games)


def all_played_all(ratings: Mapping[str, int], games: Sequence[Played]) -> bool:
    """Whether everyone has met everyone, once or more."""
    players = len(ratings)
    return players > 1 and len(meetings(games)) == players * (players - 1) // 2


def method_for(ratings: Mapping[str, int], games: Sequence[Played]) -> Method:
    """The group's method (§ 4.5.2.1): average when all played all, spread at most 200.

    Reading: all must have met equally often; a play-off on top of a round robin, say, makes it
    a tournament where the average method can't be used.
    """
    if not all_played_all(ratings, games) or len(set(meetings(games).values())) > 1:
        return Method.DIFFERENCE
    spread = max(ratings.values()) - min(ratings.values())
    return Method.AVERAGE if spread <= GREATEST_SPREAD else Method.DIFFERENCE


def expect(
    method: Method, name: str, ratings: Mapping[str, int], opponents: Sequence[str]
) -> Expectation:
    """The expected score of a player against these opponents, one for each rated game (§ 4.5.2.1).

    Where some games are not rated, the same method is used on the player and the opponents that
    remain, as the text wants a new expected score by the group's method. Reading: M × P - ½
    is the expected score of one round robin, so a double round expects twice that.
    """
    own = ratings[name]
    if method is Method.AVERAGE:
        met = [ratings[opponent] for opponent in dict.fromkeys(opponents)]
        field = len(met) + 1
        chance = _chance(None, own, Fraction(own + sum(met), field))
        cycles = Fraction(len(opponents), len(met)) if met else Fraction(1)
        raw = cycles * (field * chance.score - Fraction(1, 2))
        return Expectation(method, (chance,), field, cycles, raw, to_unit(raw))
    chances = tuple(_chance(opponent, own, Fraction(ratings[opponent])) for opponent in opponents)
    raw = sum((chance.score for chance in chances), Fraction(0))
    return Expectation(method, chances, None, Fraction(1), raw, to_unit(raw))


def _chance(opponent: str | None, own: int, against: Fraction) -> Chance:
    """Reading: the difference's size is rounded half up; table 1 has whole differences only."""
    size = half_up(abs(own - against))
    difference = size if own >= against else -size
    return Chance(opponent, against, difference, expected_score(difference))
