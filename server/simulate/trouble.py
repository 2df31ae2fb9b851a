"""What a check says when something does not hold: where, when, under which seed.

Not for what persons do against the rules: that is refused by ``kskak`` and belongs to the story.
"""

from datetime import date


class Violation(AssertionError):
    """An invariant does not hold: a fault of the code, never of a player."""

    def __init__(self, day: date, place: str, what: str) -> None:
        self.seed: int | None = None
        self.day = day
        self.place = place
        self.what = what
        super().__init__(what)

    def __str__(self) -> str:
        seed = "" if self.seed is None else f"seed {self.seed}, "
        return f"{seed}{self.day}, {self.place}: {self.what}"


def expect(holds: bool, day: date, place: str, what: str) -> None:
    """Raise Violation unless it holds."""
    if not holds:
        raise Violation(day, place, what)
