"""Figures of a benchmark: spreads over rounds, goals, and counts that must agree.

Not for measuring.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True, slots=True)
class Spread:
    """Smallest, median and largest of several rounds."""

    low: float
    mid: float
    high: float

    @staticmethod
    def of(values: Sequence[float]) -> "Spread":
        """The spread of at least one value."""
        return Spread(min(values), median(values), max(values))


@dataclass(frozen=True, slots=True)
class Goal:
    """What a figure's median should be. ``is_floor``: at least; else at most."""

    limit: float
    is_floor: bool

    def is_met(self, value: float) -> bool:
        """Whether a median is good enough."""
        return value >= self.limit if self.is_floor else value <= self.limit

    def __str__(self) -> str:
        return f"{'>=' if self.is_floor else '<='} {self.limit:g}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One comparison: ours, the ceiling beside it, and their ratio round by round.

    ``verdict`` is what the goal applies to: the ratio, or a difference.
    """

    name: str
    unit: str
    ours: Spread
    ceiling_name: str
    ceiling: Spread
    verdict_name: str
    verdict: Spread
    goal: Goal


def ratio_figure(
    name: str, unit: str, ceiling_name: str, goal: Goal, rounds: Sequence[tuple[float, float]]
) -> Figure:
    """A figure whose goal is ours divided by the ceiling; ``rounds`` are pairs of the two."""
    return Figure(
        name=name,
        unit=unit,
        ours=Spread.of([ours for ours, _ in rounds]),
        ceiling_name=ceiling_name,
        ceiling=Spread.of([ceiling for _, ceiling in rounds]),
        verdict_name="ratio",
        verdict=Spread.of([ours / ceiling for ours, ceiling in rounds]),
        goal=goal,
    )


@dataclass(frozen=True, slots=True)
class Count:
    """What was acknowledged, and what the ledger holds: unless equal, something was lost."""

    name: str
    acknowledged: int
    in_ledger: int

    @property
    def agrees(self) -> bool:
        """Whether nothing was lost or doubled."""
        return self.acknowledged == self.in_ledger


@dataclass(frozen=True, slots=True)
class Stored:
    """What a move leaves on the disk: kilobytes by table, the largest first."""

    name: str
    tables: dict[str, float]
    goal: Goal

    @property
    def total(self) -> float:
        """Kilobytes in all."""
        return sum(self.tables.values())


@dataclass(frozen=True, slots=True)
class Profile:
    """Microseconds of CPU that something takes, and how they are spread, the most first.

    ``seen``: how many times it was looked; a share of half is right within 100 / sqrt(seen) %.
    """

    name: str
    total: float
    layers: dict[str, float]
    seen: int


@dataclass(slots=True)
class Report:
    """Everything one run found. ``conditions``: pragmas, versions, the disk."""

    conditions: dict[str, str] = field(default_factory=dict)
    figures: list[Figure] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)
    stored: list[Stored] = field(default_factory=list)
    profiles: list[Profile] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether the ledger holds every acknowledged move, and no other."""
        return all(count.agrees for count in self.counts)
