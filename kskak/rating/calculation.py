"""New ratings from a finished group, by § 4.5, every step kept as a value.

The handbook does not say how K-skak ratings are made; reading: by the system of § 4.5, with the
rating's own K. The caller says which games are rated (§ 4.5.4.2): all that were played,
adjudicated ones too, but not those lost by a withdrawal without having been played (reading).
Not for lists over time (lists.py) nor for first ratings (performance.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from kskak.groups.played import NOTHING, Played, points_of
from kskak.rating.expected import Expectation, Method, all_played_all, expect, method_for
from kskak.rating.numbers import FLOOR, Crossing, bonus_threshold, coefficient, crossing, half_up


@dataclass(frozen=True, slots=True)
class Group:
    """A finished group: ratings at its start in the order of the list, and its games.

    ``unrated`` games count for who met whom and who won the group, not for ratings (§ 4.5.4.2).
    """

    ratings: Mapping[str, int]
    games: tuple[Played, ...]
    unrated: tuple[Played, ...] = ()

    @property
    def all_games(self) -> tuple[Played, ...]:
        return self.games + self.unrated


@dataclass(frozen=True, slots=True)
class Calculation:
    """One player's new rating with every step to it (§ 4.5.2)."""

    name: str
    before: int
    games: int
    score: Fraction
    expected: Expectation
    threshold: Fraction
    bonus: Fraction
    k: int
    gain: Fraction
    """K × (W - We + B); 0 where the winner's rule holds the rating."""
    is_held: bool
    """A group winner below expectation: § 4.5.2.5."""
    crossed: Crossing | None
    is_raised: bool
    """Raised to the floor: § 4.5.2.6."""
    rating: int

    @property
    def method(self) -> Method:
        return self.expected.method


def rate(group: Group) -> tuple[Calculation, ...]:
    """Each player's new rating, in the group's order (§ 4.5.2)."""
    method = method_for(group.ratings, group.all_games)
    winners = group_winners(group)
    points = points_of(group.ratings, group.games)
    met: dict[str, list[str]] = {name: [] for name in group.ratings}
    for game in group.games:
        for name, opponent, _ in game.sides:
            met[name].append(opponent)
    return tuple(
        _calculate(
            name,
            before,
            points[name],
            expect(method, name, group.ratings, met[name]),
            len(met[name]),
            name in winners,
        )
        for name, before in group.ratings.items()
    )


def group_winners(group: Group) -> frozenset[str]:
    """Who won the group: all who share the most points (§ 4.5.2.5).

    Reading: only a group where all played all has a winner.
    """
    if not all_played_all(group.ratings, group.all_games):
        return frozenset()
    points = points_of(group.ratings, group.all_games)
    best = max(points.values())
    return frozenset(name for name, score in points.items() if score == best)


def bonus(score: Fraction, expected: Fraction, games: int) -> Fraction:
    """B: by how much the score exceeds expectation and threshold, if at all (§ 4.5.2.2)."""
    return max(score - expected - bonus_threshold(games), NOTHING)


def _calculate(
    name: str, before: int, score: Fraction, expected: Expectation, games: int, is_winner: bool
) -> Calculation:
    extra = bonus(score, expected.score, games)
    k = coefficient(before)
    is_held = is_winner and score < expected.score
    gain = NOTHING if is_held else k * (score - expected.score + extra)
    settled = settle(before, gain) if games else Settled(None, False, before)
    return Calculation(
        name=name,
        before=before,
        games=games,
        score=score,
        expected=expected,
        threshold=bonus_threshold(games),
        bonus=extra,
        k=k,
        gain=gain,
        is_held=is_held,
        crossed=settled.crossed,
        is_raised=settled.is_raised,
        rating=settled.rating,
    )


@dataclass(frozen=True, slots=True)
class Settled:
    """A rating after its gain, with the corrections that were made."""

    crossed: Crossing | None
    is_raised: bool
    rating: int


def settle(before: int, gain: Fraction) -> Settled:
    """The rating after a gain: limit, floor, and rounding last (§ 4.5.2.4, § 4.5.2.6)."""
    crossed = crossing(before, before + gain)
    after = crossed.after if crossed else before + gain
    return Settled(crossed, after < FLOOR, half_up(max(after, Fraction(FLOOR))))
