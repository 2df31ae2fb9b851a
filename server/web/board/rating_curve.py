"""A rating curve as a picture: where its points, lines and marks lie. Drawn by the template.

A rating stands until it changes, so the line goes in steps. Not for the numbers themselves,
which stand in a table beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from server.usecases.rating.lists import Point

WIDTH, HEIGHT = 360, 210
"""The picture's own units; as large as a telephone's width, so that its letters can be read."""
LEFT, RIGHT, TOP, BOTTOM = 36, 10, 10, 24
_STEPS = (10, 20, 50, 100, 200, 500, 1000)
_MOST_LINES = 5
_MOST_YEARS = 6
_ROOM = 20
"""Rating points above and below what is shown at least."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on an axis and what is written there."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A number of a day; hollow while it is provisional."""

    x: float
    y: float
    is_provisional: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """What the picture shows, in its own units."""

    path: str
    dots: tuple[Dot, ...]
    levels: tuple[Mark, ...]
    years: tuple[Mark, ...]
    points: tuple[Point, ...]

    @property
    def high(self) -> int:
        """The highest number."""
        return max(point.rating for point in self.points)

    @property
    def low(self) -> int:
        """The lowest number."""
        return min(point.rating for point in self.points)


def curve_of(points: Sequence[Point], today: date) -> Curve | None:
    """The picture of a history in order of time; None where there is nothing to show."""
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
    marks = tuple(Mark(across(date(y, 1, 1)), str(y)) for y in years if not (y % every))
    return Curve(
        path=f"{path}H{across(last)}",
        dots=dots,
        levels=tuple(Mark(up(value), str(value)) for value in range(low, high + 1, step)),
        # A history that sees no New Year has its own year where it begins.
        years=marks or (Mark(LEFT, str(first.year)),),
        points=tuple(points),
    )


def _range(lowest: int, highest: int) -> tuple[int, int, int]:
    """Round numbers below and above, and the distance between the lines."""
    low, high = lowest - _ROOM, highest + _ROOM
    step = next((s for s in _STEPS if (high - low) / s <= _MOST_LINES), _STEPS[-1])
    return low // step * step, -(-high // step) * step, step
