"""Ratings conserve what they must (§ 4.5.2, § 4.5.4.1).

What the text makes equal is checked to be equal: there is a point for each game, unless both
lose it; by the difference method the expected scores add up to the games; a gain is K times the
sum of the score beyond the expectation and the bonus; ratings change only by gains. K, bonus,
limits and floor are stated here a second time. Not for the average method's expectations, which
need not add up.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction

from kskak.groups.placing import ScoredGame
from kskak.rating.calculation import Calculation, Method
from kskak.rating.lists import RatingChange
from tests.federation.trouble import expect

_FLOOR = 1000
_LIMITS = (1600, 2000, 2400)
_HALF = Fraction(1, 2)


def _k(rating: int) -> int:
    """The factor K of a rating (§ 4.5.2.3)."""
    return 45 if rating < 1600 else 30 if rating < 2000 else 20 if rating < 2400 else 10


def _threshold(games: int) -> Fraction:
    """§ 4.5.2.2: 1½ up to 5 games, 2 for 6 or 7, and half a point more for every two more."""
    return Fraction(3, 2) if games <= 5 else 2 + _HALF * ((games - 6) // 2)


def check_group(
    name: str, rows: Sequence[Calculation], games: Sequence[ScoredGame], day: date
) -> None:
    """Check one tournament's calculation."""
    less = {"0-0": 0.0, "1/2-0": 0.5, "0-1/2": 0.5}
    points = sum(less.get(game.result, 1.0) for game in games)
    expect(sum(row.score for row in rows) == points, day, name, "points are lost or made")
    expect(sum(row.games for row in rows) == 2 * len(games), day, name, "games are lost or made")
    rated = [row for row in rows if row.games]
    if rated and all(row.method is Method.DIFFERENCE for row in rated):
        hoped = sum(row.expected.raw for row in rated)
        expect(hoped == len(games), day, name, f"{hoped} points are expected of {len(games)}")
    for row in rated:
        extra = max(row.score - row.expected.score - _threshold(row.games), Fraction(0))
        gain = _k(row.before) * (row.score - row.expected.score + extra)
        if row.is_held:
            expect(gain < 0, day, name, f"{row.name} is held, and lost nothing")
            gain = Fraction(0)
        expect(row.gain == gain, day, name, f"{row.name} gains {row.gain}, not {gain}")
        _check_settled(name, row, day)


def _settled(before: int, gain: Fraction) -> Fraction:
    """A rating after its gain: beyond the first limit passed, the other K applies (§ 4.5.2.4)."""
    full = before + gain
    for limit in _LIMITS if gain > 0 else _LIMITS[::-1]:
        lower, upper = _k(limit - 1), _k(limit)
        if before < limit < full:
            return limit + (full - limit) * upper / lower
        if full < limit <= before:
            return limit - (limit - full) * lower / upper
    return full


def _check_settled(name: str, row: Calculation, day: date) -> None:
    """The nearest whole number; nobody falls below the floor (§ 4.5.2.6)."""
    wanted = max(_settled(row.before, row.gain), Fraction(_FLOOR))
    near = abs(row.rating - wanted) <= _HALF
    expect(near, day, name, f"{row.name}: {row.before} and {row.gain} make {row.rating}")


def check_curves(
    first: Mapping[str, int],
    registered: Mapping[str, int],
    changes: Mapping[str, Sequence[RatingChange]],
    day: date,
) -> None:
    """Everybody's rating now is his first one plus the changes from his tournaments, no more."""
    for name, rating in registered.items():
        own = changes.get(name, ())
        moved = sum(change.settled.rating - change.registered for change in own)
        expect(first[name] + moved == rating, day, name, f"{first[name]} + {moved} is not {rating}")
    steps = sum(
        change.settled.rating - change.registered for own in changes.values() for change in own
    )
    whole = sum(registered.values()) - sum(first.values())
    expect(steps == whole, day, "ratings", f"all together moved by {whole}, not by {steps}")
