"""The individual championship: its classes, and what a player's result in one means (§ 6.5).

Promotion, relegation and the danger of it, for a finished group and one still in play.
Reading: a player's ``games`` are all their games in the group, ``unfinished`` those of them
still in play. Not for which classes someone may enter (access.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from kskak.regulation.tournament_numbers import EMT


class EmtClass(StrEnum):
    """The classes, strongest first (§ 6.5.1)."""

    DM = "DM"
    M = "M"
    K = "K"
    OPEN = "Å"

    @property
    def above(self) -> "EmtClass | None":
        """The class directly above; None above the DM."""
        order = tuple(EmtClass)
        return None if self is EmtClass.DM else order[order.index(self) - 1]

    @property
    def below(self) -> "EmtClass | None":
        """The class directly below; None below Å."""
        order = tuple(EmtClass)
        return None if self is EmtClass.OPEN else order[order.index(self) + 1]


@dataclass(frozen=True, slots=True)
class Score:
    """A player's points in a group; ``place`` 1 for all who share the most points."""

    points: Fraction
    games: int
    unfinished: int = 0
    place: int | None = None

    def __post_init__(self) -> None:
        """ValueError for points that this many games can't give: a bug in the caller."""
        if self.games < 1 or not 0 <= self.points <= self.games - self.unfinished:
            raise ValueError(f"{self.points} of {self.games} games, {self.unfinished} unfinished")

    @property
    def percent(self) -> Fraction:
        """Points so far in percent of all the player's games, unrounded."""
        return 100 * self.points / self.games

    @property
    def best_percent(self) -> Fraction:
        """The same if the player wins all unfinished games."""
        return 100 * (self.points + self.unfinished) / self.games


class Outcome(StrEnum):
    """What a finished group does to a player's class (§ 6.5.3.2, § 6.5.3.3)."""

    RISES = "rises"
    STAYS = "stays"
    FALLS = "falls"


def is_promotion(group_class: EmtClass, score: Score) -> bool:
    """Whether the result opens the class above (§ 6.5.2.2, § 6.5.3.2).

    5 points; below M also first place, shared or not. The DM has no class above it, and
    from M first place alone is not enough (§ 6.5.2.2).
    """
    if group_class is EmtClass.DM:
        return False
    is_first = score.place == 1 and group_class is not EmtClass.M
    return is_first or score.points >= EMT.promotion_points


def is_relegation(group_class: EmtClass, score: Score) -> bool:
    """Whether the result of a finished group relegates the player (§ 6.5.2.3, § 6.5.3.3).

    DM: under 45 percent; M and K: fewer than 2 points; from Å nobody is relegated.
    """
    match group_class:
        case EmtClass.DM:
            return score.percent < EMT.dm_percent
        case EmtClass.OPEN:
            return False
        case _:
            return score.points < EMT.stay_points


def is_relegation_possible(group_class: EmtClass, score: Score) -> bool:
    """Whether the unfinished games can still relegate the player (§ 6.5.1.2).

    With none unfinished it is what the result did. The worst case is losing them all.
    """
    return is_relegation(group_class, score)


def can_reach_dm_score(score: Score) -> bool:
    """Whether an unfinished DM class can still end with 45 percent (§ 6.5.2.2)."""
    return score.best_percent >= EMT.dm_percent


def outcome(group_class: EmtClass, score: Score) -> Outcome:
    """What a finished group does for one of its players (§ 6.5.2.3, § 6.5.3.2, § 6.5.3.3).

    A first place with fewer than 2 points rises: the text sets no minimum score for it (reading).
    """
    if is_promotion(group_class, score):
        return Outcome.RISES
    return Outcome.FALLS if is_relegation(group_class, score) else Outcome.STAYS


def outcomes(group_class: EmtClass, scores: Mapping[str, Score]) -> dict[str, Outcome]:
    """Who rises, stays and falls from a finished group, by name (§ 6.5.3.2, § 6.5.3.3).

    The places are counted here: all who share the most points are first. ValueError while
    anyone has an unfinished game.
    """
    still = [name for name, score in scores.items() if score.unfinished]
    if still:
        raise ValueError(f"not finished: {', '.join(still)}")
    most = max((score.points for score in scores.values()), default=Fraction(0))
    found = {}
    for name, score in scores.items():
        place = 1 if score.points == most else None
        found[name] = outcome(group_class, replace(score, place=place))
    return found
