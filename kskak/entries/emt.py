"""The individual championship: its classes, and what a player's result in one means (§ 6.5).

Promotion, relegation and the danger of it, for a finished group and one still in play.
Reading: a player's ``games`` are all their games in the group, ``unfinished`` those of them
still in play. Not for which classes someone may enter (access.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction

from kskak.regulation.editions import EMT


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


class EmtOutcome(StrEnum):
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

    DM: under 45 percent; M and K: fewer than 2 points; from Å nobody is relegated. Of one in play:
    whether it still can, as the worst case is losing the rest (§ 6.5.1.2).
    """
    match group_class:
        case EmtClass.DM:
            return score.percent < EMT.dm_percent
        case EmtClass.OPEN:
            return False
        case _:
            return score.points < EMT.stay_points


def can_reach_dm_score(score: Score) -> bool:
    """Whether an unfinished DM class can still end with 45 percent (§ 6.5.2.2)."""
    return score.best_percent >= EMT.dm_percent


def outcome(group_class: EmtClass, score: Score) -> EmtOutcome:
    """What a finished group does for one of its players (§ 6.5.2.3, § 6.5.3.2, § 6.5.3.3).

    A first place with fewer than 2 points rises: the text sets no minimum score for it (reading).
    """
    if is_promotion(group_class, score):
        return EmtOutcome.RISES
    return EmtOutcome.FALLS if is_relegation(group_class, score) else EmtOutcome.STAYS


def outcomes(group_class: EmtClass, scores: Mapping[str, Score]) -> dict[str, EmtOutcome]:
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


# Making the groups of the individual championship (§ 6.5.1.1, § 6.5.2, § 6.5.3.1).


@dataclass(frozen=True, slots=True)
class WaitingPlayer:
    """A valid entry to a class: the player, and the day it became valid (§ 6.4.4.1)."""

    player: str
    since: date


def next_group(waiting: Sequence[WaitingPlayer]) -> tuple[int, ...] | None:
    """The indices of the entries that make the next group, or None until there are 7 (§ 6.5.1.1).

    First come, first served (reading). A player who waits twice, for two groups of the class
    (§ 6.5.1.2), is in this one only once.
    """
    chosen: dict[str, int] = {}
    for index in sorted(range(len(waiting)), key=lambda i: (waiting[i].since, i)):
        if len(chosen) < EMT.group:
            chosen.setdefault(waiting[index].player, index)
    return tuple(sorted(chosen.values())) if len(chosen) == EMT.group else None


def is_double(group_class: EmtClass, players: int) -> bool:
    """Whether everyone meets twice: a DM with fewer than 7 (§ 6.5.2.1)."""
    return group_class is EmtClass.DM and players < EMT.group


def may_start_dm(start: date, earlier: Sequence[date]) -> bool:
    """Whether a DM group may start on a day: in September, one a year (§ 6.5.1.1, § 6.5.2)."""
    return start.month == EMT.dm_month and all(day.year != start.year for day in earlier)


def next_dm(on: date, earlier: Sequence[date]) -> date:
    """The first of the next September without a DM group; ``on`` once this September has begun."""
    year = on.year if on.month <= EMT.dm_month else on.year + 1
    while any(day.year == year for day in earlier):
        year += 1
    return max(on, date(year, EMT.dm_month, 1))


class StartFault(StrEnum):
    """What is wrong with a group of the championship that is to start."""

    SIZE = "size"
    ROUNDS = "rounds"
    POSITION = "position"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """A group as someone wants to start it. ``has_fen``: from a position of its own."""

    group_class: EmtClass
    players: int
    is_double: bool
    start: date
    has_fen: bool = False


def start_faults(planned: GroupPlan, dms: Sequence[date]) -> tuple[tuple[StartFault, str], ...]:
    """The rules the group breaks, with paragraphs; ``dms``: the starts of the DM groups so far.

    § 6.5.1.1 (groups of 7, one DM a year), § 6.5.2 (September), § 6.5.2.1 and § 6.5.3.1 (how often
    everyone meets; games start from the initial position, as others are for theme groups).
    """
    is_dm = planned.group_class is EmtClass.DM
    form = "6.5.2.1" if is_dm else "6.5.3.1"
    september = planned.start.replace(day=1, month=EMT.dm_month)
    is_wrong_double = planned.is_double != is_double(planned.group_class, planned.players)
    found = (
        (StartFault.SIZE, "6.5.1.1", not is_dm and planned.players != EMT.group),
        (StartFault.ROUNDS, form, is_wrong_double),
        (StartFault.POSITION, form, planned.has_fen),
        (StartFault.MONTH, "6.5.2", is_dm and not may_start_dm(planned.start, ())),
        (StartFault.YEAR, "6.5.1.1", is_dm and not may_start_dm(september, dms)),
    )
    return tuple((fault, paragraph) for fault, paragraph, is_broken in found if is_broken)
