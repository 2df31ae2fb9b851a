"""Ratings conserve what they must (§ 4.5.2, § 4.5.4.1).

What the text makes equal is shown equal: points are what was played for; by the difference
method all are expected to score what there is; a gain is K times what was scored beyond the
expectation and its bonus; ratings change by gains alone. K, bonus, limits and floor stand here a
second time. Not for the average method's expectations, which need not add up.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction

from kskak.played import Played
from kskak.quantities import Result
from kskak.rating import Calculation
from kskak.rating_expected import Method
from kskak.rating_list import Change
from server.simulate.trouble import expect

_FLOOR = 1000
_HALF = Fraction(1, 2)


def _k(rating: int) -> int:
    """§ 4.5.2.3."""
    return 45 if rating < 1600 else 30 if rating < 2000 else 20 if rating < 2400 else 10


def _threshold(games: int) -> Fraction:
    """§ 4.5.2.2: 1½ to 5 games, 2 at 6 and 7, half a point more for every two."""
    return Fraction(3, 2) if games <= 5 else 2 + _HALF * ((games - 6) // 2)


def check_group(name: str, rows: Sequence[Calculation], games: Sequence[Played], day: date) -> None:
    """One tournament's calculation."""
    points = sum(game.result is not Result.BOTH_LOSE for game in games)
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


def _check_settled(name: str, row: Calculation, day: date) -> None:
    """What lies beyond a limit counts by the two coefficients; nobody falls below the floor."""
    moved = row.rating - row.before
    full = Fraction(row.before) + row.gain
    is_same_k = row.crossed is None and full >= _FLOOR
    if is_same_k:
        near = abs(row.rating - full) <= _HALF
        expect(near, day, name, f"{row.name}: {row.before} and {row.gain} make {row.rating}")
    if row.crossed is not None and moved > 0:
        expect(moved <= row.gain + _HALF, day, name, f"{row.name} gains more above a limit")
    expect(row.rating >= _FLOOR, day, name, f"{row.name} is below the floor")
    is_turned = moved * row.gain < 0
    expect(not is_turned, day, name, f"{row.name} gains {row.gain} and moves by {moved}")


def check_curves(
    first: Mapping[str, int],
    registered: Mapping[str, int],
    changes: Mapping[str, Sequence[Change]],
    day: date,
) -> None:
    """Everybody's rating now is his first and what his tournaments made of it, and no more."""
    for name, rating in registered.items():
        own = changes.get(name, ())
        moved = sum(change.settled.rating - change.registered for change in own)
        expect(first[name] + moved == rating, day, name, f"{first[name]} + {moved} is not {rating}")
    steps = sum(
        change.settled.rating - change.registered for own in changes.values() for change in own
    )
    whole = sum(registered.values()) - sum(first.values())
    expect(steps == whole, day, "ratings", f"all together moved by {whole}, not by {steps}")
