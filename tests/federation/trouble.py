"""What a check reports when something does not hold: where, when, and with which seed.

Not for what people do against the rules: ``kskak`` refuses that, and it is part of the simulation.
"""

from datetime import date


class Violation(AssertionError):
    """An invariant does not hold: a bug in the code, never a player's fault."""

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
    """Raise Violation unless ``holds`` is true."""
    if not holds:
        raise Violation(day, place, what)
