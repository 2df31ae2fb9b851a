"""The layout of a rating curve: its points, lines and marks. The template draws it.

A rating holds until it changes, so the line is stepped. Not for the numbers themselves, which
are in a table beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from server.usecases.rating.rating_views import RatingPoint

WIDTH, HEIGHT = 360, 210
"""In the picture's own units; about a phone's width, so that its letters are legible."""
LEFT, RIGHT, TOP, BOTTOM = 36, 10, 10, 24
_STEPS = (10, 20, 50, 100, 200, 500, 1000)
_MOST_LINES = 5
_MOST_YEARS = 6
_ROOM = 20
"""The minimum margin in rating points above and below the curve."""


@dataclass(frozen=True, slots=True)
class AxisMark:
    """A position on an axis and its label."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A rating on a day; hollow while it is provisional."""

    x: float
    y: float
    is_provisional: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """The picture's contents, in its own units."""

    path: str
    dots: tuple[Dot, ...]
    levels: tuple[AxisMark, ...]
    years: tuple[AxisMark, ...]
    points: tuple[RatingPoint, ...]

    @property
    def high(self) -> int:
        """The highest rating."""
        return max(point.rating for point in self.points)

    @property
    def low(self) -> int:
        """The lowest rating."""
        return min(point.rating for point in self.points)


def curve_of(points: Sequence[RatingPoint], today: date) -> Curve | None:
    """The picture of a chronological history; None if there is nothing to show."""
    if not points:
        return None
    first, last = points[0].on, max(today, points[-1].on)
    days = max((last - first).days, 1)
    values = [point.rating for point in points]
    low, high, step = _range(min(values), max(values))

    def across(day: date) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (day - first).days / days, 1)

    def up(value: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low), 1)

    dots = tuple(Dot(across(one.on), up(one.rating), one.is_provisional) for one in points)
    path = f"M{dots[0].x} {dots[0].y}" + "".join(f"H{dot.x}V{dot.y}" for dot in dots[1:])
    years = range(first.year + 1, last.year + 1)
    every = -(-len(years) // _MOST_YEARS) or 1
    marks = tuple(AxisMark(across(date(y, 1, 1)), str(y)) for y in years if not (y % every))
    return Curve(
        path=f"{path}H{across(last)}",
        dots=dots,
        levels=tuple(AxisMark(up(value), str(value)) for value in range(low, high + 1, step)),
        # A history within one year is labelled with that year at its start.
        years=marks or (AxisMark(LEFT, str(first.year)),),
        points=tuple(points),
    )


def _range(lowest: int, highest: int) -> tuple[int, int, int]:
    """Round numbers below and above, and the interval between the lines."""
    low, high = lowest - _ROOM, highest + _ROOM
    step = next((s for s in _STEPS if (high - low) / s <= _MOST_LINES), _STEPS[-1])
    return low // step * step, -(-high // step) * step, step
