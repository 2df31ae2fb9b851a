"""What speaks for and against a class: rights with their last day, bars, and both together.

Not for finding them (access.py and what it calls).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from kskak.entries.player_record import Result


@dataclass(frozen=True, slots=True)
class Right:
    """A rule that opens a class; ``until`` is its last day, None where no day is set.

    ``results`` are the numbers of the results that it rests on.
    """

    paragraph: str
    until: date | None
    results: tuple[int, ...] = ()

    @staticmethod
    def of(paragraph: str, result: Result, years: int) -> "Right":
        """A right that a result gives for this many years."""
        return Right(paragraph, result.ends(years), (result.number,))


@dataclass(frozen=True, slots=True)
class Bar:
    """A rule that closes a class, and the results that it rests on."""

    paragraph: str
    results: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a class is open, and what speaks for and against it."""

    by: tuple[Right, ...] = ()
    against: tuple[Bar, ...] = ()

    @property
    def is_allowed(self) -> bool:
        """Open when a rule opens it and none closes it."""
        return bool(self.by) and not self.against


def merged(rights: Iterable[Right]) -> tuple[Right, ...]:
    """One right per paragraph: the longest of its days, with all the results it rests on."""
    found: dict[str, Right] = {}
    for right in rights:
        other = found.get(right.paragraph)
        if other is None:
            found[right.paragraph] = right
            continue
        is_endless = other.until is None or right.until is None
        until = None if is_endless else max(other.until or date.min, right.until or date.min)
        numbers = tuple(sorted({*other.results, *right.results}))
        found[right.paragraph] = Right(right.paragraph, until, numbers)
    return tuple(found.values())
